"""Searches by one thread at a time, for Python: what all strategies but breadth-first share."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lfc.mcheck.engine import abi
from lfc.mcheck.engine import library as lib
from lfc.mcheck.request.bounds import NO_BOUND
from lfc.mcheck.search.strategies.exploration import Account, Setting

if TYPE_CHECKING:
    from lfc.mcheck.search.strategies.heuristics import Estimate

U32, U64 = ctypes.c_uint32, ctypes.c_uint64
SHORTENED = 10_000  # steps; longer ways are left as they are
NEAR = 2000  # states beside a way that is made shorter


How = abi.How


class Walk:
    """A search on an engine's tables. Each strategy says how, and what else it needs."""

    how: How
    lossy = False
    shortens = True  # its paths are found by chance, not by their length
    usual_depth = 0  # steps, if none are asked for; 0: any number
    told: Account | None = None

    def __init__(self, setting: Setting) -> None:
        request, wide = setting.request, setting.model.machine.wide
        b, estimates = request.search.bounds, self.estimates(setting)
        self._library = lib.library(wide)
        self._slots, self._block_size = abi.MOST_SLOTS[wide], setting.model.block_size
        self.stuck_unknown = False
        self._kept = [(U32 * len(e.cost))(*e.cost) for e in estimates]
        given = [abi.Estimate(array, e.adds) for array, e in zip(self._kept, estimates, strict=True)]
        options = abi.WalkOptions(
            most_stored=request.tuning.stored,
            how=self.how,
            find_stuck=request.claims.partial_deadlocks,
            estimates=len(given),
            estimate=(abi.Estimate * abi.MOST_ESTIMATES)(*given),
            seed=b.seed,
            most_steps=b.steps,
            most_depth=self.usual_depth if b.depth is None else b.depth,
            most_contexts=NO_BOUND if b.contexts is None else b.contexts,
            searches=b.searches,
            threads=request.limits.threads,
        )
        self._walk = self._library.mc_walk_new(setting.engine, ctypes.byref(options))
        if not self._walk:
            raise MemoryError("the checker cannot reserve its tables")

    def estimates(self, setting: Setting) -> Sequence[Estimate]:
        """How far it is to an error, of a directed search."""
        return ()

    def close(self) -> None:
        if self._walk:
            self._library.mc_walk_free(self._walk)
            self._walk = None

    def run(self, seconds: float) -> int:
        return int(self._library.mc_walk_run(self._walk, seconds))

    def reduced_states(self) -> int:
        return int(self._library.mc_walk_reduced(self._walk))

    @property
    def statistics(self) -> abi.Statistics:
        found: abi.Statistics = self._library.mc_walk_statistics(self._walk).contents
        return found

    @property
    def counts(self) -> abi.WalkCounts:
        found: abi.WalkCounts = self._library.mc_walk_get_counts(self._walk).contents
        return found

    def errors(self) -> list[abi.Error]:
        """The first of each kind and place; `state` names the way to it."""
        found: list[abi.Error] = []
        error = abi.Error()
        while self._library.mc_walk_error(self._walk, len(found), ctypes.byref(error)):
            found.append(error)
            error = abi.Error()
        return found

    def find_stuck(self) -> tuple[int, list[int]] | None:
        """`stuck_unknown` says afterwards that it could not be found out."""
        if self.lossy:
            self.stuck_unknown = True
            return None
        number = U64()
        slots = (ctypes.c_uint8 * self._slots)()
        found = self._library.mc_walk_stuck(self._walk, ctypes.byref(number), slots)
        self.stuck_unknown = found > 1
        if found != 1:
            return None
        self.shorten(number.value)
        return number.value, [i for i, x in enumerate(slots) if x]

    def shorten(self, number: int, around: int = NEAR) -> None:
        """Very long ones are left as they are."""
        if self.shortens and self.length(number) <= SHORTENED:
            self._library.mc_walk_shorten(self._walk, number, around)

    def blocks_to(self, number: int) -> list[bytes]:
        length, size = self.length(number), self._block_size
        room = ctypes.create_string_buffer((length + 1) * size)
        if not self._library.mc_walk_blocks(self._walk, number, room):
            raise RuntimeError("a recorded successor is not there")
        return [room.raw[i * size : (i + 1) * size] for i in range(length + 1)]

    def ordinals_to(self, number: int) -> list[int]:
        length = self.length(number)
        ordinals = (U32 * max(1, length))()
        self._library.mc_walk_way(self._walk, number, ordinals, length)
        return list(ordinals[:length])

    def length(self, number: int) -> int:
        return int(self._library.mc_walk_way(self._walk, number, None, 0))

    def all_states(self, visit: object) -> None:
        self._library.mc_walk_all_states(self._walk, visit, None)
