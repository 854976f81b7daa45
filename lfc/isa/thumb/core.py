"""The simulator of the Cortex-M cores (cores/thumb.h) from Python: memory by regions, registers, one step."""

from __future__ import annotations

from lfc.isa import abi
from lfc.isa.abi import ThumbRegion as Region
from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.core_memory import CoreWithMemory

READ, WRITE, STACK = abi.THUMB_READ, abi.THUMB_WRITE, abi.THUMB_STACK
ASK, TELL = abi.THUMB_ASK, abi.THUMB_TELL
SP, LR, PC = abi.THUMB_SP, abi.THUMB_LR, abi.THUMB_PC
CORES = {
    "cortex-m0": abi.ThumbCore.M0,
    "cortex-m0plus": abi.ThumbCore.M0PLUS,
    "cortex-m3": abi.ThumbCore.M3,
    "cortex-m4": abi.ThumbCore.M4,
    "cortex-m33": abi.ThumbCore.M33,
}


class ThumbCore(CoreWithMemory):
    Region, State, Ask, Tell = Region, abi.Thumb, abi.ThumbAsk, abi.ThumbTell
    READ, WRITE, ASK, TELL = READ, WRITE, ASK, TELL

    def __init__(self, core: int, flash_start: int, flash: bytes, others: list[tuple[int, int]]) -> None:
        super().__init__(flash_start, flash, others, core=core)

    def reset(self) -> Stop:
        return Stop(self.library.thumb_reset(self.state))

    def start_at(self, table: int) -> None:
        """With the stack and the entry that a table of vectors begins with."""
        self.state.r[SP], entry = (int.from_bytes(self.get(table + at, 4), "little") for at in (0, 4))
        self.state.r[PC] = entry & ~1

    def step(self) -> Stop:
        return Stop(self.library.thumb_step(self.state))

    def enter(self, number: int, table: int) -> Stop:
        """Takes an exception."""
        return Stop(self.library.thumb_enter(self.state, number, table))

    def run_to(self, stop: int, cycles: int) -> Stop:
        stopped = Stop(self.library.thumb_run_to(self.state, stop, cycles))
        self.failure.raise_it()
        return stopped
