"""What the bytes and half-words of a RISC-V's image are, for its check: read from the symbols of its ELF file."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.isa.riscv.code import NAMES, decode
from lfc.isa.riscv.memory_map import CONTROLLERS, CORES, DEVICES, UARTS, Transmitter
from lfc.isa.riscv.text import instruction_text
from lfc.mcheck.engine.abi import ImageEffect as Effect
from lfc.mcheck.image.processor import Code
from lfc.mcheck.image.processor_32 import Processor32, Range
from lfc.mcheck.image.riscv_liveness import code_of, effects_of

STATUS = 32  # as the engine numbers what a pass must leave: behind the registers


class RiscvProcessor(Processor32):
    kind = 2
    vectors = "lf_start"

    @property
    def core(self) -> int:
        return CORES[self.board.cpu.chip]

    @property
    def devices(self) -> Sequence[Range]:
        controller = CONTROLLERS[self.board.cpu.chip]
        return [*DEVICES[self.board.cpu.chip], *controller.lines, *controller.timer]

    @property
    def lines(self) -> Sequence[Range]:
        return CONTROLLERS[self.board.cpu.chip].lines

    @property
    def uart(self) -> tuple[int, Transmitter]:
        return UARTS[self.board.cpu.chip][self.board.console.uart]

    def console(self) -> dict[str, int]:
        _, kind = self.uart
        return {"ready": kind.ready, "busy": kind.busy, "status_sends": int(kind.status == kind.data)}

    def code(self, flash: bytes) -> Code:
        return code_of(flash, self.board.flash.start, self.elf)

    def effects(self, flash: bytes, code: bytes) -> list[Effect]:
        return effects_of(flash, code)

    def text(self, flash: bytes, address: int) -> str:
        return instruction_text(decode(flash, address - self.board.flash.start))

    def register(self, number: int) -> str:
        if number < STATUS:
            return NAMES[number]
        return "the interrupt enable" if number == STATUS else "mtvec"
