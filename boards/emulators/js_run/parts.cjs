/* Devices beside an RP2040 in rp2040js, on its hooks for I2C 0, SPI 0 and pins, for run.cjs.

   registers:ADDRESS[:HEX]   256 registers on the two-wire bus; the first byte that is written points
   memory:ADDRESS            4096 bytes in pages of 32, which take 3 ms to be written, and meanwhile it does not answer
   display:PIN               a MAX7219 that PIN selects: the registers that it was given
   stream                    what SPI 0 sends, each byte behind how long it came after the one before, in 0.5 us, at most 255
   signal:PIN:MICROSECONDS:TIMES   a pin that is low, and TIMES times high for so long, with as long between

   What may go wrong once, at the Nth such event from 0: absent:N (an address is not acknowledged), refused:N (a byte that is
   written), lost:N (the arbitration, at an address). */
'use strict';

const PAGE = 32;
const CELLS = 4096;
const WRITE_NANOS = 3e6;
const SDA = 8;
const SCL = 9;
const TO_READ = 1; // I2CMode.Read

function hex(text) {
  return text.match(/../g).map((digits) => parseInt(digits, 16));
}

function registers(content) {
  const cells = Buffer.alloc(256);
  hex(content || '00').forEach((byte, i) => (cells[i] = byte));
  let pointer = 0;
  let pointed = false;
  return {
    cells,
    begin: () => (pointed = false),
    ready: () => true,
    take(byte) {
      if (pointed) cells[pointer++] = byte;
      else pointer = byte;
      pointer &= 255;
      pointed = true;
    },
    give() {
      pointer = (pointer + 1) & 255;
      return cells[(pointer + 255) & 255];
    },
    stop() {},
  };
}

function memory(now) {
  const cells = Buffer.alloc(CELLS, 0xff);
  let cell = 0;
  let bytes = 0;
  let ready = 0;
  let page = new Map();
  return {
    cells,
    begin() {
      bytes = 0;
      page = new Map();
    },
    ready: () => now() >= ready,
    take(byte) {
      if (bytes++ < 2) {
        cell = ((cell << 8) | byte) % CELLS;
        return;
      }
      page.set(cell, byte);
      cell = cell - (cell % PAGE) + ((cell + 1) % PAGE);
    },
    give() {
      cell = (cell + 1) % CELLS;
      return cells[(cell + CELLS - 1) % CELLS];
    },
    stop() {
      for (const [at, byte] of page) cells[at] = byte;
      if (page.size) ready = now() + WRITE_NANOS;
      page = new Map();
    },
  };
}

/* What is to go wrong: a function that says of each event of a kind whether it does. */
function faults(texts) {
  const wanted = texts.map((text) => text.split(':'));
  const counts = {};
  return (kind) => {
    const n = counts[kind] || 0;
    counts[kind] = n + 1;
    return wanted.some(([name, at]) => name === kind && Number(at) === n);
  };
}

function connectBus(chip, devices, goesWrong) {
  const i2c = chip.i2c[0];
  let device = null;
  chip.gpio[SDA].setInputValue(true); // pulled up
  chip.gpio[SCL].setInputValue(true);
  i2c.onConnect = (address, mode) => {
    const found = devices.get(address);
    if (device && device !== found) device.stop();
    device = null;
    if (goesWrong('lost')) return i2c.arbitrationLost();
    if (!found || !found.ready() || goesWrong('absent')) return i2c.completeConnect(false);
    device = found;
    if (mode !== TO_READ) device.begin();
    i2c.completeConnect(true);
  };
  i2c.onWriteByte = (byte) => {
    if (goesWrong('refused')) return i2c.completeWrite(false);
    device.take(byte);
    i2c.completeWrite(true);
  };
  i2c.onReadByte = () => i2c.completeRead(device.give());
  i2c.onStop = () => {
    if (device) device.stop();
    device = null;
    i2c.completeStop();
  };
}

function connectDisplay(chip, pin, low) {
  const cells = Buffer.alloc(16);
  const spi = chip.spi[0];
  let frame = 0;
  let selected = false;
  const before = spi.onTransmit;
  spi.onTransmit = (byte) => {
    if (!selected) return before(byte);
    frame = ((frame << 8) | byte) & 0xffff;
    spi.completeTransmit(0xff);
  };
  chip.gpio[pin].addListener((state) => {
    if (selected && state !== low) cells[(frame >> 8) & 15] = frame & 255;
    selected = state === low;
  });
  return cells;
}

const STREAM_UNIT = 500; // nanoseconds
const STREAMED = 16384;

function connectStream(chip, now) {
  const bytes = Buffer.alloc(STREAMED);
  let at = 0;
  let last = 0;
  chip.spi[0].onTransmit = (byte) => {
    if (at + 2 <= STREAMED) {
      bytes[at++] = Math.min(255, Math.floor((now() - last) / STREAM_UNIT));
      bytes[at++] = byte;
    }
    last = now();
    chip.spi[0].completeTransmit(0xff);
  };
  return bytes;
}

function connectSignal(chip, pin, micros, times) {
  let left = 2 * times;
  let due = 1000 * micros;
  chip.gpio[pin].setInputValue(false);
  return (now) => {
    while (left > 0 && now >= due) {
      left--;
      due += 1000 * micros;
      chip.gpio[pin].setInputValue(left % 2 === 1);
    }
  };
}

/* Connects them. `contents`: what is in each; `tick`: the time goes on, to so many nanoseconds. */
exports.connectParts = (chip, library, texts, faultTexts) => {
  const devices = new Map();
  const ticks = [];
  const now = () => chip.clock.nanos;
  const contents = texts.map((text) => {
    const [kind, at, more, times] = text.split(':');
    if (kind === 'display') return connectDisplay(chip, Number(at), library.GPIOPinState.Low);
    if (kind === 'stream') return connectStream(chip, now);
    if (kind === 'signal') {
      ticks.push(connectSignal(chip, Number(at), Number(more), Number(times)));
      return Buffer.alloc(0);
    }
    if (kind !== 'registers' && kind !== 'memory') throw new Error(`there is no part ${text}`);
    const device = kind === 'memory' ? memory(now) : registers(more);
    devices.set(Number(at), device);
    return device.cells;
  });
  if (devices.size) connectBus(chip, devices, faults(faultTexts));
  return { contents, tick: () => ticks.forEach((each) => each(now())) };
};
