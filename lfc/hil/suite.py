"""Test sequences that cover all goals: few of them, and not long.

A test begins in the initial state, since a board is reset before it. In a strongly connected part nothing is lost by
going on, so there the nearest goal that is left is taken, again and again; out of it leads the way on which the most
goals are left. What a test covers that others cover as well is no reason to have it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from lfc.base.scc import components
from lfc.hil.coverage import Covered, CoveredEdge


@dataclass(slots=True)
class Test:
    edges: list[CoveredEdge]
    goals: int  # bits

    __test__ = False  # pytest, this is none of yours


def suite_for(covered: Covered) -> list[Test]:
    left = 0
    for edges in covered.edges:
        for edge in edges:
            left |= edge.goals
    parts = _Parts(covered)
    tests = []
    while left:
        test = _walk(covered, parts, left)
        assert test.goals & left, "a test that covers nothing new"
        left &= ~test.goals
        tests.append(test)
    return _without_needless(tests)


def _walk(covered: Covered, parts: _Parts, left: int) -> Test:
    best = parts.worth(left)
    done: list[CoveredEdge] = []
    useful = reached = 0  # edges up to the last new goal
    here = 0
    while True:
        part = parts.of[here]
        way = _nearest(covered, parts, here, left)
        if way is None:
            exit_edge = best[part][1]
            if exit_edge is None:
                break
            way = [*_way_within(covered, parts, here, exit_edge.source), exit_edge]
        for edge in way:
            done.append(edge)
            reached |= edge.goals
            if edge.goals & left:
                useful = len(done)
                left &= ~edge.goals
        target = way[-1].target
        if target is None:
            break
        here = target
    kept = done[:useful]
    goals = 0
    for edge in kept:
        goals |= edge.goals
    return Test(kept, goals)


def _nearest(covered: Covered, parts: _Parts, start: int, left: int) -> list[CoveredEdge] | None:
    """The shortest way to a goal that is left, without leaving the part."""
    part = parts.of[start]
    if not parts.inside[part] & left:
        return None
    came: dict[int, CoveredEdge | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for edge in covered.edges[here]:
            if edge.target is None or parts.of[edge.target] != part:
                continue
            if edge.goals & left:
                return [*_back(came, here), edge]
            if edge.target not in came:
                came[edge.target] = edge
                queue.append(edge.target)
    return None


def _way_within(covered: Covered, parts: _Parts, start: int, goal: int) -> list[CoveredEdge]:
    came: dict[int, CoveredEdge | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            return _back(came, here)
        for edge in covered.edges[here]:
            if edge.target is not None and edge.target not in came and parts.of[edge.target] == parts.of[start]:
                came[edge.target] = edge
                queue.append(edge.target)
    raise AssertionError("a part that is not connected")


def _back(came: dict[int, CoveredEdge | None], here: int) -> list[CoveredEdge]:
    way: list[CoveredEdge] = []
    edge = came[here]
    while edge is not None:
        way.append(edge)
        edge = came[edge.source]
    return way[::-1]


class _Parts:
    """The strongly connected parts, numbered so that every way leads to a part with a smaller number."""

    def __init__(self, covered: Covered) -> None:
        targets = [[e.target for e in edges if e.target is not None] for edges in covered.edges]
        parts = components(range(len(targets)), targets.__getitem__)
        count = len(parts)
        self.of = [0] * len(targets)
        for number, part in enumerate(parts):
            for node in part:
                self.of[node] = number
        self.inside = [0] * count  # goals
        self.exits: list[list[CoveredEdge]] = [[] for _ in range(count)]
        for here, edges in enumerate(covered.edges):
            for edge in edges:
                if edge.target is not None and self.of[edge.target] == self.of[here]:
                    self.inside[self.of[here]] |= edge.goals
                else:
                    self.exits[self.of[here]].append(edge)

    def worth(self, left: int) -> list[tuple[int, CoveredEdge | None]]:
        """About how many goals of those left can be reached from each part, and the way out that reaches the most."""
        best: list[tuple[int, CoveredEdge | None]] = []
        for part, exits in enumerate(self.exits):
            inside = self.inside[part] & left
            most, chosen = 0, None
            for edge in exits:
                after = best[self.of[edge.target]][0] if edge.target is not None else 0
                value = (edge.goals & left & ~inside).bit_count() + after
                if value > most:
                    most, chosen = value, edge
            best.append((inside.bit_count() + most, chosen))
        return best


def _without_needless(tests: list[Test]) -> list[Test]:
    """Those are left out, the longest first, whose goals the others cover."""
    kept = list(tests)
    for test in sorted(tests, key=lambda t: -len(t.edges)):
        others = 0
        for other in kept:
            if other is not test:
                others |= other.goals
        if not test.goals & ~others:
            kept.remove(test)
    return kept
