"""Interrupts that break in: the routine of each enabled interrupt, executed before every instruction of every pass at
which it can come (docs/theory/response-times.md, Interrupts that break in)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field

from lfc.isa import abi
from lfc.isa.abi import AvrStop as Stop
from lfc.isa.avr.core import PROCESSOR, SPH, SPL, STATUS
from lfc.mcheck.image.avr import MASKS
from lfc.mcheck.response.avr_board import (
    CARRIES,
    INTERRUPTS_ON,
    MOST_CYCLES,
    REGISTERS,
    SLEEPER,
    AvrBoard,
    Moved,
    Write,
)
from lfc.mcheck.response.graph import Graph

MARKS = abi.AVR_WAS_READ | abi.AVR_WAS_WRITTEN
UNMARKED = bytes(byte & ~MARKS for byte in range(256))
WOKEN = "lf_port_woken"
FALLS_ASLEEP = "the board falls asleep, though it has come"
MOST_BROKEN = 10  # that are told

Seen = tuple[bytes, tuple[tuple[int, int], ...]]  # a board state, and what was written to devices on the way


@dataclass(frozen=True, slots=True)
class Broken:
    """What breaking in changes. `at`: the address of the instruction before which the interrupt comes; the kernel's
    loop, if it had come before the pass."""

    interrupt: int
    at: int
    what: str
    state: bytes = field(repr=False, default=b"")


@dataclass(slots=True)
class Counted:
    passes: int = 0
    places: int = 0  # an instruction of a pass, and an interrupt that came before it
    followed: int = 0  # of these to the end of the pass; the others commute with the instruction before
    complete: bool = True
    broken: list[Broken] = field(default_factory=list)


@dataclass(slots=True)
class _Point:
    """The machine between two instructions."""

    data: bytes
    numbers: tuple[int, bool, int, int]
    known: dict[int, int]
    writes: list[Write]
    script: list[int]
    halts: list[int]


@dataclass(slots=True)
class _Pass:
    state: bytes
    inputs: tuple[int, ...]
    event: int
    base: int  # the count of milliseconds
    n: int  # the interrupt that breaks in
    allowed: set[Seen]


class BreakInBoard(AvrBoard):
    """A board whose passes can be interrupted anywhere."""

    def sources(self) -> tuple[int, ...]:
        i = self.interrupts
        return (*i.named, *([i.tick] if i.tick else []))

    def break_into(self, state: bytes, inputs: tuple[int, ...], event: int, counted: Counted) -> None:
        plain = self.run(state, inputs, event)
        if plain.halts:
            return
        counted.passes += 1
        there = self.came(state) | ({self.interrupts.tick} if self.due(state) else set())
        if there and self.run(self._not_woken(state), inputs).sleeps:
            counted.broken.append(Broken(min(there), 2 * self.step, FALLS_ASLEEP, state))
            return
        for n in self.sources():
            allowed = self._at_boundaries(state, inputs, event, n, plain)
            for base in CARRIES if n == self.interrupts.tick else (0,):
                self._break_in(_Pass(state, inputs, event, base, n, allowed), counted)

    def _at_boundaries(self, state: bytes, inputs: tuple[int, ...], event: int, n: int, plain: Moved) -> set[Seen]:
        """What may be seen: the interrupt came before the pass, behind it, or as the tick that is told apart."""
        tick = n == self.interrupts.tick
        found = set()
        if event and (tick or self.is_enabled(state, n)):  # it is what wakes the board
            moved = self.run(state, inputs, n)
            found.add(self._seen(moved.state, moved.writes))
        if tick or self.is_enabled(state, n):
            for e in {0, event}:
                moved = self.run(self.take(state, n).state, inputs, e)
                if not (moved.sleeps or moved.needs or moved.halts):
                    found.add(self._seen(moved.state, moved.writes))
        if not plain.sleeps:
            found.add(self._seen(self.take(plain.state, n).state, plain.writes))
            if tick:
                found |= {self._seen(m.state, m.writes) for m in self.with_tick(state, inputs, plain) if m.ticks == 1}
        return found

    def _seen(self, state: bytes, writes: tuple[Write, ...]) -> Seen:
        """Without what says nothing at a boundary: behind it the kernel looks at everything before it sleeps."""
        return self._not_woken(state), tuple((w.address, w.value) for w in writes if w.address not in MASKS)

    def _not_woken(self, state: bytes) -> bytes:
        at = len(self.kept) + self.symbols[WOKEN].target_address - self.board.ram.start if WOKEN in self.symbols else 0
        return state[:at] + b"\0" + state[at + 1 :] if at else state

    # --- one pass, one interrupt ---

    def _break_in(self, p: _Pass, counted: Counted) -> None:
        self._enter(p.state)
        self._script = list(reversed(p.inputs))
        self._put_count(p.base)
        core, event, follow = self.core.state, p.event, True
        footprint = self._footprint(p.n)
        while True:
            if core.data[STATUS] & INTERRUPTS_ON and not core.was_off and self._lets(p.n):
                counted.places += 1
                counted.followed += follow
                what = self._try(p, footprint, follow)
                if what:
                    counted.broken.append(Broken(p.n, 2 * int(core.pc), what, p.state))
                    return
                follow = False
            for at in footprint:
                core.allowed[at] &= ~MARKS & 0xFF
            is_on = core.data[STATUS] & INTERRUPTS_ON
            said = Stop(self.core.library.avr_step_once(core))
            core.was_off = not is_on
            follow = follow or any(core.allowed[at] & MARKS for at in footprint)
            if said is Stop.SLEEPS and event:
                self._routine(event)
                event, follow = 0, True
            elif said is not Stop.RUNS or core.pc == self.step or self._has_halted():
                return

    def _put_count(self, base: int) -> None:
        """The same state, with another count of milliseconds: what is due later is due as much later."""
        count = self.symbols.get("lf_port_count")
        if count is None or not base:
            return
        self.core.put(count.target_address, base.to_bytes(4, "little"))
        self.deadlines.move_along(self.core, base)
        first = self.memory + self.policies.sleepers_at
        for i in range(self.core.state.data[first] if self.policies.sleepers_room else 0):
            at = first + 1 + SLEEPER * i + 2
            when = int.from_bytes(self.core.get(at, 4), "little") + base
            self.core.put(at, (when & 0xFFFFFFFF).to_bytes(4, "little"))

    def _lets(self, n: int) -> bool:
        if n == self.interrupts.tick:
            return True
        register, bits = self.interrupts.masks[n]
        return bool(self.known[register] & bits)

    def _footprint(self, n: int) -> tuple[int, ...]:
        """The bytes that the routine reads or writes here, but for the processor's own and the stack."""
        point = self._save()
        plain = self._clear_marks()
        self._routine(n)
        found = self._marked(plain)
        self._restore(point)
        whole = range(4) if n == self.interrupts.tick and "lf_port_count" in self.symbols else ()
        return tuple({*found, *(self.symbols["lf_port_count"].target_address + i for i in whole)})

    def _clear_marks(self) -> bytes:
        """What may be done with each byte, registers of the processor apart."""
        allowed = ctypes.addressof(self.core.state.allowed)
        plain = ctypes.string_at(allowed, self.used).translate(UNMARKED)
        ctypes.memmove(allowed, plain, len(plain))
        return plain

    def _marked(self, plain: bytes, known: tuple[int, ...] = ()) -> list[int]:
        """The bytes that were read or written since, but for the processor's own, and those that are known."""
        now = bytearray(ctypes.string_at(ctypes.addressof(self.core.state.allowed), len(plain)))
        for at in (*PROCESSOR, *known):
            now[at] = plain[at]
        return [] if now == plain else [at for at in range(len(now)) if now[at] != plain[at]]

    def _try(self, p: _Pass, footprint: tuple[int, ...], follow: bool) -> str:
        """What is wrong if it comes here; empty: nothing."""
        point = self._save()
        try:
            wrong = self._changes(p.n, point, footprint)
            if not wrong and follow:
                wrong = self._differs(p)
            return wrong
        finally:
            self._restore(point)

    def _changes(self, n: int, before: _Point, footprint: tuple[int, ...]) -> str:
        """Executes the routine: it leaves everything as it was, but for its own bytes, below the stack and devices."""
        core, plain = self.core, self._clear_marks()
        core.interrupt(n)
        if core.run_to(before.numbers[0], MOST_CYCLES) is not Stop.AT_STOP:
            return "its routine does not come back"
        now, was = bytearray(ctypes.string_at(self._data, len(before.data))), before.data
        inside = range(self.memory, self.block_at + self.machine.block_size)
        if any(now[at] != was[at] for at in footprint if at in inside):
            return "its routine changes the state block or the policy block"
        if touched := self._marked(plain, footprint):
            return f"its routine touches {_name(touched[0])}, as it does not when the pass begins"
        for at in footprint:
            now[at] = was[at]
        stack = was[SPL] | was[SPH] << 8
        kept = slice(REGISTERS), slice(SPL, STATUS + 1), slice(self.board.ram.start, self.used), slice(stack + 1, None)
        for part in kept:
            if now[part] != was[part]:
                return f"its routine changes {_name(next(at for at in range(len(was))[part] if now[at] != was[at]))}"
        return ""

    def _differs(self, p: _Pass) -> str:
        """From here to the end of the pass."""
        said = Stop(self.core.library.avr_step_once(self.core.state)) if self.core.state.pc == self.step else Stop.RUNS
        moved = self._run_on(said, 0)
        if moved.sleeps:
            return FALLS_ASLEEP
        if moved.needs or moved.halts:
            return "the pass reads or stops as it does not without it"
        if self._seen(moved.state, moved.writes) in p.allowed:
            return ""
        return "the pass ends as if it had come neither before nor behind it"

    # --- the machine, there and back ---

    def _save(self) -> _Point:
        core = self.core.state
        data = ctypes.string_at(self._data, self.board.ram.start + self.board.ram.size)
        numbers = int(core.pc), bool(core.was_off), int(core.cycles), self.sent
        halts = [self.executed[w] for w in self.halts]
        return _Point(data, numbers, dict(self.known), list(self.writes), list(self._script), halts)

    def _restore(self, point: _Point) -> None:
        core = self.core.state
        ctypes.memmove(self._data, point.data, len(point.data))
        core.pc, core.was_off, core.cycles, self.sent = point.numbers
        self.known.update(point.known)
        self.writes, self._script, self.lacks = list(point.writes), list(point.script), False
        for w, executed in zip(self.halts, point.halts, strict=True):
            self.executed[w] = executed


def _name(at: int) -> str:
    named = {SPL: "the stack pointer", SPH: "the stack pointer", STATUS: "the status"}
    return named.get(at, f"r{at}" if at < REGISTERS else f"the byte {at:04X}H")


def break_in_everywhere(graph: Graph, board: BreakInBoard, most: int = MOST_BROKEN) -> Counted:
    """Into every pass of every board state that is reached; ends after so many that break something."""
    counted, done = Counted(), set[bytes]()
    for state, inputs, event in _passes(graph):
        if len(counted.broken) >= most or not graph.goes_on():
            counted.complete = False
            break
        if (key := state + bytes(inputs) + bytes([event])) not in done:
            done.add(key)
            board.break_into(state, inputs, event, counted)
    return counted


def _passes(graph: Graph) -> Iterator[tuple[bytes, tuple[int, ...], int]]:
    for node in graph.intervals:
        state, _ = graph.nodes[node]
        for moved, inputs, event in graph.passes(node):
            if not moved.ticks:
                yield state, inputs, event
