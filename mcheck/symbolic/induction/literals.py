"""By which questions of cells a valuation is described: how cells are ordered, what the program asks, and bounds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from lfc.mcheck.symbolic.induction.oracle import moved, question_of
from lfc.mcheck.symbolic.induction.system import Literal, Location, System, Transition
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.ranges import signed_bounds
from lfc.mcheck.symbolic.values.terms import (
    COMPARISONS,
    OVERFLOWS,
    SYMBOL,
    Term,
    evaluate,
    nodes,
    operation,
    rewritten,
    signed,
    symbol,
)

MOST_ORDERED = 10  # cells of which all pairs are ordered
MOST_SUMS, MOST_RELATIONS = 24, 40  # terms of several cells at a location, relations of them
HEAVIEST = 16  # nodes of what is asked
WAYS = {"ule": "below", "uge": "above", "sle": "below", "sge": "above"}

Place = tuple[int, int]


class Vocabulary:
    """Of a system: at each location relations (terms of one bit), and terms whose bounds say something."""

    def __init__(self, system: System, thresholds: Sequence[int]) -> None:
        self.system, self.thresholds = system, thresholds
        self._numbers: dict[Place, int] = {}  # of symbols that stand for cells at any location
        relations: dict[Term, None] = {}
        sums: dict[Term, None] = {}
        for t in system.transitions:
            for asked in asked_by(t):
                self._note(asked, t.source, relations, sums)
        for t in system.transitions:  # what it comes to a step before
            if t.target is not None:
                self._note_before(t, list(relations), relations, sums)
        self._relations, self._sums = list(relations), list(sums)
        self._at: dict[int, tuple[list[Term], list[Term]]] = {}

    def _note(self, t: Term, at: Location, relations: dict[Term, None], sums: dict[Term, None]) -> None:
        if t.weight > HEAVIEST or len(relations) > 4 * MOST_RELATIONS:
            return
        everywhere = self._everywhere(t, at)
        a, b = (*everywhere.args, 0, 0)[:2]
        if len(everywhere.symbols) > 1:
            relations.setdefault(everywhere)
        if everywhere.op not in COMPARISONS | OVERFLOWS:
            return
        for side in (a, b):
            if isinstance(side, Term) and side.op != SYMBOL and len(side.symbols) > 1:
                sums.setdefault(side)
        if isinstance(a, Term) and isinstance(b, Term) and a.width == b.width:
            for found in (
                operation("sub", a.width, a.width, a, b),
                question_of("eq", a, b, a.width),
                question_of("ule", a, b, a.width),
            ):
                if isinstance(found, Term) and len(found.symbols) > 1:
                    (relations if found.width == 1 else sums).setdefault(found)

    def _note_before(
        self, t: Transition, asked: list[Term], relations: dict[Term, None], sums: dict[Term, None]
    ) -> None:
        assert t.target is not None
        for r in asked:
            here = self._here(r, t.target)
            if here is None:
                continue
            before = moved(here, t.cells)
            if isinstance(before, Term) and max(before.symbols) < len(t.source.box):
                self._note(before, t.source, relations, sums)

    def _everywhere(self, t: Term, at: Location) -> Term:
        places = [(offset, size) for offset, size, _ in at.shape.runs]
        names = {
            n: symbol(self._numbers.setdefault(places[n], len(self._numbers)), 8 * places[n][1]) for n in t.symbols
        }
        found = rewritten(t, lambda node: names[node.args[0]] if node.op == SYMBOL else None)  # type: ignore[index]
        assert isinstance(found, Term)
        return found

    def _here(self, t: Term, at: Location) -> Term | None:
        """None: the location does not have these cells."""
        cells = {self._numbers.get((offset, size), -1): own for offset, size, own in at.shape.runs}
        if not t.symbols <= cells.keys():
            return None
        found = rewritten(t, lambda node: cells[node.args[0]] if node.op == SYMBOL else None)  # type: ignore[index]
        return found if isinstance(found, Term) else None

    def at(self, location: Location) -> tuple[list[Term], list[Term]]:
        """Relations, and terms that have bounds: sums, then cells."""
        if location.number not in self._at:
            here = [r for t in self._relations if (r := self._here(t, location)) is not None]
            relations = dict.fromkeys([*ordered(location), *here][: MOST_RELATIONS + MOST_ORDERED**2])
            sums = [s for t in self._sums if (s := self._here(t, location)) is not None][:MOST_SUMS]
            self._at[location.number] = list(relations), [*sums, *open_cells(location)]
        return self._at[location.number]

    def of(self, location: Location, model: dict[int, int]) -> tuple[list[Literal], list[Literal]]:
        """Relations and bounds that a valuation has."""
        relations, bounded = self.at(location)
        return [(t, evaluate(t, model)) for t in relations], [
            (b, 1) for t in bounded for b in bounds_at(t, evaluate(t, model), has_sign(t, location))
        ]

    def wider(self, literal: Literal) -> list[Literal]:
        """Bounds that say less, at numbers that the program compares with: the widest first."""
        t = literal[0]
        subject, number = t.args
        assert isinstance(subject, Term) and isinstance(number, int)
        w = subject.width
        if t.op[0] == "s":
            number, limits = signed(number, w), [x for x in self.thresholds if -(1 << w - 1) <= x < 1 << w - 1]
        else:
            limits = sorted({x % (1 << w) for x in self.thresholds if -(1 << w - 1) <= x < 1 << w})
        if WAYS[t.op] == "below":
            numbers = limits[bisect_right(limits, number) :][::-1]
        else:
            numbers = limits[: bisect_left(limits, number)]
        found = (question_of(t.op, subject, n % (1 << w), w) for n in numbers)
        return [(f, 1) for f in found if f is not None]


def asked_by(t: Transition) -> Iterator[Term]:
    """Of cells alone: within the conditions of a step."""
    count = len(t.source.box)
    for condition, _ in t.known:
        for node in nodes(condition):
            if node.width == 1 and node.op in COMPARISONS | OVERFLOWS and max(node.symbols) < count:
                yield node


def open_cells(location: Location) -> list[Term]:
    return [t for t, s in zip(location.cells, location.box, strict=True) if sets.only_value(s) is None]


def ordered(location: Location) -> Iterator[Term]:
    cells = open_cells(location)
    if len(cells) > MOST_ORDERED:
        return
    for a, b in combinations(cells, 2):
        if a.width == b.width:
            sign = "s" if has_sign(a, location) or has_sign(b, location) else "u"
            for found in (
                question_of("eq", a, b, a.width),
                question_of(f"{sign}le", a, b, a.width),
                question_of(f"{sign}le", b, a, a.width),
            ):
                if found is not None:
                    yield found


def has_sign(t: Term, location: Location) -> bool:
    """Its numbers lie closer together with a sign."""
    if t.op != SYMBOL:
        return t.op == "sub"
    s = location.box[t.args[0]]  # type: ignore[index]
    low, high = signed_bounds(s, t.width)
    return high - low < s[-1][1] - s[0][0]


def bounds_at(t: Term, v: int, with_sign: bool) -> Iterable[Term]:
    w = t.width
    least, most = (1 << w - 1, (1 << w - 1) - 1) if with_sign else (0, (1 << w) - 1)
    for op, trivial in (("sle" if with_sign else "ule", most), ("sge" if with_sign else "uge", least)):
        found = question_of(op, t, v, w) if v != trivial else None
        if found is not None:
            yield found


def is_bound(literal: Literal) -> bool:
    t = literal[0]
    return literal[1] == 1 and t.op in WAYS and isinstance(t.args[1], int) and isinstance(t.args[0], Term)
