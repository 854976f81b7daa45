"""How much of the time the processor is awake, in the long run (docs/theory/response-times.md, Periods)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from lfc.base.scc import components
from lfc.mcheck.response.graph import NoTime
from lfc.mcheck.response.recurring import Arc, Recurring

ALWAYS = Fraction(1)


def awake(of: Recurring, interrupted: bool, goes_on: Callable[[], bool]) -> Fraction:
    """The share of time, at most. `interrupted`: interrupts come whenever they can; else none comes any more. Raises
    NoTime."""
    return greatest_ratio(of.nodes, [a for a in of.arcs if interrupted or not a.interrupted], goes_on)


def greatest_ratio(nodes: int, arcs: Sequence[Arc], goes_on: Callable[[], bool] = lambda: True) -> Fraction:
    """Of cycles awake to time, on any cycle; 0 if there is none, 1 if it is more, or on one that takes no time. Raises
    NoTime."""
    after: list[list[Arc]] = [[] for _ in range(nodes)]
    for a in arcs:
        after[a.begin].append(a)
    greatest = Fraction(0)
    for part in components(range(nodes), lambda n: [a.end for a in after[n]]):
        inside = set(part)
        within = [a for n in reversed(part) for a in after[n] if a.end in inside]
        while greatest < ALWAYS:
            cycle = _cycle_above(part, within, greatest, goes_on)
            if cycle is None:
                break
            time = sum(a.time for a in cycle)
            greatest = min(ALWAYS, Fraction(sum(a.awake for a in cycle), time)) if time else ALWAYS
    return greatest


def _cycle_above(
    nodes: Sequence[int], arcs: Sequence[Arc], ratio: Fraction, goes_on: Callable[[], bool]
) -> list[Arc] | None:
    """A cycle with a greater ratio (Bellman and Ford); None: there is none."""
    far = dict.fromkeys(nodes, 0)
    by: dict[int, Arc] = {}
    while True:
        if not goes_on():
            raise NoTime
        changed = False
        for a in arcs:
            length = far[a.begin] + a.awake * ratio.denominator - a.time * ratio.numerator
            if length > far[a.end]:
                far[a.end], by[a.end], changed = length, a, True
        if not changed:
            return None
        cycle = _cycle_of(by)
        if cycle is not None:
            return cycle


def _cycle_of(by: dict[int, Arc]) -> list[Arc] | None:
    """Of who was reached from whom."""
    looked: dict[int, int] = {}
    for start in by:
        here = start
        while here in by and here not in looked:
            looked[here] = start
            here = by[here].begin
        if here in by and looked[here] == start:
            cycle = [by[here]]
            while cycle[-1].begin != here:
                cycle.append(by[cycle[-1].begin])
            return cycle
    return None
