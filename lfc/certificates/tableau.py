"""From a formula to an automaton, in the plainest way: states are sets of formulas that must hold from here on.

No simplification: what is simple is easy to believe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lfc.semantics.model import typed

# A formula in negation normal form:
# ("true",) ("false",) ("atom", i, positive) ("and", f, g) ("or", f, g) ("next", f) ("until", f, g) ("release", f, g)
Formula = tuple[object, ...]
MOST_WAYS = 30_000  # to satisfy the states of one automaton, together
TRUE: Formula = ("true",)
FALSE: Formula = ("false",)


class MeasuresTime(Exception):
    """A word says nothing of time."""


@dataclass(slots=True)
class Atoms:
    """Boolean expressions without temporal operators."""

    expressions: list[typed.Expr] = field(default_factory=list)

    def formula(self, e: typed.Expr, positive: bool) -> Formula:
        """What the expression says, or (not `positive`) its negation."""
        if not is_temporal(e):
            return self.atom(e, positive)
        if isinstance(e, typed.Unary):
            return self.formula(e.operand, not positive)
        if isinstance(e, typed.Logical):
            return self.both(e.left, e.right, (e.op == "&") == positive, positive, positive)
        assert isinstance(e, typed.Temporal)
        if e.op in ("WITHIN", "FOR"):
            raise MeasuresTime
        if e.op == "NEXT":
            return ("next", self.formula(e.left, positive))
        if e.op in ("ALWAYS", "EVENTUALLY"):
            f = self.formula(e.left, positive)
            return ("release", FALSE, f) if (e.op == "ALWAYS") == positive else ("until", TRUE, f)
        assert e.right is not None
        if e.op == "IMPLIES":
            return self.both(e.left, e.right, not positive, not positive, positive)
        if e.op == "IFF":
            one = self.both(e.left, e.right, True, True, positive)
            return ("or", one, self.both(e.left, e.right, True, False, not positive))
        f, g = self.formula(e.left, positive), self.formula(e.right, positive)
        if e.op == "UNTIL":
            return ("until", f, g) if positive else ("release", f, g)
        if e.op == "RELEASE":
            return ("release", f, g) if positive else ("until", f, g)
        assert e.op == "WEAKUNTIL"  # f until g, or f for ever: g releases f or g
        return ("release", g, ("or", f, g)) if positive else ("until", g, ("and", f, g))

    def both(self, left: typed.Expr, right: typed.Expr, conjunction: bool, first: bool, second: bool) -> Formula:
        return ("and" if conjunction else "or", self.formula(left, first), self.formula(right, second))

    def atom(self, e: typed.Expr, positive: bool) -> Formula:
        if isinstance(e, typed.Constant):
            return TRUE if bool(e.value) == positive else FALSE
        if e not in self.expressions:
            self.expressions.append(e)
        return ("atom", self.expressions.index(e), positive)


def is_temporal(e: typed.Expr) -> bool:
    """Whether an operator of time, or IMPLIES or IFF, is at the top or under logical operators."""
    if isinstance(e, typed.Temporal):
        return True
    if isinstance(e, typed.Logical):
        return is_temporal(e.left) or is_temporal(e.right)
    return isinstance(e, typed.Unary) and e.op == "~" and is_temporal(e.operand)


@dataclass(frozen=True, slots=True)
class Move:
    """A way to satisfy a state's formulas now: atoms that are true and false, what is left, which promises are open."""

    true: frozenset[int]
    false: frozenset[int]
    then: frozenset[Formula]
    postponed: frozenset[Formula]


def moves(state: frozenset[Formula]) -> Iterator[Move]:
    pending = sorted(state, key=repr)
    return _satisfy(pending, frozenset(), frozenset(), frozenset(), frozenset(), frozenset())


def _satisfy(
    pending: list[Formula],
    done: frozenset[Formula],
    true: frozenset[int],
    false: frozenset[int],
    then: frozenset[Formula],
    postponed: frozenset[Formula],
) -> Iterator[Move]:
    while pending and pending[-1] in done:
        pending = pending[:-1]
    if not pending:
        yield Move(true, false, then, postponed)
        return
    f, rest = pending[-1], pending[:-1]
    done |= {f}
    match f:
        case ("true",):
            yield from _satisfy(rest, done, true, false, then, postponed)
        case ("false",):
            return
        case ("atom", int(i), True):
            if i not in false:
                yield from _satisfy(rest, done, true | {i}, false, then, postponed)
        case ("atom", int(i), False):
            if i not in true:
                yield from _satisfy(rest, done, true, false | {i}, then, postponed)
        case ("and", tuple(g), tuple(h)):
            yield from _satisfy([*rest, g, h], done, true, false, then, postponed)
        case ("or", tuple(g), tuple(h)):
            yield from _satisfy([*rest, g], done, true, false, then, postponed)
            yield from _satisfy([*rest, h], done, true, false, then, postponed)
        case ("next", tuple(g)):
            yield from _satisfy(rest, done, true, false, then | {g}, postponed)
        case ("until", tuple(g), tuple(h)):
            yield from _satisfy([*rest, h], done, true, false, then, postponed)
            yield from _satisfy([*rest, g], done, true, false, then | {f}, postponed | {f})
        case ("release", tuple(g), tuple(h)):
            yield from _satisfy([*rest, g, h], done, true, false, then, postponed)
            yield from _satisfy([*rest, h], done, true, false, then | {f}, postponed)


@dataclass(frozen=True, slots=True)
class Transition:
    target: int
    true: int  # masks of atoms
    false: int
    marks: int  # bit i: promise i is not put off


@dataclass(slots=True)
class Automaton:
    """A run is accepting if it passes each mark again and again. State 0 is the initial one."""

    transitions: list[list[Transition]]
    marks: int


class TooLarge(Exception):
    """The automaton has more states or transitions than the plainest way can handle."""


def automaton(f: Formula) -> Automaton:
    """Raises TooLarge."""
    promises = sorted({g for g in parts(f) if g[0] == "until"}, key=repr)
    start = frozenset({f})
    numbers = {start: 0}
    order = [start]
    found: list[list[Transition]] = []
    ways = 0
    for state in order:
        out: dict[Transition, None] = {}
        for move in moves(state):
            ways += 1
            if ways > MOST_WAYS:
                raise TooLarge
            if move.then not in numbers:
                numbers[move.then] = len(order)
                order.append(move.then)
            marks = sum(1 << i for i, p in enumerate(promises) if p not in move.postponed)
            out[Transition(numbers[move.then], mask(move.true), mask(move.false), marks)] = None
        found.append(list(out))
    return Automaton(found, len(promises))


def mask(numbers: frozenset[int]) -> int:
    return sum(1 << n for n in numbers)


def parts(f: Formula) -> Iterator[Formula]:
    yield f
    for g in f[1:]:
        if isinstance(g, tuple):
            yield from parts(g)
