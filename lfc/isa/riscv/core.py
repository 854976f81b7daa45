"""The simulator of the RISC-V cores (cores/riscv.h) from Python: memory by regions, registers, one step."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from lfc.isa import abi
from lfc.isa.abi import RiscvRegion as Region
from lfc.isa.abi import RiscvStop as Stop
from lfc.isa.library import library
from lfc.isa.riscv.memory_map import CORES as CORES

U8 = ctypes.c_uint8
READ, WRITE, STACK = abi.RISCV_READ, abi.RISCV_WRITE, abi.RISCV_STACK
ASK, TELL = abi.RISCV_ASK, abi.RISCV_TELL
SP = abi.RISCV_SP


class RiscvCore:
    """A core with its memory. The first region is the flash; of others start and size."""

    def __init__(self, has: int, flash_start: int, flash: bytes, others: list[tuple[int, int]]) -> None:
        self.library = library()
        places = [(flash_start, len(flash)), *others]
        size = sum(size for _, size in places)
        self.data, self.allowed = (U8 * size)(), (U8 * size)()
        self.executed = (U8 * (len(flash) // 2 + 1))()
        regions, at = [], 0
        for start, length in places:
            regions.append(Region(start, length, at))
            at += length
        self.places = regions
        self._regions = (Region * len(regions))(*regions[1:], regions[0])  # what is used most comes first
        self.state = abi.Riscv(
            has=has,
            region=self._regions,
            regions=len(regions),
            data=self.data,
            allowed=self.allowed,
            flash_start=flash_start,
            flash_size=len(flash),
            flash_at=0,
            executed=self.executed,
            lowest_stack=0xFFFFFFFF,
        )
        self.put(flash_start, flash)
        self.allow(flash_start, len(flash), READ)

    def index(self, address: int) -> int:
        return next(int(r.at + address - r.start) for r in self.places if 0 <= address - r.start < r.size)

    def allow(self, address: int, size: int, what: int) -> None:
        at = self.index(address)
        assert at + size <= len(self.allowed)
        ctypes.memset(ctypes.byref(self.allowed, at), what, size)

    def put(self, address: int, content: bytes) -> None:
        at = self.index(address)
        assert at + len(content) <= len(self.data)
        ctypes.memmove(ctypes.byref(self.data, at), content, len(content))

    def get(self, address: int, size: int) -> bytes:
        at = self.index(address)
        return ctypes.string_at(ctypes.byref(self.data, at), size)

    def watch(self, ask: Callable[[int, int], int | None], tell: Callable[[int, int, int], None]) -> None:
        """`ask` (address, size) says what a read gives, None: a bad load; `tell` (address, size, value) is told."""

        def asked(_: object, at: int, address: int, size: int) -> bool:
            value = ask(address, size)
            if value is None:
                return False
            self.data[at : at + size] = list(value.to_bytes(size, "little"))
            return True

        def told(_: object, at: int, address: int, size: int) -> None:
            tell(address, size, int.from_bytes(bytes(self.data[at : at + size]), "little"))

        self.state.ask, self.state.tell = abi.RiscvAsk(asked), abi.RiscvTell(told)

    def reset(self) -> None:
        self.library.riscv_reset(self.state)

    def step(self) -> Stop:
        return Stop(self.library.riscv_step(self.state))

    def waits(self) -> int:
        """The number of the interrupt that is to be taken."""
        return int(self.library.riscv_waits(self.state))

    def trap(self, cause: int, value: int = 0) -> None:
        self.library.riscv_trap(self.state, cause, value)

    def run_to(self, stop: int, cycles: int) -> Stop:
        return Stop(self.library.riscv_run_to(self.state, stop, cycles))
