/* An RP2040 in rp2040js, for run.cjs. */
'use strict';

const { connectParts } = require('./parts.cjs');

const RAM = 0x20000000;
const FIRST_UART_LINE = 20;

/* What the chip's ROM does with a flash that begins with a boot block: copies its 256 bytes to the end of the RAM and jumps
   there. Two words of the vector table, then ldr r0, ldr r1, movs r2 #64; ldmia r0!, stmia r1!, subs, bne; ldr r1, bx r1. */
const ROM = [
  ...[0x20042000, 0x00000009, 0x49054804, 0xc8082240, 0x3a01c108, 0x4903d1fb, 0x00004708],
  ...[0x10000000, 0x20041f00, 0x20041f01],
];

const quiet = () => {};
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet };

exports.rp2040 = (library, image, options, say) => {
  const chip = new library.RP2040();
  const { core, clock } = chip;
  const uart = chip.uart[options.uart];
  const nanos = 1e9 / options.clock;
  let cycles = 0;
  let broken = false;
  chip.logger = SILENT;
  chip.loadBootrom(ROM);
  chip.flash.set(image);
  core.reset();
  uart.onByte = say;
  chip.onBreak = () => (broken = true);
  const parts = connectParts(chip, library, options.parts, options.faults);

  function pass(count) {
    cycles += count;
    clock.tick(Math.max(0, cycles * nanos - clock.nanos));
    parts.tick();
  }

  /* rp2040js itself does not end WFI by SysTick, nor while interrupts are masked. */
  function wakes() {
    if (!core.pendingSystick && !(core.pendingInterrupts & core.enabledInterrupts)) return false;
    core.waiting = false;
    core.interruptsUpdated = true;
    return true;
  }

  return {
    cycles: () => cycles,
    counter: () => core.PC,
    listens: () => Boolean((core.enabledInterrupts >> (FIRST_UART_LINE + options.uart)) & 1),
    receive: (byte) => uart.feedByte(byte),
    hasTaken: () => uart.rxFIFO.empty,
    sends: () => false,
    parts: () => parts.contents,
    memory: (address, size) => [...chip.sram.subarray(address - RAM, address - RAM + size)],

    /* Until so many cycles are over, or it sleeps: true. */
    run(until) {
      while (cycles < until) {
        if (core.waiting && !wakes()) return true;
        pass(core.executeInstruction());
        if (broken) return 'crashed';
      }
      return false;
    },

    /* It sleeps: nothing is executed before the next alarm. */
    skip(until) {
      while (cycles < until && !wakes()) {
        const next = clock.nextAlarm ? Math.ceil(clock.nextAlarm.nanos / nanos) : until;
        pass(Math.max(1, Math.min(next, until) - cycles));
      }
    },
  };
};
