"""What the bytes of an image are on processors of 32 bits with one address space: read from the symbols of its ELF."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.mcheck.image.processor import Places, Processor
from lfc.toolchain.elf import read_sections

Range = tuple[int, int]  # first address, size


class Transmitter(Protocol):
    """Of a UART: addresses relative to it."""

    @property
    def status(self) -> int: ...

    @property
    def data(self) -> int: ...


class Processor32(Processor):
    count = "milliseconds"

    @property
    @abstractmethod
    def devices(self) -> Sequence[Range]: ...

    @property
    @abstractmethod
    def lines(self) -> Sequence[Range]:
        """Of the interrupt controller."""

    @property
    @abstractmethod
    def uart(self) -> tuple[int, Transmitter]:
        """Of the console, and where it is."""

    def index(self, name: str) -> int:
        found = self.symbols.get(name)
        ram = self.board.ram
        return found.address - ram.start if found is not None and 0 <= found.address - ram.start < ram.size else 0

    def places(self, policy_size: int, block_size: int, interrupts: Sequence[int], stack: int | None) -> Places:
        ram = self.board.ram
        found = Places(bytearray(ram.size), 0, self.symbols["lf_stack_top"].address - ram.start)
        found.regions.append((ram.start, ram.size, 0))
        for start, size in self.devices:
            found.regions.append((start, size, len(found.place)))
            found.place += bytes([Place.DEVICE]) * size
        used = 0
        for section in read_sections(self.elf):
            if 0 <= section.address - ram.start < ram.size:
                used = max(used, section.address - ram.start + section.size)
                if section.has_content:
                    found.mark(Place.CONSTANT, section.address - ram.start, section.size)
        self.mark_variables(found, policy_size, block_size)
        found.stack_low = used if stack is None else max(used, found.stack_end - stack)
        found.mark(Place.STACK, found.stack_low, found.stack_end - found.stack_low)
        at, uart = self.uart
        found.mark(Place.SEND, found.index(at + uart.data), 4)
        found.mark(Place.STATUS, found.index(at + uart.status), 4)
        for start, size in self.lines if interrupts else ():
            found.mark(Place.LINES, found.index(start), size)
        return found
