"""How much time passes from an event to the next one, at least and at most (docs/theory/response-times.md, Periods)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from lfc.mcheck.response.graph import Graph, Kind, Move
from lfc.mcheck.response.longest import MOST_TIMED, LongestPath, Span
from lfc.mcheck.response.timed import Clock, Timed

Times = Callable[[Move], list[int]]  # when the event happens in a pass: cycles since its beginning


@dataclass(frozen=True, slots=True)
class Account:
    """Cycles, counted one by one, and from the ticks in front: at least, and at most."""

    least: int
    most: int
    least_of_ticks: int
    most_of_ticks: int


@dataclass(frozen=True, slots=True)
class Edge:
    to: int
    ticks: int
    least: int
    most: int


@dataclass(slots=True)
class Between:
    """`most`: None: there is no bound, because of `why`; `least`: None: none is known, or the event never comes."""

    least: int | None = None
    most: int | None = -1
    why: str = ""

    def take(self, least: int, most: int) -> None:
        self.least = least if self.least is None else min(self.least, least)
        if self.most is not None:
            self.most = max(self.most, most)


class TooMany(Exception):
    """There are too many states with times, or too little time for them."""


@dataclass(slots=True)
class _Paths:
    """From each state with its time to the next event."""

    number: dict[Timed, int] = field(default_factory=dict)
    edges: list[list[Edge]] = field(default_factory=list)
    ends: list[list[Account]] = field(default_factory=list)


class EventToEvent:
    """From those of these states on that begin a pass with the event."""

    def __init__(self, graph: Graph, states: Iterable[Timed], times: Times) -> None:
        self.graph, self.states, self.times = graph, states, times
        self.board, self.clock = graph.board, Clock(graph)
        self.named, self.tick = self.board.interrupts.named, self.board.interrupts.tick
        self.routine = self.board.interrupts.cycles

    def between(self) -> Between:
        """Raises TooMany."""
        found, paths = Between(), _Paths()
        starts = list(self._starts(found))
        if not starts:
            return found
        longest = LongestPath(self.graph, self._next_event).from_any(([], to) for to, _ in starts)
        if longest.gave_up:
            raise TooMany
        if longest.cycles is None:
            return Between(None, None, longest.why)
        for to, _ in starts:
            self._explore(paths, to)
        most, most_of_ticks = self._most(paths, _in_order(paths))
        least = _shortest(paths, lambda e: e.least, lambda a: a.least)
        least_of_ticks = _shortest(paths, lambda e: e.ticks * self.clock.period, lambda a: a.least_of_ticks)
        for to, begin in starts:
            n = paths.number[to]
            by_cycles = begin.least + least[n], begin.most + most[n]
            by_ticks = least_of_ticks[n] - begin.most_of_ticks, most_of_ticks[n] - begin.least_of_ticks
            if self.tick:
                found.take(max(by_cycles[0], by_ticks[0]), min(by_cycles[1], by_ticks[1]))
            else:
                found.take(*by_cycles)
        return found

    def _next_event(self, _: Graph, move: Move) -> Span | None:
        at = self.times(move) if move.kind is Kind.PASS else []
        return Span(at[0], move.cycles - at[-1]) if at else None

    # --- beginnings and ends ---

    def _starts(self, found: Between) -> Iterator[tuple[Timed, Account]]:
        """Behind each pass with the event; events that follow each other within one are taken into account."""
        seen = set()
        for interval in self.states:
            for move in self.graph.moves_of(interval.node):
                at = self._happens(move)
                for one, next_one in zip(at, at[1:], strict=False):
                    apart = next_one - one
                    found.take(max(0, apart - move.waits), apart + self._routines(interval, move, next_one))
                to = None if move.halts or not at else self.clock.after(interval, move)
                if to is None:
                    continue
                begin = self._began(interval, move, at[-1])
                if (to, begin) not in seen:
                    seen.add((to, begin))
                    yield to, begin

    def _happens(self, move: Move) -> list[int]:
        return self.times(move) if move.kind is Kind.PASS and not move.repeated else []

    def _began(self, at: Timed, move: Move, last: int) -> Account:
        """What has passed since the event, at the end of the pass; and where the tick behind that is."""
        here = self._account(at, move, last)
        ticks = move.ticks * self.clock.period if self.tick else 0
        rest = move.cycles - last
        least = max(0, rest - move.waits - move.ticks * self.routine.get(self.tick, 0))
        most = rest + self._routines(at, move, move.cycles)
        return Account(least, most, here.least_of_ticks - ticks, here.most_of_ticks - ticks)

    def _account(self, at: Timed, move: Move, event: int) -> Account:
        routines = self._routines(at, move, event)
        named = sum(self.routine[n] * self._times(at, move, event, n) for n in self.named)
        owed = max(0, at.most) if at.owed else 0
        soonest = event - move.waits - move.ticks * self.routine.get(self.tick, 0)
        latest = event - max(at.least, 0) + routines
        return Account(max(0, soonest), event + owed + routines, soonest - at.most - named, latest)

    def _times(self, at: Timed, move: Move, until: int, n: int) -> int:
        """How often the routine may come in the pass up to there."""
        state, _ = self.graph.nodes[at.node]
        before = [w for w in move.writes if w.at <= until]
        may = self.board.is_enabled(state, n) or n in self.board.came(state)
        return may + self.board.enabled_by(before, n)

    def _routines(self, at: Timed, move: Move, until: int) -> int:
        """Cycles of those that may come in the pass up to there."""
        named = sum(self.routine[n] * self._times(at, move, until, n) for n in self.named)
        if not self.tick or at.least > until + named:
            return named
        ticks = self.board.ticks_within(until + named - max(at.least, 0)) - move.ticks
        return named + self.routine[self.tick] * max(ticks, 1)

    # --- what is between ---

    def _explore(self, paths: _Paths, start: Timed) -> None:
        waiting = [start] if self._is_new(paths, start) else []
        while waiting:
            at = waiting.pop()
            here = paths.number[at]
            for move in self.graph.moves_of(at.node):
                if move.kind in (Kind.PASS, Kind.SLEEP) and at.most < 0:
                    continue
                happens = self.times(move) if move.kind is Kind.PASS else []
                if happens:
                    if not move.repeated:
                        paths.ends[here].append(self._account(at, move, happens[0]))
                    continue
                to = None if move.halts else self.clock.after(at, move)
                if to is None:
                    continue
                if self._is_new(paths, to):
                    waiting.append(to)
                paths.edges[here].append(self._edge(at, move, paths.number[to]))

    def _is_new(self, paths: _Paths, at: Timed) -> bool:
        if at in paths.number:
            return False
        if len(paths.number) >= MOST_TIMED or not self.graph.goes_on():
            raise TooMany
        paths.number[at] = len(paths.edges)
        paths.edges.append([])
        paths.ends.append([])
        return True

    def _edge(self, at: Timed, move: Move, to: int) -> Edge:
        most = move.cycles
        if move.kind is Kind.SLEEP and move.interrupt == self.tick:
            least = max(0, at.least)
            return Edge(to, 1, least, max(move.asleep_at, at.most) + move.cycles - move.asleep_at)
        if (move.kind is Kind.TICK or move.ticks) and at.owed:
            most += max(0, at.most - min(0, at.least))
        ticks = 1 if move.kind is Kind.TICK else move.ticks
        least = 0
        if move.kind is Kind.PASS and not move.repeated:
            least = max(0, move.cycles - move.waits - move.ticks * self.routine.get(self.tick, 0))
        return Edge(to, ticks, least, most)

    def _most(self, paths: _Paths, order: list[int]) -> tuple[dict[int, int], dict[int, int]]:
        """By each account; `order`: each behind all that follow it."""
        by_cycles: dict[int, int] = {}
        by_ticks: dict[int, int] = {}
        for n in order:
            edges, ends = paths.edges[n], paths.ends[n]
            by_cycles[n] = max([a.most for a in ends] + [e.most + by_cycles[e.to] for e in edges])
            of_ticks = [e.ticks * self.clock.period + by_ticks[e.to] for e in edges]
            by_ticks[n] = max([a.most_of_ticks for a in ends] + of_ticks)
        return by_cycles, by_ticks


def _in_order(paths: _Paths) -> list[int]:
    """Each behind all that follow it. There is no cycle."""
    left = [len(edges) for edges in paths.edges]
    before: list[list[int]] = [[] for _ in left]
    for n, edges in enumerate(paths.edges):
        for e in edges:
            before[e.to].append(n)
    order = [n for n, many in enumerate(left) if not many]
    for n in order:
        for b in before[n]:
            left[b] -= 1
            if not left[b]:
                order.append(b)
    assert len(order) == len(left)
    return order


def _shortest(paths: _Paths, of: Callable[[Edge], int], end: Callable[[Account], int]) -> dict[int, int]:
    """To an event, by Dijkstra from the events backwards. Who comes to none is left out."""
    before: list[list[tuple[int, int]]] = [[] for _ in paths.edges]
    for n, edges in enumerate(paths.edges):
        for e in edges:
            before[e.to].append((n, of(e)))
    waiting = [(min(map(end, ends)), n) for n, ends in enumerate(paths.ends) if ends]
    heapify(waiting)
    found: dict[int, int] = {}
    while waiting:
        length, n = heappop(waiting)
        if n in found:
            continue
        found[n] = length
        for b, more in before[n]:
            if b not in found:
                heappush(waiting, (length + more, b))
    return found
