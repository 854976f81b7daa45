/* Runs a chip in rp2040js or avr8js, with its console on standard input and output; the JavaScript packages are the
   machine's own (npm).

   node run.cjs --modules FOLDER --machine rp2040|atmega328p --clock HZ --baud B [--uart N|USB] [--cycles N] [--input FILE] [--real-time]
                [--attached] [--quiet ADDRESS:SLOTS:WIDTH:KINDS] [--halt ADDRESS:SIZE] [--dump ADDRESS:SIZE]...
                [--part PART]... [--bus-fault FAULT]... [--report FILE] IMAGE

   The options mean what they mean in simavr_run.c; addresses are those of the processor's data. IMAGE is the content of the
   flash, from its beginning. --halt is the function in which a program that has ended stays.
   Parts of an RP2040 are in parts.cjs, an ATmega has `stream` alone; the report has what is in them. Exit status: 0, or 1 and a
   message. */
'use strict';

const fs = require('fs');
const path = require('path');
const { rp2040 } = require('./rp2040.cjs');
const { atmega328p } = require('./atmega328p.cjs');

const MACHINES = { rp2040: ['rp2040js', rp2040], atmega328p: ['avr8js', atmega328p] };
const BITS_OF_A_BYTE = 10; // start, eight, stop
const NEVER = Infinity;

function readOptions(words) {
  const options = { baud: 115200, uart: '0', cycles: NEVER, dumps: [], parts: [], faults: [] };
  const flags = { '--real-time': 'realTime', '--attached': 'attached' };
  const numbers = ['clock', 'baud', 'cycles'];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word in flags) options[flags[word]] = true;
    else if (!word.startsWith('--')) options.image = word;
    else if (word === '--dump') options.dumps.push(words[++i].split(':').map(Number));
    else if (word === '--part') options.parts.push(words[++i]);
    else if (word === '--bus-fault') options.faults.push(words[++i]);
    else options[word.slice(2)] = numbers.includes(word.slice(2)) ? Number(words[++i]) : words[++i];
  }
  return options;
}

/* When no process can ever go on: their positions tell. */
function quietness(text) {
  if (!text) return () => false;
  const [address, slots, width, kinds] = text.split(':');
  return (machine, inputEnded) => {
    for (let slot = 0; slot < Number(slots); slot++) {
      const bytes = machine.memory(Number(address) + slot * Number(width), Number(width));
      const position = bytes.reduceRight((high, low) => high * 256 + low, 0);
      const kind = position < kinds.length ? kinds[position] : '!';
      if (kind === '!' || (kind === 'i' && !inputEnded)) return false;
    }
    return true;
  };
}

/* What comes from the host, as it comes. */
function source(options) {
  const waiting = [];
  const found = { waiting, ended: false };
  if (options.input) {
    waiting.push(...fs.readFileSync(options.input));
    found.ended = true;
    return found;
  }
  process.stdin.on('data', (bytes) => waiting.push(...bytes));
  process.stdin.on('end', () => (found.ended = true));
  process.stdin.on('error', () => (found.ended = true));
  return found;
}

const said = [];

function tell() {
  for (let bytes = Buffer.from(said.splice(0)); bytes.length; ) bytes = bytes.subarray(fs.writeSync(1, bytes));
}

function run(machine, options, finish) {
  const slice = options.clock / 1000;
  const byteCycles = Math.floor((options.clock * BITS_OF_A_BYTE) / options.baud);
  const isQuiet = quietness(options.quiet);
  const [haltAt, haltSize] = (options.halt || '0:0').split(':').map(Number);
  const from = source(options);
  const begin = process.hrtime.bigint();
  let nextByte = NEVER;

  function feed() {
    if (nextByte <= machine.cycles()) {
      machine.receive(from.waiting.shift());
      nextByte = from.waiting.length ? machine.cycles() + byteCycles : NEVER;
    } else if (nextByte === NEVER && from.waiting.length && machine.listens()) {
      nextByte = machine.cycles() + byteCycles;
    }
  }

  /* Why it ends; nothing, if it goes on. */
  function runSlice() {
    const end = machine.cycles() + slice;
    while (machine.cycles() < end) {
      feed();
      const until = Math.min(end, nextByte, options.cycles);
      const sleeps = machine.run(until);
      if (sleeps === 'crashed') return 'crashed';
      if (sleeps) {
        const at = machine.counter();
        if (at >= haltAt && at < haltAt + haltSize && !machine.sends()) return 'halted';
        if (!machine.sends() && isQuiet(machine, from.ended && !from.waiting.length && machine.hasTaken())) return 'quiet';
        machine.skip(until);
      }
      if (machine.cycles() >= options.cycles) return 'time';
    }
    return options.attached && from.ended ? 'attached' : '';
  }

  function turn() {
    const end = runSlice();
    tell();
    if (end) return finish(end);
    const ahead = options.realTime ? machine.cycles() / options.clock - Number(process.hrtime.bigint() - begin) / 1e9 : 0;
    if (ahead > 0.001) setTimeout(turn, ahead * 1000);
    else setImmediate(turn);
  }
  turn();
}

function main() {
  const options = readOptions(process.argv.slice(2));
  const [name, make] = MACHINES[options.machine];
  const library = require(path.join(options.modules, name));
  const machine = make(library, fs.readFileSync(options.image), options, (byte) => said.push(byte));
  let over = false;
  function finish(end) {
    if (over) return;
    over = true;
    const dumps = options.dumps.map(([address, size]) => Buffer.from(machine.memory(address, size)).toString('hex'));
    const parts = machine.parts ? machine.parts().map((content) => content.toString('hex')) : [];
    if (options.report) fs.writeFileSync(options.report, JSON.stringify({ end, cycles: Math.floor(machine.cycles()), dumps, parts }));
    process.exit(0);
  }
  process.on('SIGTERM', () => finish('stopped'));
  process.on('SIGINT', () => finish('stopped'));
  run(machine, options, finish);
}

try {
  main();
} catch (error) {
  fs.writeSync(2, `run.cjs: ${error.message}\n`);
  process.exit(1);
}
