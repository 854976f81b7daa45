/* An ATmega328P in avr8js, for run.cjs. */
'use strict';

const RAM_SIZE = 2048;
const FLASH_SIZE = 32768;
const SLEEP = 0x9588;
const RECEIVER_STATUS = 0xc1;
const RECEIVES = 0x10;
const SENDS = 0x20; // its interrupt is on: there is more in the port's buffer
const RECEIVED = 0xc0;
const COMPLETE = 0x80;
const STREAMED = 16384;
const STREAM_UNIT = 8; // cycles

/* What SPI sends, each byte behind how long it came after the one before; a byte takes the time that its clock needs. */
function connectStream(cpu, spi) {
  const bytes = Buffer.alloc(STREAMED);
  let at = 0;
  let last = 0;
  spi.onByte = (byte) => {
    if (at + 2 <= STREAMED) {
      bytes[at++] = Math.min(255, Math.floor((cpu.cycles - last) / STREAM_UNIT));
      bytes[at++] = byte;
    }
    last = cpu.cycles;
    cpu.addClockEvent(() => spi.completeTransfer(0xff), spi.transferCycles);
  };
  return bytes;
}

exports.atmega328p = (library, image, options, say) => {
  const flash = Buffer.alloc(FLASH_SIZE, 0xff);
  image.copy(flash);
  const words = new Uint16Array(flash.buffer, flash.byteOffset, FLASH_SIZE / 2);
  const cpu = new library.CPU(new Uint16Array(words), RAM_SIZE);
  const clock = new library.AVRClock(cpu, options.clock);
  for (const timer of ['timer0Config', 'timer1Config', 'timer2Config']) new library.AVRTimer(cpu, library[timer]);
  for (const port of ['portBConfig', 'portCConfig', 'portDConfig']) new library.AVRIOPort(cpu, library[port]);
  new library.AVRADC(cpu, library.adcConfig);
  new library.AVRWatchdog(cpu, library.watchdogConfig, clock);
  const usart = new library.AVRUSART(cpu, library.usart0Config, options.clock);
  usart.onByteTransmit = say;
  usart.UDRE.constant = true; // as on the chip: not the routine clears the flag, only a byte that is written
  const spi = new library.AVRSPI(cpu, library.spiConfig, options.clock);
  const contents = options.parts.map((text) => {
    if (text !== 'stream') throw new Error(`there is no part ${text}`);
    return connectStream(cpu, spi);
  });
  let behind = -1; // the SLEEP in which it is: what an interrupt comes back to

  return {
    cycles: () => cpu.cycles,
    parts: () => contents,
    counter: () => 2 * cpu.pc,
    listens: () => Boolean(cpu.data[RECEIVER_STATUS] & RECEIVES),
    receive: (byte) => usart.writeByte(byte, true),
    hasTaken: () => !(cpu.data[RECEIVED] & COMPLETE),
    sends: () => Boolean(cpu.data[RECEIVER_STATUS] & SENDS),
    memory: (address, size) => [...cpu.data.subarray(address, address + size)],

    /* Until so many cycles are over, or it sleeps: true. avr8js takes SLEEP for an instruction that does nothing. */
    run(until) {
      if (behind >= 0) {
        cpu.tick();
        if (cpu.pc === behind) return true;
        behind = -1;
      }
      while (cpu.cycles < until) {
        const sleeps = cpu.progMem[cpu.pc] === SLEEP;
        library.avrInstruction(cpu);
        if (sleeps && !(cpu.interruptsEnabled && cpu.nextInterrupt >= 0)) {
          behind = cpu.pc;
          return true;
        }
        cpu.tick();
      }
      return false;
    },

    /* It sleeps: nothing is executed before an interrupt. */
    skip(until) {
      while (cpu.cycles < until && cpu.pc === behind) {
        const next = cpu.nextClockEvent ? cpu.nextClockEvent.cycles : until;
        cpu.cycles = Math.max(cpu.cycles, Math.min(next, until));
        cpu.tick();
      }
    },
  };
};
