"""One move of an AVR board: a pass of the kernel's loop or an interrupt's routine, executed from a board state.

A board state is what the memory holds when a pass begins, with times relative to now (docs/theory/response-times.md).
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine, direction_of
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.descriptions.outputs import OUTPUTS
from lfc.codegen.module.policy_layout import TURN_OWED
from lfc.isa import abi
from lfc.isa.abi import AvrStop as Stop
from lfc.isa.avr.code import decode
from lfc.isa.avr.core import SPH, SPL, STATUS, AvrCore
from lfc.mcheck.image.avr import (
    MASKS,
    READY,
    SLEEP_CONTROL,
    TRANSMIT_BUFFER,
    UART_CONTROL,
    UART_DATA,
    UART_STATUS,
)
from lfc.mcheck.image.check_image import CheckedImage, NotChecked, has_clock
from lfc.mcheck.response.callbacks import Raised
from lfc.mcheck.response.deadlines import Deadlines
from lfc.toolchain.elf import DATA_SPACE, read_sections, read_symbol_list

TICKS = {"atmega328p": 11, "atmega2560": 17}  # compare match A of timer 1
CONSOLE_SENDS = {"atmega328p": 19, "atmega2560": 26}  # the transmitter is ready
ADDS_SLEEPER = (
    "lf_port_sleepers_add"  # looks at the count, as LOOKS_AT_COUNT; with several times in a wait it is not there
)
LOOKS_AT_COUNT = "lf_port_milliseconds"
READS_DEVICE = re.compile(r"@lf_policy_in(8|16|32)\([^,]+, i32 ([^)]+)\)")  # in the program's code
TRANSMITTER_ON = 0x08  # in the UART's control: the port has started the console
# Registers with masks of interrupts in which the hardware sets or clears bits as well: which ones.
OF_HARDWARE = {
    0x3F: 0x07,
    0x50: 0x30,
    0x57: 0x7F,
    0x7A: 0x50,
    0xBC: 0x98,
    0xC1: 0x02,
    0xC9: 0x02,
    0xD1: 0x02,
    0x131: 0x02,
}
NO_ROUTINE = "unexpected_interrupt"
MOST_CYCLES = 4_000_000  # of a pass
WAKES_UP = 4  # cycles more than an interrupt takes otherwise
BITS_OF_A_BYTE = 10
POLL = 8  # cycles of looking at the transmitter once more
REGISTERS, INTERRUPTS_ON = 0x20, 0x80
DEVICES_END = 0x200  # the highest address of a register, at most
SLEEPER = 6  # bytes: slot, clause, when
CARRIES = (0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF)  # counts of milliseconds before a tick
DUE_AT_MOST = 0x7FFFFFFF
NOBODY, CAME = 0xFF, 1  # LF_NOBODY, LF_CAME


def read_devices(ir: str) -> set[int]:
    """The addresses that the program's code reads of devices; all of them if one is computed."""
    found: set[int] = set()
    for width, at in READS_DEVICE.findall(ir):
        if not at.isdigit():
            return set(range(REGISTERS, DEVICES_END))
        found.update(range(int(at), int(at) + int(width) // 8))
    return found


@dataclass(frozen=True, slots=True)
class Write:
    """To a device's register: cycles since the move began."""

    at: int
    address: int
    before: int
    value: int


@dataclass(slots=True)
class Moved:
    """What a move led to. `needs`: another byte of input; `sleeps`: it waits for an interrupt."""

    state: bytes = b""
    cycles: int = 0
    asleep_at: int = 0  # cycles before it fell asleep
    writes: tuple[Write, ...] = ()
    needs: bool = False
    sleeps: bool = False
    halts: bool = False
    words: frozenset[int] = frozenset()  # of those that are looked for, what was executed
    ticks: int = 0  # so many came in it, between two looks at the count
    executed: int = 0  # cycles, without waiting for the line
    waits: int = 0  # cycles of waiting for the line, at most
    ran: int = NOBODY  # the slot that was picked last


@dataclass(slots=True)
class Interrupts:
    named: tuple[int, ...]
    tick: int  # its vector; 0: there is none
    masks: dict[int, tuple[int, int]] = field(default_factory=dict)  # register and bit that enables it
    cycles: dict[int, int] = field(default_factory=dict)  # of the routine, at most
    shortest_tick: int = 0  # cycles of the tick's routine, at least


class AvrBoard:
    """The board with an image in it. `state` is the first one, in which the kernel's loop begins."""

    def __init__(self, machine: Machine, image: CheckedImage) -> None:
        self.machine, self.image, self.board = machine, image, image.board
        self.elf = elf = image.firmware.image.elf
        self.symbols = {s.name: s for s in read_symbol_list(elf)}
        self.policies = image.firmware.generated.policies
        self.memory = self.symbols["lf_memory"].target_address
        self.block_at = self.memory + self.policies.size
        self._refuse()
        self.deadlines = Deadlines(machine, self.policies, self.symbols, self.board.ram.start)
        ram = self.board.ram
        sections = [s for s in read_sections(elf) if s.address >= DATA_SPACE]
        self.used = max([ram.start, *(s.address - DATA_SPACE + s.size for s in sections)])
        flash = image.flash + bytes(len(image.flash) % 2)
        self.core = AvrCore(flash, CHIPS[self.board.cpu.chip], ram.start, ram.size)
        self.period = self.board.cpu.clock // 1000
        divisor = (self.board.cpu.clock + 4 * self.board.console.baud) // (8 * self.board.console.baud)
        self.byte_cycles = BITS_OF_A_BYTE * 8 * divisor + POLL
        self.step = self.symbols["lf_step"].address // 2
        self.halts = [self.symbols[n].address // 2 for n in ("lf_port_halt", "lf_port_reset") if n in self.symbols]
        self.executed = (ctypes.c_uint8 * (len(flash) // 2 + 1))()
        self.core.state.executed = ctypes.cast(self.executed, type(self.core.state.executed))
        self.sought: tuple[int, ...] = ()  # words of the flash
        self._script: list[int] = []  # what devices give, the last one first
        self._begin = 0
        self.reads = read_devices(image.firmware.generated.ir)
        self.has_console = False
        self._prepare()
        self.interrupts = self._interrupts(flash, tuple(machine.layout.interrupts))
        self.state = self._start()
        self._learn_interrupts()

    def _refuse(self) -> None:
        """What a move would depend on beside a board state."""
        if self.board.cpu.chip not in TICKS:
            raise NotChecked(f"response times are known of {' and '.join(TICKS)} so far, not of {self.board.cpu.chip}")
        if self.image.differing:
            raise NotChecked(
                f"{self.image.name} is not what `lfc build` makes of the program with these options: "
                f"it differs in {len(self.image.differing)} bytes, first at {self.image.differing[0]:04X}H"
            )
        if has_clock(self.policies):
            raise NotChecked("the program reads the clock, so what it does depends on how long it has run")
        if any(m.name == "ChipPower" for m in self.machine.program.modules):
            raise NotChecked(
                "with `Power` the board's clock stands still at times, and waking takes longer than is known here"
            )

    # --- what is where ---

    def _prepare(self) -> None:
        ports = OUTPUTS[self.board.cpu.chip]
        self.latches = {p.latch for p in ports}
        self.pins = {p.reads: p.latch for p in ports}
        kept = MASKS | self.latches | {at for p in ports for at in p.asked}
        self.kept = tuple(sorted(at for at in kept if at >= REGISTERS))
        for at in self.kept:
            self.core.allow(at, 1, abi.AVR_READ | abi.AVR_WRITE | abi.AVR_TELL)
        for at in OF_HARDWARE.keys() & self.reads:
            self.core.allow(at, 1, abi.AVR_READ | abi.AVR_WRITE | abi.AVR_ASK | abi.AVR_TELL)
        self.core.allow(SLEEP_CONTROL, 1, abi.AVR_READ | abi.AVR_WRITE)
        self.known = dict.fromkeys(self.kept, 0)
        routines = [s for s in self.symbols.values() if s.name.startswith("__vector_")]
        self._in_routines = {at // 2 for s in routines for at in range(s.address, s.address + s.size, 2)}
        self.writes: list[Write] = []
        self.sent = 0
        self.lacks = False
        state = self.core.state
        self._raised = Raised()
        state.ask = abi.AvrAsk(self._raised.kept(self._ask, False))
        state.tell = abi.AvrTell(self._raised.kept(self._tell, None))
        self._data = ctypes.addressof(state.data)

    def _ask(self, _: object, at: int) -> bool:
        data = self.core.state.data
        if at == UART_STATUS and self.has_console:
            data[at] = READY
            return True
        held = at in self.known
        if held and int(self.core.state.pc) in self._in_routines:
            data[at] = self.known[at]
            return True
        if not self._script:
            self.lacks = True
            return False
        data[at] = self._script.pop()
        if held:
            data[at] = (data[at] & OF_HARDWARE[at]) | self.known[at]
        return True

    def _tell(self, _: object, at: int, value: int) -> None:
        if at == UART_DATA and self.has_console:
            self.sent += 1
        latch = self.pins.get(at)
        if latch is not None:  # a 1 there toggles the pin
            self._tell(None, latch, self.known[latch] ^ value)
            self.core.state.data[latch] = self.known[latch]
            return
        before = self.known.get(at, 0)
        self.writes.append(Write(self._now() - self._begin, at, before, value))
        if at in self.known:
            self.known[at] = value & ~OF_HARDWARE.get(at, 0)

    def _now(self) -> int:
        return int(self.core.state.cycles) + self.sent * self.byte_cycles

    def _interrupts(self, flash: bytes, named: tuple[int, ...]) -> Interrupts:
        table, none = self.symbols["__vectors"], self.symbols[NO_ROUTINE].address
        each = CHIPS[self.board.cpu.chip].vector_size
        vectors = range(1, table.size // each)
        used = {n for n in vectors if decode(flash, table.address + each * n).target != none}
        tick = TICKS[self.board.cpu.chip] if TICKS[self.board.cpu.chip] in used - {*named} else 0
        others = used - {*named, tick}
        sends = {CONSOLE_SENDS[self.board.cpu.chip]} if TRANSMIT_BUFFER in self.symbols else set()
        if others - sends:
            what = ", ".join(str(n) for n in sorted(others - sends))
            raise NotChecked(f"it is not known how often interrupt {what} comes: the console's input, or C")
        if others:
            raise NotChecked(
                "the console's output is sent by interrupts, which are not in the account: "
                "take a board file with `console.transmit_buffer = 0`"
            )
        return Interrupts(named, tick)

    # --- the first state ---

    def _start(self) -> bytes:
        state = self.core.state
        state.pc, self._begin = 0, 0
        top = self.board.ram.start + self.board.ram.size - 1
        state.data[SPL], state.data[SPH] = top & 0xFF, top >> 8
        self._script = [0] * 64  # what devices hold at the start is written, and not used
        if self.core.run_to(self.step, MOST_CYCLES) is not Stop.AT_STOP:
            raise NotChecked("the start-up does not come to the kernel's loop")
        self.has_console = bool(self.known[UART_CONTROL] & TRANSMITTER_ON)
        if self.has_console and UART_STATUS in self.reads:
            raise NotChecked(
                f"the program reads the status of the console's UART ({UART_STATUS:X}H), or a computed address"
            )
        self._registers = self.core.get(0, REGISTERS)
        self._stack = (state.data[SPL], state.data[SPH])
        return self._taken()

    def _learn_interrupts(self) -> None:
        """Of each routine what it masks, and the most cycles that it takes."""
        i = self.interrupts
        for n in i.named:
            self._enter(self.state)
            for at in MASKS & {*self.kept}:
                self.core.state.data[at] = self.known[at] = 0xFF
            cycles = self._routine(n)
            writes = [w for w in self.writes if w.address in MASKS]
            cleared = [(w.address, w.before & ~w.value & ~OF_HARDWARE.get(w.address, 0)) for w in writes]
            if not cleared or not cleared[0][1]:
                raise NotChecked(f"the routine of interrupt {n} masks nothing")
            i.masks[n], i.cycles[n] = cleared[0], cycles
        if i.tick:
            ticks = [self._tick_from(count) for count in CARRIES]
            i.cycles[i.tick], i.shortest_tick = max(ticks), min(ticks)

    def _tick_from(self, count: int) -> int:
        self._enter(self.state)
        self.core.put(self.symbols["lf_port_count"].target_address, count.to_bytes(4, "little"))
        return self._routine(self.interrupts.tick)

    # --- moves ---

    def is_enabled(self, state: bytes, n: int) -> bool:
        register, bits = self.interrupts.masks[n]
        return bool(state[self.kept.index(register)] & bits)

    def take(self, state: bytes, n: int) -> Moved:
        """The routine of an interrupt, or of the tick, at the boundary between two passes."""
        self._enter(state)
        self._routine(n)
        return Moved(self._taken(), self.interrupts.cycles[n])

    def run(self, state: bytes, inputs: tuple[int, ...], event: int = 0) -> Moved:
        """A pass. `event`: what wakes it up if it falls asleep."""
        self._enter(state)
        self._script = list(reversed(inputs))
        said = Stop(self.core.library.avr_step_once(self.core.state))
        return self._run_on(said, event)

    def with_tick(self, state: bytes, inputs: tuple[int, ...], plain: Moved) -> Iterator[Moved]:
        """The same pass with the tick between two looks at the count of milliseconds; several, if it is so long."""
        if not self.interrupts.tick or not self.policies.sleepers_room or plain.sleeps or plain.halts:
            return
        adds = self.symbols.get(ADDS_SLEEPER)
        looks = self.policies.has_deadlines or self.byte(state, self.memory + self.policies.sleepers_at)
        if adds is not None and not looks:
            return  # nobody sleeps: it is the only look
        number, place = (1, adds) if adds is not None else (2, self.symbols[LOOKS_AT_COUNT])
        first = number
        while self._comes_to(state, inputs, place.address // 2, number, plain.executed):
            most = self.ticks_within(self._now() - self._begin)
            if most > 1 and number > first:
                raise NotChecked("an action that takes longer than a millisecond waits for several times")
            for ticks in range(1, most + 1):
                if ticks > 1:
                    self._comes_to(state, inputs, place.address // 2, number, plain.executed)
                yield self._ticked(ticks)
            number += 1

    def _ticked(self, ticks: int) -> Moved:
        """From here to the end of the pass, with so many ticks here."""
        tick = self.interrupts.tick
        extra = sum(self.interrupts.cycles[tick] - self._routine(tick) for _ in range(ticks))
        moved = self._run_on(Stop.RUNS, 0, extra)
        moved.ticks = ticks
        return moved

    def ticks_within(self, cycles: int) -> int:
        """How many come at most in so many cycles, their routines apart; 0 if there is no tick."""
        tick = self.interrupts.tick
        return (cycles + self.period) // (self.period - self.interrupts.cycles[tick]) if tick else 0

    def enabled_by(self, writes: Iterable[Write], n: int) -> int:
        """How many of these writes enable the interrupt, whether or not it was."""
        register, bits = self.interrupts.masks[n]
        return sum(w.address == register and bool(w.value & bits) for w in writes)

    def repeated(self, state: bytes, moved: Moved) -> list[int]:
        """Cycles of the routines that may come in a pass beside one in front of it and one behind: of interrupts that
        it enables again and again. Raises NotChecked of one that it enables and masks again."""
        found: list[int] = []
        for n in self.interrupts.named:
            times = self.enabled_by(moved.writes, n)
            before, behind = self.is_enabled(state, n), self.is_enabled(moved.state, n)
            if times and not before and not behind:
                raise NotChecked(f"an action enables interrupt {n} and masks it again")
            found += [self.interrupts.cycles[n]] * (times - 1 + (before and not behind))
        return found

    def _comes_to(self, state: bytes, inputs: tuple[int, ...], place: int, number: int, most: int) -> bool:
        """Executes the pass up to where it has come so often to a place."""
        self._enter(state)
        self._script = list(reversed(inputs))
        core = self.core
        for _ in range(number):
            if Stop(core.library.avr_step_once(core.state)) is not Stop.RUNS:
                return False
            left = most - (int(core.state.cycles) - self._begin)
            if core.state.pc != place and (left <= 0 or core.run_to(place, left) is not Stop.AT_STOP):
                return False
        return int(core.state.cycles) - self._begin < most

    def _run_on(self, said: Stop, event: int, extra: int = 0) -> Moved:
        core, moved = self.core, Moved()
        if said is Stop.RUNS:
            said = core.run_to(self.step, MOST_CYCLES)
        if said is Stop.SLEEPS and not self._has_halted():
            moved.asleep_at = self._now() - self._begin
            if not event:
                return Moved(asleep_at=moved.asleep_at, sleeps=True)
            extra = WAKES_UP + self.interrupts.cycles[event] - self._routine(event)
            said = core.run_to(self.step, MOST_CYCLES)
        self._raised.again()
        if self.lacks:
            return Moved(needs=True)
        moved.halts = self._has_halted()
        if said is not Stop.AT_STOP and not moved.halts:
            raise NotChecked(f"a pass cannot be followed: it stops at {2 * int(core.state.pc):X}H ({said.name})")
        moved.executed = int(core.state.cycles) - self._begin
        moved.waits = self.sent * self.byte_cycles
        moved.cycles = self._now() - self._begin + extra
        moved.writes = tuple(self.writes)
        moved.words = frozenset(w for w in self.sought if self.executed[w])
        moved.ran = int(core.state.data[self.memory + self.policies.cursor_at])
        moved.state = b"" if moved.halts else self._taken()
        return moved

    def _has_halted(self) -> bool:
        return any(self.executed[w] for w in self.halts)

    def _routine(self, n: int) -> int:
        core, begins, back = self.core, self._now(), int(self.core.state.pc)
        core.interrupt(n)
        if core.run_to(back, MOST_CYCLES) is not Stop.AT_STOP:
            raise NotChecked(f"the routine of interrupt {n} cannot be followed")
        return self._now() - begins

    # --- states ---

    def _enter(self, state: bytes) -> None:
        core, many = self.core.state, len(self.kept)
        ctypes.memmove(self._data, self._registers, REGISTERS)
        core.data[SPL], core.data[SPH] = self._stack
        core.data[STATUS] = INTERRUPTS_ON
        for at, value in zip(self.kept, state, strict=False):
            core.data[at] = self.known[at] = value
        ctypes.memmove(self._data + self.board.ram.start, state[many:], len(state) - many)
        core.data[SLEEP_CONTROL] = 0
        core.pc, core.was_off = self.step, False
        self._begin = int(core.cycles)
        self.sent, self.lacks, self.writes = 0, False, []
        for w in (*self.sought, *self.halts):
            self.executed[w] = 0

    def _taken(self) -> bytes:
        """The board state as it is now: times count from now, and what is due is due now."""
        return self.state_of(self.core, self.known)

    def state_of(self, core: AvrCore, known: Mapping[int, int]) -> bytes:
        """The board state of a core whose kept registers hold what is known of them."""
        ram = bytearray(core.get(self.board.ram.start, self.used - self.board.ram.start))
        if "lf_port_count" in self.symbols:
            self._make_relative(ram)
        return bytes(known.get(at, 0) for at in self.kept) + bytes(ram)

    def _make_relative(self, ram: bytearray) -> None:
        count = self.symbols["lf_port_count"].target_address - self.board.ram.start
        now = int.from_bytes(ram[count : count + 4], "little")
        ram[count : count + 4] = bytes(4)
        self.deadlines.make_relative(ram, now)
        if not self.policies.sleepers_room:
            return
        first = self.memory + self.policies.sleepers_at - self.board.ram.start
        for i in range(ram[first]):
            at = first + 1 + SLEEPER * i + 2
            left = (int.from_bytes(ram[at : at + 4], "little") - now) & 0xFFFFFFFF
            ram[at : at + 4] = (left if left <= DUE_AT_MOST else self.deadlines.overdue(left)).to_bytes(4, "little")

    # --- what is in one ---

    def byte(self, state: bytes, address: int) -> int:
        return state[len(self.kept) + address - self.board.ram.start]

    def block(self, state: bytes) -> bytes:
        at = len(self.kept) + self.block_at - self.board.ram.start
        return state[at : at + self.machine.block_size]

    def awaits(self, state: bytes, n: int) -> bool:
        """Does a process wait for the interrupt?"""
        block, machine = self.block(state), self.machine
        at = (machine.position_at(block, slot) for slot in range(machine.slots))
        points = [p.point for p in at if p is not None and not p.ready and p.point is not None]
        return any(direction_of(c) == ("receive interrupt", n) for point in points for c in point.clauses)

    def cursor(self, state: bytes) -> int:
        """The slot that ran last."""
        return self.byte(state, self.memory + self.policies.cursor_at)

    def taker(self, state: bytes) -> int:
        """Who has taken an interrupt, and runs next."""
        return self.byte(state, self.memory + self.policies.taker_at) if self.policies.takers else NOBODY

    def _turn(self, state: bytes) -> int:
        """The interrupt that is looked at first."""
        at = self.policies.turn_at
        return 0 if at is None else self.byte(state, self.memory + at)

    def has_begun(self, state: bytes) -> bool:
        """Has the initialisation run?"""
        return self.cursor(state) != NOBODY

    def next_event(self, state: bytes) -> tuple[str, int]:
        """What a pass does, as the kernel looks for it: `interrupt` and its place among those of the program that is
        delivered, `wake` and the slot, `taker` and the slot of who has taken an interrupt, and runs; nothing: a process
        runs in its turn, or the loop falls asleep."""
        taker = self.taker(state)
        if taker not in (NOBODY, TURN_OWED):
            return "taker", taker
        count = len(self.interrupts.named) if taker == NOBODY else 0
        for bit in range(count):
            bit = (bit + self._turn(state)) % count
            if self._has_come(state, bit):
                return "interrupt", bit
        if not self.policies.sleepers_room:
            return "", 0
        first = self.memory + self.policies.sleepers_at
        if self.byte(state, first) and self._is_due(state, first + 1):
            return "wake", self.byte(state, first + 1)
        return "", 0

    def due(self, state: bytes) -> set[int]:
        """The slots of processes whose time is over."""
        if not self.policies.sleepers_room:
            return set()
        first = self.memory + self.policies.sleepers_at
        entries = [first + 1 + SLEEPER * i for i in range(self.byte(state, first))]
        return {self.byte(state, e) for e in entries if self._is_due(state, e)}

    def _is_due(self, state: bytes, entry: int) -> bool:
        left = int.from_bytes(bytes(self.byte(state, entry + 2 + i) for i in range(4)), "little")
        return not left or left > DUE_AT_MOST

    def came(self, state: bytes) -> set[int]:
        """The interrupts that have come, and were not delivered."""
        return {n for bit, n in enumerate(self.interrupts.named) if self._has_come(state, bit)}

    def _has_come(self, state: bytes, bit: int) -> bool:
        return bool(self.byte(state, self.symbols["lf_port_came"].target_address + bit) & CAME)

    def trace(self, state: bytes, inputs: tuple[int, ...], event: int, most: int) -> list[tuple[int, int]]:
        """The instructions of a pass, by address, with their cycles; up to so many cycles."""
        self._enter(state)
        self._script = list(reversed(inputs))
        core = self.core.state
        found: list[tuple[int, int]] = []
        said, spent = Stop.RUNS, 0
        while said is Stop.RUNS and spent < most and (not found or core.pc != self.step):
            at, before = 2 * int(core.pc), self._now()
            said = Stop(self.core.library.avr_step_once(core))
            spent = self._now() - self._begin
            found.append((at, self._now() - before))
            if said is Stop.SLEEPS and event:
                self._routine(event)
                said, event = Stop.RUNS, 0
        return found
