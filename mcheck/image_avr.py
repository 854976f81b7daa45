"""What the bytes and words of an AVR image are, for its check: read from the symbols of its ELF file.

May import: `image_library`, `lfc.image`, `lfc.codegen`, `lfc.boards.board`, `lfc.actions.model`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lfc.boards.board import Board
from lfc.image.avr_code import Does, Instruction, decode
from lfc.image.avr_liveness import KEPT_BY_CALLS, Liveness, bits, registers_of
from lfc.image.elf import DATA_SPACE, Symbol, read_sections, read_symbol_list
from lfc.mcheck.image_library import ENTRY, EXECUTABLE, JOIN, RETURNS_TO, Place

DATA_SIZE = 0x10000
FAR_FLASH = 128 * 1024
REGISTERS = 32
STACK_LOW, STACK_HIGH, STATUS, RAMPZ, EIND = 0x5D, 0x5E, 0x5F, 0x5B, 0x5C
SLEEP_CONTROL = 0x53
UART_STATUS, UART_DATA = 0xC0, 0xC6
READY = 0x20
SLEEP_ENABLED = 1  # in the idle mode, in which timers and the USART go on
ALL_LIVE = (1 << 33) - 1
MASKS = {0x3D, 0x68, *range(0x6E, 0x74), 0x4C, 0xC1, 0xC9, 0xD1, 0x131, 0x7A, 0x3F, 0x50, 0xBC, 0x57}
VARIABLES = {
    "lf_port_came": Place.CAME,
    "lf_port_count": Place.COUNT,
    "lf_port_woken": Place.WOKEN,
    "taken": Place.TAKEN,
    "received": Place.RECEIVED,
    "buffer": Place.BUFFER,
    "lost": Place.LOST,
    "told": Place.TOLD,
}


@dataclass(slots=True)
class AvrPlaces:
    place: bytearray  # by address of the data space
    symbols: dict[str, Symbol]
    stack_low: int = 0  # the lowest byte that the stack may take

    def address(self, name: str) -> int:
        return self.symbols[name].target_address if name in self.symbols else 0


def places(
    board: Board, elf: bytes, policy_size: int, block_size: int, interrupts: Iterable[int], stack: int | None
) -> AvrPlaces:
    """`stack`: how many bytes of it the program may use; None: all that is left."""
    symbols = {s.name: s for s in read_symbol_list(elf)}
    found = AvrPlaces(bytearray(DATA_SIZE), symbols)
    place, ram = found.place, board.ram

    def mark(what: Place, start: int, size: int = 1) -> None:
        place[start : start + size] = bytes([what]) * size

    mark(Place.CPU, 0, REGISTERS)
    mark(Place.DEVICE, REGISTERS, ram.start - REGISTERS)
    for at in (STACK_LOW, STACK_HIGH, STATUS, RAMPZ, EIND):
        mark(Place.CPU, at)
    mark(Place.FREE, SLEEP_CONTROL)
    if list(interrupts):
        for at in MASKS:
            mark(Place.MASK, at)
    mark(Place.STATUS, UART_STATUS)
    mark(Place.SEND, UART_DATA)
    end = ram.start + ram.size
    used = ram.start
    for section in read_sections(elf):
        if section.address >= DATA_SPACE:
            start = section.address - DATA_SPACE
            used = max(used, start + section.size)
            if section.has_content:
                mark(Place.CONSTANT, start, section.size)
    for name, what in VARIABLES.items():
        if name in symbols and symbols[name].in_data:
            mark(what, found.address(name), symbols[name].size)
    memory = found.address("lf_memory")
    mark(Place.POLICY, memory, policy_size)
    mark(Place.BLOCK, memory + policy_size, block_size)
    low = used if stack is None else max(used, end - stack)
    mark(Place.STACK, low, end - low)
    found.stack_low = low
    return found


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
        order = sorted(self.instructions, reverse=True)
        before = self.before
        at_return = bits(*KEPT_BY_CALLS)
        changed = True
        while changed:
            changed = False
            for at in order:
                live = at_return if at in ends else 0
                for way in ways[at]:
                    live |= before.get(way, 0)
                uses, defines = effects[at]
                live = uses | live & ~defines
                if live != before.get(at):
                    before[at] = live
                    changed = True
            for at in calls:
                after = before.get(at + self.instructions[at].size, 0)
                if after & ~at_return:
                    at_return |= after
                    changed = True


@dataclass(slots=True)
class AvrCode:
    code: bytearray  # by word
    live: list[int]  # by word
    instructions: Mapping[int, int]  # byte address -> size, of all that control can reach


def code_of(flash: bytes, elf: bytes, entries: Iterable[int]) -> AvrCode:
    """What control can reach from `entries` (byte addresses); functions that are only called by pointers too."""
    functions = [s for s in read_symbol_list(elf) if s.kind == "function" and s.size and not s.in_data]
    code = bytearray(len(flash) // 2 + 1)
    live = [ALL_LIVE] * (len(flash) // 2 + 1)
    sizes: dict[int, int] = {}
    padded = flash + bytes(8)
    found = WholeLiveness(padded, [*entries, *(s.address for s in functions)])
    for at, instruction in found.instructions.items():
        if at >= len(flash):
            continue
        sizes[at] = instruction.size
        live[at // 2] = found.before.get(at, ALL_LIVE)
        code[at // 2] |= EXECUTABLE
        for target in joins(padded, at, instruction):
            if 0 <= target < len(flash):
                code[target // 2] |= JOIN
        if instruction.does in (Does.CALLS, Does.CALLS_SOMETHING):
            code[(at + instruction.size) // 2] |= RETURNS_TO
    for s in functions:
        code[s.address // 2] |= ENTRY
    return AvrCode(code, live, sizes)


def joins(code: bytes, at: int, instruction: Instruction) -> list[int]:
    """Where other ways may come in as well."""
    if instruction.does in (Does.JUMPS, Does.MAY_JUMP):
        return [instruction.target]
    if instruction.does is Does.SKIPS:
        after = at + instruction.size
        return [after + decode(code, after).size]
    return []


def all_live(code: AvrCode) -> AvrCode:
    """Of an image with its code at the same places, in which other registers may matter and instructions be shorter."""
    words = bytearray(code.code)
    for at, size in code.instructions.items():
        for second in range(at // 2 + 1, (at + size) // 2):
            words[second] |= EXECUTABLE
    return AvrCode(words, [ALL_LIVE] * len(code.live), code.instructions)


def code_that_may_be_damaged(flash: bytes, built: bytes, elf: bytes, entries: Iterable[int]) -> AvrCode:
    """Of a file: where control cannot be followed, only what was built is code, and every register may matter."""
    try:
        return code_of(flash, elf, entries)
    except IndexError:
        found = code_of(built, elf, entries)
        size = len(flash) // 2 + 1
        return AvrCode(found.code[:size].ljust(size, b"\0"), [ALL_LIVE] * size, found.instructions)
