"""RISC-V instructions as an assembler writes them, without its abbreviations."""

from __future__ import annotations

from lfc.isa.riscv.code import FORM, ILLEGAL, NAMES, Instruction

STATUS = {
    **{
        0x300: "mstatus",
        0x301: "misa",
        0x304: "mie",
        0x305: "mtvec",
        0x340: "mscratch",
        0x341: "mepc",
        0x342: "mcause",
    },
    **{0x343: "mtval", 0x344: "mip", 0xB00: "mcycle", 0xF12: "marchid", 0xF14: "mhartid"},
}
ORDERS = ("", ".rl", ".aq", ".aqrl")


def instruction_text(i: Instruction) -> str:
    if i.name == ILLEGAL:
        return "?"
    operands = ", ".join(_operands(i))
    order = ORDERS[i.zimm] if FORM[i.name] == "A" else ""
    return f"{i.name}{order} {operands}".rstrip()


def _operands(i: Instruction) -> list[str]:
    rd, rs1, rs2 = (NAMES[r or 0] for r in (i.rd, i.rs1, i.rs2))
    match FORM[i.name]:
        case "R":
            return [rd, rs1, rs2]
        case "I" if i.name == "jalr":
            return [rd, f"{i.imm}({rs1})"]
        case "I" | "H":
            return [rd, rs1, str(i.imm)]
        case "L":
            return [rd, f"{i.imm}({rs1})"]
        case "S":
            return [rs2, f"{i.imm}({rs1})"]
        case "B":
            return [rs1, rs2, _way(i.imm)]
        case "U":
            return [rd, str(i.imm)]
        case "J":
            return [rd, _way(i.imm)]
        case "C":
            return [rd, _status(i.imm), rs1]
        case "Z":
            return [rd, _status(i.imm), str(i.zimm)]
        case "A":
            return [rd, f"({rs1})"] if i.rs2 is None else [rd, rs2, f"({rs1})"]
    if i.name == "fence":
        return [part for part in (_set(i.zimm >> 4), _set(i.zimm & 15))]
    return []


def _way(imm: int) -> str:
    return f". {'-' if imm < 0 else '+'} {abs(imm)}"


def _status(number: int) -> str:
    return STATUS.get(number, hex(number))


def _set(bits: int) -> str:
    return "".join(letter for n, letter in enumerate("iorw") if bits & 8 >> n) or "0"
