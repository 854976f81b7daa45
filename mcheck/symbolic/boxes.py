"""Boxes of one shape: coverage, merging and counting, all exact. docs/theory/data.md has the theorem."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.values import value_sets as sets

MOST_PIECES = 20_000  # when counting


def volume(box: Box) -> int:
    return prod(map(sets.size, box))


def is_within(a: Box, b: Box) -> bool:
    return all(x == y or not sets.difference(x, y) for x, y in zip(a, b, strict=True))


def meets(a: Box, b: Box) -> bool:
    return all(sets.intersection(x, y) for x, y in zip(a, b, strict=True))


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
