"""How many blocks some symbolic states hold together, where variables may be copies of each other.

The blocks of a state are those in which each run has a value of its symbol's set, and runs of one symbol are equal. Two
such conditions together are one of the same kind, so unions are counted by what they have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from lfc.mcheck.symbolic import boxes
from lfc.mcheck.symbolic.normal_form import Box, Shape
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_COMPARED = 50_000  # pairs


class TooLong(Exception):
    """To be counted."""


@dataclass(frozen=True, slots=True)
class Tied:
    """`classes`: of each run, the number of its class, the first one 0; `values`: of each class."""

    classes: tuple[int, ...]
    values: tuple[ValueSet, ...]

    @property
    def volume(self) -> int:
        return prod(map(sets.size, self.values))

    def lies_within(self, other: Tied) -> bool:
        mine: dict[int, int] = {}  # of each class of the other
        return all(
            mine.setdefault(b, a) == a and sets.is_subset(self.values[a], other.values[b])
            for a, b in zip(self.classes, other.classes, strict=True)
        )

    def common(self, other: Tied) -> Tied | None:
        """None: nothing."""
        for a, b in zip(self.classes, other.classes, strict=True):
            if not sets.intersection(self.values[a], other.values[b]):
                return None
        of_mine: dict[int, int] = {}
        of_other: dict[int, int] = {}
        leader = list(range(len(self.classes)))

        def top(i: int) -> int:
            while leader[i] != i:
                i = leader[i]
            return i

        for i, (a, b) in enumerate(zip(self.classes, other.classes, strict=True)):
            for known, which in ((of_mine, a), (of_other, b)):
                leader[top(i)] = top(known.setdefault(which, i))
        numbers: dict[int, int] = {}
        classes = tuple(numbers.setdefault(top(i), len(numbers)) for i in range(len(leader)))
        values: list[ValueSet | None] = [None] * len(numbers)
        for i, c in enumerate(classes):
            for own in (self.values[self.classes[i]], other.values[other.classes[i]]):
                before = values[c]
                values[c] = own if before is None else sets.intersection(before, own)
        found = tuple(v or sets.EMPTY for v in values)
        return Tied(classes, found) if all(found) else None


def count(of_shapes: Iterable[tuple[Shape, Sequence[Box]]]) -> int | None:
    """None: it is not certain, or takes too long."""
    groups: dict[bytes, list[tuple[Shape, Sequence[Box]]]] = {}
    places: dict[object, object] = {}
    for shape, known in of_shapes:
        if not shape.countable:
            return None
        own = tuple((offset, size) for offset, size, _ in shape.runs)
        if places.setdefault((shape.frames, shape.dead), own) != own:
            return None  # the same bytes are a number here and a set there
        groups.setdefault(shape.explicit, []).append((shape, known))
    total, left = 0, [MOST_COMPARED]
    for group in groups.values():
        if len(group) == 1 and group[0][0].plain:
            volume = boxes.union_volume(group[0][1])
        else:
            volume = union_volume([tied(shape, box) for shape, known in group for box in known], left)
        if volume is None:
            return None
        total += volume
    return total


def tied(shape: Shape, box: Box) -> Tied:
    numbers: dict[int, int] = {}
    classes = tuple(numbers.setdefault(symbol_in(t), len(numbers)) for _, _, t in shape.runs)
    return Tied(classes, tuple(box[n] for n in numbers))


def symbol_in(t: Term) -> int:
    while t.op != SYMBOL:
        assert t.op == "zext" and isinstance(t.args[0], Term)
        t = t.args[0]
    assert isinstance(t.args[0], int)
    return t.args[0]


def union_volume(of: Iterable[Tied], left: list[int] | None = None) -> int | None:
    """`left`: how many pairs may be compared."""
    left = [MOST_COMPARED] if left is None else left
    try:
        return sum(_union_volume(apart, left) for apart in by_numbers(list(dict.fromkeys(of))))
    except TooLong:
        return None


def by_numbers(of: list[Tied]) -> Iterable[list[Tied]]:
    """Where a run has one value in each, those of different values have no block in common."""
    runs = range(len(of[0].classes)) if of else range(0)
    numbers = [r for r in runs if all(sets.only_value(t.values[t.classes[r]]) is not None for t in of)]
    found: dict[tuple[ValueSet, ...], list[Tied]] = {}
    for t in of:
        found.setdefault(tuple(t.values[t.classes[r]] for r in numbers), []).append(t)
    return found.values()


def _union_volume(of: list[Tied], left: list[int]) -> int:
    """Of each what none before it has."""
    of = without_parts(of, left)
    total = 0
    for i, own in enumerate(of):
        shared = [c for other in of[:i] if (c := own.common(other)) is not None]
        total += own.volume - (_union_volume(shared, left) if shared else 0)
    return total


def without_parts(of: list[Tied], left: list[int]) -> list[Tied]:
    """Without those that lie within one other."""
    found: list[Tied] = []
    for own in sorted(set(of), key=lambda t: (-t.volume, t.classes, t.values)):
        left[0] -= 1 + len(found)
        if left[0] < 0:
            raise TooLong
        if not any(own.lies_within(other) for other in found):
            found.append(own)
    return found
