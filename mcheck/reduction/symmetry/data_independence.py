"""Data independence (Wolper 1986; Lazic 1999): inputs that are only copied and compared for equality, so that few
values stand for all. docs/theory/data-independence.md has the argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Attempt, Block, Body, Branch, CallWaiting, Machine, Switch, Terminator
from lfc.mcheck.model.input_ranges import read_assumptions
from lfc.mcheck.reduction.common.reduction import Choice, Question, Reduction
from lfc.mcheck.reduction.symmetry.scalarset_flow import (
    DESIGNATORS,
    Place,
    Reader,
    is_number,
    numbers_in,
    offsets_in,
    place_of,
)
from lfc.mcheck.reduction.symmetry.scalarsets import Classes
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import Message, OpenArrayType, Type, initial_value, scalar_range, size_and_alignment
from lfc.semantics.model.visit import constant_of, operands

if TYPE_CHECKING:
    from lfc.mcheck.result.result import CheckResult

WIDTHS = {"PORTIN": 8, "PORTIN16": 16, "PORTIN32": 32}
MOST = 64  # values that a port is left with
Port = tuple[int, int]  # width, address


@dataclass(frozen=True, slots=True)
class FewValues:
    """Of a port: these, from 0 on, stand for all. `places`: which can hold one at once; `compared`: with each other."""

    width: int
    address: int
    count: int
    places: int
    compared: bool

    def told(self) -> str:
        if self.compared:
            how = f"compared for equality, in at most {self.places} place{'s' * (self.places != 1)} at once"
        else:
            how = "compared with constants"
        return (
            f"{self.count} values of port {self.address:02X}H stand for all {1 << self.width}: only copied, and {how}"
        )


@dataclass(frozen=True, slots=True)
class Independent:
    """`all_wide`: there are ports of 16 bits or more, and all of them are among these."""

    few: tuple[FewValues, ...] = ()
    all_wide: bool = False

    def as_request(self) -> tuple[tuple[int, int, int], ...]:
        return tuple((f.width, f.address, f.count) for f in self.few)

    @property
    def at_once(self) -> bool:
        """Value by value nothing would come of it, and with sets of values not much."""
        return self.all_wide and any(f.compared for f in self.few)


def independent_data(machine: Machine, atoms: Sequence[typed.Expr], assume: tuple[str, ...] = ()) -> Independent:
    """Of the ports of data-independent classes. `atoms`: what formulas ask; `assume`: as a world has it."""
    if (
        machine.environment is not None
        or machine.monitors
        or not reads_ports(machine.bodies)
        and not any(registers_of(machine))
    ):
        return Independent()
    if reads_ports(machine.functions.values()):
        return Independent()  # what a function returns is computed, wherever it comes from
    reader = DataReader()
    reader.registers(machine)
    for body in machine.bodies:
        for block in body.blocks:
            reader.block(block)
        reader.initial(body.locals)
    for module in machine.program.modules:
        reader.initial(module.variables)
    for atom in atoms:
        reader.use(atom, "is observed")
    reader.assumed = {(r.width, r.address) for r in read_assumptions(machine, assume).ports}
    few = tuple(DataClasses(machine, reader).few())
    wide = {port for port in reader.ports if port[0] > 8}
    covered = {(f.width, f.address) for f in few}
    return Independent(few, bool(wide) and wide <= covered and reader.anywhere <= {8})


def reads_ports(bodies: Iterable[Body]) -> bool:
    return any(reads_of(x) for body in bodies for block in body.blocks for x in parts_of(block))


def registers_of(machine: Machine) -> Iterator[Variable]:
    for module in machine.program.modules:
        yield from (v for v in module.variables if v.address is not None)
    for process in machine.program.all_processes():
        yield from (v for v in process.locals if v.address is not None)


class DataReader(Reader):
    """What a program does with what ports give, beside what it does with its integers."""

    def __init__(self) -> None:
        super().__init__()
        self.ports: dict[Port, Place] = {}
        self.anywhere: set[int] = set()  # widths of reads whose address is computed
        self.others: list[range] = []  # addresses of registers that are no numbers
        self.assumed: set[Port] = set()  # of these something is
        self.compared: list[Place] = []

    def port(self, width: int, address: int, t: Type) -> Place:
        found = self.ports.get((width, address))
        if found is None:
            stands = Message(f"port {address:02X}H", [t], 0, None)
            found = self.ports[width, address] = Place(stands, 0)
        return found

    def registers(self, machine: Machine) -> None:
        """Each is its port."""
        for v in registers_of(machine):
            assert v.address is not None
            size = size_and_alignment(v.type)[0]
            if is_number(v.type):
                port = self.port(8 * size, v.address, v.type)
                self.flow.together.append((Place(v), port))
            else:
                self.others.append(range(v.address, v.address + size))

    def initial(self, variables: Iterable[Variable]) -> None:
        for v in variables:
            for way, t in numbers_in(v.type):
                self.constant(Place(v, fields=way), initial_value(t), v.span)

    # --- as `Reader`, but for ports, and comparisons ---

    def place(self, of: Place, t: Type) -> Place:
        if isinstance(of.of, Variable) and of.of.address is not None:
            self.flow.ranges.append((of, *scalar_range(t)))
            return of
        return super().place(of, t)

    def source(self, e: typed.Expr) -> Place | int | None:
        if not isinstance(e, typed.FunctionCall) or e.name not in WIDTHS:
            return super().source(e)
        width, address = WIDTHS[e.name], constant_of(e.arguments[0])
        if address is not None:
            return self.place(self.port(width, address, e.type), e.type)
        self.anywhere.add(width)
        self.use(e.arguments[0], "is an address")
        return None

    def use(self, e: typed.Expr, what: str) -> None:
        match e:
            case typed.Relation(op="=" | "#") if is_number(e.left.type) and is_number(e.right.type):
                a, b = self.source(e.left), self.source(e.right)
                if isinstance(a, Place) and isinstance(b, Place):
                    self.compared.append(a)
                self.meet(a, b, e.span)
            case typed.FunctionCall() if e.name in WIDTHS:
                place = self.source(e)
                if isinstance(place, Place):
                    self.number(place, what, e.span)
            case _:
                super().use(e, what)

    def statement(self, s: typed.Statement) -> None:
        if isinstance(s, typed.PortOut) and is_number(s.value.type):
            self.use(s.address, "is an address")
            self.source(s.value)
            return
        super().statement(s)

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)
        match block.end:
            case Branch():
                self.use(block.end.condition, "decides")
            case Switch():
                self.cases(block.end)
            case CallWaiting():
                self.statement(block.end.call)
            case Attempt():
                self.point(block.end.point)

    def cases(self, end: Switch) -> None:
        labels = [label for several, _ in end.cases for label in several]
        place = self.source(end.selector) if is_number(end.selector.type) else None
        if isinstance(place, Place) and all(low == high for low, high in labels):
            for low, _ in labels:
                self.constant(place, low, end.span)
        else:
            self.use(end.selector, "selects a CASE")


@dataclass(slots=True)
class OfClass:
    ports: list[Port] = field(default_factory=list)
    constants: set[int] = field(default_factory=set)
    low: int = 0  # the least range that all of its places can hold has these bounds
    high: int = (1 << 32) - 1
    is_used: bool = False  # as numbers
    compared: bool = False


class DataClasses:
    def __init__(self, machine: Machine, reader: DataReader) -> None:
        self.machine, self.reader = machine, reader
        self.classes = Classes(reader.flow)
        self.found: dict[Place, OfClass] = {}
        for port, place in reader.ports.items():
            self.found.setdefault(self.classes.of(place), OfClass()).ports.append(port)
        for use in reader.flow.numbers:
            self.of(use.place).is_used = True
        for use in reader.flow.constants:
            assert use.constant is not None
            self.of(use.place).constants.add(use.constant)
        for place, low, high in reader.flow.ranges:
            c = self.of(place)
            c.low, c.high = max(c.low, low), min(c.high, high)
        for place in reader.compared:
            self.of(place).compared = True

    def of(self, place: Place) -> OfClass:
        """Of a class without ports nothing is kept."""
        return self.found.get(self.classes.of(place)) or OfClass()

    def few(self) -> Iterator[FewValues]:
        for top, c in self.found.items():
            width = c.ports[0][0]
            if c.is_used or c.low > 0 or c.high < (1 << width) - 1 or not all(map(self.may_restrict, c.ports)):
                continue
            if any(w != width for w, _ in c.ports):
                continue
            places = max(1, self.cells(top) + self.in_flight())
            count = values_needed(c.constants, places if c.compared else 1)
            if count <= min(MOST, (1 << width) - 1):
                for _, address in sorted(c.ports):
                    yield FewValues(width, address, count, places, c.compared)

    def may_restrict(self, port: Port) -> bool:
        width, address = port
        read = range(address, address + width // 8)
        overlaps = any(read.start < r.stop and r.start < read.stop for r in self.reader.others)
        return width not in self.reader.anywhere and port not in self.reader.assumed and not overlaps

    # --- how many values there can be at once ---

    def cells(self, top: Place) -> int:
        records = self.machine.layout.records
        slots = sum(r.slots for r in records)
        count = self.of_variables(top, self.machine.layout.variables)
        for body in self.machine.bodies:
            own = self.of_variables(top, [*body.formals, *body.locals])
            own += max((self.kept_at(top, block.end) for block in body.blocks), default=0)
            times = sum(r.slots for r in records if r.body is body)
            if body.called:
                times += (slots if body.can_wait else 1) * max(1, body.max_calls)
            count += own * times
        return count

    def of_variables(self, top: Place, variables: Iterable[Variable]) -> int:
        return sum(
            self.classes.of(Place(v, fields=way)) == top
            for v in variables
            if v.kind is not VariableKind.VAR and v.address is None and not isinstance(v.type, OpenArrayType)
            for way, _, _ in offsets_in(v.type)
        )

    def kept_at(self, top: Place, end: Terminator | None) -> int:
        """What a process waits to send."""
        if not isinstance(end, Attempt):
            return 0
        events = [c.event for c in end.point.clauses]
        return sum(self.of_message(top, e.message) for e in events if isinstance(e, typed.Send))

    def of_message(self, top: Place, message: Message) -> int:
        return sum(
            self.classes.of(Place(message, i, way)) == top
            for i, t in enumerate(message.types)
            for way, _, _ in offsets_in(t)
        )

    def in_flight(self) -> int:
        """Inputs that are in no place yet."""
        return sum(max(map(reads_of_block, body.blocks), default=0) for body in self.machine.bodies)


def values_needed(constants: set[int], others: int) -> int:
    """From 0 on: with all constants, and so many that are none."""
    count = max((c + 1 for c in constants if c >= 0), default=0)
    count = min(count, 1 << 32)
    if count > MOST:
        return count
    while sum(n not in constants for n in range(count)) < others:
        count += 1
    return count


# --- inputs of statements --------------------------------------------------------------------------------------------


def reads_of_block(block: Block) -> int:
    return max(map(reads_of_part, parts_of(block)), default=0)


def parts_of(block: Block) -> Iterator[object]:
    yield from block.statements
    match block.end:
        case Branch():
            yield block.end.condition
        case Switch():
            yield block.end.selector
        case CallWaiting():
            yield block.end.call
        case Attempt():
            yield [x for c in block.end.point.clauses for x in (c.event, c.guard)]


def reads_of_part(x: object) -> int:
    """Of an assignment of what is read, none: it is in its place at once."""
    if isinstance(x, typed.Assign):
        value = x.value
        while isinstance(value, typed.Convert):
            value = value.operand
        if is_read(value):
            return reads_of(x.target)
    return reads_of(x)


def is_read(e: typed.Expr) -> bool:
    if isinstance(e, DESIGNATORS):
        place = place_of(e)
        return place is not None and isinstance(place.of, Variable) and place.of.address is not None
    return isinstance(e, typed.FunctionCall) and e.name in WIDTHS


def reads_of(x: object) -> int:
    """In all of its expressions."""
    if isinstance(x, typed.Expr):
        return is_read(x) + sum(map(reads_of, operands(x)))
    if isinstance(x, list | tuple):
        return sum(map(reads_of, x))
    if isinstance(x, typed.Argument):
        return reads_of(x.value)
    if isinstance(x, typed.Target):
        return reads_of(x.designator)
    if isinstance(x, typed.Statement):
        return sum(reads_of(getattr(x, name, None)) for name in EXPRESSIONS)
    return 0


# Fields of statements.
EXPRESSIONS = (
    "target value amount set element port condition address arguments values targets milliseconds deadline".split()
)


# --- what is said of it ----------------------------------------------------------------------------------------------


class DataIndependence(Reduction):
    """Nothing that a search knows: its inputs have fewer values."""

    name = "data"
    counts = "ports"

    def why_not(self, question: Question) -> str:
        return ""


def with_few_told(result: CheckResult, found: Independent, states: int) -> CheckResult:
    """`states`: that were searched before."""
    choice = Choice(DataIndependence(), told=len(found.few), text="; ".join(f.told() for f in found.few))
    result.reductions = [choice, *result.reductions]
    result.sampled = max(states, result.sampled)
    return result
