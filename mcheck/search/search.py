"""A search by the engine: sets it up for a program, runs it, and reads what it found."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import accumulate
from threading import RLock
from typing import TYPE_CHECKING, Protocol, TypeVar

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.engine import abi
from lfc.mcheck.model.compiled_model import CompiledModel
from lfc.mcheck.model.description import clock_beside
from lfc.mcheck.request.bounds import NO_BOUND
from lfc.mcheck.request.request import Request
from lfc.mcheck.search.registry import strategy_of
from lfc.mcheck.search.strategies.exploration import Setting

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine, PropertyMachine
    from lfc.mcheck.model.ages_in_blocks import StampsInBlocks
    from lfc.mcheck.search.strategies.exploration import Exploration
    from lfc.semantics.model import typed

MANY = 50_000  # states
FIRST_PAUSE, MORE, SHARE = 20_000, 4, 8  # states: of a search that does something beside; times as many; one in so many
ANY_NUMBER = 0xFFFFFFFF


Stop = abi.Stop  # how a search ends
Beside = Callable[[int, float], bool]  # with so many states, in so many seconds; True: enough has been found


class Resumed(StrEnum):
    """From a checkpoint, and whether somebody vouches for that."""

    NOT = ""
    AUTHENTICATED = "authenticated"
    UNAUTHENTICATED = "unauthenticated"


@dataclass(slots=True)
class Seen:
    blocks: list[bool]  # by number, as `numbered_blocks` has them
    slots: list[bool]  # somebody lived there
    positions: list[bool]  # by number in the description


class Attached:
    """A reduction in one search. What differs from this a reduction overrides."""

    shortest = True  # the path to a state is a shortest one, as without it
    exchanges = False  # of states that are like each other one is kept
    resets = False  # what is kept of a state differs from it
    notes: Sequence[str] = ()  # what it leaves as it is, and why

    def did(self) -> int:
        """How much, as the reduction counts it."""
        return 0

    def kept(self, block: bytes) -> bytes:
        """What is kept of a state."""
        return block

    def real_slot(self, slot: int) -> int:
        """Where a process of the kept state lies in the state to which `blocks_to` went last."""
        return slot

    def identity(self) -> object:
        """What a checkpoint must have been made with, too."""
        return ()

    def is_saved(self) -> None:
        """The search will be saved in checkpoints."""

    def resumed(self) -> None:
        """The search goes on from a checkpoint."""


class Attachable(Protocol):
    """A reduction, as a search sees it."""

    @property
    def name(self) -> str: ...

    def attach(self, search: Search, used: Sequence[Attachable]) -> Attached:
        """`used`: all that the search uses."""


A = TypeVar("A", bound=Attached)


class Search:
    """One search of one program."""

    def __init__(
        self,
        machine: Machine,
        request: Request | None = None,
        reductions: Sequence[Attachable] = (),
        atoms: Sequence[typed.Expr] = (),
        watchers: Sequence[PropertyMachine] = (),
        model: CompiledModel | None = None,
    ) -> None:
        """The program, its world and what is asked of it as `CompiledModel` has them. `model`: of a search of the
        program with the same of all that, in the same world. Raises SpillError and NotModular."""
        self.request = request = request or Request()
        if model is None:
            model = CompiledModel(machine, request.world, atoms, watchers, request.search.breadth_first)
        self.machine, self.model = machine, model
        self.generated, self.description, self.timing = model.generated, model.description, model.timing
        self.block_size = model.block_size
        self.library = self._library = model.library
        self._engine = self._library.mc_new(ctypes.byref(model.program), ctypes.byref(engine_options(request)))
        if not self._engine:
            raise MemoryError("the checker cannot reserve its tables")
        self._ask = abi.Ask(self._improve)
        if model.may_improve:
            self._library.mc_ask_for_code(self._engine, request.tuning.improve_after, self._ask)
        self.resumed = Resumed.NOT
        self.watching: object = None  # what the engine reads for as long as it lives
        self.seal: object = None  # of those that it saves: called by the engine for as long as it lives
        self.interrupted, self._ends = False, RLock()
        self.siblings: list[Search] = []  # those that are interrupted with it
        self.reduced_states = 0  # by `run`, of which not all successors were looked at
        self.stuck_unknown = False  # `find_stuck` was interrupted, had not room enough, or not all states
        self._complete = False
        self.beside: Beside | None = None
        self._pause = FIRST_PAUSE
        self.attached: dict[Attachable, Attached] = {}
        for reduction in reductions:
            self.attached[reduction] = reduction.attach(self, reductions)
        self._exploration: Exploration | None = None
        setting = Setting(self._engine, model, request, lambda: self.interrupted)
        try:
            self._exploration = strategy_of(request.search)(setting)
        except Exception:
            self.close()
            raise

    def close(self) -> None:
        if self._exploration is not None:
            self._exploration.close()
        with self._ends:  # whoever interrupts it may be another thread
            engine, self._engine = self._engine, None
            if engine:
                self._library.mc_free(engine)

    def run(self, seconds: float = 1e9) -> Stop:
        stop = self._run(time.monotonic() + seconds)
        self._complete = stop is Stop.COMPLETE
        self.reduced_states = self.exploration.reduced_states()
        return stop

    def run_until_rest(self, rest: float, seconds: float) -> Stop:
        """As `run`, but after `rest` seconds and the action that is at work then it rests; it goes on when it is run
        again."""
        self._library.mc_rest_after(self.engine, rest)
        stop = self.run(seconds)
        self._library.mc_rest_after(self.engine, 0.0)
        return stop

    def _run(self, end: float) -> Stop:
        """Now and then it pauses for what is looked for beside it, which gets so much of the states that its share of
        the time is small. There is the time, too, that `end` leaves."""
        while True:
            if self.beside is not None:
                self._library.mc_pause_at(self.engine, self._pause)
            stop = Stop(self.exploration.run(end - time.monotonic()))
            if stop is not Stop.PAUSED or self.beside is None:
                return stop
            if not self.statistics.spills and self.beside(self._pause // SHARE, end - time.monotonic()):
                return Stop.ERROR
            self._pause *= MORE

    @property
    def can_rest(self) -> bool:
        """Whether a search that its time has stopped goes on when it is run again."""
        once = self.request.checkpoint.wanted or self.request.search.distributed
        return self.request.search.breadth_first and not once

    @property
    def exploration(self) -> Exploration:
        assert self._exploration is not None
        return self._exploration

    # --- reductions ------------------------------------------------------------------------------------------------

    def find(self, kind: type[A]) -> A | None:
        """What of this kind is attached."""
        return next((a for a in self.attached.values() if isinstance(a, kind)), None)

    def did(self, reduction: Attachable) -> int:
        """How much; 0 if it is not used."""
        attached = self.attached.get(reduction)
        return 0 if attached is None else attached.did()

    @property
    def stamps(self) -> StampsInBlocks | None:
        """Where the stamps lie in blocks; None: states hold no ages."""
        if self.timing.ages is None:
            return None
        from lfc.mcheck.model.ages_in_blocks import StampsInBlocks

        return StampsInBlocks(self.machine, self.description, self.timing.ages)

    @property
    def exchanges(self) -> bool:
        """Of states that are like each other one is kept."""
        return any(a.exchanges for a in self.attached.values())

    @property
    def resets(self) -> bool:
        """What is kept of a state differs from it."""
        return any(a.resets for a in self.attached.values())

    @property
    def finds_shortest(self) -> bool:
        """Reductions leave shortest paths."""
        return all(a.shortest for a in self.attached.values())

    def kept(self, block: bytes) -> bytes:
        """What is kept of a state."""
        for a in self.attached.values():
            block = a.kept(block)
        return block

    def real_slot(self, slot: int) -> int:
        """Where a process of the kept state lies in the state to which `blocks_to` went last."""
        for a in self.attached.values():
            slot = a.real_slot(slot)
        return slot

    # --- how far it goes -------------------------------------------------------------------------------------------

    def stop_after(self, transitions: int) -> None:
        """Before it runs: with Stop.STATES, too, when there are more; `go_on_to` forgets it."""
        self._library.mc_stop_after(self._engine, transitions)

    def go_on_to(self, states: int) -> None:
        """After Stop.STATES: more of them; 0: as many as there are."""
        self.request = self.request.changed(states=states)
        self._library.mc_go_on_to(self._engine, states)

    def order_as(self, other: Search) -> None:
        """Before it runs: what lies side by side in the tree is as in a search that has begun, and not looked for."""
        if not self._library.mc_order_as(self.engine, other.engine):
            raise MemoryError("the checker cannot reserve its tables")

    def states_within(self, depth: int) -> int:
        """How many states are at most so many steps away. 0: not all of them have been found, or it is not known."""
        return int(self._library.mc_states_within(self.engine, depth))

    def levels(self) -> list[int]:
        """By depth, how many states are at most so many steps away."""
        depth: int = self.statistics.depth
        return [self.states_within(d) for d in range(depth + 1)]

    # --- invariants --------------------------------------------------------------------------------------------------

    def watch(self, invariants: abi.Invariants) -> None:
        """Before it runs: looked at in each step."""
        self.watching = invariants
        self._library.mc_watch(self.engine, ctypes.byref(invariants))

    @property
    def unclear(self) -> int:
        """Of which of these an atom has faulted somewhere (bits)."""
        return int(self._library.mc_unclear(self.engine))

    def roots_along(self, ordinals: Sequence[int]) -> list[int]:
        """The states on the way of these steps, the initial one first."""
        count = len(ordinals)
        numbers, roots = (ctypes.c_uint32 * max(1, count))(*ordinals), (ctypes.c_uint64 * (count + 1))()
        if not self._library.mc_roots_along(self.engine, numbers, count, roots):
            raise RuntimeError("a recorded successor is not there")
        return list(roots)

    # --- what it found ---------------------------------------------------------------------------------------------

    def interrupt(self) -> None:
        self.interrupted = True
        with self._ends:
            if self._engine:
                self._library.mc_interrupt(self._engine)
        for search in tuple(self.siblings):
            search.interrupt()

    def stop(self) -> None:
        """What the engine does now, and nothing that comes later."""
        with self._ends:
            if self._engine:
                self._library.mc_interrupt(self._engine)

    def _improve(self) -> None:
        self.model.improve()
        self._library.mc_use_code(self._engine, ctypes.byref(self.model.program))

    def address(self, name: str) -> int:
        """Of a function of the program; 0 if there is none. Of many states it will be called for each."""
        if self.statistics.states > MANY:
            self.model.improve()
        return self.model.address(name)

    @property
    def engine(self) -> int:
        assert self._engine
        return int(self._engine)

    @property
    def statistics(self) -> abi.Statistics:
        return self.exploration.statistics

    def errors(self) -> list[abi.Error]:
        return self.exploration.errors()

    def find_stuck(self) -> tuple[int, list[int]] | None:
        """After a complete search: the first state in which a process is stuck, and the slots that are. After another
        one nobody knows what the states that are not there would have let go."""
        if not self._complete:
            self.stuck_unknown = True
            return None
        stuck = self.exploration.find_stuck()
        self.stuck_unknown = self.exploration.stuck_unknown
        return stuck

    def blocks_to(self, state: int) -> list[bytes]:
        """The blocks on a way from the initial state to this one: a shortest way, of a breadth-first search."""
        return [b[: self.machine.block_size] for b in self.exploration.blocks_to(state)]

    def clocks_to(self, state: int) -> list[int]:
        """What the clock reads in each of these; empty if there is none in the states. Where these hold ages: what it
        would read if it did not wrap."""
        if self.timing.clock_component is None:
            return []
        if self.timing.ages is not None:
            return self.times_along(self.exploration.ordinals_to(state))
        return [clock_beside(self.timing, b) for b in self.exploration.blocks_to(state)]

    def times_along(self, ordinals: Sequence[int]) -> list[int]:
        """The milliseconds since the start before the first of these steps and after each."""
        count = len(ordinals)
        numbers, elapsed = (ctypes.c_uint32 * max(1, count))(*ordinals), (ctypes.c_uint32 * max(1, count))()
        if not self._library.mc_elapsed_along(self._engine, numbers, count, elapsed):
            raise RuntimeError("a recorded successor is not there")
        return list(accumulate(elapsed[:count], initial=0))

    def inputs_of(
        self,
        before: bytes,
        after: bytes | None,
        slot: int,
        clock: int = 0,
        fault: tuple[int, int] = (0, 0),
    ) -> tuple[list[int], list[int]] | None:
        """What the action of `slot` reads from outside on its way from a block to another, or (None) to a fault of this
        kind and site: the least values that do; and its other decisions, as a script. None: it does not lead there."""
        way = abi.Way()
        found = self._library.mc_inputs_of(
            self._engine,
            self._with_clock(before, clock),
            None if after is None else self._with_clock(after, clock),
            slot,
            *fault,
            ctypes.byref(way),
        )
        return (list(way.input[: way.inputs]), list(way.decision[: way.decisions])) if found else None

    def _with_clock(self, block: bytes, clock: int) -> bytes:
        at = self.timing.clock_at
        return block if self.timing.clock_component is None else block.ljust(at, b"\0") + clock.to_bytes(4, "little")

    def seen(self) -> Seen:
        """What is part of the states and steps that were reached so far."""
        count = self.model.blocks
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

        self.exploration.all_states(abi.VisitBlock(visit))
        return found

    def saving_error(self) -> str:
        """Why the last checkpoint could not be written; empty if it could."""
        error = self._library.mc_checkpoint_error(self._engine, ctypes.byref(ctypes.c_uint64()))
        return os.strerror(error) if error else ""

    def disk_error(self) -> str:
        """What went wrong with the files of `limits.spill`; empty: nothing."""
        error = self._library.mc_spill_error(self._engine)
        return os.strerror(error) if error else ""


def leaves_fewer(within: list[int], without: list[int], times: float) -> bool:
    """By depth, how many states are at most so far away: of a search that changes nothing of that, and without it."""
    depth = min(len(within), len(without)) - 1
    return without[depth] > times * within[depth]


def engine_options(request: Request) -> abi.Options:
    limits, tuning, depth = request.limits, request.tuning, request.search.bounds.depth
    return abi.Options(
        most_states=limits.states,
        most_memory=limits.memory,
        keep_going=request.claims.goes_on,
        most_errors=ANY_NUMBER,  # of each place one is kept, so these need no room
        remember=tuning.remember,
        rounds=tuning.rounds,
        threads=limits.threads,
        compact=limits.compact,
        least_shared=tuning.least_shared,
        most_depth=NO_BOUND if depth is None else depth,
        scratch=tuning.scratch,
        spill_at=tuning.spill_at,
    )
