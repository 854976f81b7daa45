"""A RISC-V with its devices, for the built-in simulator."""

from __future__ import annotations

from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.chips.chip import Chip
from lfc.boards.emulators.chips.console import Happened
from lfc.boards.emulators.chips.esp32_devices import Esp32
from lfc.boards.emulators.chips.riscv_devices import Ch32v003, Fe310, Gd32vf103
from lfc.isa.abi import RiscvStop as Stop
from lfc.isa.riscv.core import RiscvCore
from lfc.isa.riscv.memory_map import CONTROLLERS, CORES, DEVICES
from lfc.toolchain.elf import Symbol, flash_content

CHIPS: dict[str, type[Fe310 | Ch32v003 | Esp32]] = {
    **{"fe310": Fe310, "ch32v003": Ch32v003, "esp32c3": Esp32, "esp32c6": Esp32},
    "gd32vf103": Gd32vf103,
}
WITHOUT_MIE = ("ch32v003", "esp32c3", "gd32vf103")
INTERRUPT = 1 << 31
CAUSES = {  # of a trap: what went wrong
    Stop.OUTSIDE: 1,
    Stop.ILLEGAL: 2,
    Stop.BREAKS: 3,
    Stop.BAD_LOAD: 5,
    Stop.UNALIGNED: 6,
    Stop.BAD_STORE: 7,
    Stop.CALLS_SUPERVISOR: 11,
}


class Riscv(Chip):
    core: RiscvCore
    devices: Fe310 | Ch32v003 | Esp32

    def __init__(
        self, board: Board, elf: bytes, symbols: dict[str, Symbol], halt: Symbol | None, say: Callable[[bytes], None]
    ) -> None:
        controller = CONTROLLERS[board.cpu.chip]
        spaces = [*DEVICES[board.cpu.chip], *controller.lines, *controller.timer]
        flash, ram = flash_content(elf, board.flash.start), board.ram
        self.core = RiscvCore(CORES[board.cpu.chip], board.flash.start, flash, [(ram.start, ram.size), *spaces])
        super().__init__(board, halt, say)
        self.watch(spaces)

    def reset(self) -> None:
        self.devices = CHIPS[self.board.cpu.chip](self.board, lambda: self.cycles, self.say)
        self.core.reset()
        if self.board.cpu.chip in WITHOUT_MIE:
            self.core.state.mie = 1  # of what stands for all

    def look_for_interrupts(self) -> None:
        self.core.state.mip = self.devices.pending()

    def run(self, cycles: int) -> Happened:
        stop = self.core.run_to(self.halt, cycles)
        if stop is Stop.INTERRUPTED:
            self.core.trap(INTERRUPT | self.devices.waiting())
            return Happened.RAN
        if stop in CAUSES:
            return self._fault(CAUSES[stop])
        if stop is Stop.SLEEPS:
            return Happened.RAN if self.core.waits() else Happened.SLEPT
        if stop is Stop.AT_STOP:
            return Happened.HALTED
        return Happened.RAN if stop in (Stop.RUNS, Stop.TOO_LONG) else Happened.CRASHED

    def _fault(self, cause: int) -> Happened:
        """Its trap is told where it came from; a fault before there is any entry of traps is the end."""
        state = self.core.state
        state.pc = state.now
        if not state.mtvec or state.mcause == cause and state.mepc == state.now:
            return Happened.CRASHED
        self.core.trap(cause, int(state.where))
        return Happened.RAN
