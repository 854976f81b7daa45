"""The longest way through AVR machine code, in cycles: every way is followed with what is known of the state.

A loop ends if what is known says so (a counter with a known start or a known range). One in which a state comes
back may go on for ever: there is no bound then, and it is told where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from lfc.isa.avr.byte_sets import ANY, only, the_only
from lfc.isa.avr.execute import End, Executed, Surroundings, execute
from lfc.isa.avr.liveness import FLAGS, Liveness
from lfc.isa.avr.state import State

MOST_STATES = 10_000
MOST_TO_POLL = 6  # cycles: a load, a test, a jump back; one that writes in between takes 8
MOST_AT_ONE_PLACE = 1000  # states; from then on less is remembered there

Key = tuple[object, ...]


@dataclass(slots=True)
class Longest:
    cycles: int | None  # None: no bound is known
    way: list[int] = field(default_factory=list)  # where its straight pieces begin
    loops: list[int] = field(default_factory=list)  # places that may come again for ever
    lost: list[int] = field(default_factory=list)  # where it goes on by a pointer
    too_many: bool = False


@dataclass(slots=True)
class _Piece:
    """A straight piece of code from one state on."""

    at: int
    key: Key
    cycles: int
    waits: int
    ends: bool  # one of the ways leaves what is looked at
    following: list[Executed]
    keys: list[Key] = field(default_factory=list)  # of `following`; taken before their states go on
    next: int = 0
    best: int | None = None
    through: Key | None = None


class _Search:
    def __init__(self, surroundings: Surroundings, live: Liveness, dead_ends: Collection[int]) -> None:
        self.s = surroundings
        self.live = live
        self.dead_ends = dead_ends
        self.done: dict[Key, tuple[int | None, Key | None]] = {}
        self.open: dict[Key, None] = {}
        self.at_place: Counter[int] = Counter()
        self.loops: set[int] = set()
        self.lost: set[int] = set()

    def key(self, at: int, state: State) -> Key:
        live = self.live.before.get(at, (1 << FLAGS + 1) - 1)
        if self.at_place[at] > MOST_AT_ONE_PLACE:
            state.data.clear()
            state.registers = [r if the_only(r) is not None else ANY for r in state.registers]
        return at, *state.key(live, bool(live >> FLAGS & 1))

    def piece(self, at: int, state: State, key: Key) -> _Piece:
        """Up to where there are several ways, or several ways come together."""
        self.at_place[at] += 1
        found = _Piece(at, key, 0, 0, False, [])
        place = at
        while True:
            if place in self.dead_ends:
                return found
            steps = execute(self.s, place, state)
            found.waits += max((s.waits for s in steps), default=0)
            left = []
            for step in steps:
                if step.end is End.LOST:
                    self.lost.add(place)
                elif step.end is not None:
                    found.ends = True
                    found.cycles += step.cycles
                else:
                    left.append(step)
            if len(left) == 1 and len(steps) == 1 and left[0].at not in self.live.targets:
                found.cycles += left[0].cycles
                place, state = left[0].at, left[0].state
                continue
            found.following = left
            found.keys = [self.key(step.at, step.state) for step in left]
            return found

    def go(self, at: int, state: State) -> tuple[int | None, Key]:
        start = self.key(at, state)
        pieces = [self.piece(at, state, start)]
        self.open[start] = None
        while pieces:
            p = pieces[-1]
            if p.next < len(p.following):
                step, key = p.following[p.next], p.keys[p.next]
                if key in self.done:
                    p.next += 1
                    rest = self.done[key][0]
                    if rest is not None and (p.best is None or step.cycles + rest > p.best):
                        p.best, p.through = step.cycles + rest, key
                elif key in self.open:
                    if not self._waits(pieces, key):
                        self.loops.add(step.at)
                    p.next += 1
                elif len(self.done) + len(pieces) > MOST_STATES:
                    raise _TooManyError
                else:
                    self.open[key] = None
                    pieces.append(self.piece(step.at, step.state, key))
                continue
            pieces.pop()
            del self.open[p.key]
            best = p.best if p.best is not None or not p.ends else 0
            self.done[p.key] = None if best is None else best + p.cycles + p.waits, p.through
        return self.done[start][0], start

    def _waits(self, pieces: list[_Piece], key: Key) -> bool:
        """Whether the way around, from `key` to itself, only waits for a device that answers in time: it polls, and is
        too short to do anything else."""
        around: list[_Piece] = []
        for p in reversed(pieces):
            around.append(p)
            if p.key == key:
                break
        cycles = sum(p.cycles + p.following[p.next].cycles for p in around)
        return any(p.waits for p in around) and cycles <= MOST_TO_POLL


class _TooManyError(Exception):
    pass


def longest_way(
    surroundings: Surroundings, entry: int, dead_ends: Collection[int], live: Liveness | None = None
) -> Longest:
    """From `entry` until it returns. Ways into `dead_ends` do not count: there the program ends."""
    state = State([ANY] * 32, surroundings.stack.stop - 1)
    state.registers[1] = only(0)  # as all compiled code leaves it
    search = _Search(surroundings, live or Liveness(surroundings.code, entry), dead_ends)
    try:
        cycles, start = search.go(entry, state)
    except _TooManyError:
        return Longest(None, loops=[place for place, _ in search.at_place.most_common(1)], too_many=True)
    if search.loops or search.lost:
        return Longest(None, loops=sorted(search.loops), lost=sorted(search.lost))
    way: list[int] = []
    key: Key | None = start
    while key is not None:
        assert isinstance(key[0], int)
        way.append(key[0])
        key = search.done[key][1]
    return Longest(cycles, way)
