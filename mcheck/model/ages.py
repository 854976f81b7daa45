"""Ages: what a program keeps of the clock, if it only ever asks how long ago something was. docs/theory/time.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lfc.actions.layout.frames import aligned, frame_alignment
from lfc.actions.model.machine import Body, Machine, PropertyMachine
from lfc.codegen.module.composition import composed_layout
from lfc.mcheck.model.description import Ages, Component, Description
from lfc.mcheck.model.indexed_effects import statements_of
from lfc.mcheck.reduction.dead_variables.liveness import Livenesses
from lfc.mcheck.reduction.dead_variables.use_and_kill import bits
from lfc.semantics.checks.accesses import accesses, read
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import UINT32, ArrayType, IntegerType, SubrangeType, scalar_range, size_and_alignment
from lfc.semantics.model.visit import expressions_of, operands, subexpressions

MOST_CONSTANT = (1 << 31) - 1
MOST_OF_A_TYPE = (1 << 16) - 1  # what is no constant is compared with, at most


class NoAges(Exception):
    """The clock or a stamp is used in another way."""


@dataclass(slots=True)
class Stamps:
    """What is known while the program is gone through."""

    variables: set[Variable] = field(default_factory=set)
    above: dict[Variable, Variable] = field(default_factory=dict)  # towards the one that stands for the class
    bound: dict[Variable, int] = field(default_factory=dict)  # of those that stand for a class
    zeros: set[Variable] = field(default_factory=set)

    def root(self, v: Variable) -> Variable:
        while v in self.above:
            v = self.above[v]
        return v

    def join(self, v: Variable, w: Variable) -> None:
        v, w = self.root(v), self.root(w)
        if v is w:
            return
        self.above[v] = w
        self.raise_bound(w, self.bound.get(v, 1))

    def raise_bound(self, v: Variable, bound: int) -> None:
        root = self.root(v)
        self.bound[root] = max(self.bound.get(root, 1), bound)

    def bound_of(self, v: Variable) -> int:
        return self.bound.get(self.root(v), 1)


def find_ages(
    machine: Machine, d: Description, atoms: Sequence[typed.Expr], watchers: Sequence[PropertyMachine]
) -> Ages | None:
    """None: the clock must be counted as it is."""
    try:
        stamps = stamps_of(machine, atoms, watchers)
    except NoAges:
        return None
    return tables(machine, d, stamps)


# --- which variables ---------------------------------------------------------------------------------------------------


def stamps_of(machine: Machine, atoms: Sequence[typed.Expr], watchers: Sequence[PropertyMachine]) -> Stamps:
    """Raises NoAges."""
    bodies = [*machine.composed_bodies, *machine.functions.values()]
    found = Stamps()
    copies = [pair for body in bodies for s in statements_of(body) for pair in assignments(s)]
    grow(found, copies)
    if any(v.outside or not is_possible(v) for v in found.variables):
        raise NoAges
    for body in bodies:
        for s in statements_of(body):
            check_statement(found, s)
        for e in conditions(body):
            check(found, e)
    for e in atoms:
        check(found, e)
        found.zeros |= {x.variable for x in subexpressions(e) if isinstance(x, typed.SlotVariable)} & found.variables
    if any(is_absolute(found, e) for w in watchers for e in read_by(w.body)):
        raise NoAges
    return found


def is_possible(v: Variable) -> bool:
    t = v.type.element if isinstance(v.type, ArrayType) else v.type
    return t == UINT32 and v.kind is not VariableKind.VAR


def assignments(s: typed.Statement) -> Iterator[tuple[Variable, typed.Expr]]:
    """Variables (or elements) and what a statement gives them as a whole."""
    if isinstance(s, typed.Assign):
        v = stamp_variable(s.target)
        if v is not None:
            yield v, s.value
    elif isinstance(s, typed.CallProcess | typed.CreateProcess):
        for a in s.arguments:
            if a.formal.kind is not VariableKind.VAR:
                yield a.formal, a.value


def stamp_variable(e: typed.Expr) -> Variable | None:
    """That it names, or of which it names an element."""
    if isinstance(e, typed.IndexRef) and isinstance(e.base, typed.VariableRef):
        e = e.base
    return e.variable if isinstance(e, typed.VariableRef | typed.SlotVariable) else None


def is_clock(e: typed.Expr) -> bool:
    return isinstance(e, typed.FunctionCall) and e.name == "Clock.Now"


def is_zero(e: typed.Expr) -> bool:
    return isinstance(e, typed.Constant) and e.value == 0


def grow(found: Stamps, copies: Sequence[tuple[Variable, typed.Expr]]) -> None:
    """All that the clock gets into."""
    size = -1
    while size != len(found.variables):
        size = len(found.variables)
        found.variables |= {v for v, e in copies if is_clock(e) or stamp_variable(e) in found.variables}


def check_statement(found: Stamps, s: typed.Statement) -> None:
    if isinstance(s, typed.CallProcess | typed.CreateProcess):
        for a in s.arguments:
            if a.formal in found.variables and a.formal.kind is not VariableKind.VAR:
                check_copy(found, a.formal, a.value)
            else:
                check(found, a.value)
        rest = [] if isinstance(s, typed.CallProcess) or s.deadline is None else [s.deadline]
    elif isinstance(s, typed.Assign) and stamp_variable(s.target) in found.variables:
        v = stamp_variable(s.target)
        assert v is not None
        if s.target.type != UINT32:
            raise NoAges  # a whole array
        check_copy(found, v, s.value)
        rest = [s.target.index] if isinstance(s.target, typed.IndexRef) else []
    else:
        if any(a.variable in found.variables for a in accesses(s)) or any(map(is_clock, parts_of(s))):
            check_uses(found, s)
        return
    for e in rest:
        check(found, e)


def check_uses(found: Stamps, s: typed.Statement) -> None:
    """Of a statement that gives no stamp a value: all it names must be within comparisons."""
    for e in expressions_of(s):
        check(found, e)


def parts_of(s: typed.Statement) -> Iterator[typed.Expr]:
    for e in expressions_of(s):
        yield from subexpressions(e)


def check_copy(found: Stamps, v: Variable, value: typed.Expr) -> None:
    if is_zero(value):
        found.zeros.add(v)
        return
    if is_clock(value):
        return
    other = stamp_variable(value)
    if other not in found.variables or other is None or value.type != UINT32:
        raise NoAges
    found.join(v, other)
    if isinstance(value, typed.IndexRef):
        check(found, value.index)


def check(found: Stamps, e: typed.Expr) -> None:
    """Clock and stamps occur in differences that are compared, and nowhere else."""
    if isinstance(e, typed.Relation):
        for age, other in ((e.left, e.right), (e.right, e.left)):
            v = age_of(found, age)
            if v is not None:
                found.raise_bound(v, most_of(other) + 1)
                check(found, other)
                inside = age.right  # type: ignore[attr-defined]
                for x in [inside.index] if isinstance(inside, typed.IndexRef) else slots_in(inside):
                    check(found, x)
                return
    if is_clock(e) or (isinstance(e, typed.VariableRef | typed.SlotVariable) and e.variable in found.variables):
        raise NoAges
    for x in operands(e):
        check(found, x)


def slots_in(e: typed.Expr) -> list[typed.Expr]:
    return [e.slot] if isinstance(e, typed.SlotVariable) and e.slot is not None else []


def age_of(found: Stamps, e: typed.Expr) -> Variable | None:
    """Of the stamp whose age it is."""
    if not (isinstance(e, typed.Binary) and e.op == "-" and e.type == UINT32 and is_clock(e.left)):
        return None
    v = stamp_variable(e.right)
    return v if v in found.variables and e.right.type == UINT32 else None


def most_of(e: typed.Expr) -> int:
    """What an age is compared with is at most this."""
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        most = e.value
        limit = MOST_CONSTANT
    else:
        while isinstance(e, typed.Convert):
            e = e.operand
        if not isinstance(e.type, IntegerType | SubrangeType):
            raise NoAges
        most, limit = scalar_range(e.type)[1], MOST_OF_A_TYPE
    if not 0 <= most <= limit:
        raise NoAges
    return most


def conditions(body: Body) -> Iterator[typed.Expr]:
    for block in body.blocks:
        for name in ("condition", "selector"):
            e = getattr(block.end, name, None)
            if e is not None:
                yield e
    for point in body.points:
        yield from (c.guard for c in point.clauses if c.guard is not None)


def read_by(body: Body) -> Iterator[typed.Expr]:
    for s in statements_of(body):
        yield from parts_of(s)
        yield from (typed.VariableRef(a.span, a.variable.type, a.variable) for a in accesses(s))
    for e in conditions(body):
        yield from subexpressions(e)
        yield from (typed.VariableRef(a.span, a.variable.type, a.variable) for a in read(e))


def is_absolute(found: Stamps, e: typed.Expr) -> bool:
    return is_clock(e) or (isinstance(e, typed.VariableRef | typed.SlotVariable) and e.variable in found.variables)


# --- where they lie ----------------------------------------------------------------------------------------------------


def tables(machine: Machine, d: Description, stamps: Stamps) -> Ages:
    found = Ages(most_clock=most_clock(machine, stamps))
    variables = {v: at for layout, _ in machine.parts for v, at in layout.variables.items()}
    places = [(at, stamps.bound_of(v)) for v in stamps.variables if v in variables for at in cells(v, variables[v])]
    for number, c in enumerate(d.components):
        if c.slot < 0:
            inside = [(at, bound) for offset, bound in places if (at := within(c, offset)) is not None]
            if inside:
                found.components.append((number, tuple(sorted(inside))))
    in_frames = shapes(machine, d, stamps, found)
    found.components += [(d.slot_component[slot], ()) for slot in in_frames]
    return found


def cells(v: Variable, offset: int) -> Iterable[int]:
    return range(offset, offset + size_and_alignment(v.type)[0], 4)


def within(c: Component, offset: int) -> int | None:
    """Where a component has these bytes."""
    at = 0
    for begin, size in c.pieces:
        if begin <= offset < begin + size:
            if offset + 4 > begin + size:
                raise AssertionError(f"a part of a variable ends within an element: {c.name}")
            return at + offset - begin
        at += size
    return None


def shapes(machine: Machine, d: Description, stamps: Stamps, found: Ages) -> list[int]:
    """By position what its frame holds, and where the next one lies. Gives the slots that may hold some."""
    holders: set[Body] = set()
    found.shapes = [((), 0, 0, 0)] * len(d.actions)
    bodies = [machine.bodies, [] if machine.environment is None else machine.environment.bodies]
    first = 0
    for (_, positions), of_part in zip(machine.parts, bodies, strict=False):
        align = frame_alignment(of_part)
        for p in positions:
            frame = p.body.frame
            if frame is None:
                continue
            inside = [
                (at, stamps.bound_of(v))
                for v, offset in frame.variables.items()
                if v in stamps.variables
                for at in cells(v, offset)
            ]
            if inside:
                holders.add(p.body)
            back = (frame.return_offset or 0, 0 if frame.return_offset is None else frame.return_size)
            shape = (tuple(inside), *back, aligned(frame.size, align))
            found.shapes[d.numbers[first + p.number]] = shape
        first += len(positions) + 1
    slots = []
    for r in composed_layout(machine).records:
        if holders & reachable(r.body):
            slots += list(range(r.first_slot, r.first_slot + r.slots))
    return slots


def reachable(body: Body) -> set[Body]:
    found = {body}
    work = [body]
    while work:
        for called in work.pop().calls_waiting:
            if called not in found:
                found.add(called)
                work.append(called)
    return found


def most_clock(machine: Machine, stamps: Stamps) -> int:
    """The clock is kept up to the greatest bound of a stamp that may be read while it holds the zero that it began with."""
    zeros = set(stamps.zeros)
    livenesses = Livenesses(machine, frozenset())
    for body in machine.composed_bodies:
        if body.entry is None or not stamps.variables & set(body.locals):
            continue
        liveness = livenesses.of(body)
        live = liveness.live[body.entry]
        for v in body.locals:
            if v in stamps.variables:
                place = liveness.bytes.place.get(v)
                if place is None or live & bits(*place):
                    zeros.add(v)
    return max((stamps.bound_of(v) for v in zeros), default=0)
