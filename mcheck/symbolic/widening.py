"""Widening: where the boxes of a shape grow again and again, they become intervals between numbers that the program
compares with (Cousot and Cousot 1977; thresholds: Blanchet et al. 2003).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence

from lfc.mcheck.symbolic.execution.decode import Module
from lfc.mcheck.symbolic.normal_form import Box, Shape
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.ranges import signed_bounds
from lfc.mcheck.symbolic.values.terms import signed
from lfc.mcheck.symbolic.values.value_sets import ValueSet

FAR = 200  # times what a variable has gone
HEAVY = 64  # nodes
MANY = 8  # conditions
WIDTHS = (1, 8, 16, 32, 64)
FEW = 8  # values: what has no more is never widened, and tells boxes apart
FEWEST = 2  # likewise, in a coarse search, and not of elements of arrays


ASKS = ("icmp", "select", "switch")
CHANGES = ("add", "sub", "call")


def thresholds(module: Module, ops: tuple[str, ...] = ASKS + CHANGES, least: int = 1) -> list[int]:
    """With a sign: the numbers that are compared with, or added, and their neighbours. `least`: bits of what is."""
    found = {0}
    for f in module.functions.values():
        for i in (i for block in f.blocks for i in block):
            constants = [f.registers[r] for r in i.args if r >= f.parameters]
            width = i.of or i.width
            if width < least:
                continue
            if i.op in ops:
                for c in constants:
                    if isinstance(c, int) and width:
                        found |= {c, signed(c % (1 << width), width)}
            if i.op == "switch":
                cases, _ = i.more
                found |= {signed(c, i.width) for c in cases} | set(cases)
    return sorted({n + d for n in found for d in (-1, 0, 1)})


def limits_by_width(module: Module, ops: tuple[str, ...] = ASKS + CHANGES) -> dict[int, list[int]]:
    """For variables of so many bits: what bytes are compared with is no limit of a wider counter, which would stop at
    each such number on its way."""
    return {bits: thresholds(module, ops, bits) for bits in WIDTHS}


def widened(
    box: Box,
    known: Sequence[Box],
    widths: Sequence[int],
    limits: Mapping[int, Sequence[int]],
    joined: Collection[int] | None = None,
) -> Box:
    """The hull of the box and what is known with the same small sets; further where the box sticks out. `limits`: by
    width. `joined`: of a coarse search the symbols that never tell boxes apart."""
    count = len(box)
    few, joined = (FEW, ()) if joined is None else (FEWEST, joined)
    small = [i not in joined and is_small(i, box, known, few) for i in range(count)]
    same = [k for k in known if all(sets.is_subset(box[i], k[i]) for i in range(count) if small[i])]
    if not same:
        return box
    found: list[ValueSet] = []
    for i, own in enumerate(box):
        if small[i]:
            found.append(own)
            continue
        before = sets.normal(bounds for k in same for bounds in k[i])
        found.append(
            before
            if sets.is_subset(own, before)
            else outwards(sets.union(before, own), before, widths[i], limits.get(widths[i], limits[1]))
        )
    return tuple(found)


def is_small(i: int, box: Box, known: Sequence[Box], few: int) -> bool:
    return sets.size(sets.normal(bounds for k in (box, *known) for bounds in k[i])) <= few


def outwards(s: ValueSet, before: ValueSet, w: int, limits: Sequence[int]) -> ValueSet:
    """An interval whose ends are limits where it has grown."""
    half = 1 << w - 1
    plain, with_sign = (s[0][0], s[-1][1]), signed_bounds(s, w)
    if plain[1] - plain[0] <= with_sign[1] - with_sign[0]:
        old = before[0][0], before[-1][1]
        low, high = grown(plain, old, limits, 0, 2 * half - 1)
        return ((low, high),)
    low, high = grown(with_sign, signed_bounds(before, w), limits, -half, half - 1)
    return sets.shifted(((low + half, high + half),), half, w)


def grown(new: tuple[int, int], old: tuple[int, int], limits: Sequence[int], least: int, most: int) -> tuple[int, int]:
    low, high = new
    if low < old[0]:
        at = bisect_right(limits, low) - 1
        low = max(least, limits[at]) if at >= 0 else least
    if high > old[1]:
        at = bisect_left(limits, high)
        high = min(most, limits[at]) if at < len(limits) else most
    return low, high


def refuse_if_far(
    before: list[tuple[int, int]], known: Sequence[Box], widths: Sequence[int], limits: Sequence[int]
) -> list[tuple[int, int]]:
    """The least and greatest numbers of each symbol now. Raises TooMany where they have grown since `before`, and the
    next number that the program compares with is very far."""
    hulls = [(min(s[0][0] for s in own), max(s[-1][1] for s in own)) for own in zip(*known, strict=True)]
    for (low, high), (old_low, old_high), w in zip(hulls, before, widths, strict=False):
        gone = high - low + 1
        at = bisect_left(limits, high)
        most = min(limits[at] if at < len(limits) else 1 << w, 1 << w)
        if high > old_high and low == old_low and gone > FEW and most - high > FAR * gone:
            raise TooMany("a variable counts on, and has very far to go")
    return hulls


def refuse_if_heavy(shape: Shape) -> None:
    """Raises TooMany where terms are much larger than a sum of all variables, or conditions pile up."""
    heaviest = max((t.weight for _, _, t in shape.runs), default=0)
    if heaviest > HEAVY + 4 * len(shape.runs) or len(shape.conditions) >= MANY:
        raise TooMany("values depend on more and more others")
