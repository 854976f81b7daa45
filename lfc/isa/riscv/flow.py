"""Follows every path through one function of RISC-V machine code, with how far the stack has grown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence

from lfc.isa.code_flow import DEEPEST_POSSIBLE, Flow, Returns
from lfc.isa.riscv.code import ILLEGAL, LINKS, RA, SP, Instruction, decode, signed, word
from lfc.toolchain.elf import Segment, Symbol

BRANCHES = ("beq", "bne", "blt", "bge", "bltu", "bgeu")
LOOK_BACK = 8  # instructions in which what sets a register stands before what uses it
TRAP = "lf_trap"


class RiscvCode:
    """The code of an image. Addresses count from its first byte, those of `symbols` too; the processor's are `base`
    more. `routines`: what the entry of traps calls by its table. `copied`: what start-up copies to elsewhere."""

    def __init__(
        self,
        content: bytes,
        base: int,
        symbols: Sequence[Symbol],
        start: int,
        routines: Collection[int] = (),
        copied: Sequence[Segment] = (),
    ) -> None:
        self.content = content
        self.base = base
        self.copied = copied
        self.start = start  # of the function that may set the stack pointer: where it does, the stack is empty
        self.routines = routines
        functions = [s for s in symbols if s.kind == "function" and s.size]
        self.trap = next((range(s.address, s.address + s.size) for s in functions if s.name == TRAP), range(0))
        self.ends = {s.address: s.address + s.size for s in functions}
        self.starts = sorted(self.ends)

    def place_of(self, address: int) -> int:
        """Where in the image that lies which the processor sees at the address."""
        for segment in self.copied:
            if 0 <= address - segment.address < len(segment.content):
                return segment.load_address + address - segment.address - self.base
        return address - self.base

    def function_around(self, at: int) -> range:
        i = bisect_right(self.starts, at) - 1
        found = i >= 0 and at < self.ends[self.starts[i]]
        return range(self.starts[i], self.ends[self.starts[i]]) if found else range(at, at)

    def before(self, at: int) -> list[tuple[int, Instruction]]:
        """The instructions before it and where they are, from the nearest on, without a jump between."""
        function, found = self.function_around(at), []
        place = function.start
        while place < at:
            i = decode(self.content, place)
            found.append((place, i))
            place += i.size
        return found[: -LOOK_BACK - 1 : -1]

    def value_of(self, register: int, at: int) -> int | None:
        """What the register holds there, if instructions just before make it of constants."""
        if not register:
            return 0
        for place, i in self.before(at):
            if i.rd != register:
                continue
            match i.name:
                case "lui":
                    return i.imm << 12
                case "auipc":
                    return self.base + place + (i.imm << 12) & 0xFFFFFFFF
                case "addi":
                    before = self.value_of(i.rs1 or 0, place)
                    return None if before is None else before + i.imm & 0xFFFFFFFF
            return None
        return None


def entries_of_table(table: bytes, base: int) -> list[int]:
    """Of the interrupt routines, from the first byte of the flash."""
    return [word(table, at) - base for at in range(0, len(table), 4)]


def follow_riscv(code: RiscvCode, entry: int, returns: Returns) -> Flow:
    flow = Flow()
    deepest: dict[int, int] = {}  # address -> depth with which it was reached
    waiting = [(entry, 0)]
    while waiting:
        at, depth = waiting.pop()
        if depth <= deepest.get(at, -1) or depth > DEEPEST_POSSIBLE or at + 2 > len(code.content):
            continue
        deepest[at] = depth
        flow.deepest = max(flow.deepest, depth)
        waiting += _after(code, at, decode(code.content, at), depth, flow, returns)
    return flow


def _after(code: RiscvCode, at: int, i: Instruction, depth: int, flow: Flow, returns: Returns) -> list[tuple[int, int]]:
    """Where it goes on, how deep."""
    following = [(at + i.size, depth)]
    if i.name in BRANCHES:
        return [(at + i.imm, depth), *following]
    if i.name == "jal":
        return _to([at + i.imm], i, following, depth, flow, returns)
    if i.name == "jalr":
        return _by_register(code, at, i, following, depth, flow, returns)
    if i.name in (ILLEGAL, "ebreak"):
        return []
    if i.name == "mret":
        flow.returns = True
        return []
    if i.rd == SP:
        return [(at + i.size, _depth_after(code, at, i, depth, flow))]
    return following


def _to(
    targets: Collection[int],
    i: Instruction,
    following: list[tuple[int, int]],
    depth: int,
    flow: Flow,
    returns: Returns,
) -> list[tuple[int, int]]:
    if not i.rd:
        return [(t, depth) for t in targets]
    for t in targets:
        flow.calls_at(t, depth)
    return following if any([returns(t) for t in targets]) else []


def _by_register(
    code: RiscvCode,
    at: int,
    i: Instruction,
    following: list[tuple[int, int]],
    depth: int,
    flow: Flow,
    returns: Returns,
) -> list[tuple[int, int]]:
    if at in code.trap and i.rd == RA:
        return _to(code.routines, i, following, depth, flow, returns)
    if i.rs1 in LINKS and not i.rd:
        flow.returns = True
        return []
    known = code.value_of(i.rs1 or 0, at)
    if known is not None:
        return _to([(known + i.imm & 0xFFFFFFFE) - code.base], i, following, depth, flow, returns)
    if not i.rd:
        targets = [*table_targets(code, at, i.rs1 or 0)]
        if targets:
            return [(t, depth) for t in targets]
        flow.returns = True
    flow.indirect = True
    return following if i.rd else []


def table_targets(code: RiscvCode, at: int, register: int) -> Iterator[int]:
    """Of a jump by a table of addresses: as long as they lie in the same function."""
    function = code.function_around(at)
    table = _table(code, at, register)
    if table is None:
        return
    while 0 <= table + 4 <= len(code.content):
        target = word(code.content, table) - code.base
        if target not in function:
            return
        yield target
        table += 4


def _table(code: RiscvCode, at: int, register: int) -> int | None:
    """Where the table is whose entry is loaded: a constant, to which a number of entries was added."""
    for place, i in code.before(at):
        if i.rd != register:
            continue
        if i.name == "lw":
            for earlier, sum_ in code.before(place):
                if sum_.rd == i.rs1 and sum_.name == "add":
                    values = [code.value_of(r or 0, earlier) for r in (sum_.rs1, sum_.rs2)]
                    known = [v for v in values if v is not None]
                    return code.place_of(known[0] + i.imm & 0xFFFFFFFF) if len(known) == 1 else None
        return None
    return None


def _depth_after(code: RiscvCode, at: int, i: Instruction, depth: int, flow: Flow) -> int:
    if code.function_around(at).start == code.start:
        return 0  # where it is set, by two instructions, the stack is empty
    if i.name == "addi" and i.rs1 == SP:
        return depth - i.imm
    if i.name in ("add", "sub") and i.rs1 == SP:
        amount = code.value_of(i.rs2 or 0, at)
        flow.unknown |= amount is None
        growth = signed(amount or 0, 32)
        return depth + growth if i.name == "sub" else depth - growth
    flow.unknown = True
    return 0
