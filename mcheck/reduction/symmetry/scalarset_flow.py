"""What a program does with its integers, as far as it matters to whether they can be names: which are copied to each
other and compared for equality, which get or meet constants, and which are used as numbers.

A place is a variable, or a value of a message; of records each field, of arrays all elements as one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.model.machine import Advance, Attempt, Block, Branch, CallWaiting, Point, PointClause, Switch
from lfc.base.source import Span
from lfc.semantics.checks.accesses import accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import (
    ArrayType,
    IntegerType,
    Message,
    OpenArrayType,
    RecordType,
    SubrangeType,
    Type,
    initial_value,
    record_layout,
    scalar_range,
    size_and_alignment,
)
from lfc.semantics.model.visit import operands

VALUE_OF_VARIABLE = -1
DESIGNATORS = (typed.VariableRef, typed.FieldRef, typed.IndexRef, typed.SlotVariable)


@dataclass(frozen=True, slots=True)
class Place:
    """`index`: of a message's value; `fields`: the way to it through records."""

    of: Variable | Message
    index: int = VALUE_OF_VARIABLE
    fields: tuple[str, ...] = ()

    def within(self, fields: tuple[str, ...]) -> Place:
        return Place(self.of, self.index, self.fields + fields)


@dataclass(frozen=True, slots=True)
class Use:
    """As a number; or beside a constant."""

    place: Place
    what: str
    span: Span
    constant: int | None = None


@dataclass(slots=True)
class Flow:
    together: list[tuple[Place, Place]] = field(default_factory=list)
    numbers: list[Use] = field(default_factory=list)
    constants: list[Use] = field(default_factory=list)
    ranges: list[tuple[Place, int, int]] = field(default_factory=list)

    def add(self, other: Flow) -> None:
        self.together += other.together
        self.numbers += other.numbers
        self.constants += other.constants
        self.ranges += other.ranges


def is_number(t: Type) -> bool:
    return isinstance(t, IntegerType) or (isinstance(t, SubrangeType) and isinstance(t.base, IntegerType))


def numbers_in(t: Type) -> list[tuple[tuple[str, ...], Type]]:
    """The integers in a value of this type, by their way through records."""
    while isinstance(t, ArrayType | OpenArrayType):
        t = t.element
    if isinstance(t, RecordType):
        return [((f.name, *way), inner) for f in t.fields for way, inner in numbers_in(f.type)]
    return [((), t)] if is_number(t) else []


def offsets_in(t: Type) -> list[tuple[tuple[str, ...], int, int]]:
    """The same, with each element of arrays: its way, its offset and its size."""
    if isinstance(t, ArrayType):
        size = size_and_alignment(t.element)[0]
        inside = offsets_in(t.element)
        return [(way, i * size + at, s) for i in range(t.length) for way, at, s in inside]
    if isinstance(t, RecordType):
        offsets, _, _ = record_layout(t)
        parts = zip(t.fields, offsets, strict=True)
        return [((f.name, *way), o + at, s) for f, o in parts for way, at, s in offsets_in(f.type)]
    return [((), 0, size_and_alignment(t)[0])] if is_number(t) else []


def place_of(designator: typed.Expr) -> Place | None:
    """None: a part of a constant string."""
    way: list[str] = []
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        if isinstance(designator, typed.FieldRef):
            way.insert(0, designator.field.name)
        designator = designator.base
    if isinstance(designator, typed.VariableRef | typed.SlotVariable):
        return Place(designator.variable, fields=tuple(way))
    return None


def flow_of_block(block: Block) -> Flow:
    found = Reader()
    for s in block.statements:
        found.statement(s)
    match block.end:
        case Branch():
            found.use(block.end.condition, "decides")
        case Switch():
            found.use(block.end.selector, "selects a CASE")
        case CallWaiting():
            found.statement(block.end.call)
        case Attempt():
            found.point(block.end.point)
    return found.flow


def flow_of_aliases(block: Block) -> Flow:
    """What is passed under another name, which somebody who is created keeps."""
    found = Reader()
    ends = [block.end.call] if isinstance(block.end, CallWaiting) else []
    for s in (*block.statements, *ends):
        for argument in s.arguments if isinstance(s, typed.CallProcess | typed.CreateProcess) else ():
            if stands_for_another(argument.formal):
                found.alias(argument, s.span)
    return found.flow


