"""When the next tick comes: the intervals that go with board states (docs/theory/response-times.md)."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.mcheck.response.avr_board import WAKES_UP
from lfc.mcheck.response.graph import Graph, Kind, Move, NoTime

FOR_EVER = 1 << 62  # no tick ever comes
GRAIN = 8  # cycles: bounds are rounded outwards to multiples
MOST_INTERVALS = 8  # of one board state


@dataclass(frozen=True, slots=True)
class Timed:
    """A board state; the next tick comes `least` to `most` cycles from now. `owed`: the time asleep before an interrupt
    is not in the account yet: it ends with the tick."""

    node: int
    least: int
    most: int
    owed: bool = False

    def contains(self, other: Timed) -> bool:
        return self.least <= other.least and other.most <= self.most

    def joined(self, other: Timed) -> Timed:
        return Timed(self.node, min(self.least, other.least), max(self.most, other.most))


class Clock:
    """Which moves time allows, and what the interval is then."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.tick = graph.board.interrupts.tick
        self.period = graph.board.period if self.tick else FOR_EVER
        i = graph.board.interrupts
        self.carries = i.cycles[self.tick] - i.shortest_tick if self.tick else 0  # cycles of the routine, or not

    def first(self) -> Timed:
        """When the kernel's loop begins."""
        return self.at(0, 0, self.period)

    def at(self, node: int, least: int, most: int, owed: bool = False) -> Timed:
        if not self.tick:
            return Timed(node, 0, FOR_EVER)
        return Timed(node, least // GRAIN * GRAIN, -(-most // GRAIN) * GRAIN, owed)

    def after(self, at: Timed, move: Move) -> Timed | None:
        """None: time does not allow it."""
        match move.kind:
            case Kind.PASS | Kind.SLEEP if at.most < 0:
                return None  # the tick has come before, and its routine comes first
            case Kind.PASS if move.ticks:
                return self._ticked_within(at, move)
            case Kind.PASS:
                return self.at(move.to, max(at.least, 0) - move.cycles, at.most - move.cycles + move.waits, at.owed)
            case Kind.SLEEP if self.tick and move.interrupt == self.tick:
                return self._woken(at, move)
            case Kind.SLEEP:
                return self.at(move.to, -move.cycles, at.most - move.asleep_at, owed=True)
            case Kind.TICK:
                return self._ticked(at, move)
            case _:
                return self.at(move.to, at.least - move.cycles, at.most - move.cycles, at.owed)

    def _woken(self, at: Timed, move: Move) -> Timed:
        """By the tick; if it cannot have come before the board slept, all that is awake has come behind it."""
        if at.least <= move.asleep_at:
            return self.at(move.to, self.period - move.cycles, self.period)
        left = self.period - (move.cycles - move.asleep_at)
        return self.at(move.to, left, left + WAKES_UP + self.carries)

    def _ticked(self, at: Timed, move: Move) -> Timed | None:
        """It has come in the pass before, or comes in the next one."""
        most = self.graph.longest_from(move.to)
        if at.least > most:
            return None
        return self.at(move.to, at.least + self.period - move.cycles, min(at.most, most) + self.period)

    def _ticked_within(self, at: Timed, move: Move) -> Timed | None:
        last = move.cycles - (move.ticks - 1) * self.period  # by then the first one has come
        if at.least > last:
            return None
        came = move.ticks * self.period - move.cycles
        fewer = move.waits + move.ticks * self.carries
        return self.at(move.to, max(at.least, 0) + came, min(at.most, last) + came + fewer)


def explore_in_time(graph: Graph, most: int) -> bool:
    """Makes the moves of every board state that is reached in time. False: there are more than `most`, or there is no
    time left for them."""
    try:
        return _explored(graph, graph.intervals, most)
    except NoTime:
        return False


def intervals_apart(graph: Graph, most: int) -> dict[int, list[Timed]]:
    """Of every board state, the smaller ones kept beside those that contain them. Raises NoTime."""
    found: dict[int, list[Timed]] = {}
    if not _explored(graph, found, most, apart=True):
        raise NoTime
    return found


def _explored(graph: Graph, intervals: dict[int, list[Timed]], most: int, apart: bool = False) -> bool:
    """Raises NoTime."""
    clock = Clock(graph)
    waiting = [clock.first()]
    intervals[0] = list(waiting)
    while waiting:
        at = waiting.pop()
        if at not in intervals[at.node]:
            continue  # a wider one has taken its place
        if len(intervals) > most or not graph.goes_on():
            return False
        for move in graph.moves_of(at.node):
            to = None if move.halts else clock.after(at, move)
            if to is None:
                continue
            found = _put(intervals.setdefault(to.node, []), Timed(to.node, to.least, to.most), apart)
            if found is not None:
                waiting.append(found)
    return True


def _put(known: list[Timed], new: Timed, apart: bool = False) -> Timed | None:
    """None: it is contained in one, or with `apart` there."""
    many = len(known) >= MOST_INTERVALS
    if new in known or ((many or not apart) and any(k.contains(new) for k in known)):
        return None
    if many:
        for k in known:
            new = new.joined(k)
    known[:] = [*(k for k in known if not new.contains(k) or (apart and not many)), new]
    return new
