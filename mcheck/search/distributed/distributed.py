"""A breadth-first search by several processes: one of them asks and tells, the others serve it.

Each has an engine of its own, with the states that it owns. Level by level all expand what they own, and hand over
what others do; docs/theory/distributed.md argues that states, transitions, errors and shortest ways are those of one
process.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lfc.base.lazy_dataclass import dataclass
from lfc.base.version import __version__
from lfc.mcheck.engine import abi
from lfc.mcheck.engine.abi import ClusterRound as Round
from lfc.mcheck.engine.abi import Stop
from lfc.mcheck.request.bounds import NO_BOUND
from lfc.mcheck.search.distributed.world import COMMAND, STOP, Patience, RankLost, world
from lfc.mcheck.search.strategies.breadth_first import blocks_along
from lfc.mcheck.search.strategies.exploration import Setting

BATCH = 64 << 10  # bytes that are sent at once, at least, but at a level's end
CHUNKS, ASKED = 8, 4096  # of 256 states, and states: between two looks at what has come
RANK_BITS = 48  # a state's name: its rank, then its number there
NUMBER = (1 << RANK_BITS) - 1
NO_MEMORY = (1 << 64) - 1  # as the engine tells it
STUCK = 1 << 64  # no state has this name
MOST_ERRORS = 1024  # that the engine keeps
NOT_SUMS = ("depth", "stop", "assumed", "errors", "seconds", "stuck_sweeps")
SUMS = tuple(field[0] for field in abi.Statistics._fields_ if field[0] not in NOT_SUMS)
GRACE = 0.4  # seconds
GRAVEST = (Stop.BROKEN, Stop.MEMORY, Stop.DISK, Stop.INTERRUPTED, Stop.STATES, Stop.TIME)


class NotDistributed(Exception):
    """The message says what a distributed search cannot do yet."""


class NotAlike(Exception):
    """The ranks check different programs, or with different versions."""


@dataclass(slots=True)
class Rank:
    """For the report."""

    rank: int
    host: str
    states: int
    memory_bytes: int
    handed_over: int = 0  # states that were sent to others
    sent_bytes: int = 0
    defined: int = 0  # values and pairs of numbers that were sent with them
    processor_seconds: float = 0.0  # of the search


class Distributed:
    told = None

    def __init__(self, setting: Setting) -> None:
        """Raises MissingOnThisMachine, NotAlike. All ranks call it."""
        self.stuck_unknown = False
        self.lost = False  # a rank
        self.hosts: list[str] = []
        self.ranks: list[Rank] = []
        self._setting = setting
        self._engine, self._model, self._request = setting.engine, setting.model, setting.request
        self._library = setting.model.library
        self._world = world().apart()
        self._sum, self._own = abi.Statistics(), abi.Statistics()
        self._stopping = False  # the others know
        self._shared = 0  # errors that all know
        self._ways: dict[int, list[int]] = {}
        self._interrupted_at = 0.0
        self._reduced = 0  # states, of all ranks
        self._world.given_up = self._has_given_up
        self._begin()

    def _begin(self) -> None:
        w, limits = self._world, self._request.limits
        options = abi.ClusterOptions(rank=w.rank, ranks=w.ranks)
        folder = os.fsencode(limits.spill) if limits.spill else None
        error = self._library.mc_cluster_begin(self._engine, ctypes.byref(options), folder)
        alike = w.gather((self._likeness(), error, w.host, self._asked()))
        for rank, (_, number, host, _) in enumerate(alike):
            if number:
                raise NotDistributed(f"rank {rank} on {host} cannot begin: {os.strerror(number)}")
        self.hosts = [host for _, _, host, _ in alike]
        others = [n for n, (hash_of, _, _, _) in enumerate(alike) if hash_of != alike[0][0]]
        if others:
            host = self.hosts[others[0]]
            raise NotAlike(f"rank {others[0]} on {host} has another program, or another version of lfc, than rank 0")
        others = [n for n, (_, _, _, asked) in enumerate(alike) if asked != alike[0][3]]
        if others:
            host = self.hosts[others[0]]
            raise NotAlike(f"rank {others[0]} on {host} has other options than rank 0: give all the same command")

    def _likeness(self) -> str:
        """The same for processes that can understand each other: of the program, and of how its states are laid out."""
        laid_out = self._library.mc_cluster_likeness(self._engine)
        told = f"{__version__} {laid_out} {self._model.generated.ir}"
        return hashlib.sha256(told.encode()).hexdigest()

    def _asked(self) -> str:
        """What is asked of all alike; memory and folders are those of each machine."""
        r = self._request
        world = replace(r.world, open_messages=frozenset()), sorted(r.world.open_messages)
        return repr((r.limits.states, r.search, r.claims, world, r.reductions, r.details, r.tuning))

    def _has_given_up(self) -> bool:
        """Who is interrupted waits for the others a moment longer: perhaps one of them is there no more."""
        if not self._setting.interrupted():
            return False
        self._interrupted_at = self._interrupted_at or time.monotonic()
        return time.monotonic() - self._interrupted_at > GRACE

    # --- the search -------------------------------------------------------------------------------------------------

    def run(self, seconds: float) -> int:
        begin, used = time.monotonic(), time.process_time()
        try:
            self._library.mc_cluster_go_on(self._engine, seconds)
            stop = self._search()
            self._share_seen(time.process_time() - used)
        except RankLost:
            self.lost = True
            stop = Stop.INTERRUPTED
        self._sum.seconds += time.monotonic() - begin
        return int(stop)

    def _search(self) -> Stop:
        while True:
            self._exchange(self._expand)
            stop = self._end_level()
            if stop is not None:
                return stop

    def _expand(self) -> bool:
        left = self._library.mc_cluster_expand(self._engine, CHUNKS)
        done = not left or self._halted is not Stop.COMPLETE
        if done:
            self._library.mc_cluster_flush(self._engine)
        return done

    @property
    def _halted(self) -> Stop:
        return Stop(self._library.mc_cluster_halted(self._engine))

    def _exchange(self, work: Callable[[], bool]) -> None:
        self._world.exchange(work, self._boxes, self._take, self._look)

    def _boxes(self, all_of_them: bool) -> list[tuple[int, bytearray]]:
        found = []
        for rank in range(self._world.ranks):
            size = self._library.mc_cluster_waiting(self._engine, rank)
            if size >= BATCH or (all_of_them and size):
                box = bytearray(size)
                self._library.mc_cluster_take_box(self._engine, rank, (ctypes.c_char * size).from_buffer(box))
                found.append((rank, box))
        return found

    def _take(self, rank: int, box: bytearray) -> None:
        size = len(box)
        if not self._library.mc_cluster_receive(self._engine, rank, (ctypes.c_char * size).from_buffer(box), size):
            raise RuntimeError(f"rank {rank} has sent what this one does not understand")

    def _look(self) -> None:
        """Who stops tells it, so that nobody works in vain."""
        if self._setting.interrupted():
            self._library.mc_cluster_halt(self._engine, Stop.INTERRUPTED)
        why = self._halted
        if why is not Stop.COMPLETE and not self._stopping:
            self._stopping = True
            self._world.tell_others(bytes([why]), STOP)
        message = self._world.received(STOP)
        if message is not None:
            self._stopping = True
            self._library.mc_cluster_halt(self._engine, message[1][0])

    def _end_level(self) -> Stop | None:
        """Why the search ends; None: it does not."""
        fresh = self._library.mc_cluster_end_level(self._engine)
        own = self._statistics()
        stop = Stop.MEMORY if fresh == NO_MEMORY else self._halted
        fresh = 0 if stop is Stop.MEMORY else fresh
        told = abi.ClusterLevel(fresh, stop, own.errors - self._shared, self._unclear(), own)
        levels = [abi.ClusterLevel.from_buffer_copy(b) for b in self._world.gather_bytes(bytes(told))]
        self._sum_up([level.statistics for level in levels])
        unclear = 0
        for level in levels:
            unclear |= level.unclear
        new = any(level.errors for level in levels)
        if new or unclear:
            self._share_errors(unclear)
        reasons = {Stop(level.stop) for level in levels}
        stopped = next((s for s in GRAVEST if s in reasons), None)
        if stopped is not None:
            return stopped
        left = sum(level.fresh for level in levels)
        if left:
            self._library.mc_cluster_begin_level(self._engine)
        self._sum.depth = self._statistics().depth
        if self._library.mc_cluster_has_enough(self._engine):
            self._look_for_deadlocks()
            return Stop.ERROR
        return self._limit_reached() if left else Stop.COMPLETE

    def _limit_reached(self) -> Stop | None:
        depth, states = self._request.search.bounds.depth, self._request.limits.states
        if depth is not None and depth != NO_BOUND and self._sum.depth > depth:
            return Stop.BOUND
        return Stop.STATES if states and self._sum.states > states else None

    def _look_for_deadlocks(self) -> None:
        """As near as what violates invariants."""
        if self._library.mc_cluster_may_be_deadlock(self._engine):
            self._library.mc_cluster_look_for_deadlocks(self._engine)
            self._share_errors(0)
            self._sum_up([abi.Statistics.from_buffer_copy(b) for b in self._gather_statistics()])

    def _gather_statistics(self) -> list[bytes]:
        return self._world.gather_bytes(bytes(self._statistics()))

    def _unclear(self) -> int:
        return int(self._library.mc_unclear(self._engine))

    def _statistics(self) -> abi.Statistics:
        return abi.Statistics.from_buffer_copy(self._library.mc_get_statistics(self._engine).contents)

    def _sum_up(self, all_ranks: Sequence[abi.Statistics]) -> None:
        total = abi.Statistics(seconds=self._sum.seconds, depth=all_ranks[0].depth, errors=self._sum.errors)
        for s in all_ranks:
            for name in SUMS:
                setattr(total, name, getattr(total, name) + getattr(s, name))
            total.assumed |= s.assumed
        self._sum = total
        self.ranks = [Rank(n, self.hosts[n], s.states, memory_of(s)) for n, s in enumerate(all_ranks)]

    # --- errors -----------------------------------------------------------------------------------------------------

    def _share_errors(self, unclear: int) -> None:
        """Those of the last level come after the others, in the order in which one process has them."""
        known, new = self.errors()[: self._shared], self.errors()[self._shared :]
        mine = [(self._block(e.state), bytes(named(e, self._world.rank))) for e in new]
        found = [x for of in self._world.gather(mine) for x in of]
        found.sort(key=lambda x: order_of(x[0], abi.Error.from_buffer_copy(x[1])))
        for _, data in found:
            error = abi.Error.from_buffer_copy(data)
            if not any(place_of(error) == place_of(other) for other in known):
                known.append(error)
        known = known[:MOST_ERRORS]
        errors = (abi.Error * max(1, len(known)))(*known)
        if not self._library.mc_cluster_set_errors(self._engine, errors, len(known), unclear):
            raise RuntimeError("more errors than there is room for")
        self._shared = self._sum.errors = len(known)

    def _block(self, state: int) -> bytes:
        room = ctypes.create_string_buffer(self._model.block_size)
        if not self._library.mc_cluster_block(self._engine, state, room):
            raise RuntimeError("a state is not there")
        return room.raw

    def errors(self) -> list[abi.Error]:
        found: list[abi.Error] = []
        error = abi.Error()
        while self._library.mc_get_error(self._engine, len(found), ctypes.byref(error)):
            found.append(error)
            error = abi.Error()
        return found

    @property
    def statistics(self) -> abi.Statistics:
        return self._sum

    def reduced_states(self) -> int:
        return self._reduced

    def _share_seen(self, seconds: float) -> None:
        """What others have reached is known to the first rank, whose tables tell it."""
        size = self._library.mc_cluster_seen_size(self._engine)
        room = ctypes.create_string_buffer(size)
        self._library.mc_cluster_put_seen(self._engine, room)
        c = abi.ClusterCounts()
        self._library.mc_cluster_get_counts(self._engine, ctypes.byref(c))
        told = (room.raw, c.handed_over, c.bytes, c.defined, seconds, self._library.mc_reduced_states(self._engine))
        self._reduced = 0
        for rank, (data, handed_over, sent_bytes, defined, seconds, reduced) in zip(
            self.ranks, self._world.gather(told), strict=True
        ):
            self._reduced += reduced
            rank.handed_over, rank.sent_bytes, rank.defined = handed_over, sent_bytes, defined
            rank.processor_seconds = round(seconds, 6)
            if self._world.first and not self._library.mc_cluster_add_seen(self._engine, data, len(data)):
                raise RuntimeError(f"rank {rank.rank} has sent what this one does not understand")

    @property
    def is_first(self) -> bool:
        return self._world.first

    # --- who asks, and who serves -----------------------------------------------------------------------------------

    def serve(self) -> None:
        """Every rank but the first, until that one has what it wants. Raises RankLost."""
        while not self.lost:
            patience = Patience()
            while (message := self._world.received(COMMAND)) is None:
                self._world.wait(patience)
            name, _, operand = message[1].decode().partition(" ")
            if name == "end":
                return
            if name == "way":
                self._way_to(int(operand))
            else:
                self._stuck()

    def _command(self, text: str) -> None:
        self._world.tell_others(text.encode(), COMMAND)

    def close(self) -> None:
        if self._world.first and not self.lost:
            self._command("end")
            self._world.all_sent()

    # --- ways -------------------------------------------------------------------------------------------------------

    def ordinals_to(self, state: int) -> list[int]:
        if state not in self._ways:
            self._command(f"way {state}")
            self._way_to(state)
        return self._ways[state]

    def _way_to(self, state: int) -> None:
        rank, number = state >> RANK_BITS, state & NUMBER
        own = rank == self._world.rank
        level = max(self._world.gather(self._library.mc_cluster_level_of(self._engine, number) if own else 0))
        self._library.mc_cluster_go_on(self._engine, 1e9)
        if own:
            self._library.mc_cluster_look_for(self._engine, number)
        self._ways[state], _ = self._way(level)

    def _way(self, level: int) -> tuple[list[int], Any]:
        """The least way to a state of this level that is looked for, and its name."""
        library, engine = self._library, self._engine
        size = library.mc_cluster_name_size(engine)
        good = True
        for n in range(level, 0, -1):
            count = library.mc_cluster_names(engine, n)
            names = ctypes.create_string_buffer(max(1, count * size))
            library.mc_cluster_put_names(engine, n, names)
            found = self._world.gather((good, names.raw[: count * size]))
            if not all(g for g, _ in found):
                raise MemoryError("the way to an error has no room in memory")
            joined = b"".join(data for _, data in found)
            good = bool(library.mc_cluster_look_before(engine, n - 1, joined, len(joined) // size))
        name, after = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size)
        library.mc_cluster_way_begin(engine, name)
        ordinals: list[int] = []
        for n in range(level):
            ordinal = min(self._world.gather(library.mc_cluster_way_step(engine, n, name)))
            if not library.mc_cluster_way_go(engine, name, ordinal, after):
                raise RuntimeError("a recorded successor is not there")
            name, after = after, name
            ordinals.append(ordinal)
        library.mc_cluster_way_end(engine)
        return ordinals, name

    def shorten(self, state: int) -> None:
        """It is as short as can be."""

    def blocks_to(self, state: int) -> list[bytes]:
        return blocks_along(self._engine, self._model, self.ordinals_to(state))

    def all_states(self, visit: object) -> None:
        """Of this rank."""
        self._library.mc_all_states(self._engine, visit, None)

    # --- partial deadlocks ------------------------------------------------------------------------------------------

    def find_stuck(self) -> tuple[int, list[int]] | None:
        if self.lost:
            self.stuck_unknown = True
            return None
        self._command("stuck")
        return self._stuck()

    def _stuck(self) -> tuple[int, list[int]] | None:
        """The state is named STUCK; the way there is known."""
        library, engine = self._library, self._engine
        library.mc_cluster_go_on(engine, 1e9)
        good = bool(library.mc_cluster_stuck_begin(engine))
        found = None
        try:
            good = self._settle(Round.ASK_FINE, Round.FINE, good)
            left = library.mc_cluster_rest(engine) if good else 0
            if good and sum(self._world.gather(min(left, 1))):
                good = self._settle(Round.ASK_STUCK, Round.STUCK, left != NO_MEMORY)
                found = self._most_stuck() if good else None
        except RankLost:
            self.lost = True
            good = False
        library.mc_cluster_stuck_end(engine)
        self.stuck_unknown = not good
        return found

    def _settle(self, ask: Round, answer: Round, good: bool) -> bool:
        """Until nothing changes. False: somebody has stopped, or has no memory."""
        library, engine = self._library, self._engine
        changed = 1
        while True:
            told = self._world.gather((good, changed))
            if not all(g for g, _ in told) or not any(n for _, n in told):
                return all(g for g, _ in told)
            library.mc_cluster_round(engine, ask)
            self._exchange(lambda: not library.mc_cluster_ask(engine, ASKED))
            library.mc_cluster_round(engine, answer)
            library.mc_cluster_answer(engine)
            self._exchange(lambda: True)
            changed = library.mc_cluster_changed(engine)
            good = self._halted is Stop.COMPLETE and not self._setting.interrupted()

    def _most_stuck(self) -> tuple[int, list[int]] | None:
        library, engine = self._library, self._engine
        most = max(self._world.gather(library.mc_cluster_most_stuck(engine)))
        if not most:
            return None
        level = min(self._world.gather(library.mc_cluster_first_stuck(engine, most, NO_BOUND)))
        library.mc_cluster_first_stuck(engine, most, level)
        ordinals, name = self._way(level)
        slots = (ctypes.c_uint8 * abi.MOST_SLOTS[self._model.machine.wide])()
        library.mc_cluster_stuck_slots(engine, name, slots)
        together = self._world.gather([n for n, x in enumerate(slots) if x])
        self._ways[STUCK] = ordinals
        return STUCK, next(found for found in together if found)


def memory_of(s: abi.Statistics) -> int:
    return int(s.table_bytes + s.node_bytes + s.log_bytes + s.frontier_bytes + s.memo_bytes + s.value_bytes)


def named(error: abi.Error, rank: int) -> abi.Error:
    found = abi.Error.from_buffer_copy(error)
    found.state |= rank << RANK_BITS
    return found


def place_of(e: abi.Error) -> tuple[int, int, int]:
    return e.kind, e.fault_kind, e.fault_site


def order_of(block: bytes, e: abi.Error) -> tuple[object, ...]:
    """As search/errors.c compares them."""
    return block, e.slot, e.fault_first, e.fault_second, e.kind, e.fault_kind, e.fault_site
