"""What the half-words of a Cortex-M image are, for its check: what control can reach, and what matters from there on.

Addresses count from the first byte of the flash.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lfc.isa.thumb.code import SP, Does, Instruction, decode
from lfc.isa.thumb.flow import CONDITION_OF_IT, ThumbCode, table_targets
from lfc.isa.thumb.registers import FLAGS, KEPT_BY_CALLS, REGISTERS, bit, registers_of
from lfc.mcheck.engine.abi import IMAGE_CODE as EXECUTABLE
from lfc.mcheck.engine.abi import IMAGE_ENTRY as ENTRY
from lfc.mcheck.engine.abi import IMAGE_JOIN as JOIN
from lfc.mcheck.engine.abi import IMAGE_RETURNS_TO as RETURNS_TO
from lfc.mcheck.image.processor import EVERYTHING_LIVE, Code, live_before
from lfc.toolchain.elf import Symbol, read_load_segments, read_symbol_list

VECTORS = "lf_vectors"
VECTOR_SIZE = 4
FLAGS_LIVE = 1 << 32  # as the engine has it: one bit for N, Z, C and V
BY_TABLE = (Does.JUMPS_BY_BYTES, Does.JUMPS_BY_HALVES, Does.ADDS_TO_COUNTER, Does.SETS_COUNTER)
ENDS = (Does.RETURNS, Does.JUMPS_SOMEWHERE)
CALLS = (Does.CALLS, Does.CALLS_SOMETHING)


@dataclass(slots=True)
class Reached:
    """All that control can reach from several entries, assembler with conventions of its own included."""

    code: ThumbCode
    instructions: dict[int, Instruction] = field(default_factory=dict)
    ways: dict[int, list[int]] = field(default_factory=dict)
    conditional: set[int] = field(default_factory=set)  # in IT blocks
    joins: set[int] = field(default_factory=set)
    before: dict[int, int] = field(default_factory=dict)  # what is live there

    def find(self, entries: Iterable[int]) -> None:
        waiting = list(entries)
        while waiting:
            at = waiting.pop()
            if at in self.instructions or at < 0 or at + 2 > len(self.code.content) - 2 or self.code.is_data(at):
                continue
            i = self.instructions[at] = decode(self.code.content, at)
            if i.does is Does.MAKES_CONDITIONAL:
                self._mark_block(at + i.size, i.amount)
            waiting += self._ways(at, i)
        for at, i in self.instructions.items():
            ways = self.ways[at] = self._ways(at, i)
            if i.does in (Does.JUMPS, Does.MAY_JUMP):
                self.joins.add(i.target)
            elif i.does in BY_TABLE:
                self.joins.update(ways)

    def _mark_block(self, at: int, amount: int) -> None:
        """The instructions of an IT block; what stands behind it is reached in several states."""
        for _ in range(min(amount, CONDITION_OF_IT)):
            if at + 2 > len(self.code.content) - 2:
                return
            self.conditional.add(at)
            at += decode(self.code.content, at).size
        self.joins.add(at)

    def _ways(self, at: int, i: Instruction) -> list[int]:
        after = at + i.size
        match i.does:
            case Does.JUMPS:
                ways = [i.target]
            case Does.MAY_JUMP | Does.CALLS:
                ways = [i.target, after]
            case Does.RETURNS | Does.JUMPS_SOMEWHERE | Does.STOPS:
                ways = []
            case Does.JUMPS_BY_BYTES | Does.JUMPS_BY_HALVES | Does.ADDS_TO_COUNTER | Does.SETS_COUNTER:
                function = self.code.function_around(at)
                ways = [t for t in table_targets(self.code, at, i) if t in function and not self.code.is_data(t)]
            case _:
                return [after]
        if at in self.conditional and after not in ways:
            ways.append(after)
        return ways

    def settle(self) -> None:
        """What is live before each instruction. What is live where any call comes back is live at every return."""
        effects = {at: registers_of(self.code.content, at, at in self.conditional) for at in self.instructions}
        calls = [at for at, i in self.instructions.items() if i.does in CALLS]
        ends = {at for at, i in self.instructions.items() if i.does in ENDS}
        unknown = {at for at, i in self.instructions.items() if i.does in BY_TABLE and not self.ways[at]}
        comes_back = [at + self.instructions[at].size for at in calls]
        beyond = dict.fromkeys(unknown, REGISTERS | FLAGS)
        self.before = live_before(effects, self.ways, dict.fromkeys(ends, bit(SP)), comes_back, KEPT_BY_CALLS, beyond)

    def live(self, at: int) -> int:
        found = self.before.get(at)
        if found is None:
            return EVERYTHING_LIVE
        return found & REGISTERS | bit(SP) | (FLAGS_LIVE if found & FLAGS else 0)


def thumb_code(flash: bytes, base: int, elf: bytes) -> ThumbCode:
    """`flash` from its first byte on, at the address `base`; followed by what is no instruction."""
    segment = next(s for s in read_load_segments(elf) if s.load_address >= base)
    start = segment.address  # of code and constants, which lie where they are loaded
    symbols = [replace(s, address=s.address - base) for s in symbols_in_flash(elf, start, len(flash) + base - start)]
    constants = [replace(s, name="$d") for s in symbols if s.kind == "object"]  # which the compiler does not mark
    return ThumbCode(flash + b"\xff\xff", base, [*symbols, *constants], 0)


def symbols_in_flash(elf: bytes, start: int, size: int) -> list[Symbol]:
    return [s for s in read_symbol_list(elf) if s.kind != "absolute" and 0 <= s.address - start < size]


def entries_of(flash: bytes, base: int, elf: bytes) -> list[int]:
    """Where the vector table leads."""
    table = next(s for s in read_symbol_list(elf) if s.name == VECTORS)
    words = [flash[at : at + 4] for at in range(table.address - base, table.address - base + table.size, VECTOR_SIZE)]
    found = [int.from_bytes(word, "little") for word in words[1:]]
    return sorted({(word & ~1) - base for word in found if 0 <= (word & ~1) - base < len(flash)})


def code_of(flash: bytes, base: int, elf: bytes, entries: Iterable[int] | None = None) -> Code:
    """`entries`: beside the vectors' and all functions, which may be called by pointers."""
    code = thumb_code(flash, base, elf)
    starts = [at for at in code.starts if at < len(flash)]
    reached = Reached(code)
    reached.find([*entries_of(flash, base, elf), *(entries or ()), *starts])
    reached.settle()
    marks = bytearray(len(flash) // 2 + 1)
    live = [EVERYTHING_LIVE] * len(marks)
    sizes: dict[int, int] = {}
    for at, i in reached.instructions.items():
        sizes[at] = i.size
        marks[at // 2] |= EXECUTABLE
        live[at // 2] = reached.live(at)
        if i.does in CALLS:
            marks[(at + i.size) // 2] |= RETURNS_TO
    for at in reached.joins:
        if 0 <= at < len(flash):
            marks[at // 2] |= JOIN
    for at in starts:
        marks[at // 2] |= ENTRY
    return Code(marks, live, sizes)
