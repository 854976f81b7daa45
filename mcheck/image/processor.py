"""What the check of an image knows of a processor: what its bytes and words are. One class for each kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from lfc.boards.descriptions.board import Board
from lfc.mcheck.engine.abi import IMAGE_CODE as EXECUTABLE
from lfc.mcheck.engine.abi import ImageEffect as Effect
from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.toolchain.elf import Symbol, read_symbol_list

EVERYTHING_LIVE = (1 << 33) - 1
VARIABLES = {
    "lf_port_came": Place.CAME,
    "lf_port_woken": Place.WOKEN,
    "taken": Place.TAKEN,
    "received": Place.RECEIVED,
    "buffer": Place.BUFFER,
    "lost": Place.LOST,
    "told": Place.TOLD,
}


@dataclass(slots=True)
class Code:
    """What control can reach; places count from the beginning of the flash."""

    code: bytearray  # by word of two bytes
    live: list[int]  # by word
    instructions: Mapping[int, int]  # by byte: sizes


@dataclass(slots=True)
class Places:
    """What the bytes are, by index."""

    place: bytearray
    stack_low: int  # the lowest byte that the stack may take
    stack_end: int  # behind its highest
    regions: list[tuple[int, int, int]] = field(default_factory=list)  # first address, size, first index

    def mark(self, what: Place, start: int, size: int = 1) -> None:
        self.place[start : start + size] = bytes([what]) * size

    def index(self, address: int) -> int:
        return next(at + address - start for start, size, at in self.regions if 0 <= address - start < size)


class Processor(ABC):
    kind: int  # enum img_processor_kind of image.h
    vectors: str  # the symbol of the vector table
    count: str  # that of the milliseconds
    console_registers: tuple[int, ...] = ()  # that a program may read itself

    def __init__(self, board: Board, elf: bytes) -> None:
        self.board, self.elf = board, elf
        self.symbol_list = read_symbol_list(elf)
        self.symbols: dict[str, Symbol] = {s.name: s for s in self.symbol_list}

    @property
    @abstractmethod
    def core(self) -> int:
        """Which one of its kind."""

    @abstractmethod
    def index(self, name: str) -> int:
        """Of the first byte of a variable; 0: there is none."""

    @abstractmethod
    def places(self, policy_size: int, block_size: int, interrupts: Sequence[int], stack: int | None) -> Places:
        """`stack`: how many bytes of it the program may use; None: all that is left."""

    @abstractmethod
    def code(self, flash: bytes) -> Code:
        """What control can reach in an image with the symbols of this one. IndexError: where it goes on is no code."""

    def effects(self, flash: bytes, code: bytes) -> list[Effect]:
        """By word, what instructions make of registers that nobody has set; nothing: it is not known."""
        return []

    @abstractmethod
    def text(self, flash: bytes, address: int) -> str:
        """The instruction at an address, as assembler."""

    @abstractmethod
    def register(self, number: int) -> str:
        """The name of what a pass must leave as it was."""

    @abstractmethod
    def console(self) -> dict[str, int]:
        """Of `Setup`: the status of the transmitter."""

    def word(self, name: str) -> int:
        """Of the flash: where a function begins; 0: there is none."""
        return (self.symbols[name].address - self.board.flash.start) // 2 if name in self.symbols else 0

    @cached_property
    def functions(self) -> list[Symbol]:
        return [s for s in self.symbol_list if s.kind == "function" and s.size and not s.in_data]

    def mark_variables(self, found: Places, policy_size: int, block_size: int) -> None:
        for name, what in {**VARIABLES, self.count: Place.COUNT}.items():
            if name in self.symbols and self.index(name):
                found.mark(what, self.index(name), self.symbols[name].size)
        memory = self.index("lf_memory")
        found.mark(Place.POLICY, memory, policy_size)
        found.mark(Place.BLOCK, memory + policy_size, block_size)


def with_every_register(code: Code) -> Code:
    """All of them may matter everywhere."""
    return Code(code.code, [EVERYTHING_LIVE] * len(code.live), code.instructions)


def of_the_same_places(code: Code) -> Code:
    """Of an image with its code at the same places, in which other registers may matter and instructions be shorter."""
    words = bytearray(code.code)
    for at, size in code.instructions.items():
        for second in range(at // 2 + 1, (at + size) // 2):
            words[second] |= EXECUTABLE
    return with_every_register(Code(words, code.live, code.instructions))


def code_that_may_be_damaged(processor: Processor, flash: bytes, built: bytes) -> Code:
    """Of a file: where control cannot be followed, only what was built is code, and every register may matter."""
    try:
        return processor.code(flash)
    except IndexError:
        found = processor.code(built)
        size = len(flash) // 2 + 1
        return Code(found.code[:size].ljust(size, b"\0"), [EVERYTHING_LIVE] * size, found.instructions)


def live_before(
    effects: Mapping[int, tuple[int, int]],
    ways: Mapping[int, Sequence[int]],
    ends: Mapping[int, int],
    comes_back: Sequence[int],
    at_return: int,
    beyond: Mapping[int, int] = MappingProxyType({}),
) -> dict[int, int]:
    """What is live before each instruction, as sets of registers; instructions by address.

    `effects`: what each uses and defines. `ends`: those that return, with what is live there besides `at_return`, which
    is live at each return, as is what is live at `comes_back`, where calls come back. `beyond`: what is live behind
    others.
    """
    before: dict[int, int] = {}
    order = sorted(effects, reverse=True)
    changed = True
    while changed:
        changed = False
        for at in order:
            live = at_return | ends[at] if at in ends else beyond.get(at, 0)
            for way in ways[at]:
                live |= before.get(way, 0)
            uses, defines = effects[at]
            live = uses | live & ~defines
            if live != before.get(at):
                before[at] = live
                changed = True
        for at in comes_back:
            after = before.get(at, 0)
            if after & ~at_return:
                at_return |= after
                changed = True
    return before
