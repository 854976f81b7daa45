"""Values for the symbols of a path: within its box, and such that all answers are right that boxes could not say.

Values are tried, those that people like first; what follows from them is found exactly. It may fail where there are
some.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany, preimage
from lfc.mcheck.symbolic.values.ranges import range_of
from lfc.mcheck.symbolic.values.solver import Solver, Undecided
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, evaluate, rewritten
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_TRIED = 3_000
MOST_SECONDS = 1.0
MOST_VALUES = 256  # of one symbol

Asked = list[tuple[Term, int]]
NOTHING: Asked = []


class NotFound(Exception):
    """There may be values, but none were found."""


@dataclass(slots=True)
class Left:
    tries: int
    until: float

    def spend(self) -> None:
        self.tries -= 1
        if self.tries < 0 or time.monotonic() > self.until:
            raise NotFound


def satisfying(path: Path, asked: Asked = NOTHING) -> dict[int, int]:
    """And so that these terms have these values, too. Raises NotFound."""
    asked = [*path.known.items(), *asked]
    if asked and path.solver is not None:
        return solved(path.solver, path, asked)
    left = Left(MOST_TRIED, time.monotonic() + MOST_SECONDS)
    found = _search(dict(path.box), path.widths, asked, left)
    if found is None:
        raise NotFound
    return found


def solved(with_solver: Solver, path: Path, asked: Asked) -> dict[int, int]:
    """By the solver; then one symbol after the other is given a value that people like. Raises NotFound."""
    box = path.box
    until = time.thread_time() + MOST_SECONDS
    try:
        model = with_solver.pleasant(asked, box, lambda n: pleasant_values(box[n], path.widths[n]), until)
    except Undecided:
        raise NotFound from None
    if model is None:
        raise NotFound
    return {n: sets.pleasant(values, path.widths[n]) for n, values in box.items()} | model


def pleasant_values(values: ValueSet, width: int) -> list[int]:
    found = [v for v in (0, 1) if sets.contains(values, v)]
    return list(dict.fromkeys([*found, sets.pleasant(values, width), values[0][0], values[-1][1]]))[:3]


def _search(box: dict[int, ValueSet], widths: dict[int, int], asked: Asked, left: Left) -> dict[int, int] | None:
    rest = _propagated(box, asked)
    if rest is None:
        return None
    asked = rest
    if not asked:
        return {n: sets.pleasant(values, widths[n]) for n, values in box.items()}
    open_symbols = sorted({n for t, _ in asked for n in t.symbols})
    number = min(open_symbols, key=lambda n: sets.size(box[n]))
    for value in tried(box[number], widths[number]):
        left.spend()
        found = _search(box | {number: sets.single(value)}, widths, asked, left)
        if found is not None:
            return found
    return None


def _propagated(box: dict[int, ValueSet], asked: Asked) -> Asked | None:
    """What is still asked, of more than one symbol; the box is narrowed. None: it cannot be."""
    work = list(asked)
    found: Asked = []
    while work:
        t, answer = work.pop()
        known = {n: v for n in t.symbols if (v := sets.only_value(box[n])) is not None}
        if known:
            if known.keys() == t.symbols:
                if evaluate(t, known) != answer:
                    return None
                continue
            new = with_values(t, known)
            if isinstance(new, int):
                if new != answer:
                    return None
                continue
            t = new
        if len(t.symbols) > 1:
            if not sets.contains(range_of(t, box), answer):
                return None
            found.append((t, answer))
            continue
        (number,) = t.symbols
        try:
            values = sets.intersection(box[number], preimage(t, sets.single(answer), box))
        except TooMany:
            found.append((t, answer))
            continue
        if not values:
            return None
        if values != box[number]:
            box[number] = values
            work += found
            found = []
    return found


def with_values(t: Term, known: dict[int, int]) -> int | Term:
    return rewritten(t, lambda node: known.get(node.args[0]) if node.op == SYMBOL else None)  # type: ignore[arg-type]


def tried(values: ValueSet, width: int) -> Iterator[int]:
    first = sets.pleasant(values, width)
    yield first
    limits = [x for low, high in values for x in (low, high)][:32]
    seen = {first}
    for v in limits:
        if v not in seen:
            seen.add(v)
            yield v
    for v in sets.values(values):
        if len(seen) >= MOST_VALUES:
            return
        if v not in seen:
            seen.add(v)
            yield v
