"""What the bytes and half-words of a Cortex-M's image are, for its check: read from the symbols of its ELF file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lfc.isa.thumb.text import instruction_text
from lfc.mcheck.engine.image_abi import Place
from lfc.mcheck.image.processor import Code, Places, Processor
from lfc.mcheck.image.thumb_liveness import code_of
from lfc.toolchain.elf import read_sections

CORES = {"cortex-m0": 0, "cortex-m0plus": 1, "cortex-m3": 2, "cortex-m4": 3}  # enum thumb_core of thumb.h
REGISTERS, STACK_POINTER = 16, 13
SYSTEM = (0xE000E000, 0x1000)  # SysTick, interrupt controller, system control
LINES = (0xE000E100, 0x200)  # of the interrupt controller
DEVICES = {  # where the chip has any: first addresses, sizes
    "nrf51822": [(0x40000000, 0x20000), (0x50000000, 0x1000)],
    "stm32f100": [(0x40000000, 0x24000)],
    "stm32f103": [(0x40000000, 0x24000)],
    "stm32f405": [(0x40000000, 0x80000), (0x50000000, 0x61000)],
    "lm3s6965": [(0x40000000, 0x60000), (0x400FC000, 0x4000)],
    "rp2040": [(0x40000000, 0x70000), (0xD0000000, 0x200), (0x18000000, 0x100), (0x50200000, 0x4000)],
}


@dataclass(frozen=True, slots=True)
class Transmitter:
    """Of a kind of UART: offsets of its registers, and what its status says."""

    status: int
    data: int
    ready: int
    busy: int
    clears: bool = False  # the status is set to 0 before each byte


NRF51 = Transmitter(0x11C, 0x51C, 1, 0, clears=True)
STM32 = Transmitter(0x00, 0x04, 0x80, 0)
PL011 = Transmitter(0x18, 0x00, 0, 0x20)
F1_UARTS = {"USART1": (0x40013800, STM32), "USART2": (0x40004400, STM32), "USART3": (0x40004800, STM32)}
UARTS = {
    "nrf51822": {"UART0": (0x40002000, NRF51)},
    "stm32f100": F1_UARTS,
    "stm32f103": F1_UARTS,
    "stm32f405": F1_UARTS | {"USART1": (0x40011000, STM32), "USART6": (0x40011400, STM32)},
    "lm3s6965": {"UART0": (0x4000C000, PL011)},
    "rp2040": {"UART0": (0x40034000, PL011), "UART1": (0x40038000, PL011)},
}
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
        return f"r{number}" if number < REGISTERS else "that interrupts are on"


def index_in(places: Places, address: int) -> int:
    return next(at + address - start for start, size, at in places.regions if 0 <= address - start < size)
