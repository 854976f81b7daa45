"""The search over symbolic states: all that can happen in each box, shape by shape."""

from __future__ import annotations

import gc
import heapq
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.codegen.module.generated import Generated
from lfc.codegen.program import without_instruments
from lfc.mcheck.model.compiled_model import slot_frames
from lfc.mcheck.model.description import Description, Numbers
from lfc.mcheck.model.state_vector import SLEEP_BIT, describe, wait_for_ever
from lfc.mcheck.request.world import World
from lfc.mcheck.symbolic import boxes, counting
from lfc.mcheck.symbolic.cells import Cells, number_at
from lfc.mcheck.symbolic.engine_steps import EngineSteps, Step
from lfc.mcheck.symbolic.events import SLEEP, Event
from lfc.mcheck.symbolic.execution import code
from lfc.mcheck.symbolic.execution.execute import ROUNDS, ActionEnd, FaultEnd, Interpreter, OutOfTime
from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.execution.policies import policies
from lfc.mcheck.symbolic.normal_form import Box, Normal, Normaliser, Places, Shape, without
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.solver import Undecided, solver
from lfc.mcheck.symbolic.values.terms import Term, forget_all
from lfc.mcheck.symbolic.widening import LOOK_AHEAD, Foresight, by_widths, limits_by_width, refuse_if_heavy, widened
from lfc.run.events import positions
from lfc.run.native import host_target
from lfc.semantics.model import typed

DEADLOCK = FaultEnd(0, 0)
BEFORE_WIDENING = 12  # visits of a shape
BEFORE_COARSE, FEW_BOXES = 4, 16  # likewise in a coarse search; or more boxes than these
MOST_CONFIRMED = 5  # attempts to find a way to an error
PATIENCE = 3.0  # seconds
COLLECTED_AFTER = 200_000  # objects
BETWEEN_LOOKS = 0.005  # at the processor's clock, which takes a call of the system
EXPLICIT_SPEED = 300_000  # states per second


@dataclass(slots=True, eq=False)
class Edge:
    """A path of an event, from a state to what it leads to."""

    before: State
    event: Event
    to: Normal

    @property
    def of(self) -> Box:
        """The part of the state that it begins in."""
        final = self.to.path.box
        return tuple(final[i] for i in range(len(self.before.box)))


@dataclass(slots=True, eq=False)
class State:
    """That was, or is to be, looked at. `sources`: parts of it, and how they were reached."""

    shape: Shape
    box: Box
    sources: list[tuple[Box, Edge | None]]
    depth: int
    wide: bool = False  # it may hold blocks that cannot be reached
    edges: list[Edge] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Error:
    """A fault on a path from a state, or (no event) a state in which nobody goes on."""

    fault: FaultEnd
    state: State
    event: Event | None = None
    end: ActionEnd | None = None


@dataclass(slots=True)
class Move:
    """A path of an event, as it ends: in an error, or in a block, with what is beside the program then."""

    path: Path
    block: list[int | Term]
    error: FaultEnd | None
    beside: int


@dataclass(slots=True, eq=False)
class OfShape:
    number: int  # in the order in which they were found
    known: list[Box] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    waiting: list[tuple[Box, Edge | None]] = field(default_factory=list)
    visits: int = 0
    hulls: list[tuple[int, int]] = field(default_factory=list)  # of each symbol, some visits ago
    elements: frozenset[int] | None = None  # symbols that only elements of arrays have