def flow_of_point(point: Point) -> Flow:
    found = Reader()
    found.point(point)
    return found.flow


def flow_of_formula(formula: typed.Expr) -> Flow:
    found = Reader()
    found.use(formula, "is observed")
    return found.flow


class Reader:
    def __init__(self) -> None:
        self.flow = Flow()

    # --- places ---

    def place(self, of: Place, t: Type) -> Place:
        self.flow.ranges.append((of, *scalar_range(t)))
        if isinstance(of.of, Variable) and of.of.outside:
            self.number(of, "may change asynchronously", of.of.span)
        return of

    def number(self, place: Place, what: str, span: Span) -> None:
        self.flow.numbers.append(Use(place, what, span))

    def connect(self, a: Place, b: Place, t: Type) -> None:
        """All that lies in them."""
        for way, inner in numbers_in(t):
            self.flow.together.append((self.place(a.within(way), inner), self.place(b.within(way), inner)))

    def spoil(self, designator: typed.Expr, what: str) -> None:
        """Uses as numbers all that it means."""
        self.indices(designator)
        place = place_of(designator)
        for way, _ in numbers_in(designator.type) if place is not None else ():
            assert place is not None
            self.number(place.within(way), what, designator.span)

    def indices(self, designator: typed.Expr) -> None:
        """What is read to find it."""
        while isinstance(designator, typed.FieldRef | typed.IndexRef):
            if isinstance(designator, typed.IndexRef):
                self.use(designator.index, "is an index")
            designator = designator.base
        if isinstance(designator, typed.SlotVariable):
            if designator.slot is not None:
                self.use(designator.slot, "is an index")
            for way, inner in numbers_in(designator.variable.type):  # what it is while nobody lives there
                self.constant(Place(designator.variable, fields=way), initial_value(inner), designator.span)

    def constant(self, place: Place, value: int, span: Span) -> None:
        self.flow.constants.append(Use(place, "", span, value))

    # --- expressions ---

    def source(self, e: typed.Expr) -> Place | int | None:
        """Where an integer comes from as it is. None: it is computed, and its parts are used as numbers."""
        if isinstance(e, typed.Constant) and isinstance(e.value, int):
            return e.value
        if isinstance(e, typed.Convert) and is_number(e.operand.type) and is_number(e.type):
            found = self.source(e.operand)
            return self.place(found, e.type) if isinstance(found, Place) else found
        if isinstance(e, DESIGNATORS):
            place = place_of(e)
            if place is not None:
                self.indices(e)
                return self.place(place, e.type)
        self.use(e, "is computed with")
        return None

    def use(self, e: typed.Expr, what: str) -> None:
        """Whatever is not only compared for equality is used as a number."""
        match e:
            case typed.VariableRef() | typed.FieldRef() | typed.IndexRef() | typed.SlotVariable():
                self.spoil(e, what)
            case typed.Relation() if is_number(e.left.type) and is_number(e.right.type):
                if e.op in ("=", "#"):
                    self.meet(self.source(e.left), self.source(e.right), e.span)
                else:
                    self.use(e.left, "is put in order")
                    self.use(e.right, "is put in order")
            case typed.Logical() | typed.Unary(op="~") | typed.Convert():
                for part in operands(e):
                    self.use(part, what)
            case typed.FunctionCall(name="LEN"):
                for argument in e.arguments:
                    self.indices(argument)
            case _:
                for part in operands(e):
                    self.use(part, "is computed with")

    def meet(self, a: Place | int | None, b: Place | int | None, span: Span) -> None:
        """One is copied to the other, or compared with it."""
        if isinstance(a, Place) and isinstance(b, Place):
            self.flow.together.append((a, b))
            return
        for place, other in ((a, b), (b, a)):
            if isinstance(place, Place) and isinstance(other, int):
                self.constant(place, other, span)
            elif isinstance(place, Place) and other is None:
                self.number(place, "is or meets what is computed", span)

    # --- statements ---

    def statement(self, s: typed.Statement) -> None:
        match s:
            case typed.Assign():
                self.indices(s.target)
                self.copy(place_of(s.target), s.target.type, s.value, s.span)
            case typed.Step():
                self.spoil(s.target, "is counted")
                self.use(s.amount, "is computed with")
            case Advance():
                self.spoil(s.target, "is counted")
            case typed.Include():
                self.spoil(s.set, "is changed by its bits")
                self.use(s.element, "is an element of a set")
            case typed.New():
                self.indices(s.port)
            case typed.Assert():
                self.use(s.condition, "decides")
            case typed.ConsoleWrite():
                self.use(s.value, "is written to the console")
            case typed.Spin():
                self.use(s.microseconds, "is a time")
            case typed.PortOut():
                self.use(s.address, "is an address")
                self.use(s.value, "is written to a port")
            case typed.CallProcess() | typed.CreateProcess():
                self.begin(s)
            case typed.Send():
                self.indices(s.port)
                for i, value in enumerate(s.values):
                    self.copy(Place(s.message, i), s.message.types[i], value, s.span)
            case typed.Receive():
                self.indices(s.port)
                for i, target in enumerate(s.targets):
                    self.receive(Place(s.message, i), s.message.types[i], target, s.span)
            case typed.AfterEvent() | typed.Sleep():
                self.use(s.milliseconds, "is a time")
            case _:
                for a in accesses(s):
                    for way, _ in numbers_in(a.variable.type):
                        self.number(Place(a.variable, fields=way), "is used as a number", a.span)

    def copy(self, to: Place | None, t: Type, value: typed.Expr, span: Span) -> None:
        if to is None or not numbers_in(t):
            self.use(value, "is computed with")
        elif is_number(t):
            self.meet(self.place(to, t), self.source(value), span)
        else:
            origin = place_of(value) if isinstance(value, DESIGNATORS) else None
            if origin is None:
                self.use(value, "is computed with")
                for way, _ in numbers_in(t):
                    self.number(to.within(way), "is or meets what is computed", span)
            else:
                self.indices(value)
                self.connect(to, origin, t)

    def receive(self, value: Place, t: Type, target: typed.Target, span: Span) -> None:
        if target.designator is None:
            constant = None if target.constant is None else target.constant.value
            if is_number(t) and isinstance(constant, int):
                self.constant(self.place(value, t), constant, span)
            return
        self.indices(target.designator)
        place = place_of(target.designator)
        if is_number(t) and place is not None and is_number(target.designator.type):
            self.meet(self.place(value, t), self.place(place, target.designator.type), span)
        elif place is not None:
            self.connect(value, place, t)

    def begin(self, s: typed.CallProcess | typed.CreateProcess) -> None:
        for argument in s.arguments:
            formal = argument.formal
            if stands_for_another(formal):
                self.alias(argument, s.span)
            else:
                self.copy(Place(formal), formal.type, argument.value, s.span)
        if isinstance(s, typed.CreateProcess) and s.deadline is not None:
            self.use(s.deadline, "is a time")
        for formal in s.process.formals if s.process.external else ():
            for way, _ in numbers_in(formal.type):
                self.number(Place(formal, fields=way), "is passed to C", s.span)
        for v in s.process.locals:  # they begin as they always do
            for way, inner in numbers_in(v.type):
                self.constant(Place(v, fields=way), initial_value(inner), s.span)

    def alias(self, argument: typed.Argument, span: Span) -> None:
        formal, value = argument.formal, argument.value
        place = place_of(value) if isinstance(value, DESIGNATORS) else None
        if place is not None:
            self.indices(value)
            self.connect(Place(formal), place, formal.type)
            return
        self.use(value, "is computed with")
        for way, _ in numbers_in(formal.type):
            self.number(Place(formal, fields=way), "is or meets what is computed", span)

    def point(self, point: Point) -> None:
        for clause in point.clauses:
            self.clause(clause)

    def clause(self, clause: PointClause) -> None:
        self.statement(clause.event)
        if clause.guard is None:
            return
        self.use(clause.guard, "decides")
        if isinstance(clause.event, typed.Send):  # a clause that takes no part in a wait keeps no values
            message = clause.event.message
            for i, t in enumerate(message.types):
                for way, _ in numbers_in(t):
                    self.constant(Place(message, i, way), 0, clause.event.span)
