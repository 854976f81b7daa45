"""What the bytes and words of an AVR image are, for its check: read from the symbols of its ELF file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import CHIPS
from lfc.isa.avr.code import Does, Instruction, decode
from lfc.isa.avr.liveness import KEPT_BY_CALLS, Liveness, bits, registers_of
from lfc.isa.avr.text import instruction_text
from lfc.mcheck.engine.abi import IMAGE_CODE as EXECUTABLE
from lfc.mcheck.engine.abi import IMAGE_ENTRY as ENTRY
from lfc.mcheck.engine.abi import IMAGE_JOIN as JOIN
from lfc.mcheck.engine.abi import IMAGE_RETURNS_TO as RETURNS_TO
from lfc.mcheck.engine.abi import ImageEffect as Effect
from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.mcheck.image.avr_effects import effects_of
from lfc.mcheck.image.processor import EVERYTHING_LIVE, Code, Places, Processor, live_before
from lfc.toolchain.elf import DATA_SPACE, Symbol, read_sections

DATA_SIZE = 0x10000
FAR_FLASH = 128 * 1024
SMALL = 2  # of enum in avr_processor.c
REGISTERS = 32
STACK_LOW, STACK_HIGH, STATUS, RAMPZ, EIND = 0x5D, 0x5E, 0x5F, 0x5B, 0x5C
SLEEP_CONTROL = 0x53  # of an ATmega; an ATtiny's is a register that programs share
UART_STATUS, UART_CONTROL, UART_DATA = 0xC0, 0xC1, 0xC6
READY = 0x20  # in the status; in the control: it interrupts then
OTHER_INTERRUPTS = 0xC0  # in the control
TRANSMIT_BUFFER, QUEUED, SENT = "lf_console_out", "lf_console_queued", "lf_console_sent"
SLEEP_ENABLED = 1  # in the idle mode, in which timers and the USART go on
MASKS_OF_TINY = {0x26, 0x28, 0x2D, 0x3C, 0x41, 0x59, 0x5B}
MASKS = {0x3D, 0x68, *range(0x6E, 0x74), 0x4C, 0xC1, 0xC9, 0xD1, 0x131, 0x7A, 0x3F, 0x50, 0xBC, 0x57}


class AvrProcessor(Processor):
    kind = 0
    vectors = "__vectors"
    count = "lf_port_count"

    def __init__(self, board: Board, elf: bytes) -> None:
        super().__init__(board, elf)
        self.small = CHIPS[board.cpu.chip].small
        if not self.small:
            self.console_registers = (UART_STATUS, UART_DATA)

    @property
    def core(self) -> int:
        return SMALL if self.small else int(self.board.flash.size > FAR_FLASH)

    def index(self, name: str) -> int:
        found = self.symbols.get(name)
        return 0 if found is None or not found.in_data else found.target_address

    def places(self, policy_size: int, block_size: int, interrupts: Sequence[int], stack: int | None) -> Places:
        ram = self.board.ram
        end = ram.start + ram.size
        found = Places(bytearray(DATA_SIZE), 0, end)
        found.mark(Place.CPU, 0, REGISTERS)
        found.mark(Place.DEVICE, REGISTERS, ram.start - REGISTERS)
        self._mark_registers(found, bool(interrupts))
        used = ram.start
        for section in read_sections(self.elf):
            if section.address >= DATA_SPACE:
                start = section.address - DATA_SPACE
                used = max(used, start + section.size)
                if section.has_content:
                    found.mark(Place.CONSTANT, start, section.size)
        self.mark_variables(found, policy_size, block_size)
        self._mark_transmitter(found)
        found.stack_low = used if stack is None else max(used, end - stack)
        found.mark(Place.STACK, found.stack_low, end - found.stack_low)
        return found

    def _mark_registers(self, found: Places, masked: bool) -> None:
        for at in (STACK_LOW, STACK_HIGH, STATUS):
            found.mark(Place.CPU, at)
        for at in (MASKS_OF_TINY if self.small else MASKS) if masked else ():
            found.mark(Place.MASK, at)
        if self.small:
            return
        for at in (RAMPZ, EIND):
            found.mark(Place.CPU, at)
        found.mark(Place.FREE, SLEEP_CONTROL)
        found.mark(Place.STATUS, UART_STATUS)
        found.mark(Place.SEND, UART_DATA)

    def _mark_transmitter(self, found: Places) -> None:
        """If it sends by interrupt."""
        if TRANSMIT_BUFFER in self.symbols:
            found.mark(Place.TX_BUFFER, self.index(TRANSMIT_BUFFER), self.symbols[TRANSMIT_BUFFER].size)
            found.mark(Place.TX_QUEUED, self.index(QUEUED))
            found.mark(Place.TX_SENT, self.index(SENT))
            found.mark(Place.TX_CONTROL, UART_CONTROL)

    def code(self, flash: bytes) -> Code:
        table = self.symbols[self.vectors]
        routines = range(table.address, table.address + table.size, CHIPS[self.board.cpu.chip].vector_size)
        return code_of(flash, self.functions, [self.symbols["lf_step"].address, *routines])

    def effects(self, flash: bytes, code: bytes) -> list[Effect]:
        return effects_of(flash, code)

    def text(self, flash: bytes, address: int) -> str:
        return instruction_text(flash, address)

    def register(self, number: int) -> str:
        return f"r{number}" if number < REGISTERS else "the status" if number == STATUS else "the stack pointer"

    def console(self) -> dict[str, int]:
        size = self.symbols[TRANSMIT_BUFFER].size if TRANSMIT_BUFFER in self.symbols else 0
        return {
            "ready": READY,
            "free_bits": SLEEP_ENABLED,
            "transmit_at": self.index(TRANSMIT_BUFFER),
            "transmit_size": size,
            "queued_at": self.index(QUEUED),
            "transmits": READY,
            "control_sets": OTHER_INTERRUPTS,
        }


class WholeLiveness(Liveness):
    """Of all that control can reach from several entries, assembler with conventions of its own included.

    What is live where a call comes back is live at every return."""

    def __init__(self, code: bytes, entries: Iterable[int]) -> None:
        self.code = code
        self.instructions = {}
        self.targets = set()
        self.before = {}
        for entry in entries:
            self._find(entry)
        self._settle()

    def _settle(self) -> None:
        effects = {at: registers_of(self.code, at, i) for at, i in self.instructions.items()}
        ways = {at: self._ways(at, i) for at, i in self.instructions.items()}
        calls = [at for at, i in self.instructions.items() if i.does in (Does.CALLS, Does.CALLS_SOMETHING)]
        ends = {at for at, i in self.instructions.items() if i.does in (Does.RETURNS, Does.JUMPS_SOMEWHERE)}
        comes_back = [at + self.instructions[at].size for at in calls]
        self.before = live_before(effects, ways, dict.fromkeys(ends, 0), comes_back, bits(*KEPT_BY_CALLS))


def code_of(flash: bytes, functions: Sequence[Symbol], entries: Iterable[int]) -> Code:
    """What control can reach from `entries` (byte addresses); functions that are only called by pointers too."""
    code = bytearray(len(flash) // 2 + 1)
    live = [EVERYTHING_LIVE] * (len(flash) // 2 + 1)
    sizes: dict[int, int] = {}
    padded = flash + bytes(8)
    found = WholeLiveness(padded, [*entries, *(s.address for s in functions)])
    for at, instruction in found.instructions.items():
        if at >= len(flash):
            continue
        sizes[at] = instruction.size
        live[at // 2] = found.before.get(at, EVERYTHING_LIVE)
        code[at // 2] |= EXECUTABLE
        for target in joins(padded, at, instruction):
            if 0 <= target < len(flash):
                code[target // 2] |= JOIN
        if instruction.does in (Does.CALLS, Does.CALLS_SOMETHING):
            code[(at + instruction.size) // 2] |= RETURNS_TO
    for s in functions:
        code[s.address // 2] |= ENTRY
    return Code(code, live, sizes)


def joins(code: bytes, at: int, instruction: Instruction) -> list[int]:
    """Where other ways may come in as well."""
    if instruction.does in (Does.JUMPS, Does.MAY_JUMP):
        return [instruction.target]
    if instruction.does is Does.SKIPS:
        after = at + instruction.size
        return [after + decode(code, after).size]
    return []
