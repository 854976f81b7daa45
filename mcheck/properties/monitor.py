"""Property processes, compiled: a step of the automaton from the program's state, its own, and the last meeting.

A `Watcher` is a pure function: it knows no search.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lfc.actions.layout.frames import aligned
from lfc.actions.model.machine import Machine
from lfc.codegen.module.before_block import ROOM_OF_POLICIES
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.module.scope import FAULTED
from lfc.codegen.monitors import ACCEPTS, CANNOT_MOVE, ENDED
from lfc.codegen.program import generate
from lfc.run.load_code import LoadedCode
from lfc.run.native import host_target
from lfc.run.quick import quick_objects

NAMES = ("lf_property_step", "lf_property_start")


@dataclass(frozen=True, slots=True)
class Move:
    """One successor of the automaton. A fault has no state."""

    state: bytes
    accepts: bool
    ended: bool = False
    fault: tuple[int, int] | None = None  # kind, number of the site


class Watcher:
    """One property process of a program."""

    def __init__(self, machine: Machine, which: int) -> None:
        generated = generate(machine, host_target(), watchers=machine.properties)
        self.sites: list[FaultSite] = generated.sites
        self.of = machine.properties[which]
        self.which = which
        self._code: Mapping[str, int] = LoadedCode(quick_objects(generated.ir, wide=machine.wide), NAMES)
        u32, u8, pointer = ctypes.c_uint32, ctypes.c_uint8, ctypes.c_void_p
        self._step = ctypes.CFUNCTYPE(u32, pointer, u8, u32, u8)(self._code["lf_property_step"])
        self._start = ctypes.CFUNCTYPE(None, pointer, u8)(self._code["lf_property_start"])
        self.program_size = machine.block_size
        self.at = aligned(self.program_size, 4)
        self.size = self.of.size
        self._memory = ctypes.create_string_buffer(ROOM_OF_POLICIES + self.at + self.size + 64)
        self._block = (ctypes.addressof(self._memory) + ROOM_OF_POLICIES + 63) // 64 * 64

    def initial(self) -> bytes:
        ctypes.memset(self._block, 0, self.at + self.size)
        self._start(self._block, self.which)
        return ctypes.string_at(self._block + self.at, self.size)

    def moves(self, block: bytes, state: bytes, taken: int) -> Iterator[Move]:
        """From `state`, when an action with this meeting (0: none) has led the program to `block`."""
        branch, branches = 0, 1
        while branch < branches:
            ctypes.memmove(self._block, block, self.program_size)
            ctypes.memmove(self._block + self.at, state, self.size)
            result = self._step(self._block, self.which, taken, branch)
            if ctypes.string_at(self._block, self.program_size) != block:
                raise AssertionError(f"property {self.of.of.name} has changed the program's state")
            if result & FAULTED:
                yield Move(b"", False, fault=(result >> 16 & 0xFF, result & 0xFFFF))
            elif not result & CANNOT_MOVE:
                after = ctypes.string_at(self._block + self.at, self.size)
                yield Move(after, bool(result & ACCEPTS), bool(result & ENDED))
            branches = max(branches, result & 0xFF) if not result & FAULTED else branches
            branch += 1
