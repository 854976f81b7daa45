"""What a Cortex-M and a RISC-V have alike for the built-in simulator: memory, devices that are asked and told, and
their registers: those that are not known hold what is written to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.outputs import OUTPUTS, Given, Watched
from lfc.boards.emulators.chips.console import Receiver
from lfc.isa.core_memory import CoreWithMemory
from lfc.toolchain.elf import Symbol

NOWHERE = 0xFFFFFFFF


class ChipDevices(Protocol):
    registers: dict[int, int]
    receiver: Receiver
    byte_cycles: int
    wants_reset: bool

    def listens(self) -> bool: ...
    def next_due(self) -> int: ...
    def run_due(self) -> None: ...
    def read(self, address: int, size: int) -> int: ...
    def write(self, address: int, size: int, value: int) -> None: ...


class Chip(ABC):
    """What `builtin.Simulation` needs of a processor with its devices."""

    core: CoreWithMemory
    devices: ChipDevices

    def __init__(self, board: Board, halt: Symbol | None, say: Callable[[bytes], None]) -> None:
        self.board, self.say = board, say
        self.watched: Watched | None = None
        self.given = Given(board) if board.cpu.chip in OUTPUTS else None
        self.stop_at(halt)
        self.reset()

    @abstractmethod
    def reset(self) -> None: ...

    @abstractmethod
    def look_for_interrupts(self) -> None: ...

    def watch(self, spaces: Sequence[tuple[int, int]]) -> None:
        """Those of devices; all RAM is memory."""
        core = self.core
        core.allow(self.board.ram.start, self.board.ram.size, core.READ | core.WRITE)
        for start, size in spaces:
            core.allow(start, size, core.READ | core.WRITE | core.ASK | core.TELL)
        core.watch(self._read, self._written)

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

    def sends(self) -> bool:
        """These ports have no buffer for what they send."""
        return False

    def next_due(self) -> int:
        return self.devices.next_due()

    def run_due(self) -> None:
        if self.devices.wants_reset:
            self.reset()
        self.devices.run_due()

    def _read(self, address: int, size: int) -> int:
        value = self.devices.read(address, size)
        if self.given is not None:
            shift = 8 * (address & 3)
            value = self.given.seen(address & ~3, value << shift, self.devices.registers) >> shift & (1 << 8 * size) - 1
        self.look_for_interrupts()
        return value

    def _written(self, address: int, size: int, value: int) -> None:
        self.devices.write(address, size, value)
        self.look_for_interrupts()
        if self.watched is not None:
            self.watched.look(self.devices.registers)
        due = 0 if self.devices.wants_reset else self.devices.next_due()
        self.core.state.end = min(self.core.state.end, due)

    def stop_at(self, symbol: Symbol | None) -> None:
        """What `run` ends at, in place of where the board halts."""
        self.halt = NOWHERE if symbol is None else symbol.address

    def read(self, symbol: Symbol) -> bytes:
        return self.core.get(symbol.address, symbol.size)

    def ram(self, start: int, size: int) -> bytes:
        return self.core.get(start, size)

    def fill(self, start: int, content: bytes) -> None:
        self.core.put(start, content)


class Registers:
    def __init__(self) -> None:
        self.registers: dict[int, int] = {}
        self.reads: dict[int, Callable[[int], int]] = {}
        self.writes: dict[int, Callable[[int], None]] = {}

    def read(self, address: int, size: int) -> int:
        word = address & ~3
        value = self.registers.get(word, 0)
        if word in self.reads:
            value = self.reads[word](value)
        return value >> 8 * (address & 3) & (1 << 8 * size) - 1

    def write(self, address: int, size: int, value: int) -> None:
        word, shift = address & ~3, 8 * (address & 3)
        mask = (1 << 8 * size) - 1 << shift
        value = self.registers.get(word, 0) & ~mask | value << shift & mask
        if word in self.writes:
            self.writes[word](value)
        else:
            self.registers[word] = value

    def bits(self, word: int, set_at: int, clear_at: int | None = None) -> None:
        """Registers that set and clear bits of another one."""
        self.writes[set_at] = lambda v: self.change(word, v, 0)
        self.reads[set_at] = lambda _: self.registers.get(word, 0)
        if clear_at is not None:
            self.writes[clear_at] = lambda v: self.change(word, 0, v)

    def change(self, word: int, on: int, off: int) -> None:
        self.registers[word] = (self.registers.get(word, 0) | on) & ~off
