"""A search by the engine: sets it up for a program, runs it, and reads what it found."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine, PropertyMachine
from lfc.mcheck.engine import abi
from lfc.mcheck.model.clocks import FREE, WRAP, clock_beside
from lfc.mcheck.model.compiled_model import Prepared
from lfc.mcheck.model.input_ranges import SPLIT, PortRange
from lfc.mcheck.reduction.por.partial_order import PartialOrder, why_no_symmetry, why_not
from lfc.mcheck.request.search_bounds import NotModular, SearchBounds
from lfc.mcheck.search.strategies import HOW, LOSSY, How, Walk
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.mcheck.reduction.chains import Chains
    from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
    from lfc.mcheck.reduction.symmetry.symmetry import Symmetry
    from lfc.mcheck.request.fairness import Fair

ROUNDS = 1_000_000
MANY = 50_000  # states
LEAST_SHARED = 1024


Stop = abi.Stop  # how a search ends


class SpillError(Exception):
    """A folder in which nothing can be written."""


@dataclass(slots=True)
class Limits:
    """0: none."""

    states: int = 0
    memory: int = 0
    keep_going: bool = False
    most_errors: int = 1000
    remember: bool = True
    rounds: int = ROUNDS
    threads: int = 1
    compact: bool = False  # less memory, more time
    least_shared: int = (
        LEAST_SHARED  # smaller levels are one thread's: little is gained, and their order is always the same
    )
    search: str = "breadth"  # depth, best (what seems nearest to an error first), astar; contexts, random, swarm
    stored: int = 0  # states that a depth-first search keeps; 0: as many as memory has room for
    lossy: str = (
        ""  # hash, bitstate: a depth-first search that may take states for others; `stored` are then 16 bits each
    )
    towards: str = "any"  # of best and astar: deadlock, assertion, fault
    time: str = FREE  # ordered, discrete: see `timing`
    clock_wrap: int = WRAP
    rate: int = 0  # events from outside for each action of the program; 0: any number
    scratch: int = 0  # megabytes for what one action does, to test that there are not enough; 0: a thousand
    spill: str = ""  # folder for what a breadth-first search has no room for in memory; empty: it stops
    spill_at: int = 0  # states after which it spills, with very little memory: to test it
    inputs: str = SPLIT  # all: value by value
    outside: str = ""  # what is said of those who use exported channels
    open_messages: frozenset[int] = frozenset()  # identities: for these a process may wait for ever
    assume: tuple[PortRange, ...] = ()  # values of ports
    find_stuck: bool = True  # of a depth-first search: what it must keep for `Search.find_stuck`
    partial_order: bool = False  # only so many orders of independent actions as tell the errors
    por_gives_up: int = 20_000  # after so many states of which it left out nothing; 0: never
    dead_variables: bool = False  # what nothing will read is no part of the states
    chains: bool = False  # states with one successor are passed through
    chains_stop: tuple[int, int] = (2_000, 12)  # no more after so many states, if less than this percentage were passed
    bounds: SearchBounds = field(default_factory=SearchBounds)  # of a search that leaves something out
    symmetry: bool = False  # states that differ in slots and numbers of channels alone are one
    improve_after: float = 0.5  # seconds of executions, of code that was made soon: then better code is made

    @property
    def begins_soon(self) -> bool:
        """A search that can get better code on its way."""
        return self.search == "breadth" and not self.lossy


@dataclass(slots=True)
class Seen:
    blocks: list[bool]  # by number, as `numbered_blocks` has them
    slots: list[bool]  # somebody lived there
    positions: list[bool]  # by number in the description


class Search:
    """One search of one program."""

    def __init__(
        self,
        machine: Machine,
        limits: Limits | None = None,
        atoms: Sequence[typed.Expr] = (),
        watchers: Sequence[PropertyMachine] = (),
        asked: Sequence[typed.Expr] | None = None,
        fair: Sequence[Fair] = (),
        prepared: Prepared | None = None,
    ) -> None:
        """The program, its world and what is asked of it as `Prepared` has them. `prepared`: of a search of the program
        with the same of all that, in the same world."""
        self.limits = limits = limits or Limits()
        if prepared is None:
            prepared = Prepared(machine, limits, atoms, watchers, asked, fair)
        self.machine, self.prepared = machine, prepared
        self.generated, self.description, self.timing = prepared.generated, prepared.description, prepared.timing
        self.block_size = prepared.block_size
        self.library = self._library = prepared.library
        options = abi.Options(
            limits.states,
            limits.memory,
            limits.keep_going,
            limits.most_errors,
            limits.remember,
            limits.rounds,
            limits.threads,
            limits.compact,
            limits.least_shared,
            limits.bounds.depth_of("breadth"),
            limits.scratch,
            limits.spill_at,
        )
        self._engine = self._library.mc_new(ctypes.byref(prepared.program), ctypes.byref(options))
        if not self._engine:
            raise MemoryError("the checker cannot reserve its tables")
        self._ask = abi.Ask(self._improve)
        if prepared.may_improve:
            self._library.mc_ask_for_code(self._engine, limits.improve_after, self._ask)
        self.resumed = ""  # from a checkpoint; see checkpoints.py
        self.seal: object = None  # of those that it saves: called by the engine for as long as it lives
        self.partial_order: PartialOrder | None = None
        if limits.partial_order and not why_not(machine, limits.time, limits.rate):
            self.partial_order = prepared.partial_order(limits.por_gives_up)
            self.partial_order.begin(self._engine, self._library)
        self.interrupted, self._ends = False, RLock()
        self.beside: list[Search] = []  # those that are interrupted with it
        exchanges = limits.symmetry and not why_no_symmetry(machine, limits)
        self.reset: Reset | None = None
        if limits.dead_variables:
            self.reset = prepared.reset(exchanges)
            self._library.mc_reset_dead(self._engine, *prepared.dead(exchanges))
        self.symmetry: Symmetry | None = None
        if exchanges:
            self.symmetry = prepared.symmetry(with_reset=self.reset is not None)
            self.symmetry.begin(self._engine, self._library)
        self.chains: Chains | None = None
        if limits.chains:
            from lfc.mcheck.reduction.chains import Chains

            n = len(self.description.actions)
            self.chains = Chains(n, prepared.breakers, limits.chains_stop)
            self.chains.begin(self._engine, self._library)
        self.reduced_states = 0  # by `run`, of which not all successors were looked at
        self.stuck_unknown = False  # `find_stuck` was interrupted, had not room enough, or not all states
        self._complete = False
        self._walk: Walk | None = None
        if limits.spill and limits.search == "breadth" and not limits.lossy:
            self._spill_into(limits.spill)
        if limits.search != "breadth" or limits.lossy:
            self._walk = self._begin_walk(limits)

    def close(self) -> None:
        if self._walk is not None:
            self._walk.close()
        with self._ends:  # whoever interrupts it may be another thread
            engine, self._engine = self._engine, None
            if engine:
                self._library.mc_free(engine)

    def run(self, seconds: float = 1e9) -> Stop:
        walk = self._walk
        stop = Stop(self._library.mc_search(self._engine, seconds) if walk is None else walk.run(seconds))
        self._complete = stop is Stop.COMPLETE
        if self.partial_order is not None:
            reduced = self._library.mc_reduced_states(self._engine) if walk is None else walk.reduced_states()
            self.reduced_states = int(reduced)
        return stop

    def reduced(self, dead: bool) -> int:
        """How many variables are reset where they are dead; of how many states not all successors were looked at."""
        if not dead:
            return self.reduced_states
        return 0 if self.reset is None else self.reset.variables

    def passed_states(self) -> int:
        """How many states were passed through, each as often as it was."""
        return 0 if self.chains is None else int(self._library.mc_passed_states(self._engine))

    def stop_after(self, transitions: int) -> None:
        """Before it runs: with Stop.STATES, too, when there are more; `go_on_to` forgets it."""
        self._library.mc_stop_after(self._engine, transitions)

    def go_on_to(self, states: int) -> None:
        """After Stop.STATES: more of them; 0: as many as there are."""
        self.limits = replace(self.limits, states=states)
        self._library.mc_go_on_to(self._engine, states)

    def order_as(self, other: Search) -> None:
        """Before it runs: what lies side by side in the tree is as in a search that has begun, and not looked for."""
        if not self._library.mc_order_as(self.engine, other.engine):
            raise MemoryError("the checker cannot reserve its tables")

    def states_within(self, depth: int) -> int:
        """How many states are at most so many steps away. 0: not all of them have been found, or it is not known."""
        return int(self._library.mc_states_within(self.engine, depth))

    def exchanged_states(self) -> int:
        """How many successors were kept as another state, which is like them."""
        return 0 if self.symmetry is None else self.symmetry.moved(self.engine)

    def real_slot(self, slot: int) -> int:
        """Where a process of the kept state lies in the state to which `blocks_to` went last."""
        return slot if self.symmetry is None else self.symmetry.slot(self.engine, slot)

    def interrupt(self) -> None:
        self.interrupted = True
        with self._ends:
            if self._engine:
                self._library.mc_interrupt(self._engine)
        for search in tuple(self.beside):
            search.interrupt()

    def _improve(self) -> None:
        self.prepared.improve()
        self._library.mc_use_code(self._engine, ctypes.byref(self.prepared.program))

    def address(self, name: str) -> int:
        """Of a function of the program; 0 if there is none. Of many states it will be called for each."""
        if self.statistics.states > MANY:
            self.prepared.improve()
        return self.prepared.address(name)

    @property
    def engine(self) -> int:
        assert self._engine
        return int(self._engine)

    @property
    def walk(self) -> Walk | None:
        """None: the search is breadth-first."""
        return self._walk

    @property
    def statistics(self) -> abi.Statistics:
        if self._walk is not None:
            return self._walk.statistics
        found: abi.Statistics = self._library.mc_get_statistics(self._engine).contents
        return found

    def errors(self) -> list[abi.Error]:
        if self._walk is not None:
            return self._walk.errors()
        found: list[abi.Error] = []
        error = abi.Error()
        while self._library.mc_get_error(self._engine, len(found), ctypes.byref(error)):
            found.append(error)
            error = abi.Error()
        return found

    def find_stuck(self) -> tuple[int, list[int]] | None:
        """After a complete search: the first state in which a process is stuck, and the slots that are. After another
        one nobody knows what the states that are not there would have let go."""
        if not self._complete:
            self.stuck_unknown = True
            return None
        if self._walk is not None:
            stuck = self._walk.find_stuck()
            self.stuck_unknown = self._walk.stuck_unknown
            return stuck
        state = ctypes.c_uint64()
        slots = (ctypes.c_uint8 * abi.MOST_SLOTS[self.machine.wide])()
        found = self._library.mc_stuck(self._engine, ctypes.byref(state), slots)
        self.stuck_unknown = found > 1
        if found != 1:
            return None
        return state.value, [i for i, x in enumerate(slots) if x]

    def blocks_to(self, state: int) -> list[bytes]:
        """The blocks on a way from the initial state to this one: a shortest way, of a breadth-first search."""
        return [b[: self.machine.block_size] for b in self._with_clock_to(state)]

    def clocks_to(self, state: int) -> list[int]:
        """What the clock reads in each of these; empty if there is none in the states."""
        if self.timing.clock_component is None:
            return []
        return [clock_beside(self.timing, b) for b in self._with_clock_to(state)]

    def inputs_of(
        self,
        before: bytes,
        after: bytes | None,
        slot: int,
        clock: int = 0,
        fault: tuple[int, int] = (0, 0),
    ) -> list[int] | None:
        """What the action of `slot` reads from outside on its way from a block to another, or (None) to a fault of this
        kind and site: the least values that do. None: it does not lead there."""
        values = (ctypes.c_uint32 * abi.MOST_INPUTS)()
        count = self._library.mc_inputs_of(
            self._engine,
            self._with_clock(before, clock),
            None if after is None else self._with_clock(after, clock),
            slot,
            *fault,
            values,
            abi.MOST_INPUTS,
        )
        return None if count > abi.MOST_INPUTS else list(values[:count])

    def _with_clock(self, block: bytes, clock: int) -> bytes:
        at = self.timing.clock_at
        return block if self.timing.clock_component is None else block.ljust(at, b"\0") + clock.to_bytes(4, "little")

    def _with_clock_to(self, state: int) -> list[bytes]:
        if self._walk is not None:
            return self._walk.blocks_to(state, self.block_size)
        length = self._library.mc_path_to(self._engine, state, None, 0)
        ordinals = (ctypes.c_uint32 * max(1, length))()
        self._library.mc_path_to(self._engine, state, ordinals, length)
        size = self.block_size
        room = ctypes.create_string_buffer((length + 1) * size)
        if not self._library.mc_blocks_along(self._engine, ordinals, length, room):
            raise RuntimeError("a recorded successor is not there")
        return [room.raw[i * size : (i + 1) * size] for i in range(length + 1)]

    def seen(self) -> Seen:
        """What is part of the states and steps that were reached so far."""
        count = len(self.prepared.blocks)
        blocks = (ctypes.c_uint8 * max(1, count))()
        slots = (ctypes.c_uint8 * abi.MOST_SLOTS[self.machine.wide])()
        positions = (ctypes.c_uint8 * len(self.description.actions))()
        self._library.mc_get_seen(self._engine, blocks, slots, positions)
        in_order = reversed(blocks[:count])  # their bytes lie from the block backwards
        return Seen([bool(x) for x in in_order], [bool(x) for x in slots], [bool(x) for x in positions])

    def most_waiting(self) -> list[int] | None:
        """By number of a position in the description, how many at most wait at once. None: it cannot be told."""
        most = (ctypes.c_uint32 * len(self.description.actions))()
        return list(most) if self._library.mc_get_most_waiting(self._engine, most) else None

    def range_of(self, component: int, offset: int, size: int, signed: bool = False) -> abi.Range:
        """How many values a part of a component (and of all of its class) has had."""
        found = abi.Range()
        self._library.mc_get_range(self._engine, component, offset, size, int(signed), ctypes.byref(found))
        return found

    def all_blocks(self) -> list[bytes]:
        """Of every state that was reached; for small programs. With time, states may have the same block."""
        found: list[bytes] = []
        size = self.machine.block_size

        def visit(block: int, _: object) -> None:
            found.append(ctypes.string_at(block, size))

        if self._walk is not None:
            self._walk.all_states(abi.VisitBlock(visit))
        else:
            self._library.mc_all_states(self._engine, abi.VisitBlock(visit), None)
        return found

    def disk_error(self) -> str:
        """What went wrong with the files of `Limits.spill`; empty: nothing."""
        error = self._library.mc_spill_error(self._engine)
        return os.strerror(error) if error else ""

    def _spill_into(self, folder: str) -> None:
        error = self._library.mc_spill_into(self._engine, os.fsencode(folder))
        if error:
            self.close()
            raise SpillError(f"{folder} cannot be written: {os.strerror(error)}")

    def _begin_modular(self, limits: Limits) -> Walk:
        from lfc.mcheck.search.modular.explore import ModularWalk
        from lfc.mcheck.search.modular.partition import why_not as why_not_modular

        outside = bool(limits.outside or limits.open_messages)
        reason = why_not_modular(self.machine, limits.time, limits.rate, outside, self.prepared.watches)
        try:
            if reason:
                raise NotModular(reason)
            return ModularWalk(
                self.engine, self.machine, self.description, self.block_size, limits, lambda: self.interrupted
            )
        except NotModular:
            self.close()
            raise

    def _begin_walk(self, limits: Limits) -> Walk:
        if limits.search == "modular":
            return self._begin_modular(limits)
        how = LOSSY[limits.lossy] if limits.lossy else HOW[limits.search]
        estimates = []
        if how in (How.BEST, How.ASTAR):
            from lfc.mcheck.search.heuristics import estimates_for

            sites = self.generated.sites
            estimates = estimates_for(self.machine, self.description, sites, limits.towards, how is How.ASTAR)
        wide = self.machine.wide
        return Walk(
            self.engine, how, limits.find_stuck, limits.stored, estimates, limits.bounds, limits.threads, wide=wide
        )
