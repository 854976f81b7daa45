"""Breadth-first search: level by level, by several threads, on disk where memory is used up; its paths are shortest."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING

from lfc.mcheck.engine import abi

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lfc.mcheck.model.compiled_model import CompiledModel
    from lfc.mcheck.search.strategies.exploration import Setting


class SpillError(Exception):
    """A folder in which nothing can be written."""


class BreadthFirst:
    told = None

    def __init__(self, setting: Setting) -> None:
        """Raises SpillError."""
        self.stuck_unknown = False
        self._engine, self._model = setting.engine, setting.model
        self._library = setting.model.library
        folder = setting.request.limits.spill
        error = self._library.mc_spill_into(self._engine, os.fsencode(folder)) if folder else 0
        if error:
            raise SpillError(f"{folder} cannot be written: {os.strerror(error)}")

    def run(self, seconds: float) -> int:
        return int(self._library.mc_search(self._engine, seconds))

    def close(self) -> None:
        """The engine's tables are all it has."""

    @property
    def statistics(self) -> abi.Statistics:
        found: abi.Statistics = self._library.mc_get_statistics(self._engine).contents
        return found

    def reduced_states(self) -> int:
        return int(self._library.mc_reduced_states(self._engine))

    def errors(self) -> list[abi.Error]:
        found: list[abi.Error] = []
        error = abi.Error()
        while self._library.mc_get_error(self._engine, len(found), ctypes.byref(error)):
            found.append(error)
            error = abi.Error()
        return found

    def find_stuck(self) -> tuple[int, list[int]] | None:
        state = ctypes.c_uint64()
        slots = (ctypes.c_uint8 * abi.MOST_SLOTS[self._model.machine.wide])()
        found = self._library.mc_stuck(self._engine, ctypes.byref(state), slots)
        self.stuck_unknown = found > 1
        return (state.value, [i for i, x in enumerate(slots) if x]) if found == 1 else None

    def shorten(self, state: int) -> None:
        """It is as short as can be."""

    def ordinals_to(self, state: int) -> list[int]:
        length = self._library.mc_path_to(self._engine, state, None, 0)
        ordinals = (ctypes.c_uint32 * max(1, length))()
        self._library.mc_path_to(self._engine, state, ordinals, length)
        return list(ordinals[:length])

    def blocks_to(self, state: int) -> list[bytes]:
        return blocks_along(self._engine, self._model, self.ordinals_to(state))

    def all_states(self, visit: object) -> None:
        self._library.mc_all_states(self._engine, visit, None)


def blocks_along(engine: int, model: CompiledModel, way: Sequence[int]) -> list[bytes]:
    """The first block, and the one behind each step. `way`: which successor is taken in each."""
    length, size = len(way), model.block_size
    ordinals = (ctypes.c_uint32 * max(1, length))(*way)
    room = ctypes.create_string_buffer((length + 1) * size)
    if not model.library.mc_blocks_along(engine, ordinals, length, room):
        raise RuntimeError("a recorded successor is not there")
    return [room.raw[i * size : (i + 1) * size] for i in range(length + 1)]
