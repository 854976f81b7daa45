"""The simulator of the RISC-V cores (cores/riscv.h) from Python: memory by regions, registers, one step."""

from __future__ import annotations

from lfc.isa import abi
from lfc.isa.abi import RiscvRegion as Region
from lfc.isa.abi import RiscvStop as Stop
from lfc.isa.core_memory import CoreWithMemory
from lfc.isa.riscv.memory_map import CORES as CORES

READ, WRITE, STACK = abi.RISCV_READ, abi.RISCV_WRITE, abi.RISCV_STACK
ASK, TELL = abi.RISCV_ASK, abi.RISCV_TELL
SP = abi.RISCV_SP


class RiscvCore(CoreWithMemory):
    Region, State, Ask, Tell = Region, abi.Riscv, abi.RiscvAsk, abi.RiscvTell
    READ, WRITE, ASK, TELL = READ, WRITE, ASK, TELL

    def __init__(self, has: int, flash_start: int, flash: bytes, others: list[tuple[int, int]]) -> None:
        super().__init__(flash_start, flash, others, has=has)

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
        stopped = Stop(self.library.riscv_run_to(self.state, stop, cycles))
        self.failure.raise_it()
        return stopped
