"""What the half-words of a RISC-V image are, for its check: what control can reach, and what matters from there on.

Addresses count from the first byte of the flash.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lfc.isa.riscv.code import FORM, ILLEGAL, KEPT_BY_CALLS, LINKS, SP, Instruction, decode
from lfc.isa.riscv.flow import BRANCHES, RiscvCode, entries_of_table, table_targets
from lfc.mcheck.engine.abi import IMAGE_BY_TABLE as BY_TABLE
from lfc.mcheck.engine.abi import IMAGE_CODE as EXECUTABLE
from lfc.mcheck.engine.abi import IMAGE_ENTRY as ENTRY
from lfc.mcheck.engine.abi import IMAGE_JOIN as JOIN
from lfc.mcheck.engine.abi import IMAGE_RETURNS_TO as RETURNS_TO
from lfc.mcheck.engine.abi import ImageEffect as Effect
from lfc.mcheck.image.processor import EVERYTHING_LIVE, Code, live_before
from lfc.toolchain.elf import Symbol, copied_segments, read_symbol_list

VECTORS, START, TRAP = "lf_vectors", "lf_start", "lf_trap"
REGISTERS = (1 << 32) - 2
ALIKE = ("sub", "xor")  # with a register and itself: 0, whatever it holds
KEPT = sum(1 << r for r in KEPT_BY_CALLS)


@dataclass(slots=True)
class Reached:
    """All that control can reach from several entries."""

    code: RiscvCode
    instructions: dict[int, Instruction] = field(default_factory=dict)
    ways: dict[int, list[int]] = field(default_factory=dict)
    joins: set[int] = field(default_factory=set)
    in_tables: set[int] = field(default_factory=set)
    before: dict[int, int] = field(default_factory=dict)  # what is live there

    def find(self, entries: Iterable[int]) -> None:
        waiting = list(entries)
        while waiting:
            at = waiting.pop()
            if at in self.instructions or at < 0 or at + 2 > len(self.code.content) - 2:
                continue
            i = self.instructions[at] = decode(self.code.content, at)
            waiting += self._ways(at, i)
        for at, i in self.instructions.items():
            ways = self.ways[at] = self._ways(at, i)
            if i.name in BRANCHES or i.name in ("jal", "jalr") and not i.rd:
                self.joins.update(w for w in ways if w != at + i.size)
            if i.name == "jalr" and not i.rd:
                self.in_tables.update(ways)

    def _ways(self, at: int, i: Instruction) -> list[int]:
        after = at + i.size
        if i.name in BRANCHES:
            return [at + i.imm, after]
        if i.name == "jal":
            return [at + i.imm, *([after] if i.rd else [])]
        if i.name == "jalr":
            known = None if i.rs1 in LINKS and not i.rd else self.code.value_of(i.rs1 or 0, at)
            if known is not None:
                target = (known + i.imm & 0xFFFFFFFE) - self.code.base
                return [target, *([after] if i.rd else [])]
            if i.rd:
                return [after]
            return [] if i.rs1 in LINKS else [*table_targets(self.code, at, i.rs1 or 0)]
        return [] if i.name in (ILLEGAL, "ebreak", "mret") else [after]

    def settle(self) -> None:
        """What is live before each instruction. What is live where any call comes back is live at every return."""
        effects = {at: effect_of(i) for at, i in self.instructions.items()}
        ends, unknown, comes_back = {}, {}, []
        for at, i in self.instructions.items():
            if is_call(i):
                comes_back.append(at + i.size)
                if i.name == "jalr" and len(self.ways[at]) == 1:
                    effects[at] = REGISTERS, 0
            elif i.name == "jalr" and not self.ways[at]:
                if i.rs1 in LINKS:
                    ends[at] = 1 << SP
                else:
                    unknown[at] = REGISTERS
            elif i.name == "mret":
                unknown[at] = REGISTERS
        self.before = live_before(effects, self.ways, ends, comes_back, KEPT, unknown)

    def live(self, at: int) -> int:
        found = self.before.get(at)
        return EVERYTHING_LIVE if found is None else found | 1 << SP


def is_call(i: Instruction) -> bool:
    return i.name in ("jal", "jalr") and bool(i.rd)


def effect_of(i: Instruction) -> tuple[int, int]:
    return sum(1 << r for r in i.reads), sum(1 << r for r in i.writes)


def effects_of(flash: bytes, code: bytes) -> list[Effect]:
    """By half-word; `code`: its marks. What a register holds that nobody has set may be moved, saved and computed with;
    but no jump, no address and nothing that is stored outside of the stack may depend on it."""
    padded = flash + bytes(4)
    return [
        undefined_effect(decode(padded, 2 * half)) if mark & EXECUTABLE and 2 * half < len(flash) else Effect()
        for half, mark in enumerate(code)
    ]


def undefined_effect(i: Instruction) -> Effect:
    uses, defines = effect_of(i)
    first, second = ((1 << (r or 0)) & ~1 for r in (i.rs1, i.rs2))
    if i.name in BRANCHES or FORM.get(i.name) in ("C", "A"):
        return Effect(needs=uses, defines=defines)
    if FORM.get(i.name) == "S":
        return Effect(needs=first, stores=second)
    if FORM.get(i.name) == "L" or i.name == "jalr":
        return Effect(needs=first, defines=defines)
    return Effect(uses=0 if i.name in ALIKE and i.rs1 == i.rs2 else uses, defines=defines)


def code_of(flash: bytes, base: int, elf: bytes) -> Code:
    symbols = [
        replace(s, address=s.address - base)
        for s in read_symbol_list(elf)
        if s.kind != "absolute" and 0 <= s.address - base < len(flash)
    ]
    code = RiscvCode(flash + b"\0\0", base, symbols, 0, copied=copied_segments(elf))
    starts = [at for at in code.starts if at < len(flash)]
    reached = Reached(code)
    reached.find([*routines_of(flash, base, symbols), *starts])
    reached.settle()
    marks = bytearray(len(flash) // 2 + 1)
    live = [EVERYTHING_LIVE] * len(marks)
    sizes: dict[int, int] = {}
    for at, i in reached.instructions.items():
        sizes[at] = i.size
        marks[at // 2] |= EXECUTABLE
        live[at // 2] = reached.live(at)
        if is_call(i):
            marks[(at + i.size) // 2] |= RETURNS_TO
    for at in reached.joins:
        if 0 <= at < len(flash):
            marks[at // 2] |= JOIN
    for at in reached.in_tables:
        if 0 <= at < len(flash):
            marks[at // 2] |= BY_TABLE
    for at in starts:
        marks[at // 2] |= ENTRY
    return Code(marks, live, sizes)


def routines_of(flash: bytes, base: int, symbols: Iterable[Symbol]) -> list[int]:
    """Where the table of interrupt routines leads."""
    table = next((s for s in symbols if s.name == VECTORS), None)
    if table is None:
        return []
    found = {*entries_of_table(flash[table.address : table.address + table.size], base)}
    return sorted(at for at in found if 0 <= at < len(flash))
