"""What the bytes and half-words of a RISC-V's image are, for its check: read from the symbols of its ELF file."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.isa.riscv.code import NAMES, decode
from lfc.isa.riscv.memory_map import CONTROLLERS, CORES, DEVICES, UARTS, Transmitter
from lfc.isa.riscv.text import instruction_text
from lfc.mcheck.engine.abi import ImageEffect as Effect
from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.mcheck.image.cortexm import index_in
from lfc.mcheck.image.processor import Code, Places, Processor
from lfc.mcheck.image.riscv_liveness import code_of, effects_of
from lfc.toolchain.elf import read_sections

STATUS = 32  # as the engine numbers what a pass must leave: behind the registers


class RiscvProcessor(Processor):
    kind = 2
    vectors = "lf_start"
    count = "milliseconds"

    @property
    def core(self) -> int:
        return CORES[self.board.cpu.chip]

    def index(self, name: str) -> int:
        found = self.symbols.get(name)
        ram = self.board.ram
        return found.address - ram.start if found is not None and 0 <= found.address - ram.start < ram.size else 0

    def places(self, policy_size: int, block_size: int, interrupts: Sequence[int], stack: int | None) -> Places:
        board, ram = self.board, self.board.ram
        controller = CONTROLLERS[board.cpu.chip]
        found = Places(bytearray(ram.size), 0, self.symbols["lf_stack_top"].address - ram.start)
        found.regions.append((ram.start, ram.size, 0))
        for start, size in [*DEVICES[board.cpu.chip], *controller.lines, *controller.timer]:
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
        at, kind = self._uart()
        found.mark(Place.SEND, index_in(found, at + kind.data), 4)
        found.mark(Place.STATUS, index_in(found, at + kind.status), 4)
        if interrupts:
            for start, size in controller.lines:
                found.mark(Place.LINES, index_in(found, start), size)
        return found

    def _uart(self) -> tuple[int, Transmitter]:
        return UARTS[self.board.cpu.chip][self.board.console.uart]

    def console(self) -> dict[str, int]:
        _, kind = self._uart()
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
