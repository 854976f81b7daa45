"""Sets of numbers as sorted intervals that neither overlap nor touch."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter

ValueSet = tuple[tuple[int, int], ...]  # bounds of each interval, both within

EMPTY: ValueSet = ()


def full(width: int) -> ValueSet:
    return ((0, (1 << width) - 1),)


def single(value: int) -> ValueSet:
    return ((value, value),)


def interval(low: int, high: int) -> ValueSet:
    return ((low, high),) if low <= high else EMPTY


def normal(intervals: Iterable[tuple[int, int]]) -> ValueSet:
    """Of intervals in any order, which may overlap."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1] + 1:
            if high > found[-1][1]:
                found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return tuple(found)


def of_values(values: Iterable[int]) -> ValueSet:
    return normal((v, v) for v in set(values))


def union(a: ValueSet, b: ValueSet) -> ValueSet:
    if a == b or not b:
        return a
    return normal(chain(a, b)) if a else b


def intersection(a: ValueSet, b: ValueSet) -> ValueSet:
    if a == b:
        return a
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            found.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def difference(a: ValueSet, b: ValueSet) -> ValueSet:
    found: list[tuple[int, int]] = []
    j = 0
    for low, high in a:
        at = low
        while j < len(b) and b[j][1] < at:
            j += 1
        k = j
        while k < len(b) and b[k][0] <= high:
            if b[k][0] > at:
                found.append((at, b[k][0] - 1))
            at = max(at, b[k][1] + 1)
            k += 1
        if at <= high:
            found.append((at, high))
    return tuple(found)


def is_subset(a: ValueSet, b: ValueSet) -> bool:
    return a == b or not difference(a, b)


def size(a: ValueSet) -> int:
    return sum(high - low + 1 for low, high in a)


def contains(a: ValueSet, value: int) -> bool:
    after = bisect_right(a, value, key=itemgetter(0))
    return after > 0 and value <= a[after - 1][1]


def values(a: ValueSet) -> Iterator[int]:
    for low, high in a:
        yield from range(low, high + 1)


def only_value(a: ValueSet) -> int | None:
    """Of a set of one."""
    return a[0][0] if len(a) == 1 and a[0][0] == a[0][1] else None


def shifted(a: ValueSet, by: int, width: int) -> ValueSet:
    """Each value and `by`, modulo the width."""
    modulus = 1 << width
    found: list[tuple[int, int]] = []
    for low, high in a:
        low, high = (low + by) % modulus, (high + by) % modulus
        if low <= high:
            found.append((low, high))
        else:
            found += [(low, modulus - 1), (0, high)]
    return normal(found)


def pleasant(a: ValueSet, width: int) -> int:
    """The one that people like best: 0, 1, else a limit, the one that is nearest to 0."""
    for wanted in (0, 1):
        if contains(a, wanted):
            return wanted
    return a[0][0] if a[0][0] < 1 << width - 1 else a[-1][1]
