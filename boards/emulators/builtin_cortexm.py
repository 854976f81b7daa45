"""A Cortex-M with its devices, for the built-in simulator."""

from __future__ import annotations

from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.builtin_console import Happened, Receiver
from lfc.boards.emulators.builtin_devices import Devices
from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.thumb.core import ASK, READ, TELL, WRITE, ThumbCore
from lfc.isa.thumb.memory_map import CORES, DEVICES, SYSTEM
from lfc.toolchain.elf import Symbol, read_load_segments

HARD_FAULT, SUPERVISOR = 3, 11  # exceptions
FAULTS = (
    *(Stop.ILLEGAL, Stop.OUTSIDE, Stop.BAD_LOAD, Stop.BAD_STORE),
    *(Stop.UNALIGNED, Stop.NO_THUMB, Stop.BREAKS),
)


class Cortexm:
    """What `builtin.Simulation` needs of a processor with its devices."""

    def __init__(
        self, board: Board, elf: bytes, symbols: dict[str, Symbol], halt: Symbol | None, say: Callable[[bytes], None]
    ) -> None:
        self.board, self.say = board, say
        ram, spaces = board.ram, [*DEVICES[board.cpu.chip], SYSTEM]
        flash = flash_of(board, elf)
        self.core = ThumbCore(CORES[board.cpu.model], board.flash.start, flash, [(ram.start, ram.size), *spaces])
        self.core.allow(ram.start, ram.size, READ | WRITE)
        for start, size in spaces:
            self.core.allow(start, size, READ | WRITE | ASK | TELL)
        self.core.watch(self._read, self._written)
        self.halt = halt.address if halt is not None else 0xFFFFFFFF
        self.reset()

    def reset(self) -> None:
        self.devices = Devices(self.board, lambda: self.cycles, self.say)
        self.core.reset()

    @property
    def cycles(self) -> int:
        return int(self.core.state.cycles)

    def skip_to(self, cycles: int) -> None:
        self.core.state.cycles = max(self.cycles, cycles)

    @property
    def receiver(self) -> Receiver:
        return self.devices.receiver

    @property
    def byte_cycles(self) -> int:
        return self.devices.byte_cycles

    def listens(self) -> bool:
        return self.devices.listens()

    def next_due(self) -> int:
        return self.devices.next_due()

    def run_due(self) -> None:
        if self.devices.wants_reset:
            self.reset()
        self.devices.run_due()

    def look_for_interrupts(self) -> None:
        self.core.state.waits = self.devices.interrupts.next()

    def _read(self, address: int, size: int) -> int:
        value = self.devices.read(address, size)
        self.look_for_interrupts()
        return value

    def _written(self, address: int, size: int, value: int) -> None:
        self.devices.write(address, size, value)
        self.look_for_interrupts()
        due = 0 if self.devices.wants_reset else self.devices.next_due()
        self.core.state.end = min(self.core.state.end, due)

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
        if stop is Stop.SLEEPS:
            return Happened.RAN if self.core.state.waits else Happened.SLEPT
        if stop is Stop.AT_STOP:
            return Happened.HALTED
        return Happened.RAN if stop in (Stop.RUNS, Stop.TOO_LONG) else Happened.CRASHED

    def read(self, symbol: Symbol) -> bytes:
        return self.core.get(symbol.address, symbol.size)

    def ram(self, start: int, size: int) -> bytes:
        return self.core.get(start, size)

    def fill(self, start: int, content: bytes) -> None:
        self.core.put(start, content)


def flash_of(board: Board, elf: bytes) -> bytes:
    start, content = board.flash.start, bytearray()
    for segment in read_load_segments(elf):
        at = segment.load_address - start
        content.extend(b"\xff" * (at - len(content)))
        content[at:] = segment.content
    return bytes(content) + b"\xff" * (len(content) % 2)
