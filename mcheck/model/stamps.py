"""Stamps: which variables hold what the clock read, if a program only ever asks how long ago that was, and up to which
age the program tells them apart. docs/theory/time.md has the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import (
    Advance,
    Attempt,
    Block,
    Body,
    CallWaiting,
    Machine,
    Position,
    PropertyMachine,
    Suspend,
)
from lfc.base.source import Span
from lfc.mcheck.model.indexed_effects import statements_of
from lfc.semantics.checks.accesses import WRITES, Access, Kind, accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import UINT32, ArrayType, IntegerType, SubrangeType, scalar_range
from lfc.semantics.model.visit import expressions_of, operands, root_variable, subexpressions

MOST_CONSTANT = (1 << 31) - 1
MOST_OF_A_TYPE = (1 << 16) - 1  # what is no constant is compared with, at most


class NoAges(Exception):
    """The clock or a stamp is used in another way: where."""

    def __init__(self, span: Span) -> None:
        super().__init__(f"{PurePath(span.source.path).name}:{span.line}")
        self.span = span


@dataclass(slots=True)
class Stamps:
    """What is known while the program is gone through."""

    variables: set[Variable] = field(default_factory=set)
    above: dict[Variable, Variable] = field(default_factory=dict)  # towards the one that stands for the class
    bound: dict[Variable, int] = field(default_factory=dict)  # of those that stand for a class
    zeros: set[Variable] = field(default_factory=set)
    constants: dict[Variable, int] = field(default_factory=dict)  # what only constants get into: the greatest

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


def stamps_of(machine: Machine, atoms: Sequence[typed.Expr], watchers: Sequence[PropertyMachine]) -> Stamps:
    """Raises NoAges."""
    bodies = [*machine.composed_bodies, *machine.functions.values()]
    found = Stamps()
    copies = [pair for body in bodies for s in statements_of(body) for pair in assignments(s)]
    found.variables = {v for body in bodies for e in all_of(body) if (v := subtracted(e)) is not None}
    found.variables |= {v for e in atoms for x in subexpressions(e) if (v := subtracted(x)) is not None}
    grow(found, copies)
    for v in found.variables:
        if v.outside or not is_possible(v):
            raise NoAges(v.span)
    found.constants = constants_of(bodies)
    for body in bodies:
        for s in statements_of(body):
            check_statement(found, s)
        for e in conditions(body):
            check(found, e)
    for e in atoms:
        check(found, e)
        found.zeros |= {x.variable for x in subexpressions(e) if isinstance(x, typed.SlotVariable)} & found.variables
    for e in (e for w in watchers for e in read_by(w.body)):
        if is_absolute(found, e):
            raise NoAges(e.span)
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
    """All that the clock gets into, or that gets into what it is compared with."""
    size = -1
    while size != len(found.variables):
        size = len(found.variables)
        found.variables |= {v for v, e in copies if is_clock(e) or stamp_variable(e) in found.variables}
        found.variables |= {w for v, e in copies if v in found.variables and (w := stamp_variable(e)) is not None}


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
            raise NoAges(s.span)  # a whole array
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
        raise NoAges(value.span)
    found.join(v, other)
    if isinstance(value, typed.IndexRef):
        check(found, value.index)


def check(found: Stamps, e: typed.Expr) -> None:
    """Clock and stamps occur in differences that are compared, and nowhere else."""
    if isinstance(e, typed.Relation):
        for age, other in ((e.left, e.right), (e.right, e.left)):
            v = age_of(found, age)
            if v is not None:
                found.raise_bound(v, most_of(other, found.constants) + 1)
                check(found, other)
                inside = age.right  # type: ignore[attr-defined]
                for x in [inside.index] if isinstance(inside, typed.IndexRef) else slots_in(inside):
                    check(found, x)
                return
    if is_clock(e) or (isinstance(e, typed.VariableRef | typed.SlotVariable) and e.variable in found.variables):
        raise NoAges(e.span)
    for x in operands(e):
        check(found, x)


def slots_in(e: typed.Expr) -> list[typed.Expr]:
    return [e.slot] if isinstance(e, typed.SlotVariable) and e.slot is not None else []


def subtracted(e: typed.Expr) -> Variable | None:
    """From the clock."""
    return stamp_variable(e.right) if isinstance(e, typed.Binary) and e.op == "-" and is_clock(e.left) else None


def all_of(body: Body) -> Iterator[typed.Expr]:
    for s in statements_of(body):
        yield from parts_of(s)
    for e in conditions(body):
        yield from subexpressions(e)


def age_of(found: Stamps, e: typed.Expr) -> Variable | None:
    """Of the stamp whose age it is."""
    if not (isinstance(e, typed.Binary) and e.op == "-" and e.type == UINT32 and is_clock(e.left)):
        return None
    v = stamp_variable(e.right)
    return v if v in found.variables and e.right.type == UINT32 else None


def most_of(e: typed.Expr, constants: Mapping[Variable, int]) -> int:
    """What an age is compared with is at most this. `constants`: of variables that only constants get into."""
    whole = e
    while isinstance(e, typed.Convert):
        e = e.operand
    limit = MOST_CONSTANT
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        most = e.value
    elif isinstance(e, typed.VariableRef) and e.variable in constants:
        most = constants[e.variable]
    else:
        if not isinstance(e.type, IntegerType | SubrangeType):
            raise NoAges(whole.span)
        most, limit = scalar_range(e.type)[1], MOST_OF_A_TYPE
    if not 0 <= most <= limit:
        raise NoAges(whole.span)
    return most


def constants_of(bodies: Sequence[Body]) -> dict[Variable, int]:
    """Of each variable that is only assigned constants, and such variables, the greatest that it can hold."""
    into: dict[Variable, list[typed.Expr]] = {}
    others: set[Variable] = set()
    for s in (s for body in bodies for s in statements_of(body)):
        own = dict(whole_assignments(s))
        for v, e in own.items():
            into.setdefault(v, []).append(e)
        if isinstance(s, Advance) and (root := root_variable(s.target)) is not None:
            others.add(root)
        others |= {a.variable for a in accesses(s) if (a.kind in WRITES and a.variable not in own) or is_lent(a)}
    known = {v: 0 for v in into if v not in others and may_be_known(v)}
    changed = True
    while changed:
        changed = False
        for v in list(known):
            values = [value_of(e, known) for e in into[v]]
            if None in values:
                del known[v]
                changed = True
            elif (most := max(x for x in values if x is not None)) > known[v]:
                known[v] = most
                changed = True
    return known


def may_be_known(v: Variable) -> bool:
    return not v.outside and v.kind is not VariableKind.VAR and isinstance(v.type, IntegerType)


def value_of(e: typed.Expr, known: Mapping[Variable, int]) -> int | None:
    while isinstance(e, typed.Convert):
        e = e.operand
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        return e.value
    return known.get(e.variable) if isinstance(e, typed.VariableRef) else None


def whole_assignments(s: typed.Statement) -> Iterator[tuple[Variable, typed.Expr]]:
    if isinstance(s, typed.Assign) and isinstance(s.target, typed.VariableRef):
        yield s.target.variable, s.value
    elif isinstance(s, typed.CallProcess | typed.CreateProcess):
        yield from assignments(s)


def is_lent(a: Access) -> bool:
    return a.kind is Kind.ARGUMENT


def conditions(body: Body) -> Iterator[typed.Expr]:
    for block in body.blocks:
        for name in ("condition", "selector"):
            e = getattr(block.end, name, None)
            if e is not None:
                yield e
    for point in body.points:
        yield from (c.guard for c in point.clauses if c.guard is not None)


def read_by(body: Body) -> Iterator[typed.Expr]:
    yield from all_of(body)
    for s in statements_of(body):
        yield from (typed.VariableRef(a.span, a.variable.type, a.variable) for a in accesses(s))


def is_absolute(found: Stamps, e: typed.Expr) -> bool:
    return is_clock(e) or (isinstance(e, typed.VariableRef | typed.SlotVariable) and e.variable in found.variables)


# --- zeros


def most_clock(machine: Machine, stamps: Stamps) -> int:
    """The clock is kept up to the greatest bound of a stamp that may be read while it holds the zero that it
    began with."""
    zeros = stamps.zeros | {
        v for body in machine.composed_bodies for v in body.locals if v in stamps.variables and is_read_first(body, v)
    }
    return max((stamps.bound_of(v) for v in zeros), default=0)


def is_read_first(body: Body, v: Variable) -> bool:
    """Whether some way through the body may read the variable before it is assigned."""
    if isinstance(v.type, ArrayType) or body.entry is None:
        return True
    seen = {body.entry}
    work = [body.entry]
    while work:
        block = work.pop()
        assigned = False
        for s in block.statements:
            assigning = (
                isinstance(s, typed.Assign) and isinstance(s.target, typed.VariableRef) and s.target.variable is v
            )
            reads = s.value if isinstance(s, typed.Assign) and assigning else None
            if any(names(x, v) for x in (subexpressions(reads) if reads is not None else parts_of(s))):
                return True
            if assigning:
                assigned = True
                break
        if assigned:
            continue
        if any(names(x, v) for e in at_end(block) for x in subexpressions(e)):
            return True
        for after in following(block):
            if after not in seen:
                seen.add(after)
                work.append(after)
    return False


def names(e: typed.Expr, v: Variable) -> bool:
    return isinstance(e, typed.VariableRef) and e.variable is v


def at_end(block: Block) -> Iterator[typed.Expr]:
    end = block.end
    for name in ("condition", "selector"):
        e = getattr(end, name, None)
        if e is not None:
            yield e
    if isinstance(end, CallWaiting):
        yield from parts_of(end.call)
    if isinstance(end, Attempt):
        for c in end.point.clauses:
            yield from parts_of(c.event)
            if c.guard is not None:
                yield from subexpressions(c.guard)


def following(block: Block) -> list[Block]:
    end = block.end
    positions: list[Position | None] = []
    if isinstance(end, Attempt):
        positions = [end.point.otherwise, *(c.resume for c in end.point.clauses)]
    elif isinstance(end, Suspend | CallWaiting):
        positions = [end.position]
    found = [p.entry for p in positions if p is not None and p.entry is not None]
    return [*found, *targets(end)] if end is not None else found
