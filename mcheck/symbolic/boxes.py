"""Boxes of one shape: coverage, merging and counting, all exact. docs/theory/data.md has the theorem."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import prod
from weakref import finalize

from lfc.mcheck.engine.abi import COVERED
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_PIECES = 20_000  # when counting
MANY = 4  # sets to compare with: from here on the engine is quicker


def volume(box: Box) -> int:
    return prod(map(sets.size, box))


def is_within(a: Box, b: Box) -> bool:
    return all(x == y or not sets.difference(x, y) for x, y in zip(a, b, strict=True))


def meets(a: Box, b: Box) -> bool:
    """Most that do not meet lie apart with all of some symbol."""
    for x, y in zip(a, b, strict=True):
        if not x or not y or x[-1][1] < y[0][0] or y[-1][1] < x[0][0]:
            return False
        if (len(x) > 1 or len(y) > 1) and not sets.intersection(x, y):
            return False
    return True


def common(a: Box, b: Box) -> Box | None:
    found = tuple(sets.intersection(x, y) for x, y in zip(a, b, strict=True))
    return found if all(found) else None


def uncovered(box: Box, known: Iterable[Box]) -> Box | None:
    """What is to be looked at of a new box: None if it is covered; it is cut where it sticks out in one symbol only."""
    for k in known:
        outside = -1
        for i, (x, y) in enumerate(zip(box, k, strict=True)):
            if x == y:
                continue
            if sets.difference(x, y):
                if outside >= 0:
                    outside = -2
                    break
                outside = i
        if outside == -1:
            return None
        if outside >= 0:
            box = (*box[:outside], sets.difference(box[outside], k[outside]), *box[outside + 1 :])
    return box


class Coverage:
    """The same as `uncovered`, by the engine, of many boxes."""

    def __init__(self) -> None:
        from lfc.mcheck.engine.library import library

        self._library = library()
        self._engine = self._library.mc_coverage_new()
        if not self._engine:
            raise MemoryError
        finalize(self, self._library.mc_coverage_free, self._engine)
        self._numbers: dict[ValueSet, int] = {}

    def _number(self, values: ValueSet) -> int:
        found = self._numbers.get(values)
        if found is None:
            found = self._numbers[values] = len(self._numbers)
            bounds = (ctypes.c_uint64 * (2 * len(values)))(*chain.from_iterable(values))
            if not self._library.mc_coverage_set(self._engine, found, bounds, len(values)):
                raise MemoryError
        return found

    def of(self, known: Sequence[Box]) -> Callable[[Box], Box | None]:
        """What is to be looked at of a new box, where these are known."""
        number, count = self._number, len(known)
        symbols = len(known[0])
        matrix = (ctypes.c_uint32 * (count * symbols))(*[number(values) for box in known for values in box])
        outside = ctypes.c_uint32()

        def rest(box: Box) -> Box | None:
            own = (ctypes.c_uint32 * symbols)(*map(number, box))
            k = -1
            while True:
                k = self._library.mc_coverage_next(
                    self._engine, own, symbols, matrix, count, k + 1, ctypes.byref(outside)
                )
                if k == count:
                    return box
                i = outside.value
                if i == COVERED:
                    return None
                box = (*box[:i], sets.difference(box[i], known[k][i]), *box[i + 1 :])
                own[i] = number(box[i])

        return rest


def without(box: Box, other: Box) -> list[Box]:
    """The rest, in boxes that do not overlap."""
    shared = common(box, other)
    if shared is None:
        return [box]
    found: list[Box] = []
    for i, (x, y) in enumerate(zip(box, shared, strict=True)):
        rest = sets.difference(x, y)
        if rest:
            found.append((*shared[:i], rest, *box[i + 1 :]))
    return found


def is_covered(box: Box, by: Iterable[Box]) -> bool:
    """By all of these together."""
    left = [box]
    for other in by:
        left = [piece for b in left for piece in without(b, other)]
        if not left:
            return True
    return not left


def union_volume(boxes: Iterable[Box]) -> int | None:
    """How many valuations are in at least one. None: it would take too long."""
    disjoint: list[Box] = []
    for box in sorted(boxes, key=volume, reverse=True):
        left = [box]
        for other in disjoint:
            left = [piece for b in left for piece in without(b, other)]
            if not left:
                break
        disjoint += left
        if len(disjoint) > MOST_PIECES:
            return None
    return sum(map(volume, disjoint))


def merged(boxes: Iterable[Box]) -> dict[Box, list[Box]]:
    """With the boxes that each is made of: those that differ in one symbol only are one."""
    found: dict[Box, list[Box]] = {}
    for box in boxes:
        found.setdefault(box, []).append(box)
    changed = True
    while changed and len(found) > 1:
        changed = False
        count = len(next(iter(found)))
        for i in range(count):
            groups: dict[tuple[object, ...], list[Box]] = {}
            for box in found:
                groups.setdefault((*box[:i], *box[i + 1 :]), []).append(box)
            if len(groups) == len(found):
                continue
            changed = True
            again: dict[Box, list[Box]] = {}
            for same in groups.values():
                if len(same) == 1:
                    whole = same[0]
                else:
                    values = sets.normal(bounds for box in same for bounds in box[i])
                    whole = (*same[0][:i], values, *same[0][i + 1 :])
                again.setdefault(whole, []).extend(part for box in same for part in found[box])
            found = again
    return found
