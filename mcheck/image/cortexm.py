"""What the bytes and half-words of a Cortex-M's image are, for its check: read from the symbols of its ELF file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from lfc.boards.descriptions.kept_pages import areas_behind
from lfc.isa.thumb.memory_map import CORES, DEVICES, SYSTEM, UARTS, Transmitter
from lfc.isa.thumb.text import instruction_text
from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.mcheck.image.processor import Code, Places
from lfc.mcheck.image.processor_32 import Processor32, Range
from lfc.mcheck.image.thumb_liveness import code_of
from lfc.toolchain.elf import flash_content

REGISTERS, STACK_POINTER = 16, 13
LINES = (0xE000E100, 0x200)  # of the interrupt controller


SENDING = "lf_uart_send.sending"


class CortexmProcessor(Processor32):
    kind = 1
    vectors = "lf_vectors"

    @property
    def core(self) -> int:
        return CORES[self.board.cpu.model]

    @property
    def devices(self) -> Sequence[Range]:
        return [*DEVICES[self.board.cpu.chip], SYSTEM, *areas_behind(self.board, self.image_size)]

    @cached_property
    def image_size(self) -> int:
        return len(flash_content(self.elf, self.board.flash.start))

    @property
    def lines(self) -> Sequence[Range]:
        return [LINES]

    def mark_variables(self, found: Places, policy_size: int, block_size: int) -> None:
        super().mark_variables(found, policy_size, block_size)
        if SENDING in self.symbols:
            found.mark(Place.SENDING, self.index(SENDING))

    @property
    def uart(self) -> tuple[int, Transmitter]:
        return UARTS[self.board.cpu.chip][self.board.console.uart]

    def console(self) -> dict[str, int]:
        at, kind = self.uart
        return {"ready": kind.ready, "busy": kind.busy, "clears": at + kind.status if kind.clears else 0}

    def code(self, flash: bytes) -> Code:
        return code_of(flash, self.board.flash.start, self.elf)

    def text(self, flash: bytes, address: int) -> str:
        return instruction_text(flash, address - self.board.flash.start, self.board.flash.start)

    def register(self, number: int) -> str:
        if number == STACK_POINTER:
            return "the stack pointer"
        return f"r{number}" if number < REGISTERS else "the interrupt enable"
