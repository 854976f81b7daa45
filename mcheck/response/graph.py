"""The graph of board states: every run of a board under its own scheduler, as moves with their cycles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import TYPE_CHECKING

from lfc.mcheck.image.check_image import NotChecked
from lfc.mcheck.response.avr_board import AvrBoard, Moved, Write

if TYPE_CHECKING:
    from lfc.mcheck.response.timed import Timed

Node = tuple[bytes, frozenset[int]]
Passed = tuple[Moved, tuple[int, ...], int]
MOST_INPUTS = 2  # bytes that a pass may read from devices
VALUES = 256
BETWEEN_LOOKS = 64  # passes: whether time is up is asked then
ENDED = -1  # the node of a board that has stopped


class NoTime(NotChecked):
    """It came to an end while moves of one board state were executed."""

    def __init__(self) -> None:
        super().__init__("its time is over (--time)")


class Kind(Enum):
    PASS = "pass"
    SLEEP = "sleep"  # a pass that falls asleep, and is woken up
    ROUTINE = "routine"  # of an interrupt
    RAISED = "raised"  # an interrupt that is masked: its flag is set
    TICK = "tick"


@dataclass(slots=True)
class Move:
    to: int  # a node
    cycles: int  # without the time asleep
    kind: Kind
    interrupt: int = 0  # that comes, or wakes; the vector of the tick
    asleep_at: int = 0
    writes: tuple[Write, ...] = ()
    words: frozenset[int] = frozenset()
    inputs: tuple[int, ...] = ()
    slot: int = 0  # that runs
    ticks: int = 0  # of a pass: so many come in it, between two looks at the count
    runs: int = 0  # the position at which that process begins; 0: no process runs
    repeated: bool = False  # a pass with routines that come in it again
    waits: int = 0  # of its cycles, those that it may not take: waiting for the console

    @property
    def halts(self) -> bool:
        return self.to == ENDED


class Graph:
    """Board states, numbered as they are met, each with the interrupts whose flags are set; 0 is the first. Moves are
    executed when they are asked for, which raises NoTime if there is none left."""

    def __init__(self, board: AvrBoard, goes_on: Callable[[], bool] = lambda: True) -> None:
        self.board, self.goes_on = board, goes_on
        self.numbers: dict[Node, int] = {}
        self.nodes: list[Node] = []
        self.intervals: dict[int, list[Timed]] = {}  # of those that are reached, when the next tick comes
        self.inputs = 0  # bytes that a pass reads from devices, at most
        self._moves: dict[int, list[Move]] = {}
        self._passes: dict[bytes, list[Passed]] = {}
        self.number(board.state, frozenset())

    def number(self, state: bytes, raised: frozenset[int]) -> int:
        node = (state, raised)
        found = self.numbers.get(node)
        if found is None:
            found = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def moves_of(self, node: int) -> list[Move]:
        found = self._moves.get(node)
        if found is None:
            found = self._moves[node] = list(self._all_moves(*self.nodes[node]))
        return found

    def passes(self, node: int) -> list[Passed]:
        state, _ = self.nodes[node]
        return self._passes_of(state, self._events(state))

    def longest_from(self, node: int) -> int:
        """Cycles of the next pass, at most, with the routine of every interrupt in it."""
        state, _ = self.nodes[node]
        passes = (m.cycles + (0 if m.halts else sum(self.board.repeated(state, m))) for m, _, _ in self.passes(node))
        return max(passes) + sum(self.board.interrupts.cycles.values())

    @property
    def move_count(self) -> int:
        return sum(len(self.moves_of(node)) for node in self.intervals)

    def _events(self, state: bytes) -> list[int]:
        """What can wake it up."""
        i = self.board.interrupts
        return [*(n for n in i.named if self.board.is_enabled(state, n)), *([i.tick] if i.tick else [])]

    def _all_moves(self, state: bytes, raised: frozenset[int]) -> Iterator[Move]:
        board, tick = self.board, self.board.interrupts.tick
        events = self._events(state)
        forced = [n for n in events if n in raised]
        if forced:  # the lowest vector comes first
            yield self._routine(state, raised - {forced[0]}, forced[0])
            return
        for moved, inputs, event in self._passes_of(state, events):
            to = ENDED if moved.halts else self.number(moved.state, raised)
            kind = Kind.SLEEP if moved.asleep_at else Kind.PASS
            slot, runs = self._who(state, moved)
            more = [] if moved.halts else board.repeated(state, moved)
            for cycles in accumulate(more, initial=moved.cycles):
                made = cycles, kind, event, moved.asleep_at, moved.writes, moved.words, inputs
                yield Move(to, *made, slot, moved.ticks, runs, cycles > moved.cycles, moved.waits)
        if tick:
            moved = board.take(state, tick)
            yield Move(self.number(moved.state, raised), moved.cycles, Kind.TICK, tick)
        for n in board.interrupts.named:
            if n in events:
                yield self._routine(state, raised, n)
            elif n not in raised:
                yield Move(self.number(state, raised | {n}), 0, Kind.RAISED, n)

    def _who(self, state: bytes, moved: Moved) -> tuple[int, int]:
        """The slot of the process that runs, and the position at which it begins."""
        board = self.board
        event, taker = board.next_event(state)
        if moved.halts or moved.asleep_at or event not in ("", "taker"):
            return 0, 0
        slot = taker if event else moved.ran if board.has_begun(state) else 0
        position = board.machine.position_at(board.block(state), slot)
        return (slot, position.number) if position is not None and position.ready else (0, 0)

    def _routine(self, state: bytes, raised: frozenset[int], n: int) -> Move:
        moved = self.board.take(state, n)
        return Move(self.number(moved.state, raised), moved.cycles, Kind.ROUTINE, n)

    def _passes_of(self, state: bytes, events: list[int]) -> list[Passed]:
        found = self._passes.get(state)
        if found is None:
            found = self._passes[state] = list(self._all_passes(state, events))
        return found

    def _all_passes(self, state: bytes, events: list[int]) -> Iterator[Passed]:
        """With every value of each input; what leads to the same in the same time, once."""
        seen = set()
        waiting: list[tuple[int, ...]] = [()]
        executed = 0
        while waiting:
            executed += 1
            if not executed % BETWEEN_LOOKS and not self.goes_on():
                raise NoTime
            inputs = waiting.pop()
            moved = self.board.run(state, inputs)
            if moved.needs:
                if len(inputs) == MOST_INPUTS:
                    raise NotChecked(f"an action reads more than {MOST_INPUTS} bytes from devices")
                self.inputs = max(self.inputs, len(inputs) + 1)
                waiting += [(*inputs, value) for value in reversed(range(VALUES))]
                continue
            woken = [(self.board.run(state, inputs, e), e) for e in events] if moved.sleeps else [(moved, 0)]
            woken += [(m, 0) for m in self.board.with_tick(state, inputs, moved)]
            for m, event in woken:
                key = (m.state, m.cycles, m.writes, m.words, event, m.halts, m.ticks)
                if key not in seen:
                    seen.add(key)
                    yield m, inputs, event
