"""A Cortex-M with its devices, for the built-in simulator."""

from __future__ import annotations

from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import USB
from lfc.boards.descriptions.kept_pages import areas_behind
from lfc.boards.emulators.chips.chip import NOWHERE, Chip
from lfc.boards.emulators.chips.console import Happened
from lfc.boards.emulators.chips.cortexm_devices import Devices
from lfc.boards.emulators.chips.flash_controllers import KeptFlash
from lfc.boards.emulators.chips.rp_devices import Rp2040, Rp2350
from lfc.boards.emulators.chips.samd21_devices import Samd21
from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.thumb.core import ThumbCore
from lfc.isa.thumb.memory_map import CORES, DEVICES, SYSTEM
from lfc.toolchain.elf import Symbol, flash_content

DEVICES_OF: dict[str, type[Devices]] = {
    "rp2040": Rp2040,
    "rp2350": Rp2350,
    "samd21g18": Samd21,
}  # of chips with some of their own
HARD_FAULT, SUPERVISOR = 3, 11  # exceptions
FAULTS = (
    *(Stop.ILLEGAL, Stop.OUTSIDE, Stop.BAD_LOAD, Stop.BAD_STORE),
    *(Stop.UNALIGNED, Stop.NO_THUMB, Stop.BREAKS),
)


class Cortexm(Chip):
    core: ThumbCore
    devices: Devices

    def __init__(
        self, board: Board, elf: bytes, symbols: dict[str, Symbol], halt: Symbol | None, say: Callable[[bytes], None]
    ) -> None:
        ram, spaces = board.ram, [*DEVICES[board.cpu.chip], SYSTEM]
        flash = flash_content(elf, board.flash.start)
        self.kept: dict[int, int] = {}  # words of flash that the program has written
        pages = areas_behind(board, len(flash))
        self.has_pages = bool(pages)
        spaces += pages
        self.core = ThumbCore(CORES[board.cpu.model], board.flash.start, flash, [(ram.start, ram.size), *spaces])
        super().__init__(board, halt, say)
        self.end = range(0)  # where it stays, and goes on to answer a host
        if board.console.uart == USB and halt is not None:
            self.end, self.halt = range(halt.address, halt.address + halt.size), NOWHERE
        self.watch(spaces)

    def reset(self) -> None:
        self.devices = DEVICES_OF.get(self.board.cpu.chip, Devices)(self.board, lambda: self.cycles, self.say)
        self.devices.ram = self.core
        if self.has_pages:
            KeptFlash(self.board, self.kept, self.devices, lambda: self.cycles)
        self.core.reset()
        if self.devices.table != self.board.flash.start:  # what lies before is the ROM's, which is not here
            self.core.start_at(self.devices.table)

    def sends(self) -> bool:
        return self.devices.sends()

    def look_for_interrupts(self) -> None:
        self.core.state.waits = self.devices.interrupts.next()

    def run(self, cycles: int) -> Happened:
        stop = self.core.run_to(self.halt, cycles)
        if stop is Stop.INTERRUPTED:
            exception = self.core.state.waits
            self.devices.interrupts.taken(exception)
            stop = self.core.enter(exception, self.devices.table)
        elif stop is Stop.CALLS_SUPERVISOR:
            stop = self.core.enter(SUPERVISOR, self.devices.table)
        elif stop in FAULTS and self.core.state.ipsr != HARD_FAULT:
            stop = self.core.enter(HARD_FAULT, self.devices.table)
        if stop is Stop.SLEEPS and self.core.state.r[15] in self.end and not self.sends():
            return Happened.HALTED
        if stop is Stop.SLEEPS:
            return Happened.RAN if self.core.state.waits else Happened.SLEPT
        if stop is Stop.AT_STOP:
            return Happened.HALTED
        return Happened.RAN if stop in (Stop.RUNS, Stop.TOO_LONG) else Happened.CRASHED
