"""Footprints for partial order reduction: as bits, what a process touches next and what it can still touch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields

from lfc.actions.analysis.may_fault import Ranges
from lfc.actions.analysis.places import InBlock
from lfc.actions.model.machine import Body, Machine, RecordLayout
from lfc.mcheck.model.indexed_effects import AtIndex, Constants, constant_formals
from lfc.mcheck.model.local_states import LocalState, LocalStates
from lfc.mcheck.model.reachable_channels import (
    ANY,
    UNSET,
    Channels,
    Life,
    Moves,
    PortFlow,
    Ports,
    port_variables,
    put_into,
)
from lfc.mcheck.model.transitions import SENDS, Signal, Speech, Step, messages_of, messages_together
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import ArrayType, ChannelType, Message, is_port, size_and_alignment
from lfc.semantics.model.visit import root_variable

MOST_ELEMENTS = 64  # of an array that is told apart
MOST_BITS = 512


@dataclass(slots=True)
class Footprint:
    next_reads: int = 0
    next_writes: int = 0
    next_speaks: int = 0
    later_reads: int = 0
    later_writes: int = 0
    later_sends: int = 0
    later_receives: int = 0
    later_selects: int = 0
    later_shares: int = 0
    next_sends: int = 0
    next_receives: int = 0
    later_entangled: int = 0
    later_beside: int = 0
    attempts: bool = False
    only_attempts: bool = False
    offers_send: int = 0
    offers_receive: int = 0
    needs: dict[int, int] = field(default_factory=dict)  # by bit: what must have taken place before it is attempted

    def add_later(self, other: Footprint) -> None:
        for name in (f.name for f in fields(Footprint)):
            if name.startswith("later"):
                setattr(self, name, getattr(self, name) | getattr(other, name))


class Bits:
    """A number for each thing that is shared; where there are too many, some share one."""

    def __init__(self, machine: Machine, messages: list[Message], signals: Iterable[Signal] = ()) -> None:
        self.machine = machine
        self.ranges: list[tuple[int, int, int]] = []  # offset, size, bit
        count = 0
        layout = machine.layout
        for variable, offset in (v for part, _ in machine.parts for v in part.variables.items()):
            size = size_and_alignment(variable.type)[0]
            parts = elements_of(variable)
            for i in range(parts):
                self.ranges.append((offset + i * (size // parts), size // parts, count))
                count += 1
        comes_by_itself = machine.environment is None  # else an interrupt is a signal, and nothing beside
        for i in range(layout.pending_size if comes_by_itself else 0):
            self.ranges.append((layout.pending_offset + i, 1, count))
            count += 1
        self.channels = count
        self.alive = {body: count + 1 + i for i, body in enumerate(machine.composed_bodies)}
        self.variables = min(MOST_BITS, count + 1 + len(machine.composed_bodies))
        self.message = {id(m): i for i, m in enumerate(messages)}
        self.most_channels = max(1, machine.parts[-1][0].max_channels)
        spoken = self.most_channels * len(messages)
        self.signal = {s: 1 << (spoken + i) % MOST_BITS for i, s in enumerate(signals)}
        self.speeches = max(1, min(MOST_BITS, spoken + len(self.signal)))
        self._places: dict[InBlock, int] = {}

    def variable_bit(self, number: int) -> int:
        return 1 << number % MOST_BITS

    def place(self, p: InBlock) -> int:
        if p not in self._places:
            found = 0
            for offset, size, number in self.ranges:
                if offset < p.offset + p.size and p.offset < offset + size:
                    found |= self.variable_bit(number)
            self._places[p] = found
        return self._places[p]

    def places(self, places: Iterable[InBlock], constants: Constants) -> int:
        found = 0
        for p in places:
            found |= self.place(p.resolved(constants) if isinstance(p, AtIndex) else p)
        return found

    def speech(self, message: Message, channels: Channels) -> int:
        """A port that is not set says nothing."""
        count = len(self.message)
        found = 0
        for c in range(1, self.most_channels + 1) if channels is None else channels - {0}:
            found |= 1 << ((c - 1) * count + self.message[id(message)]) % MOST_BITS
        return found

    def signals(self, signals: Iterable[Signal]) -> int:
        found = 0
        for s in signals:
            found |= self.signal[s]
        return found


def elements_of(v: Variable) -> int:
    if isinstance(v.type, ArrayType) and 0 < v.type.length <= MOST_ELEMENTS and not is_port(v.type):
        return v.type.length
    return 1


@dataclass(slots=True)
class Ahead:
    """All that can be done from a position on."""

    reads: set[InBlock] = field(default_factory=set)
    writes: set[InBlock] = field(default_factory=set)
    speeches: dict[Speech, None] = field(default_factory=dict)
    entangled: dict[Speech, None] = field(default_factory=dict)  # attempted by actions that touch something shared
    beside: dict[Speech, None] = field(default_factory=dict)  # attempted together with something else
    ends: set[Body] = field(default_factory=set)
    gives: set[Signal] = field(default_factory=set)
    takes: set[Signal] = field(default_factory=set)
    makes_channel: bool = False
    only_communicates: bool = True
    moves: Moves = field(default_factory=Moves)


class Footprints:
    def __init__(self, machine: Machine, steps: dict[int, Step], visible: Collection[int] = ()) -> None:
        """`visible`: positions whose action nobody may do alone."""
        self.visible = visible
        self.machine = machine
        self.steps = steps
        signals = dict.fromkeys(signal for s in steps.values() for signal in s.takes)
        self.bits = Bits(machine, messages_of(steps), signals)
        self.flow = PortFlow(machine, steps)
        bodies = [r.body for r in machine.records]
        self.ports = {b: port_variables(machine, b) for b in bodies}
        self.constants = {
            b: [v for v in constant_formals(machine, b) if not isinstance(v.type, ChannelType)] for b in bodies
        }
        self.together = messages_together(machine, steps)
        start = machine.bodies[0].start  # nobody else is there yet
        self.written = 0
        for p in (p for s in steps.values() if s.position is not start for p in s.writes):
            self.written |= self.bits.place(p)
        self.local = LocalStates(machine, steps, self.flow.moves)
        self._ahead: dict[LocalState, Ahead] = {}
        self._by_extent: dict[frozenset[LocalState], Ahead] = {}

    def harmless(self) -> int:
        """Communications whose meeting cannot fail: else a received value may not fit where it goes, or a guard that
        sees it may fault."""
        failing = set()
        ranges = Ranges(within_types=False)  # SYSTEM.VAL makes values that types do not have
        for step in self.steps.values():
            for edge in step.edges:
                clause = edge.clause
                if clause is None or not isinstance(clause.event, typed.Receive):
                    continue
                checked = any(t.target.conversion == "check" for t in clause.targets)
                if checked or (clause.guard is not None and ranges.may_fault(clause.guard)):
                    failing.add(id(clause.event.message))
        found = 0
        for step in self.steps.values():
            for s in step.speeches:
                found |= self.bits.speech(s.message, ANY)
        for step in self.steps.values():
            for s in step.speeches:
                if id(s.message) in failing:
                    found &= ~self.bits.speech(s.message, ANY)
        return found & ~self.bits.signals(self.bits.signal)

    def interrupts(self) -> int:
        layout = self.machine.layout
        if not layout.pending_size or self.machine.environment is not None:
            return 0
        return self.bits.place(InBlock(layout.pending_offset, layout.pending_size, "pending"))

    # --- footprints ------------------------------------------------------------------------------------------------

    def footprint(self, record: RecordLayout, number: int, known: Mapping[Variable, int]) -> Footprint:
        """`known`: of the record's constants, ports and flags, what they hold."""
        at = number, self.local.values(record.body, known)
        step, moves, ahead = self.local.step(at), self.local.moves(at), self.ahead(at)
        now = {v: frozenset({known[v]}) for v in self.ports[record.body] if v in known}
        known = {v: known[v] for v in self.constants[record.body] if v in known}
        next_held = self.flow.held(now, moves)
        held = self.flow.held(now, ahead.moves)
        f = Footprint()
        f.next_reads = self.bits.places(step.reads, known) | self._lives(step.ends)
        f.next_reads |= self._numbers(step.makes_channel or moves.may_free)
        f.next_writes = self.bits.places(step.writes, known) | self._lives(step.creates)
        f.next_writes |= self._numbers(step.makes_channel)
        f.next_sends = self._speeches((s for s in step.speeches if s.sends), next_held)
        f.next_receives = self._speeches((s for s in step.speeches if not s.sends), next_held)
        f.next_sends |= self.bits.signals(step.gives)
        f.next_receives |= self.bits.signals(step.takes)
        f.next_speaks = f.next_sends | f.next_receives
        f.attempts, f.only_attempts = step.only_communicates, ahead.only_communicates
        self._add_later(f, ahead, known)
        f.later_sends |= self._speeches((s for s in ahead.speeches if s.sends), held)
        f.later_receives |= self._speeches((s for s in ahead.speeches if not s.sends), held)
        f.later_selects = self._speeches((s for s in ahead.speeches if s.chosen), held)
        f.later_shares = self._shares(ahead.speeches, held)
        f.later_entangled = self._speeches(ahead.entangled, held)
        f.later_beside = self._speeches(ahead.beside, held)
        f.needs = self._needs(at, held)
        for body, life in self._lives_ahead(ahead.moves, held, known).items():
            created = Footprint()
            self._add_created(created, body, life)
            f.add_later(created)
            f.needs = {b: n for b, n in f.needs.items() if not (created.later_sends | created.later_receives) >> b & 1}
        if not step.position.ready:
            f.offers_send = self._speeches((s for s in step.speeches if s.sends), next_held)
            f.offers_receive = self._speeches((s for s in step.speeches if not s.sends), next_held)
            f.offers_receive |= self.bits.signals(step.takes)
        return f

    def _add_later(self, f: Footprint, ahead: Ahead, constants: Constants) -> None:
        f.later_reads |= self.bits.places(ahead.reads, constants) | self._lives(ahead.ends)
        f.later_reads |= self._numbers(ahead.makes_channel or ahead.moves.may_free)
        f.later_writes |= self.bits.places(ahead.writes, constants) | self._numbers(ahead.makes_channel)
        f.later_sends |= self.bits.signals(ahead.gives)
        f.later_receives |= self.bits.signals(ahead.takes)

    def _add_created(self, f: Footprint, body: Body, life: Life) -> None:
        """Whoever is created later counts as a part of who creates it."""
        ahead = self._ahead_of_created(body)
        self._add_later(f, ahead, self._constants_of(body, life))
        f.later_writes |= self._lives([body])
        held = self.flow.held(self._ports_of(body, life), ahead.moves)
        sends = self._speeches((s for s in ahead.speeches if s.sends is SENDS), held)
        receives = self._speeches((s for s in ahead.speeches if s.sends is not SENDS), held)
        f.later_sends |= sends
        f.later_receives |= receives
        f.later_selects |= sends | receives
        f.later_entangled |= sends | receives  # how it attempts is its own: with an ELSE, or with what is shared
        f.later_beside |= sends | receives
        f.later_shares |= self._shares(ahead.speeches, held)

    def _needs(self, at: LocalState, held: Ports) -> dict[int, int]:
        """By communication ahead those without which the process cannot come to attempt it."""
        if self.machine.environment is not None:
            return {}
        anew = self.flow.made_anew(self.ahead(at).moves)
        alone = {s: self._speeches([s], held) for s in self.ahead(at).speeches if root_variable(s.port) not in anew}
        alone = {s: bits for s, bits in alone.items() if bits and not bits & (bits - 1)}
        found: dict[int, int] = {}
        for there, before in self.local.before(at).items():
            needed = 0
            for s in before:
                needed |= alone.get(s, 0)
            bits = self._speeches(self.local.step(there).speeches, held)
            while bits:
                lowest = bits & -bits
                bits ^= lowest
                found[lowest.bit_length() - 1] = found.get(lowest.bit_length() - 1, needed) & needed
        return {b: n for b, n in found.items() if n}

    def _lives_ahead(self, moves: Moves, held: Ports, constants: Constants) -> dict[Body, Life]:
        """Whom a process may create, and whom these may, with all that they may be given."""
        found: dict[Body, Life] = {}
        work: list[tuple[Moves, Ports, Constants]] = [(moves, held, constants)]
        while work:
            moves, held, constants = work.pop()
            for created in moves.creations:
                body = self.machine.body_of[created.process]
                new = body not in found
                life = found.setdefault(body, Life({}))
                if put_into(life, created, self.flow, held, constants) or new:
                    ahead = self._ahead_of_created(body)
                    ports = self.flow.held(self._ports_of(body, life), ahead.moves)
                    work.append((ahead.moves, ports, self._constants_of(body, life)))
        return found

    def _ports_of(self, body: Body, life: Life) -> Ports:
        return {v: life.ports.get(v, UNSET) for v in self.ports[body]}

    def _constants_of(self, body: Body, life: Life) -> Constants:
        return {v: life.numbers[v] for v in self.constants[body] if v in life.numbers}

    def _numbers(self, touched: bool) -> int:
        """Which numbers of channels are free: NEW looks at it and changes it, the end of a port's value may."""
        return self.bits.variable_bit(self.bits.channels) if touched else 0

    def _lives(self, bodies: Iterable[Body]) -> int:
        """Which slot a new process takes depends on who has ended; in which order they end does not matter."""
        found = 0
        for body in bodies:
            found |= self.bits.variable_bit(self.bits.alive[body])
        return found

    def _speeches(self, speeches: Iterable[Speech], held: Ports) -> int:
        found = 0
        for s in speeches:
            found |= self.bits.speech(s.message, self._channels(s, held))
        return found

    def _channels(self, s: Speech, held: Ports) -> Channels:
        return self.flow.channels(s.port, {} if s.elsewhere else held)

    def _shares(self, speeches: Iterable[Speech], held: Ports) -> int:
        """What is spoken on, with what a partner may take instead."""
        found = 0
        for s in speeches:
            for m in self.together[id(s.message)]:
                found |= self.bits.speech(m, self._channels(s, held))
        return found

    # --- what lies ahead -------------------------------------------------------------------------------------------

    def ahead(self, at: LocalState) -> Ahead:
        if at not in self._ahead:
            extent = frozenset(self.local.ahead(at))
            if extent not in self._by_extent:
                self._by_extent[extent] = self._join(extent)
            self._ahead[at] = self._by_extent[extent]
        return self._ahead[at]

    def positions_ahead(self, number: int) -> set[int]:
        """Whatever the flags are."""
        return {n for n, _ in self.local.ahead((number, self.local.values(self.steps[number].position.body, {})))}

    def _join(self, extent: Iterable[LocalState]) -> Ahead:
        found = Ahead()
        self._put_in(found, extent)
        return found

    def _touches_shared(self, step: Step, moves: Moves) -> bool:
        if not step.position.ready:
            return False  # it does not attempt
        other = step.creates or step.ends or step.makes_channel or step.answers or moves.may_free
        return bool(step.writes or other) or any(self.bits.place(p) & self.written for p in step.reads)

    def _put_in(self, ahead: Ahead, extent: Iterable[LocalState]) -> None:
        for at in sorted(extent, key=lambda s: (s[0], [-1 if v is None else v for v in s[1]])):
            step, moves = self.local.step(at), self.local.moves(at)
            ahead.reads |= step.reads
            ahead.writes |= step.writes
            ahead.speeches.update(dict.fromkeys(step.speeches))
            ahead.beside.update(dict.fromkeys(step.beside))
            if step.number in self.visible or self._touches_shared(step, moves):
                ahead.entangled.update(dict.fromkeys(step.speeches))
            ahead.ends.update(step.ends)
            ahead.gives |= step.gives
            ahead.takes |= step.takes
            ahead.makes_channel |= step.makes_channel
            ahead.only_communicates &= step.only_communicates
            ahead.moves.add(moves)

    def _ahead_of_created(self, body: Body) -> Ahead:
        start = next(n for n, s in self.steps.items() if s.position is body.start)
        return self.ahead((start, self.local.at_start(body)))
