"""What simple statements, attempts and ends of actions read, write and ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lfc.actions.analysis.places import (
    AnyPosition,
    AnySlot,
    FrameField,
    InBlock,
    InFrame,
    OfPosition,
    Passed,
    Place,
    PlacesOf,
    WholeRecord,
    layouts_of,
    stands_for_another,
)
from lfc.actions.layout.frames import is_closable, place_of_variable
from lfc.actions.layout.records import reached_by_calls
from lfc.actions.model.machine import Advance, Body, Branch, Machine, Point, PointClause, RecordLayout, Switch
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import (
    ArrayType,
    ChannelType,
    Message,
    OpenArrayType,
    RecordType,
    Type,
    size_and_alignment,
)
from lfc.semantics.model.visit import root_variable, subexpressions


@dataclass(frozen=True, slots=True)
class Access:
    """Of a port or a device register. None: it is not known, or it may be several."""

    out: bool
    width: int | None
    address: int | None


@dataclass(slots=True)
class Effects:
    """Of one piece of code. Dictionaries serve as ordered sets."""

    reads: dict[Place, None] = field(default_factory=dict)
    writes: dict[Place, None] = field(default_factory=dict)
    asks: dict[str, None] = field(default_factory=dict)
    accesses: dict[Access, None] = field(default_factory=dict)  # in a composition the environment answers inside
    starts_environment: bool = False  # processes of the environment are created, which run at once

    @property
    def accesses_ports(self) -> bool:
        return bool(self.accesses)

    def read(self, places: Iterable[Place]) -> None:
        self.reads.update(dict.fromkeys(places))

    def write(self, places: Iterable[Place]) -> None:
        self.writes.update(dict.fromkeys(places))

    def ask(self, *items: str) -> None:
        self.asks.update(dict.fromkeys(items))

    def access(self, access: Access) -> None:
        self.accesses[access] = None

    def add(self, other: Effects) -> bool:
        """Whether there was anything new."""
        before = self._extent()
        self.reads.update(other.reads)
        self.writes.update(other.writes)
        self.asks.update(other.asks)
        self.accesses.update(other.accesses)
        self.starts_environment |= other.starts_environment
        return before != self._extent()

    def _extent(self) -> tuple[int, int, int, int, bool]:
        return len(self.reads), len(self.writes), len(self.asks), len(self.accesses), self.starts_environment


@dataclass(frozen=True, slots=True)
class Offer:
    """A clause of a waiting position: what a partner may meet."""

    point: Point
    clause: PointClause


class EffectsOf:
    """Effects of statements and points of a machine."""

    places_of: type[PlacesOf] = PlacesOf  # another one tells places apart more finely

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        bodies = machine.all_bodies()
        self.passed = Passed(bodies)
        self.records = [r for layout in layouts_of(machine) for r in layout.records]
        self.hosts: dict[Body, list[RecordLayout]] = {b: [] for b in bodies}
        for record in self.records:
            for body in [record.body, *reached_by_calls(record.body)]:
                self.hosts[body].append(record)
        for p in machine.properties:
            self.hosts[p.body] = [p.record]
        self.offers: dict[tuple[Message, bool], list[Offer]] = {}  # message, whether it sends
        self.interrupt_offers: dict[int, list[Offer]] = {}
        for body in bodies:
            for point in body.points:
                if point.waiting is not None and self.hosts[body]:
                    self._register(point)
        self._functions: dict[Body, Effects] | None = None
        self._ports_in_use: list[Place] | None = None

    def _register(self, point: Point) -> None:
        for clause in point.clauses:
            event = clause.event
            if not isinstance(event, typed.Send | typed.Receive) or isinstance(event.port, typed.IoPort):
                continue
            if isinstance(event.port, typed.InterruptPort):
                self.interrupt_offers.setdefault(event.port.number, []).append(Offer(point, clause))
            else:
                key = event.message, isinstance(event, typed.Send)
                self.offers.setdefault(key, []).append(Offer(point, clause))

    # --- statements ----------------------------------------------------------------------------------------------

    def statement(self, body: Body, s: typed.Statement) -> Effects:
        effects = Effects()
        places = self.places_of(self.machine, self.passed, body)
        match s:
            case typed.Assign():
                self.evaluate(effects, places, s.value)
                self._assign(effects, places, s.target)
            case typed.Step():
                self.evaluate(effects, places, s.amount)
                self.evaluate(effects, places, s.target)
                self._assign(effects, places, s.target)
            case Advance():
                self.evaluate(effects, places, s.target)
                self._assign(effects, places, s.target)
            case typed.Include():
                self.evaluate(effects, places, s.element)
                self.evaluate(effects, places, s.set)
                self._assign(effects, places, s.set)
            case typed.New():
                effects.read(self.ports_in_use())
                self._assign(effects, places, s.port)
            case typed.Assert():
                self.evaluate(effects, places, s.condition)
            case typed.PortOut():
                self.evaluate(effects, places, s.address)
                self.evaluate(effects, places, s.value)
                effects.ask("out")
                effects.access(Access(True, s.width, known_number(s.address)))
            case typed.ConsoleWrite():
                self.evaluate(effects, places, s.value)
                effects.ask("write")
            case typed.Spin():
                self.evaluate(effects, places, s.microseconds)
            case typed.CallProcess():
                self._pass(effects, places, s.arguments)
                if not body.callees[s].can_wait:
                    effects.add(self.function(body.callees[s]))
            case typed.CreateProcess():
                self._pass(effects, places, s.arguments)
                if s.deadline is not None:
                    self.evaluate(effects, places, s.deadline)
                self._create(effects, body.callees[s])
            case typed.Send():  # an environment's answer to a port read: the reader takes it from here
                for value in s.values:
                    self.evaluate(effects, places, value)
        return effects

    def evaluate(self, effects: Effects, places: PlacesOf, e: typed.Expr) -> None:
        effects.read(places.reads(e))
        for part in subexpressions(e):
            if isinstance(part, typed.FunctionCall) and part.name.startswith("PORTIN"):
                width = part.name.removeprefix("PORTIN") or "8"
                effects.ask("in" + width)
                effects.access(Access(False, int(width), known_number(part.arguments[0])))
            elif isinstance(part, typed.FunctionCall) and part.name == "Clock.Now":
                effects.ask("clock")
            elif isinstance(part, typed.VariableRef) and part.variable.address is not None:
                _ask_register(effects, "in", part.variable)
            elif isinstance(part, typed.Overlapped) or (
                isinstance(part, typed.VariableRef) and part.variable.nonatomic
            ):
                effects.ask(f"in{8 * size_and_alignment(part.type)[0]}")

    def _assign(self, effects: Effects, places: PlacesOf, target: typed.Expr) -> None:
        effects.read(places.to_find(target))
        effects.write(places.designated(target))
        root = root_variable(target)
        if root is not None and root.address is not None:
            _ask_register(effects, "in", root)  # where only a part of it is assigned
            _ask_register(effects, "out", root)
        part = target
        while isinstance(part, typed.FieldRef | typed.IndexRef):
            if isinstance(part, typed.IndexRef):
                self.evaluate(effects, places, part.index)
            part = part.base

    def _pass(self, effects: Effects, places: PlacesOf, arguments: list[typed.Argument]) -> None:
        for argument in arguments:
            if stands_for_another(argument.formal) and root_variable(argument.value) is not None:
                effects.read(places.to_find(argument.value))
            else:
                self.evaluate(effects, places, argument.value)

    def _create(self, effects: Effects, created: Body) -> None:
        effects.read([AnyPosition(created)])
        effects.write([AnyPosition(created)])
        effects.starts_environment |= created.domain == "environment"
        for record in self.records:
            if record.body is created:
                effects.write([AnySlot(created, 0, record.stride, "record")])

    def ports_in_use(self) -> list[Place]:
        """What NEW looks at: every port and every wait, in the block and in the records."""
        if self._ports_in_use is None:
            found: list[Place] = []
            for layout in layouts_of(self.machine):
                places = self.places_of(self.machine, self.passed, self.machine.bodies[0])
                for v in layout.variables:
                    if holds_port(v.type):
                        found += places.variable(v)
                for record in layout.records:
                    found += _ports_of_record(record)
            self._ports_in_use = found
        return self._ports_in_use

    # --- ordinary functions --------------------------------------------------------------------------------------

    def function(self, body: Body) -> Effects:
        """All that a call of it may do, deeper calls included."""
        if self._functions is None:
            self._functions = {b: Effects() for b in self.machine.all_bodies() if not b.has_positions}
            changed = True
            while changed:
                changed = False
                for b, effects in self._functions.items():
                    if b.process is not None and b.process.external:
                        changed |= effects.add(self._external(b, b.process))
                    for block in b.blocks:
                        for s in block.statements:
                            changed |= effects.add(self.statement(b, s))
                        changed |= effects.add(self.condition(b, block.end))
        return self._functions[body]

    def _external(self, body: Body, process: typed.Process) -> Effects:
        """What its declaration says. What C has written is an input, like a port read."""
        effects = Effects()
        places = self.places_of(self.machine, self.passed, body)
        for formal in body.formals:
            if not stands_for_another(formal):
                continue
            passed = [place for v in self.passed.by(formal) for place in places.variable(v)]
            effects.read(passed)
            if formal.kind is typed.VariableKind.VAR:
                effects.write(passed)
                effects.ask(*(f"in{8 * size_and_alignment(t)[0]}" for t in scalars_of(formal.type)))
        return effects

    def condition(self, body: Body, end: object) -> Effects:
        """What the end of a block evaluates to find out where control goes on."""
        effects = Effects()
        places = self.places_of(self.machine, self.passed, body)
        if isinstance(end, Branch):
            self.evaluate(effects, places, end.condition)
        elif isinstance(end, Switch):
            self.evaluate(effects, places, end.selector)
        return effects

    # --- attempts --------------------------------------------------------------------------------------------------

    def attempt(self, point: Point) -> Effects:
        """All that may happen at a scheduling point: waiting, or meeting any partner."""
        body = point.body
        effects = Effects()
        places = self.places_of(self.machine, self.passed, body)
        effects.write([OfPosition(body)])
        if point.waiting is not None:
            effects.write([wait_area(body)])
        for clause in point.clauses:
            self._evaluate_clause(effects, places, clause)
            event = clause.event
            if isinstance(event, typed.ConsoleRead):
                effects.ask("read")
            if not isinstance(event, typed.Send | typed.Receive) or isinstance(event.port, typed.IoPort):
                continue
            if isinstance(event.port, typed.InterruptPort):
                self._meet_interrupt(effects, event)
                continue
            for handler in clause.watched:
                effects.add(self.function(handler))
            for offer in self.offers.get((event.message, isinstance(event, typed.Receive)), ()):
                if not (point.is_select and offer.point.is_select):
                    effects.ask("meet")
                    effects.add(self.met(offer))
        return effects

    def _evaluate_clause(self, effects: Effects, places: PlacesOf, clause: PointClause) -> None:
        event = clause.event
        if clause.guard is not None:
            self.evaluate(effects, places, clause.guard)
        if isinstance(event, typed.Send | typed.Receive):
            self.evaluate(effects, places, event.port)
        if isinstance(event, typed.Send):
            for value in event.values:
                self.evaluate(effects, places, value)
        if isinstance(event, typed.AfterEvent | typed.Sleep):
            self.evaluate(effects, places, event.milliseconds)
        for target in clause.targets:
            if target.target.designator is not None:
                self._assign(effects, places, target.target.designator)

    def _meet_interrupt(self, effects: Effects, event: typed.Send | typed.Receive) -> None:
        assert isinstance(event.port, typed.InterruptPort)
        number = event.port.number
        for layout in layouts_of(self.machine):
            if number in layout.interrupts:
                byte = layout.pending_offset + layout.interrupts.index(number) // 8
                pending = InBlock(byte, 1, "pending interrupts")
                effects.read([pending])
                effects.write([pending])
        effects.ask("take" if isinstance(event, typed.Receive) else "meet")
        if isinstance(event, typed.Send):
            for offer in self.interrupt_offers.get(number, ()):
                if isinstance(offer.clause.event, typed.Receive):
                    effects.add(self.met(offer))

    def met(self, offer: Offer) -> Effects:
        """What the attempt of another reads and writes of the one that waits with this offer. All places are turned
        into those of any slot where the offer may wait."""
        body = offer.point.body
        places = self.places_of(self.machine, self.passed, body)
        theirs = Effects()
        theirs.read([OfPosition(body), FrameField(body), wait_area(body)])
        theirs.write([OfPosition(body), wait_area(body)])
        event, guard = offer.clause.event, offer.clause.guard
        if isinstance(event, typed.Send | typed.Receive):
            self.evaluate(theirs, places, event.port)
        if guard is not None and not is_closable(event, guard):
            self.evaluate(theirs, places, guard)
        for target in offer.clause.targets:
            if target.target.designator is not None:
                self._assign(theirs, places, target.target.designator)
        if body.called:  # where its frame lies is found through the frame field
            theirs.read([WholeRecord(body)])
        for handler in offer.clause.watched:
            theirs.add(self.function(handler))
        return self.as_of_others(theirs, body)

    def as_of_others(self, effects: Effects, start: Body) -> Effects:
        """The same effects when they are about another process, in which `start` runs, than the one whose action it
        is."""
        others = Effects({}, {}, dict(effects.asks), dict(effects.accesses), effects.starts_environment)
        for place in effects.reads:
            others.read(self._elsewhere(place, start))
        for place in effects.writes:
            others.write(self._elsewhere(place, start))
        return others

    def _elsewhere(self, place: Place, start: Body) -> list[Place]:
        if isinstance(place, InBlock | AnySlot | AnyPosition):
            return [place]
        records = [r for r in self.hosts[place.body] if r in self.hosts[start]]
        if isinstance(place, OfPosition):
            return [AnyPosition(r.body) for r in records]
        if isinstance(place, FrameField):
            return [
                AnySlot(r.body, r.frame_field_offset, r.frame_field_size, "frame")
                for r in records
                if r.frame_field_offset is not None
            ]
        if isinstance(place, InFrame) and not place.body.called:
            return [AnySlot(r.body, r.frame0 + place.offset, place.size, place.what) for r in records]
        return [AnySlot(r.body, 0, r.stride, "record") for r in records]


def scalars_of(t: Type) -> list[Type]:
    """The types of the scalars that a variable is made of, each once."""
    if isinstance(t, ArrayType | OpenArrayType):
        return scalars_of(t.element)
    if isinstance(t, RecordType):
        return list(dict.fromkeys(s for f in t.fields for s in scalars_of(f.type)))
    return [t]


def wait_area(body: Body) -> InFrame:
    assert body.frame is not None
    return InFrame(body, body.frame.wait_offset, body.frame.wait_size, "wait")


def holds_port(t: Type) -> bool:
    if isinstance(t, ArrayType):
        return holds_port(t.element)
    if isinstance(t, RecordType):
        return any(holds_port(f.type) for f in t.fields)
    return isinstance(t, ChannelType)


def _ports_of_record(record: RecordLayout) -> list[Place]:
    body, frame = record.body, record.body.frame
    assert frame is not None
    if record.frame_field_size:
        return [AnyPosition(body), AnySlot(body, 0, record.stride, "record")]
    found: list[Place] = [AnyPosition(body)]
    for v, offset in frame.variables.items():
        if holds_port(v.type) and not stands_for_another(v):
            found.append(AnySlot(body, record.frame0 + offset, place_of_variable(v)[0], v.name))
    if frame.wait_size:
        found.append(AnySlot(body, record.frame0 + frame.wait_offset, frame.wait_size, "wait"))
    return found


def _ask_register(effects: Effects, direction: str, register: Variable) -> None:
    size = size_and_alignment(register.type)[0]
    effects.ask("out" if direction == "out" else f"in{8 * size if size in (1, 2, 4) else 8}")
    parts = isinstance(register.type, ArrayType | RecordType)  # each at a place of its own
    effects.access(Access(direction == "out", *((None, None) if parts else (8 * size, register.address))))


def known_number(e: typed.Expr) -> int | None:
    """Of an address: None if it is no constant, or one that a conversion may change."""
    while isinstance(e, typed.Convert) and size_and_alignment(e.type)[0] >= size_and_alignment(e.operand.type)[0]:
        e = e.operand
    return e.value if isinstance(e, typed.Constant) and isinstance(e.value, int) and e.value >= 0 else None
