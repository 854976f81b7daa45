"""Terms over the variables of a state, folded as they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

BOOLEAN_OPS = {"=", "#", "<", "<=", ">", ">=", "&", "OR", "~"}


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Var:
    name: str


@dataclass(frozen=True, slots=True)
class Op:
    """`+ - * DIV MOD` of numbers (DIV and MOD by a positive constant, rounding down), comparisons, `& OR ~`, `IF` of
    a condition and two terms. Truth is 0 or 1."""

    op: str
    args: tuple[Term, ...]


Term = Const | Var | Op
TRUE, FALSE = Const(1), Const(0)
FOLD: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "DIV": lambda a, b: a // b,
    "MOD": lambda a, b: a % b,
    "=": lambda a, b: int(a == b),
    "#": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}


def op(name: str, a: Term, b: Term) -> Term:
    if isinstance(a, Const) and isinstance(b, Const):
        return Const(FOLD[name](a.value, b.value))
    if a == b and name in ("=", "<=", ">="):
        return TRUE
    return Op(name, (a, b))


def both(a: Term, b: Term) -> Term:
    if a == FALSE or b == FALSE:
        return FALSE
    return b if a == TRUE else a if b == TRUE or a == b else Op("&", (a, b))


def either(a: Term, b: Term) -> Term:
    if a == TRUE or b == TRUE:
        return TRUE
    return b if a == FALSE else a if b == FALSE or a == b else Op("OR", (a, b))


def no(a: Term) -> Term:
    if isinstance(a, Const):
        return Const(1 - a.value)
    return a.args[0] if isinstance(a, Op) and a.op == "~" else Op("~", (a,))


def choose(c: Term, a: Term, b: Term) -> Term:
    if isinstance(c, Const):
        return a if c.value else b
    return a if a == b else Op("IF", (c, a, b))


def variables(t: Term) -> set[str]:
    if isinstance(t, Var):
        return {t.name}
    return set().union(*(variables(a) for a in t.args)) if isinstance(t, Op) else set()
