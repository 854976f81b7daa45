"""The longest path in a graph of board states from an interrupt to an event (docs/theory/response-times.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from lfc.mcheck.response.graph import Graph, Kind, Move
from lfc.mcheck.response.timed import Clock, Timed

MOST_TIMED = 1_000_000


@dataclass(frozen=True, slots=True)
class Span:
    """Of an event in a move: cycles from its beginning to the first one, and from the last one to its end."""

    first: int
    rest: int


Event = Callable[[Graph, Move], Span | None]


@dataclass(slots=True)
class Step:
    node: int
    move: Move
    cycles: int  # with the time asleep; in the first and the last move, those that count


Beginning = tuple[list[Step], Timed]  # what has been counted, and where the rest begins


@dataclass(slots=True)
class Longest:
    """`cycles`: None: there is no bound, because of `why`; `steps` then ends with a cycle of `repeats` moves."""

    cycles: int | None
    steps: list[Step] = field(default_factory=list)
    why: str = ""
    repeats: int = 0
    gave_up: bool = False  # because of too many states, or the time
    beginnings: int = 0
    timed: int = 0  # board states with their intervals


@dataclass(slots=True)
class Next:
    step: Step
    to: Timed | None  # None: the event has happened


class NoBound(Exception):
    """`steps`: a way on which it shows; the last `repeats` of them may go on for ever."""

    def __init__(self, why: str, last: Step | None = None) -> None:
        self.why, self.last = why, last
        self.steps: list[Step] = []
        self.repeats = 0
        self.gave_up = False


@dataclass(slots=True)
class _Open:
    """A board state whose remainder is being computed."""

    at: Timed
    ways: Iterator[Next]
    now: Next | None = None
    best: int = -1
    choice: Next | None = None


class LongestPath:
    def __init__(self, graph: Graph, event: Event) -> None:
        self.graph, self.event = graph, event
        i = graph.board.interrupts
        self.named, self.tick = i.named, i.tick
        self.routine = i.cycles
        self.clock = Clock(graph)
        self.known: dict[Timed, tuple[int, Next]] = {}

    # --- from an interrupt ---

    def from_interrupt(self, n: int, awaited: bool = False) -> Longest:
        """It is raised in any pass that a run can make. `awaited`: that begins when a process waits for it."""
        return self.from_any(self.raised(n, awaited))

    def from_any(self, beginnings: Iterable[Beginning]) -> Longest:
        """`cycles` is -1 if there are none."""
        found = Longest(-1)
        begun: set[tuple[Timed, int]] = set()
        for steps, at in beginnings:
            done = sum(s.cycles for s in steps)
            if (at, done) not in begun:
                begun.add((at, done))
                self._consider(found, steps, at, done)
                if found.cycles is None:
                    return found
        found.beginnings, found.timed = len(begun), len(self.known)
        return found

    def raised(self, n: int, awaited: bool = False) -> Iterator[Beginning]:
        """Each pass of a run, with the interrupt in it. `awaited`: that begins when a process waits for it."""
        for node, intervals in list(self.graph.intervals.items()):
            if n in self.graph.nodes[node][1]:
                continue  # it has been raised before
            if awaited and not self.graph.board.awaits(self.graph.nodes[node][0], n):
                continue
            for move in self.graph.moves_of(node):
                if not self._begins(node, move, n):
                    continue
                for interval in intervals:
                    yield from self._raise(n, interval, move)

    def _begins(self, node: int, move: Move, n: int) -> bool:
        if move.kind not in (Kind.PASS, Kind.SLEEP) or move.halts:
            return False
        # If it can wake the loop, then it does, and nothing else.
        return move.kind is Kind.PASS or move.interrupt == n or not self.wakes(node, n)

    def wakes(self, node: int, n: int) -> bool:
        return any(m.kind is Kind.SLEEP and m.interrupt == n for m in self.graph.moves_of(node))

    def _raise(self, n: int, interval: Timed, move: Move) -> Iterator[Beginning]:
        """The interrupt has its effect at the boundary behind the move, if it has not woken the loop."""
        span = self.event(self.graph, move)
        first = Step(interval.node, move, move.cycles if span is None else span.rest)
        if move.interrupt == n:
            # It may come as soon as the pass has begun, or later: the tick, then, is as near as it may be.
            yield [first], self.clock.at(move.to, -move.cycles, self.clock.period)
            return
        here = self.clock.after(interval, move)
        steps = [first]
        while here is not None:
            moves = self.graph.moves_of(here.node)
            if len(moves) != 1 or moves[0].kind is not Kind.ROUTINE:
                break
            steps.append(Step(here.node, moves[0], moves[0].cycles))
            here = self.clock.after(here, moves[0])
        if here is None:
            return
        for m in self.graph.moves_of(here.node):
            if m.kind in (Kind.ROUTINE, Kind.RAISED) and m.interrupt == n:
                to = self.clock.after(Timed(here.node, here.least, here.most), m)
                if to is not None:
                    yield [*steps, Step(here.node, m, m.cycles)], to

    def _consider(self, found: Longest, steps: list[Step], at: Timed, done: int) -> None:
        try:
            rest = self.remaining(at)
        except NoBound as no:
            found.cycles, found.why = None, no.why
            found.steps, found.repeats, found.gave_up = steps + no.steps, no.repeats, no.gave_up
            return
        if found.cycles is not None and done + rest > found.cycles:
            found.cycles = done + rest
            found.steps = steps + self._chosen(at)

    def _chosen(self, at: Timed) -> list[Step]:
        steps = []
        here: Timed | None = at
        while here is not None:
            _, choice = self.known[here]
            steps.append(choice.step)
            here = choice.to
        return steps

    # --- what remains ---

    def remaining(self, start: Timed) -> int:
        """Cycles from a board state to the event, at most: depth first, without recursion."""
        if start in self.known:
            return self.known[start][0]
        path, on_path = [_Open(start, self._ways(start))], {start: 0}
        try:
            while path:
                self._look(path, on_path)
        except NoBound as no:
            if not no.gave_up:
                no.steps = [o.now.step for o in path if o.now is not None] + ([no.last] if no.last else [])
            raise
        return self.known[start][0]

    def _look(self, path: list[_Open], on_path: dict[Timed, int]) -> None:
        top = path[-1]
        way = next(top.ways, None)
        if way is None:
            if top.choice is None:
                raise NoBound("the event does not happen any more")
            self.known[top.at] = top.best, top.choice
            del on_path[top.at]
            path.pop()
            if path and path[-1].now is not None:
                self._choose(path[-1], path[-1].now, top.best)
            return
        top.now = way
        if way.to is None:
            self._choose(top, way, 0)
        elif way.to in self.known:
            self._choose(top, way, self.known[way.to][0])
        elif way.to in on_path:
            no = NoBound("it may go on for ever without the event")
            no.repeats = len(path) - on_path[way.to]
            raise no
        else:
            if len(self.known) + len(path) > MOST_TIMED or not self.graph.goes_on():
                no = NoBound(f"after {len(self.known)} states with times: too many, or too little time")
                no.gave_up = True
                raise no
            on_path[way.to] = len(path)
            path.append(_Open(way.to, self._ways(way.to)))

    def _choose(self, top: _Open, way: Next, rest: int) -> None:
        if way.step.cycles + rest > top.best:
            top.best, top.choice = way.step.cycles + rest, way

    def _ways(self, at: Timed) -> Iterator[Next]:
        for move in self.graph.moves_of(at.node):
            way = self._way(at, move)
            if way is not None:
                yield way

    def _way(self, at: Timed, move: Move) -> Next | None:
        """None: time does not allow it."""
        if move.kind in (Kind.PASS, Kind.SLEEP) and at.most < 0:
            return None
        span = self.event(self.graph, move) if move.kind is Kind.PASS else None
        if span is not None:
            if move.repeated:
                return None  # all that may come before the event is added to the plain pass
            owed = max(0, at.most) if at.owed else 0
            return Next(Step(at.node, move, span.first + owed + self._interrupted(at, move, span.first)), None)
        if move.halts:
            raise NoBound("the board may stop before the event", Step(at.node, move, move.cycles))
        if move.kind is Kind.SLEEP and not self.tick:
            raise NoBound(f"it waits for interrupt {move.interrupt}", Step(at.node, move, move.cycles))
        to = self.clock.after(at, move)
        return None if to is None else Next(Step(at.node, move, self._cycles(at, move)), to)

    def _cycles(self, at: Timed, move: Move) -> int:
        """With the time asleep, at most."""
        if move.kind is Kind.SLEEP and move.interrupt == self.tick:
            return max(move.asleep_at, at.most) + move.cycles - move.asleep_at
        if (move.kind is Kind.TICK or move.ticks) and at.owed:
            return move.cycles + max(0, at.most - min(0, at.least))
        return move.cycles

    def _interrupted(self, at: Timed, move: Move, first: int) -> int:
        """Routines that may come in the last pass, before the event: of those that are enabled when it begins, or that
        it enables, and as many ticks as it is long, one at least."""
        state, _ = self.graph.nodes[at.node]
        board, before = self.graph.board, [w for w in move.writes if w.at <= first]
        times = {n: board.is_enabled(state, n) + board.enabled_by(before, n) for n in self.named}
        of_named = sum(self.routine[n] * times[n] for n in self.named)
        if not self.tick:
            return of_named
        ticks = board.ticks_within(first + of_named - max(at.least, 0)) - move.ticks
        return of_named + self.routine[self.tick] * max(ticks, 1)
