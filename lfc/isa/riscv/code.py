"""The instructions of RV32IMAC with Zicsr: one table, which decoder, text, registers and flow all read.

A compressed instruction is decoded as the one of 32 bits that it stands for, with a size of 2. (The RISC-V Instruction
Set Manual, volume I, version 20191213; chapter 24 lists the codes, chapter 16 the compressed ones.)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

RA, SP = 1, 2
LINKS = (1, 5)  # ra, and t0 for what is called by what keeps ra itself
NAMES = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"),
    *(f"a{n}" for n in range(8)),
    *(f"s{n}" for n in range(2, 12)),
    *("t3", "t4", "t5", "t6"),
)
KEPT_BY_CALLS = frozenset({2, 3, 4, 8, 9, *range(18, 28)})
ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    match: int
    mask: int
    form: str  # operands: R, I, S, B, U, J; L: a load; H: shifts by a constant; C, Z: of a status register; A; N: none


def _rows() -> tuple[Row, ...]:
    rows = [
        Row("lui", 0x37, 0x7F, "U"),
        Row("auipc", 0x17, 0x7F, "U"),
        Row("jal", 0x6F, 0x7F, "J"),
        Row("jalr", 0x67, 0x707F, "I"),
        Row("fence", 0x0F, 0x707F, "N"),
        Row("fence.i", 0x100F, 0x707F, "N"),
        Row("ecall", 0x73, 0xFFFFFFFF, "N"),
        Row("ebreak", 0x100073, 0xFFFFFFFF, "N"),
        Row("mret", 0x30200073, 0xFFFFFFFF, "N"),
        Row("wfi", 0x10500073, 0xFFFFFFFF, "N"),
        Row("lr.w", 0x1000202F, 0xF9F0707F, "A"),
    ]

    def family(names: str, opcode: int, form: str, top: int = 0, mask: int = 0x707F) -> None:
        for n, name in enumerate(names.split()):
            if name != "-":
                rows.append(Row(name, opcode | n << 12 | top, mask, form))

    family("beq bne - - blt bge bltu bgeu", 0x63, "B")
    family("lb lh lw - lbu lhu", 0x03, "L")
    family("sb sh sw", 0x23, "S")
    family("addi - slti sltiu xori - ori andi", 0x13, "I")
    family("- slli - - - srli", 0x13, "H", 0, 0xFE00707F)
    family("- - - - - srai", 0x13, "H", 0x40000000, 0xFE00707F)
    family("add sll slt sltu xor srl or and", 0x33, "R", 0, 0xFE00707F)
    family("sub - - - - sra", 0x33, "R", 0x40000000, 0xFE00707F)
    family("mul mulh mulhsu mulhu div divu rem remu", 0x33, "R", 0x02000000, 0xFE00707F)
    family("- csrrw csrrs csrrc", 0x73, "C")
    family("- - - - - csrrwi csrrsi csrrci", 0x73, "Z")
    atomic = {3: "sc", 1: "amoswap", 0: "amoadd", 4: "amoxor", 12: "amoand", 8: "amoor"}
    atomic |= {16: "amomin", 20: "amomax", 24: "amominu", 28: "amomaxu"}
    rows.extend(Row(f"{name}.w", 0x202F | n << 27, 0xF800707F, "A") for n, name in atomic.items())
    return tuple(rows)


TABLE = _rows()
FORM = {row.name: row.form for row in TABLE}


@cache
def _by_opcode(opcode: int) -> tuple[Row, ...]:
    return tuple(r for r in TABLE if r.match & 0x7F == opcode)


@dataclass(frozen=True, slots=True)
class Instruction:
    """`rs1` and `rs2` are registers that it reads, `rd` is the one that it writes; None: it has no such operand."""

    name: str
    size: int  # bytes
    rd: int | None = None
    rs1: int | None = None
    rs2: int | None = None
    imm: int = 0  # of a branch or jump: how far from the instruction itself; of a status register: its number
    zimm: int = (
        0  # of a status register: the constant; of an atomic instruction: its bits aq and rl; of a fence, its sets
    )

    @property
    def reads(self) -> frozenset[int]:
        return frozenset(r for r in (self.rs1, self.rs2) if r)

    @property
    def writes(self) -> frozenset[int]:
        return frozenset([self.rd] if self.rd else [])


def half(code: bytes, at: int) -> int:
    return int.from_bytes(code[at : at + 2], "little")


def word(code: bytes, at: int) -> int:
    return int.from_bytes(code[at : at + 4], "little")


def decode(code: bytes, at: int) -> Instruction:
    first = half(code, at)
    if first & 3 != 3:
        return _compressed(first)
    return decode_word(first | half(code, at + 2) << 16)


def decode_word(w: int) -> Instruction:
    for row in _by_opcode(w & 0x7F):
        if w & row.mask == row.match:
            return _operands(row, w)
    return Instruction(ILLEGAL, 4)


def _operands(row: Row, w: int) -> Instruction:
    rd, rs1, rs2 = w >> 7 & 31, w >> 15 & 31, w >> 20 & 31
    name, upper = row.name, signed(w >> 20, 12)
    match row.form:
        case "R":
            return Instruction(name, 4, rd, rs1, rs2)
        case "I" | "L":
            return Instruction(name, 4, rd, rs1, imm=upper)
        case "H":
            return Instruction(name, 4, rd, rs1, imm=rs2)
        case "S":
            return Instruction(name, 4, None, rs1, rs2, signed(w >> 25 << 5 | rd, 12))
        case "B":
            way = w >> 31 << 12 | (w >> 7 & 1) << 11 | (w >> 25 & 63) << 5 | (w >> 8 & 15) << 1
            return Instruction(name, 4, None, rs1, rs2, signed(way, 13))
        case "U":
            return Instruction(name, 4, rd, imm=w >> 12)
        case "J":
            way = w >> 31 << 20 | (w >> 12 & 255) << 12 | (w >> 20 & 1) << 11 | (w >> 21 & 1023) << 1
            return Instruction(name, 4, rd, imm=signed(way, 21))
        case "C":
            return Instruction(name, 4, rd, rs1, imm=w >> 20)
        case "Z":
            return Instruction(name, 4, rd, imm=w >> 20, zimm=rs1)
        case "A":
            return Instruction(name, 4, rd, rs1, None if name == "lr.w" else rs2, zimm=w >> 25 & 3)
    return Instruction(name, 4, zimm=w >> 20 & 0xFF)


def _compressed(w: int) -> Instruction:
    quadrant, kind = w & 3, w >> 13
    match quadrant:
        case 0:
            return _compressed_memory(w, kind)
        case 1:
            return _compressed_arithmetic(w, kind)
    return _compressed_stack(w, kind)


def _compressed_memory(w: int, kind: int) -> Instruction:
    low, base = 8 + (w >> 2 & 7), 8 + (w >> 7 & 7)
    offset = (w >> 10 & 7) << 3 | (w >> 6 & 1) << 2 | (w >> 5 & 1) << 6
    if kind == 0:
        amount = (w >> 11 & 3) << 4 | (w >> 7 & 15) << 6 | (w >> 6 & 1) << 2 | (w >> 5 & 1) << 3
        return Instruction("addi", 2, low, SP, imm=amount) if amount else Instruction(ILLEGAL, 2)
    if kind == 2:
        return Instruction("lw", 2, low, base, imm=offset)
    if kind == 6:
        return Instruction("sw", 2, None, base, low, offset)
    return Instruction(ILLEGAL, 2)


def _compressed_arithmetic(w: int, kind: int) -> Instruction:
    rd, imm = w >> 7 & 31, signed((w >> 12 & 1) << 5 | w >> 2 & 31, 6)
    match kind:
        case 0:
            return Instruction("addi", 2, rd, rd, imm=imm)
        case 1 | 5:
            return Instruction("jal", 2, RA if kind == 1 else 0, imm=_jump(w))
        case 2:
            return Instruction("addi", 2, rd, 0, imm=imm)
        case 3 if rd == SP:
            bits = (w >> 12 & 1) << 9 | (w >> 6 & 1) << 4 | (w >> 5 & 1) << 6 | (w >> 3 & 3) << 7 | (w >> 2 & 1) << 5
            return Instruction("addi", 2, SP, SP, imm=signed(bits, 10)) if bits else Instruction(ILLEGAL, 2)
        case 3:
            return Instruction("lui", 2, rd, imm=imm & 0xFFFFF) if imm else Instruction(ILLEGAL, 2)
        case 4:
            return _compressed_on_one(w, 8 + (w >> 7 & 7), imm)
    bits = (w >> 12 & 1) << 8 | (w >> 5 & 3) << 6 | (w >> 2 & 1) << 5 | (w >> 10 & 3) << 3 | (w >> 3 & 3) << 1
    return Instruction("beq" if kind == 6 else "bne", 2, None, 8 + (w >> 7 & 7), 0, signed(bits, 9))


def _jump(w: int) -> int:
    places = ((12, 11), (11, 4), (10, 9), (9, 8), (8, 10), (7, 6), (6, 7), (5, 3), (4, 2), (3, 1), (2, 5))
    return signed(sum((w >> source & 1) << target for source, target in places), 12)


def _compressed_on_one(w: int, rd: int, imm: int) -> Instruction:
    match w >> 10 & 3:
        case 0 | 1 if w >> 12 & 1:
            return Instruction(ILLEGAL, 2)  # a shift by 32 or more
        case 0:
            return Instruction("srli", 2, rd, rd, imm=imm & 31)
        case 1:
            return Instruction("srai", 2, rd, rd, imm=imm & 31)
        case 2:
            return Instruction("andi", 2, rd, rd, imm=imm)
    if w >> 12 & 1:
        return Instruction(ILLEGAL, 2)
    return Instruction(("sub", "xor", "or", "and")[w >> 5 & 3], 2, rd, rd, 8 + (w >> 2 & 7))


def _compressed_stack(w: int, kind: int) -> Instruction:
    rd, source = w >> 7 & 31, w >> 2 & 31
    match kind:
        case 0:
            return Instruction(ILLEGAL, 2) if w >> 12 & 1 else Instruction("slli", 2, rd, rd, imm=source)
        case 2:
            offset = (w >> 12 & 1) << 5 | (w >> 4 & 7) << 2 | (w >> 2 & 3) << 6
            return Instruction("lw", 2, rd, SP, imm=offset) if rd else Instruction(ILLEGAL, 2)
        case 6:
            return Instruction("sw", 2, None, SP, source, (w >> 9 & 15) << 2 | (w >> 7 & 3) << 6)
        case 4:
            return _compressed_registers(w >> 12 & 1, rd, source)
    return Instruction(ILLEGAL, 2)


def _compressed_registers(links: int, rd: int, source: int) -> Instruction:
    if source:
        return Instruction("add", 2, rd, rd if links else 0, source)
    if rd:
        return Instruction("jalr", 2, RA if links else 0, rd)
    return Instruction("ebreak" if links else ILLEGAL, 2)


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
