"""What values integer expressions may have, as far as types, constants and counting loops say."""

from __future__ import annotations

from math import inf

from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.checks.facts import Facts
from lfc.semantics.model import typed
from lfc.semantics.model.types import IntegerType, SubrangeType, initial_value, scalar_range
from lfc.semantics.model.visit import constant_of

Range = tuple[int, int]
SHIFT = "LSL"
MOST_SHIFTED = 32


class Ranges:
    """What values expressions may have, given those of variables that get constants only, or count between them."""

    def __init__(self, facts: Facts) -> None:
        self.of_variable: dict[typed.Variable, Range] = {}
        unknown: set[typed.Variable] = set()
        for body in facts.bodies.values():
            for s in body.statements:
                for access in accesses(s):
                    if access.kind in WRITES or access.kind is Kind.ARGUMENT:
                        self._write(access.variable, s, unknown)
        for variable in unknown:
            self.of_variable.pop(variable, None)

    def _write(self, variable: typed.Variable, s: typed.Statement, unknown: set[typed.Variable]) -> None:
        ends: list[int | None] = [None]
        if isinstance(s, typed.Assign) and isinstance(s.target, typed.VariableRef):
            ends = [constant_of(s.value)]
        elif isinstance(s, typed.For):
            high = constant_of(s.high)
            ends = [constant_of(s.low), None if high is None else high + s.by]  # beyond the last round
        known = [e for e in ends if e is not None]
        local = variable.kind in (typed.VariableKind.LOCAL, typed.VariableKind.MODULE) and not variable.outside
        if len(known) < len(ends) or not local:
            unknown.add(variable)
            return
        known += self.of_variable.get(variable, (initial_value(variable.type),) * 2)
        self.of_variable[variable] = min(known), max(known)

    def of(self, e: typed.Expr) -> Range:
        """What does not fit its type has wrapped: any value. (Signed, it is a fault.)"""
        low, high = scalar_range(e.type)
        exact = self.exactly(e)
        if low <= exact[0] and exact[1] <= high:
            return int(exact[0]), int(exact[1])
        return low, high

    def exactly(self, e: typed.Expr) -> tuple[float, float]:
        """As if the outermost operation did not wrap."""
        match e:
            case typed.Constant() if isinstance(e.value, int):
                return e.value, e.value
            case typed.VariableRef() if e.variable in self.of_variable:
                return self.of_variable[e.variable]
            case typed.Convert() if isinstance(e.operand.type, IntegerType | SubrangeType):
                return self.of(e.operand)
            case typed.Binary() if isinstance(e.type, IntegerType):
                return range_of_operation(e.op, self.of(e.left), self.of(e.right))
            case typed.FunctionCall() if e.name == SHIFT and isinstance(e.type, IntegerType):
                value, by = self.of(e.arguments[0]), self.of(e.arguments[1])
                if 0 <= by[0] and by[1] < MOST_SHIFTED and value[0] >= 0:
                    return value[0] << by[0], value[1] << by[1]
            case typed.FunctionCall() if e.name in ("MIN", "MAX") and isinstance(e.type, IntegerType):
                choose = min if e.name == "MIN" else max
                a, b = (self.of(x) for x in e.arguments)
                return choose(a[0], b[0]), choose(a[1], b[1])
        return scalar_range(e.type)


def range_of_operation(op: str, a: Range, b: Range) -> tuple[float, float]:
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "-":
        return a[0] - b[1], a[1] - b[0]
    if op == "*":
        ends = [x * y for x in a for y in b]
        return min(ends), max(ends)
    if b[0] <= 0:
        return -inf, inf
    if op == "DIV":
        ends = [x // y for x in a for y in b]
        return min(ends), max(ends)
    return (a if 0 <= a[0] and a[1] < b[0] else (0, b[1] - 1)) if op == "MOD" else (-inf, inf)
