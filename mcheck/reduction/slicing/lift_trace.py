"""From a way through a slice to one through the whole program: the same steps, with what had left put in again.

Only what the slice still has is compared on the way; that the whole way can be gone, and ends in the same error, is
tried out by running it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeGuard

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.model.machine import Body, Machine, Position
from lfc.mcheck.counterexample.explain import tell_deadlock
from lfc.mcheck.counterexample.replay import CannotReplay, Replayer
from lfc.mcheck.reduction.slicing.dependence import Fields, Kept
from lfc.mcheck.reduction.slicing.guided_search import Guide, Way
from lfc.mcheck.result.finding import Finding
from lfc.run.events import Event, actions_of, other_events, ready_slots
from lfc.run.names import ActiveFrame, active_frames
from lfc.run.running import HostRun, Mode
from lfc.run.wait_for_graph import waiting_circle
from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    ArrayType,
    RecordType,
    Type,
    is_port,
    port_offsets,
    record_layout,
    size_and_alignment,
)
from lfc.semantics.model.visit import subexpressions
from lfc.trace.items import Item

if TYPE_CHECKING:
    from lfc.mcheck.properties.lasso import ViolatingRun

MOST_EVENTS = 20_000  # that are tried before it is given up

Key = tuple[str, str, int, int, int | None]
Frame = tuple[Key, bytes]
Seen = tuple[bytes, tuple[tuple[int, tuple[Frame, ...]], ...]]
NO_CHANNEL, OTHER_CHANNEL = 0, 1  # no port of a module names it
FIRST_CHANNEL = 2


class View:
    """What a slice and its program have in common of a state. Channels are told by which ports of modules name them:
    where others have left they have other numbers."""

    def __init__(self, kept: Kept, program: Machine, sliced: Machine, by_slot: Set[str] = frozenset()) -> None:
        """`by_slot`: the kinds of processes of which it matters which instance is which: all of them stay."""
        self.by_slot = by_slot
        self.every_slot = bool(kept.claims.points_stay)  # whoever lives in the program does so in the slice
        self.parts = {name_of(v): parts for v, parts in kept.variables.items()}
        self.waits = Waits(kept, program)
        self.keys = {key_of(p) for p in sliced.positions}
        self.variables = [v for v in map(name_of, sliced.layout.variables) if v in self.parts]
        self.kinds = {r.body.name for r in sliced.layout.records}
        self.bodies = {body.name: self._variables(body) for body in sliced.bodies}
        self.places = {id(m): self._places(m) for m in (program, sliced)}
        self.own = {id(m): {b.name: self._own(b) for b in m.bodies} for m in (program, sliced)}

    def _variables(self, body: Body) -> list[str]:
        """Where those lie that only stand for others is no part of a state."""
        own = [] if body.frame is None else [v for v in body.frame.variables if not stands_for_another(v)]
        return [v.name for v in own if name_of(v) in self.parts]

    def _places(self, m: Machine) -> list[tuple[int, Type]]:
        """Of the module variables."""
        at = {name_of(v): (o, v.type) for v, o in m.layout.variables.items()}
        return [part for name in self.variables for part in parts_of(*at[name], self.parts[name])]

    def _own(self, body: Body) -> list[tuple[int, Type]]:
        """In a frame."""
        variables = {} if body.frame is None else body.frame.variables
        at = {v.name: (v, o) for v, o in variables.items() if not stands_for_another(v)}
        found = [at[name] for name in self.bodies.get(body.name, ()) if name in at]
        return [part for v, o in found for part in parts_of(o, v.type, self.parts[name_of(v)])]

    def of(self, m: Machine, block: bytes) -> Seen:
        channels: dict[int, int] = {}
        for o, t in self.places[id(m)]:
            for i in port_offsets(t) if is_port(t) else ():
                channels.setdefault(m.port_at(block, o + i), FIRST_CHANNEL + len(channels))
        shared = b"".join(content(m, block, o, t, channels) for o, t in self.places[id(m)])
        lives = []
        for r in m.layout.records:
            for i in range(r.slots if r.body.name in self.kinds else 0):
                position = m.position_at(block, r.first_slot + i)
                if position is not None and self.key(position) in self.keys:
                    which = i if self.every_slot or r.body.name in self.by_slot else 0
                    frames = active_frames(m, block, r, i, position)
                    lives.append((which, tuple(self._frame(m, block, f, channels) for f in frames)))
        return shared, tuple(sorted(lives, key=repr))

    def key(self, position: Position) -> Key:
        return self.waits.key_of(position)

    def _frame(self, m: Machine, block: bytes, f: ActiveFrame, channels: dict[int, int]) -> Frame:
        key = self.key(f.position)
        own = [] if key in self.waits.unseen else self.own[id(m)][f.body.name]
        return key, b"".join(content(m, block, f.offset + o, t, channels) for o, t in own)


def parts_of(at: int, t: Type, fields: Set[Fields]) -> Iterator[tuple[int, Type]]:
    """Where the parts of a variable lie whose values matter."""
    if () in fields or not isinstance(t, RecordType | ArrayType):
        yield at, t
    elif isinstance(t, ArrayType):
        size = size_and_alignment(t.element)[0]
        for i in range(t.length):
            yield from parts_of(at + i * size, t.element, fields)
    else:
        for f, offset in zip(t.fields, record_layout(t)[0], strict=True):
            inside = {path[1:] for path in fields if path[0] == f.name}
            if inside:
                yield from parts_of(at + offset, f.type, inside)


class Waits:
    """Where a process of the program waits for a partner and one of the slice does not: that is one place of both."""

    def __init__(self, kept: Kept, program: Machine) -> None:
        self.unseen: set[Key] = set()  # what a process has done by itself since then is not compared
        places: list[tuple[typed.Statement, Key | None]] = [(s, None) for s in kept.passing.values()]
        starts = {body.process: key_of(body.start) for body in program.bodies if body.positions}
        for m in kept.merged.values():
            anchor = starts[m.process] if m.anchor is None else None
            places.append((m.statement, anchor or passed(program, m.anchor)))
            if places[-1][1] is not None:
                self.unseen.add(places[-1][1])
        self.at: dict[int, Key] = {}
        for s, key in places:
            for p in positions_within(program, s):
                self.at[id(p)] = key or passed_at(p.body.name, s)

    def key_of(self, position: Position) -> Key:
        return self.at.get(id(position)) or key_of(position)


def positions_within(m: Machine, s: typed.Statement) -> list[Position]:
    return [
        p
        for p in m.positions
        if p.span.source is s.span.source and s.span.start <= p.span.start and p.span.end <= s.span.end
    ]


def passed(m: Machine, s: typed.Statement | None) -> Key | None:
    """Where a process of the slice may stop in the place of a statement."""
    found = [] if s is None else positions_within(m, s)
    return passed_at(found[0].body.name, s) if found and s is not None else None


def passed_at(body: str, s: typed.Statement) -> Key:
    return body, "reschedule", s.span.start, s.span.end, None


def content(m: Machine, block: bytes, at: int, t: Type, channels: dict[int, int]) -> bytes:
    if not is_port(t):
        return block[at : at + size_and_alignment(t)[0]]
    numbers = (m.port_at(block, at + i) for i in port_offsets(t))
    return b"".join((channels.get(n, OTHER_CHANNEL) if n else NO_CHANNEL).to_bytes(2, "little") for n in numbers)


def asked_by_slot(machine: Machine, finding: Finding) -> set[str]:
    """Names of the kinds of processes of which the property that is violated asks for an instance."""
    of = [p.formula for module in machine.program.modules for p in module.properties if p.span == finding.span]
    asked = [x.process for f in of if f is not None for x in subexpressions(f) if is_of_an_instance(x)]
    return {body.name for process, body in machine.body_of.items() if process in asked}


def asks_who_communicates(machine: Machine, finding: Finding) -> bool:
    of = [p for module in machine.program.modules for p in module.properties if p.span == finding.span]
    return any(p.formula is None or any(isinstance(x, typed.TakenAtom) for x in subexpressions(p.formula)) for p in of)


def stretched(run: ViolatingRun, blocks: list[bytes], steps: list[list[Item]], at: list[int]) -> ViolatingRun:
    """With what it says of the states of the slice said of those that are like them, once."""
    atoms = [run.atoms[after - 1] if before < after <= len(run.atoms) else [] for before, after in pairwise(at)]
    automaton = [run.automaton[min(n, len(run.automaton) - 1)] for n in at] if run.automaton else []
    return replace(run, steps=steps, blocks=blocks, cycle=len(steps), atoms=atoms, automaton=automaton)


def is_of_an_instance(x: typed.Expr) -> TypeGuard[typed.SlotVariable | typed.StatusAtom]:
    return isinstance(x, typed.SlotVariable) or (isinstance(x, typed.StatusAtom) and x.status != "ENDED")


def name_of(v: typed.Variable) -> tuple[str, str]:
    owner = v.owner
    return (owner.qualified_name if isinstance(owner, typed.Process) else owner.name), v.name


def key_of(p: Position) -> Key:
    return p.body.name, p.kind, p.span.start, p.span.end, p.clause


class FullWay:
    """Looks for the way."""

    def __init__(self, kept: Kept, program: Machine, sliced: Machine, finding: Finding) -> None:
        self.program, self.sliced, self.finding = program, sliced, finding
        self.view = View(kept, program, sliced, asked_by_slot(program, finding))
        self.wanted = [self.view.of(sliced, b) for b in finding.blocks]
        self.fails = finding.kind in ("assertion", "fault")
        self.passes = bool(kept.passing or kept.merged)
        self.asks_taken = asks_who_communicates(program, finding)
        self.replayer = Replayer(program)
        self.left = MOST_EVENTS

    def find(self) -> Finding | None:
        """None: there is none, or it was not found soon enough."""
        if self.finding.run is not None and not self.finding.run.lost:
            return None  # a cycle of the slice is none where other values count on
        if self.finding.kind == "partial-deadlock" and self.program.slots != self.sliced.slots:
            return None
        found = self._go() or self._guided()
        if found is None:
            return None
        try:
            self.replayer.confirm(found.blocks, found.steps[: len(found.blocks) - 1])
        except CannotReplay:
            return None
        return self._told(found.blocks, found.steps, found.at)

    def _guided(self) -> Way | None:
        """Another way to the same error: where partners are needed, steps may have to come in another order."""
        f = self.finding
        if not self.passes or (not self.fails and (f.run is None or self.asks_taken)):
            return None
        self.left = MOST_EVENTS
        wanted = [shared for shared, _ in self.wanted]
        first = HostRun(self.replayer.generated, 1, Mode.FOLLOW).block
        guide = Guide(wanted, strict=not self.fails)
        return guide.search(first, lambda b: self.view.of(self.program, b)[0], self._events, self._end)

    def _told(self, blocks: list[bytes], steps: list[list[Item]], at: list[int]) -> Finding | None:
        f = self.finding
        shortest = f.shortest and len(blocks) == len(f.blocks)  # each way through the program has one of the slice
        if f.kind == "deadlock":
            return replace(tell_deadlock(self.program, steps, blocks), shortest=shortest)
        circle = waiting_circle(self.program, blocks[-1], f.waiting) if f.kind == "partial-deadlock" else []
        run = None if f.run is None else stretched(f.run, blocks, steps, at)
        return replace(f, steps=steps, blocks=blocks, circle=circle, run=run, shortest=shortest)

    def _go(self) -> Way | None:
        start = HostRun(self.replayer.generated, 1, Mode.FOLLOW).block
        if self.view.of(self.program, start) != self.wanted[0]:
            return None
        blocks, steps = [start], list[list[Item]]()
        todo = [self._next(start, 0)]
        seen = {(start, 0)}
        at = [0]  # of each state the one of the slice that it is like
        while todo:
            if at[-1] == len(self.wanted) - 1:
                last = self._end(blocks[-1])
                if last is not None:
                    return Way(blocks, [*steps, *last], at)
            new = next(todo[-1], None)
            if new is None:
                todo.pop()
                at.pop()
                blocks.pop()
                if steps:
                    steps.pop()
                continue
            event, k = new
            if (event.block, k) in seen:
                continue
            seen.add((event.block, k))
            blocks.append(event.block)
            steps.append(event.items)
            at.append(k)
            todo.append(self._next(event.block, k))
        return None

    def _next(self, block: bytes, k: int) -> Iterator[tuple[Event, int]]:
        """Steps on, first; then those that the slice does not have."""
        beside: list[Event] = []
        last = k == len(self.wanted) - 1
        for event in self._events(block, self._slot_in_slice(k), self._inputs_in_slice(k)):
            if event.fault is not None:
                continue
            seen = self.view.of(self.program, event.block)
            if not last and seen == self.wanted[k + 1]:
                yield event, k + 1
            elif seen == self.wanted[k]:
                beside.append(event)
        for event in beside:
            yield event, k

    def _slot_in_slice(self, k: int) -> int | None:
        """Whose step it is there, if the program numbers its processes alike: with inputs, others may have very
        many steps that would be tried before."""
        steps = self.finding.steps
        event = steps[k][0] if k < len(steps) and steps[k] else None
        same = self.view.every_slot and event is not None and event.name == "run"
        return event.operands[0] if same and event is not None else None

    def _inputs_in_slice(self, k: int) -> list[Item]:
        """What its step reads from ports there: of a wide one, all values cannot be tried."""
        steps = self.finding.steps
        return [i for i in steps[k] if i.name in READS] if k < len(steps) else []

    def _events(self, block: bytes, first: int | None = None, inputs: Sequence[Item] = ()) -> Iterator[Event]:
        """Those that read what the slice does, first."""
        run = self.replayer.run
        mine = [s for s in ready_slots(self.program, block) if self._is_mine(block, s)]
        mine.sort(key=lambda s: s != first)
        values = [v for i in inputs for v in i.operands if v is not None]
        for event in (e for slot in mine if values for e in actions_of(run, block, slot, values)):
            if [i for i in event.items if i.name in READS] == inputs:
                yield event
        others = [s for s in ready_slots(self.program, block) if s not in mine]
        for slot in [*mine, *others]:
            for event in actions_of(run, block, slot):
                if self.left == 0:
                    return
                self.left -= 1
                yield event
        yield from other_events(run, block)

    def _is_mine(self, block: bytes, slot: int) -> bool:
        position = self.program.position_at(block, slot)
        return position is not None and self.view.key(position) in self.view.keys

    def _end(self, block: bytes) -> list[list[Item]] | None:
        """The step that fails, if one does; None: this is not where the error is."""
        if self.finding.kind == "deadlock":
            return None if ready_slots(self.program, block) else []
        if not self.fails:
            return []
        last = len(self.finding.steps) - 1
        for event in self._events(block, self._slot_in_slice(last), self._inputs_in_slice(last)):
            if event.fault is None:
                continue
            site = self.replayer.generated.sites[event.fault.site]
            if site.span == self.finding.span and (event.fault.kind == ASSERT) == (self.finding.kind == "assertion"):
                return [event.items]
        return None


ASSERT = 6
READS = ("in8", "in16", "in32")
