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

const CONTROLLER = 5; // the line of the chip's USB
const PACKET = 16; // bytes from the host at once, at most

const quiet = () => {};
const SILENT = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/* The console on one of its UARTs. */
function uartConsole(chip, number, say) {
  const uart = chip.uart[number];
  uart.onByte = say;
  return {
    listens: () => Boolean((chip.core.enabledInterrupts >> (FIRST_UART_LINE + number)) & 1),
    receive: (byte) => uart.feedByte(byte),
    hasTaken: () => uart.rxFIFO.empty,
    sends: () => false,
  };
}

/* The console over USB, with rp2040js' host: it finds the serial line in the descriptors, opens it, and takes what comes at
   once. It would send empty packets where it has nothing to send; here the chip's buffer waits until there is something. */
function usbConsole(chip, library, say) {
  const { usbCtrl: usb } = chip;
  const host = new library.USBCDC(usb);
  const waiting = [];
  let room = 0;
  let attached = false;
  const { onUSBEnabled: attach } = usb;
  usb.onUSBEnabled = () => {
    attached = true;
    attach();
  };
  host.onSerialData = (bytes) => bytes.forEach(say);
  usb.onEndpointRead = (endpoint, size) => {
    if (endpoint === host.outEndpoint) {
      room = size;
      give();
    }
  };
  function give() {
    if (!room || !waiting.length) return;
    usb.endpointReadDone(host.outEndpoint, Uint8Array.from(waiting.splice(0, Math.min(room, PACKET))));
    room = 0;
  }
  const isBusy = (alarm) => alarm.buffers.length > 0;
  return {
    listens: () => host.initialized && Boolean((chip.core.enabledInterrupts >> CONTROLLER) & 1),
    receive(byte) {
      waiting.push(byte);
      give();
    },
    hasTaken: () => !waiting.length && !usb.endpointReadAlarms.some(isBusy),
    sends: () => attached && (!host.initialized || usb.endpointWriteAlarms.some(isBusy)),
  };
}

exports.rp2040 = (library, image, options, say) => {
  const chip = new library.RP2040();
  const { core, clock } = chip;
  const nanos = 1e9 / options.clock;
  let cycles = 0;
  let broken = false;
  chip.logger = SILENT;
  chip.loadBootrom(ROM);
  chip.flash.set(image);
  core.reset();
  const line = options.uart === 'USB' ? usbConsole(chip, library, say) : uartConsole(chip, Number(options.uart), say);
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
    ...line,
    parts: () => parts.contents,
    memory: (address, size) => [...chip.sram.subarray(address - RAM, address - RAM + size)],

    /* Until so many cycles are over, or it sleeps: true. */
    run(until) {
      while (cycles < until) {
        if (core.waiting && !wakes()) return true;
        core.PC &= ~1; // rp2040js enters a routine with bit 0 of its address, by which tables in the code are missed
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
