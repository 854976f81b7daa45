"""What the bytes and half-words of a Cortex-M's image are, for its check: read from the symbols of its ELF file."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.isa.thumb.memory_map import CORES, DEVICES, SYSTEM, UARTS, Transmitter
from lfc.isa.thumb.text import instruction_text
from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.mcheck.image.processor import Code, Places, Processor
from lfc.mcheck.image.thumb_liveness import code_of
from lfc.toolchain.elf import read_sections

REGISTERS, STACK_POINTER = 16, 13
LINES = (0xE000E100, 0x200)  # of the interrupt controller


SENDING = "lf_uart_send.sending"


class CortexmProcessor(Processor):
    kind = 1
    vectors = "lf_vectors"
    count = "milliseconds"

    @property
    def core(self) -> int:
        return CORES[self.board.cpu.model]

    def index(self, name: str) -> int:
        found = self.symbols.get(name)
        ram = self.board.ram
        return found.address - ram.start if found is not None and 0 <= found.address - ram.start < ram.size else 0

    def places(self, policy_size: int, block_size: int, interrupts: Sequence[int], stack: int | None) -> Places:
        board, ram = self.board, self.board.ram
        found = Places(bytearray(ram.size), 0, self.symbols["lf_stack_top"].address - ram.start)
        found.regions.append((ram.start, ram.size, 0))
        for start, size in [*DEVICES[board.cpu.chip], SYSTEM]:
            found.regions.append((start, size, len(found.place)))
            found.place += bytes([Place.DEVICE]) * size
        used = 0
        for section in read_sections(self.elf):
            if 0 <= section.address - ram.start < ram.size:
                used = max(used, section.address - ram.start + section.size)
                if section.has_content:
                    found.mark(Place.CONSTANT, section.address - ram.start, section.size)
        self.mark_variables(found, policy_size, block_size)
        if SENDING in self.symbols:
            found.mark(Place.SENDING, self.index(SENDING))
        found.stack_low = used if stack is None else max(used, found.stack_end - stack)
        found.mark(Place.STACK, found.stack_low, found.stack_end - found.stack_low)
        at, kind = self._uart()
        found.mark(Place.STATUS, index_in(found, at + kind.status), 4)
        found.mark(Place.SEND, index_in(found, at + kind.data), 4)
        if interrupts:
            found.mark(Place.LINES, index_in(found, LINES[0]), LINES[1])
        return found

    def _uart(self) -> tuple[int, Transmitter]:
        return UARTS[self.board.cpu.chip][self.board.console.uart]

    def console(self) -> dict[str, int]:
        at, kind = self._uart()
        return {"ready": kind.ready, "busy": kind.busy, "clears": at + kind.status if kind.clears else 0}

    def code(self, flash: bytes) -> Code:
        return code_of(flash, self.board.flash.start, self.elf)

    def text(self, flash: bytes, address: int) -> str:
        return instruction_text(flash, address - self.board.flash.start, self.board.flash.start)

    def register(self, number: int) -> str:
        if number == STACK_POINTER:
            return "the stack pointer"
        return f"r{number}" if number < REGISTERS else "the interrupt enable"


def index_in(places: Places, address: int) -> int:
    return next(at + address - start for start, size, at in places.regions if 0 <= address - start < size)