class SymbolicProgram:
    """What a search knows of a program."""

    def __init__(
        self,
        machine: Machine,
        world: World,
        dead_places: Callable[[bytes], Places],
        atoms: Sequence[typed.Expr] = (),
        rounds: int = ROUNDS,
    ) -> None:
        """`atoms`: what a property asks of states; `rounds`: that an action may have. Raises NotDecoded."""
        from lfc.mcheck.model.input_ranges import read_assumptions

        forget_all()
        self.machine = machine
        self.assume = read_assumptions(machine, world.assume, world.few)
        self.generated, module = code.decoded_program(machine, atoms)
        self.interpreter = Interpreter(
            module, policies(self.assume.ports, machine.wide, self.assume.characters), rounds
        )
        self.limits, self.fewer_limits = limits_by_width(module)
        self.thresholds = self.limits[1]
        self.foresight = Foresight(module, self.limits)
        self.description: Description = describe(machine)
        if world.open_messages:
            wait_for_ever(machine, self.description, world.open_messages)
        self.numbers = Numbers(machine)
        self.frames = slot_frames(machine)
        self.dead_places = dead_places
        self.normaliser = Normaliser(Cells(machine), dead_places)
        self.in_engine = True  # else all steps are those of the interpreter in Python
        self._engine: EngineSteps | None = None
        self._events: dict[int, tuple[tuple[list[Event], bool], Shape]] = {}  # by the identity of the shape

    def kept(self, block: bytes) -> bytes:
        """As states have it: what nothing will read is zero."""
        return without(block, self.dead_places(block))

    def generated_to_run(self) -> Generated:
        """The same program, for this machine."""
        return without_instruments(self.generated, host_target())

    def initial(self) -> Normal:
        ends = self.interpreter.ends(code.INITIALISE, (), [0] * self.machine.block_size, {}, {})
        assert len(ends) == 1 and ends[0].fault is None
        (first,) = self.normaliser.of_end(ends[0].path, ends[0].block)
        return first

    # --- what can happen -------------------------------------------------------------------------------------------

    def at(self, shape: Shape) -> list[int]:
        """By slot, the number of its position in the description; 0: the slot is free."""
        d, found = self.description, []
        own = positions(self.machine, shape.explicit)
        slot = 0
        for first, (layout, _) in zip(self.numbers.first, self.machine.parts, strict=True):
            for _ in range(sum(r.slots for r in layout.records)):
                found.append(d.numbers[first + own[slot]] if own[slot] else 0)
                slot += 1
        return found

    def timed_clauses(self, shape: Shape, slot: int, position: int) -> int:
        a = self.description.actions[position]
        if not a.timed or not a.closed[1]:
            return a.timed
        f = self.frames[slot]
        record = self.record_at(slot)
        frame = number_at(shape.explicit, record + f.field, f.field_size) if f.field_size else f.frame0
        closed = number_at(shape.explicit, record + frame + a.closed[0], a.closed[1])
        return a.timed & ~(closed & 0x7FFFFFFF)

    def record_at(self, slot: int) -> int:
        r = next(r for r in self.machine.records if r.first_slot <= slot < r.first_slot + r.slots)
        return r.offset + (slot - r.first_slot) * r.stride

    def waits_for_partner(self, shape: Shape, slot: int, position: int) -> bool:
        d = self.description
        if position < d.first_waiting or d.servers[slot] or d.actions[position].idle:
            return False
        return not self.timed_clauses(shape, slot, position)

    def events(self, shape: Shape) -> tuple[list[Event], bool]:
        """And whether it is a deadlock."""
        found = self._events.get(id(shape))
        if found is None:
            found = self._events[id(shape)] = self._found_events(shape), shape  # which so stays what has this identity
        return found[0]

    def _found_events(self, shape: Shape) -> tuple[list[Event], bool]:
        d, found = self.description, []
        lives = waits = can_go = False
        for slot, position in enumerate(self.at(shape)):
            if not position:
                continue
            lives = True
            if position < d.first_waiting:
                can_go = True
                found.append(Event("run", slot))
                continue
            a = d.actions[position]
            timed = self.timed_clauses(shape, slot, position)
            can_go |= bool(a.kind or timed)
            waits |= not d.servers[slot] and not a.idle
            found += [Event("wake", slot, c if c < 31 else SLEEP) for c in range(32) if timed >> c & 1]
        assert SLEEP_BIT == 1 << 31
        if lives:
            at = self.machine.layout.pending_offset
            pending = shape.explicit
            found += [Event("interrupt", n) for n in range(d.interrupts) if not pending[at + n // 8] >> n % 8 & 1]
        return found, lives and waits and not can_go

    @staticmethod
    def call(event: Event) -> tuple[str, tuple[int, ...]]:
        """The function that does it, and its arguments behind the block."""
        return {
            "run": (code.RUN, (event.which,)),
            "wake": (code.WAKE, (event.which, event.clause)),
            "interrupt": (code.INTERRUPT, (event.which,)),
        }[event.what]

    def ends(self, shape: Shape, box: Box, event: Event) -> list[ActionEnd]:
        """Raises TooMany, NotUnderstood."""
        widths = dict(enumerate(shape.widths))
        name, arguments = self.call(event)
        known = shape.known(box) if shape.conditions else {}
        return self.interpreter.ends(name, arguments, shape.block(box), dict(enumerate(box)), widths, known)

    def steps(self, shape: Shape, box: Box, event: Event) -> Iterable[Step]:
        """The same ends, each with its normal forms; by the engine, as far as it can. Raises TooMany, NotDecoded."""
        if self.in_engine and not shape.conditions:
            if self._engine is None:
                self._engine = EngineSteps(
                    self.interpreter, self.normaliser, self.machine.block_size, self.machine.wide
                )
            name, arguments = self.call(event)
            return self._engine.ends(shape, box, name, arguments, not self.normaliser.coarse)
        return ((end, self._normals(end)) for end in self.ends(shape, box, event))

    def _normals(self, end: ActionEnd) -> Iterable[Normal]:
        return () if end.fault is not None else self.normaliser.of_end(end.path, end.block)


def depth_of(sources: list[tuple[Box, Edge | None]]) -> int:
    return min((0 if e is None else e.before.depth + 1) for _, e in sources)


def is_wide(sources: list[tuple[Box, Edge | None]]) -> bool:
    return any(e is not None and (e.before.wide or e.to.path.wide) for _, e in sources)


@dataclass(slots=True)
class Limits:
    seconds: float = 0.0
    effort: float = float("inf")  # seconds of the processor
    states: int = 0
    goes_on: bool = False  # after an error
    allow_deadlocks: bool = False
    is_over: Callable[[], bool] = lambda: False  # somebody has interrupted it
    shows: Callable[[int, int, int, int], None] = lambda *_: None  # symbolic states, shapes, transitions, depth so far
    confirms: Callable[[Error], bool] = lambda _: True
    may_widen: bool = False  # states may be wider than what can be reached
    coarse: bool = False  # hardly anything tells boxes apart from some visit on
    may_solve: bool = True  # where the solver is installed
    must_pay: bool = False  # it ends where a search value by value is as fast
    foresees: bool = False  # it ends where a variable counts on and has far to go, or where terms only grow


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Nearly all that a search makes stays: to look through it for garbage again and again takes half of its time."""
    before = gc.get_threshold()
    gc.set_threshold(max(COLLECTED_AFTER, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Exploration:
    def __init__(self, program: SymbolicProgram, limits: Limits) -> None:
        self.program, self.limits = program, limits
        self.solver = solver() if limits.may_solve else None
        self.of_shape: dict[Shape, OfShape] = {}
        self.queue: list[tuple[int, Shape]] = []  # those with something that waits, the oldest first
        self.taken: list[State] = []  # from it, to be looked at next; the last one first
        self.states: list[State] = []
        self.errors: dict[tuple[int, int], Error] = {}
        self.unconfirmed: list[Error] = []
        self.possible: dict[tuple[int, int], int] = {}  # of which no way was found: how often it was looked for
        self.transitions = self.ended = self.depth = 0
        self.assumed = 0
        self.complete = False
        self.interrupted = False
        self._coverage: boxes.Coverage | None = None
        self.seconds = self._begin = self._look_at = 0.0
        self._until = float("inf")

    def run(self) -> None:
        """From its beginning, or from where it has stopped. `complete`: all states have been looked at. Raises TooMany,
        NotDecoded."""
        program, begin, before = self.program, time.monotonic(), self.seconds
        program.interpreter.may_widen, program.interpreter.solver = self.limits.may_widen, self.solver
        program.normaliser.coarse = self.limits.coarse
        self._until = begin + self.limits.seconds if self.limits.seconds else float("inf")
        self._begin = time.thread_time()
        self._look_at = self._begin + PATIENCE
        try:
            with collected_rarely():
                self._run()
        except OutOfTime:
            self.interrupted = self.limits.is_over()
        finally:
            self.seconds = before + time.monotonic() - begin

    def is_over(self) -> bool:
        """Somebody has interrupted it, or its time is up."""
        return self.limits.is_over() or time.monotonic() > self._until

    def _run(self) -> None:
        self.program.interpreter.is_over = self.is_over
        if not self.of_shape:
            first = self.first()
            self._reached(first.shape, first.box, None)
        looked, now = time.monotonic(), self._begin
        while self.taken or self.queue:
            if not self.taken:
                self.taken = self._next_states()[::-1]
                continue
            self._expand(self.taken[-1])
            self.taken.pop()
            self.interrupted = self.limits.is_over()
            self.limits.shows(len(self.states), len(self.of_shape), self.transitions, self.depth)
            over = self.limits.states and len(self.states) > self.limits.states
            wall = time.monotonic()
            if wall > looked + BETWEEN_LOOKS:
                looked, now = wall, time.thread_time()
            if self.interrupted or over or now > self._begin + self.limits.effort or wall > self._until:
                return
            if self.limits.must_pay and now > self._look_at:
                self._refuse_if_slow(now)
            if self.errors and not self.limits.goes_on:
                return
        self.complete = True

    def first(self) -> Normal:
        return self.program.initial()

    def _refuse_if_slow(self, now: float) -> None:
        self._look_at = now + PATIENCE
        if sum(boxes.volume(s.box) for s in self.states) < EXPLICIT_SPEED * (now - self._begin):
            raise TooMany("hardly any values can be left undetermined")

    def _reached(self, shape: Shape, box: Box, by: Edge | None) -> None:
        of = self.of_shape.get(shape)
        if of is None:
            of = self.of_shape[shape] = OfShape(len(self.of_shape))
            if self.limits.foresees:
                refuse_if_heavy(shape)
        if not of.waiting:
            heapq.heappush(self.queue, (of.number, shape))
        of.waiting.append((box, by))

    def _next_states(self) -> list[State]:
        """All that waits of the oldest shape: so what runs on within one shape is merged before it goes further."""
        shape = heapq.heappop(self.queue)[1]
        of = self.of_shape[shape]
        waiting, of.waiting = of.waiting, []
        by: dict[Box, list[tuple[Box, Edge | None]]] = {}
        uncovered = self._uncovered(of.known)
        for box, edge in waiting:
            rest = uncovered(box)
            if rest is not None and self._is_possible(shape, rest):
                by.setdefault(rest, []).append((rest, edge))
        of.visits += 1
        if self.limits.foresees and not of.visits % LOOK_AHEAD:
            of.hulls = self.program.foresight.refuse_if_far(of.hulls, of.known, shape)
        found: list[State] = []
        for whole, parts in boxes.merged(by).items():
            sources = [source for part in parts for source in by[part]]
            self._add(of, State(shape, whole, sources, depth_of(sources), is_wide(sources)), found)
        of.known = list(boxes.merged([*of.known, *(s.box for s in found)]))
        of.states += found
        self.states += found
        return found

    def _uncovered(self, known: list[Box]) -> Callable[[Box], Box | None]:
        """What of a box is not known."""
        if not known or not known[0] or len(known) * len(known[0]) < boxes.MANY:
            return lambda box: boxes.uncovered(box, known)
        if self._coverage is None:
            self._coverage = boxes.Coverage()
        return self._coverage.of(known)

    def _is_possible(self, shape: Shape, box: Box) -> bool:
        """Whether there is a block of it."""
        if not shape.conditions or self.solver is None:
            return True
        try:
            return self.solver.model(shape.known(box).items(), dict(enumerate(box))) is not None
        except Undecided:
            return True

    def _add(self, of: OfShape, state: State, to: list[State]) -> None:
        """It, or (from some visit on) what is wider."""
        coarse = self.limits.coarse and (of.visits > BEFORE_COARSE or len(of.known) + len(to) > FEW_BOXES)
        if coarse or self.limits.may_widen and of.visits > BEFORE_WIDENING:
            known = [*of.known, *(s.box for s in to)]
            if coarse:
                elements = self._elements(of, state.shape)
                fewer = by_widths(state.shape.widths, self.program.fewer_limits)
                box = widened(state.box, known, state.shape.widths, fewer, elements)
            else:
                box = widened(state.box, known, state.shape.widths, self.program.foresight.limits_of(state.shape))
            if box != state.box:
                state.box, state.wide = box, True
            if any(boxes.is_within(box, k) for k in known):
                return
        to.append(state)

    def _elements(self, of: OfShape, shape: Shape) -> frozenset[int]:
        """Symbols that only elements of arrays have."""
        if of.elements is None:
            in_arrays = {c.offset for c in self.program.normaliser.cells.of(shape.frames) if c.element}
            others = frozenset().union(*(t.symbols for offset, _, t in shape.runs if offset not in in_arrays))
            of.elements = frozenset(range(len(shape.widths))) - others
        return of.elements

    def _expand(self, state: State) -> None:
        """Of one that was begun before, all is done again."""
        self.depth = max(self.depth, state.depth)
        state.edges.clear()
        events, dead = self.program.events(state.shape)
        if not events and not dead and not any(self.program.at(state.shape)):
            self.ended += 1
        if dead and not self.limits.allow_deadlocks:
            self._found(Error(DEADLOCK, state))
            return
        for event in events:
            for end, normals in self.program.steps(state.shape, state.box, event):
                self.transitions += 1
                self.assumed |= end.path.assumed
                if end.fault is not None:
                    self._found(Error(end.fault, state, event, end))
                    continue
                for normal in normals:
                    normal.path.memory.clear()
                    edge = Edge(state, event, normal)
                    state.edges.append(edge)
                    self._reached(normal.shape, normal.box, edge)

    def moves(self, shape: Shape, box: Box) -> Iterator[Move]:
        """All that can happen, as it is, before anything is forgotten. A deadlock is an error of its own."""
        events, dead = self.program.events(shape)
        if dead and not self.limits.allow_deadlocks:
            yield Move(self.standing(shape, box), [], DEADLOCK, shape.beside)
            return
        for event in events:
            for end in self.program.ends(shape, box, event):
                yield Move(end.path, [] if end.fault else end.block, end.fault, shape.beside)

    def standing(self, shape: Shape, box: Box) -> Path:
        """The path of no step."""
        path = Path({}, dict(enumerate(box)), dict(enumerate(shape.widths)))
        path.may_widen, path.solver, path.known = self.limits.may_widen, self.solver, shape.known(box)
        return path

    def _found(self, error: Error) -> None:
        """Where states may be too wide it is one only if somebody confirms it."""
        key = error.fault.kind, error.fault.site
        if key in self.errors or self.possible.get(key, 0) >= MOST_CONFIRMED:
            return
        if self.limits.confirms(error):
            self.errors[key] = error
            self.possible.pop(key, None)
        else:
            self.possible[key] = self.possible.get(key, 0) + 1
            self.unconfirmed.append(error)

    def refute(self) -> None:
        """What was possible is not: so nobody comes to where there are deadlocks."""
        self.possible.clear()
        self.unconfirmed.clear()
        if self.limits.allow_deadlocks:
            return
        dead = {shape for shape in self.of_shape if self.program.events(shape)[1]}
        self.states = [s for s in self.states if s.shape not in dead]
        for shape in dead:
            del self.of_shape[shape]

    # --- what was found --------------------------------------------------------------------------------------------

    def count(self) -> int | None:
        """Of concrete states, where it is certain."""
        return counting.count((shape, of.known) for shape, of in self.of_shape.items())

    def targets(self, edge: Edge) -> Iterator[State]:
        of = self.of_shape.get(edge.to.shape)
        for state in () if of is None else of.states:
            if boxes.meets(state.box, edge.to.box):
                yield state
