"""Whether conditions that are met on one way can all be as they must be there: a witness is looked for.

Values are tried near the constants of the conditions. What is not understood, or has too many values to try, has no
witness: then nothing is reported.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    BooleanType,
    CharType,
    EnumerationType,
    IntegerType,
    SubrangeType,
    Type,
    scalar_range,
)
from lfc.semantics.model.visit import root_variable, subexpressions

MOST = 20_000  # combinations of values that are tried
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "#": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@dataclass(slots=True)
class Decided:
    """A condition or selector, whose value on this way is in one of the ranges (or in none of them)."""

    value: typed.Expr
    ranges: Sequence[tuple[int, int]]
    inside: bool = True

    def accepts(self, value: int) -> bool:
        return any(low <= value <= high for low, high in self.ranges) is self.inside


@dataclass(slots=True)
class Written:
    """`value`: what a whole scalar variable gets, if that is a constant or another variable."""

    variables: Iterable[typed.Variable]
    value: typed.Expr | None = None


Event = Decided | Written


class NotUnderstood(Exception):
    pass


def is_number(t: Type) -> bool:
    return isinstance(t, IntegerType | SubrangeType | BooleanType | CharType | EnumerationType)


def has_witness(events: Sequence[Event], rounds: int) -> bool:
    """Whether there are values with which the same way can be taken so often, one round after the other."""
    try:
        return _Trial(events, rounds).succeeds()
    except NotUnderstood:
        return False


@dataclass(slots=True)
class _Trial:
    events: Sequence[Event]
    rounds: int
    names: dict[typed.Variable, Hashable | int] = field(default_factory=dict)  # what a variable holds now
    fresh: int = 0
    values: dict[Hashable, typed.Expr] = field(default_factory=dict)  # unknown -> an expression of its type
    leaves: list[tuple[Decided, dict[int, Hashable | int]]] = field(default_factory=list)

    def succeeds(self) -> bool:
        for event in [e for _ in range(self.rounds) for e in self.events]:
            if isinstance(event, Written):
                self._write(event)
            else:
                named: dict[int, Hashable | int] = {}
                self._name(event.value, named)
                self.leaves.append((event, named))
        tried = [self._candidates(e) for e in self.values.values()]
        total = 1
        for candidates in tried:
            total *= len(candidates)
        if total > MOST:
            raise NotUnderstood
        return any(self._all_hold(dict(zip(self.values, chosen, strict=True))) for chosen in product(*tried))

    def _write(self, written: Written) -> None:
        value = written.value
        known: Hashable | int | None = None
        if isinstance(value, typed.Constant) and isinstance(value.value, int):
            known = value.value
        elif isinstance(value, typed.VariableRef) and not value.variable.outside and is_number(value.type):
            known = self._of_variable(value)
        for variable in written.variables:
            self.names[variable] = self._new() if known is None else known

    def _new(self) -> Hashable:
        self.fresh += 1
        return ("new", self.fresh)

    def _of_variable(self, e: typed.VariableRef) -> Hashable | int:
        return self._new() if e.variable.outside else self.names.setdefault(e.variable, ("first", id(e.variable)))

    def _name(self, e: typed.Expr, named: dict[int, Hashable | int]) -> None:
        """Finds the unknowns of an expression."""
        match e:
            case typed.Constant():
                if not isinstance(e.value, int):
                    raise NotUnderstood
            case typed.VariableRef():
                named[id(e)] = self._unknown(self._of_variable(e), e)
            case typed.IndexRef() | typed.FieldRef():
                named[id(e)] = self._unknown(self._of_part(e), e)
            case typed.FunctionCall() if e.name.startswith("PORTIN"):
                named[id(e)] = self._unknown(self._new(), e)
            case typed.Unary():
                self._name(e.operand, named)
            case typed.Convert():
                self._name(e.operand, named)
            case typed.FunctionCall() if e.name == "ODD":
                self._name(e.arguments[0], named)
            case typed.Binary() | typed.Relation() | typed.Logical():
                self._name(e.left, named)
                self._name(e.right, named)
            case _:
                raise NotUnderstood

    def _unknown(self, name: Hashable | int, e: typed.Expr) -> Hashable | int:
        if not is_number(e.type):
            raise NotUnderstood
        if not isinstance(name, int):
            self.values.setdefault(name, e)
        return name

    def _of_part(self, e: typed.Expr) -> Hashable:
        """The same text is the same value, as long as nothing that it names is written."""
        root = root_variable(e)
        if root is None:
            raise NotUnderstood
        variables = [x for x in subexpressions(e) if isinstance(x, typed.VariableRef)]
        return (e.span.source.text[e.span.start : e.span.end], *(self._of_variable(x) for x in variables))

    def _candidates(self, e: typed.Expr) -> list[int]:
        low, high = scalar_range(e.type)
        if high - low <= 1:
            return list(range(low, high + 1))
        near = {low, high, 0}
        for decided in (e for e in self.events if isinstance(e, Decided)):
            near.update(bound + by for r in decided.ranges for bound in r for by in (-1, 0, 1))
            for part in subexpressions(decided.value):
                if isinstance(part, typed.Constant) and isinstance(part.value, int):
                    near.update((part.value - 1, part.value, part.value + 1))
        return sorted(n for n in near if low <= n <= high)

    def _all_hold(self, chosen: dict[Hashable, int]) -> bool:
        for decided, named in self.leaves:
            value = _value(decided.value, named, chosen)
            if value is None or not decided.accepts(value):
                return False
        return True


def _value(e: typed.Expr, named: dict[int, Hashable | int], chosen: dict[Hashable, int]) -> int | None:
    """None: a fault, or a number that its type does not hold."""
    if id(e) in named:
        name = named[id(e)]
        return name if isinstance(name, int) else chosen[name]
    match e:
        case typed.Constant():
            return int(e.value)
        case typed.Logical():
            left = _value(e.left, named, chosen)
            if left is None or left == (e.op == "OR"):
                return left
            return _value(e.right, named, chosen)
        case typed.Unary() | typed.Convert():
            value = _value(e.operand, named, chosen)
            if value is not None and isinstance(e, typed.Unary):
                value = 1 - value if e.op == "~" else -value
            return _held(e, value)
        case typed.FunctionCall():
            value = _value(e.arguments[0], named, chosen)
            return None if value is None else value % 2
        case typed.Relation() | typed.Binary():
            left, right = _value(e.left, named, chosen), _value(e.right, named, chosen)
            if left is None or right is None:
                return None
            if isinstance(e, typed.Relation):
                return int(RELATIONS[e.op](left, right))
            if e.op in ARITHMETIC:
                return _held(e, ARITHMETIC[e.op](left, right))
            if right <= 0:
                return None
            return left // right if e.op == "DIV" else left % right
    raise NotUnderstood


def _held(e: typed.Expr, value: int | None) -> int | None:
    if value is None:
        return None
    low, high = scalar_range(e.type)
    return value if low <= value <= high else None
