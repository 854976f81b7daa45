"""Thumb machine code as text, as ARM's manuals write it. What stands in an IT block is written without its
condition.
"""

from __future__ import annotations

from lfc.isa.thumb.code import half, is_wide, signed
from lfc.isa.thumb.text_wide import CONDITIONS, HINTS, memory, name, registers, wide_text

SHIFTS = ("lsls", "lsrs", "asrs")
WITH_BYTE = ("movs", "cmp", "adds", "subs")
ON_TWO = (
    "ands", "eors", "lsls", "lsrs", "asrs", "adcs", "sbcs", "rors",
    "tst", "rsbs", "cmp", "cmn", "orrs", "muls", "bics", "mvns",
)  # fmt: skip
THROUGH_TWO = ("str", "strh", "strb", "ldrsb", "ldr", "ldrh", "ldrb", "ldrsh")
THROUGH_ONE = ("str", "ldr", "strb", "ldrb", "strh", "ldrh")
EXTENDS = ("sxth", "sxtb", "uxth", "uxtb")
REVERSES = ("rev", "rev16", "", "revsh")


def instruction_text(flash: bytes, at: int, base: int = 0) -> str:
    """Of the one at the byte `at` of the flash, whose first byte has the address `base`."""
    padded = flash[at : at + 4].ljust(4, b"\xff")
    first = half(padded, 0)
    if is_wide(first):
        second = half(padded, 2)
        return wide_text(first, second, base + at) or f".word {first:04X}H, {second:04X}H"
    return _narrow(first, base + at) or f".word {first:04X}H"


def _narrow(w: int, at: int) -> str:
    low, second, third, high, byte = name(w & 7), name(w >> 3 & 7), name(w >> 6 & 7), name(w >> 8 & 7), w & 0xFF
    five, top = w >> 6 & 31, w >> 11
    if top < 3:
        if not top and not five:
            return f"movs {low}, {second}"
        return f"{SHIFTS[top]} {low}, {second}, #{five or 32 if top else five}"
    if top == 3:
        last = f"#{w >> 6 & 7}" if w & 0x400 else third
        return f"{'subs' if w & 0x200 else 'adds'} {low}, {second}, {last}"
    if top < 8:
        return f"{WITH_BYTE[top - 4]} {high}, #{byte}"
    if top == 8:
        return _on_high(w) if w & 0x400 else _on_two(w, low, second)
    if top == 9:
        return f"ldr {high}, [pc, #{4 * byte}]"
    if top < 12:
        return f"{THROUGH_TWO[w >> 9 & 7]} {low}, [{second}, {third}]"
    if top < 18:
        return f"{THROUGH_ONE[top - 12]} {low}, {memory(second, five << (2, 0, 1)[(top - 12) // 2])}"
    if top < 20:
        return f"{'ldr' if top & 1 else 'str'} {high}, {memory('sp', 4 * byte)}"
    if top < 22:
        return f"add {high}, sp, #{4 * byte}" if top & 1 else f"adr {high}, #{4 * byte}"
    if top < 24:
        return _miscellaneous(w, at, low, second)
    if top < 26:
        loads = bool(top & 1)
        back = "" if loads and byte >> (w >> 8 & 7) & 1 else "!"
        return f"{'ldm' if loads else 'stm'} {high}{back}, {registers(byte)}" if byte else ""
    if top < 28:
        condition = w >> 8 & 15
        if condition >= 14:
            return f"{'svc' if condition == 15 else 'udf'} #{byte}"
        return f"b{CONDITIONS[condition]} {at + 4 + 2 * signed(byte, 8):X}H"
    return f"b {at + 4 + 2 * signed(w & 0x7FF, 11):X}H"


def _on_two(w: int, low: str, second: str) -> str:
    operation = w >> 6 & 15
    last = ", #0" if operation == 9 else f", {low}" if operation == 13 else ""
    return f"{ON_TWO[operation]} {low}, {second}{last}"


def _on_high(w: int) -> str:
    source, target = name(w >> 3 & 15), name(w & 7 | w >> 4 & 8)
    operation = w >> 8 & 3
    if operation == 3:
        return "" if w & 7 else f"{'blx' if w & 0x80 else 'bx'} {source}"
    return f"{('add', 'cmp', 'mov')[operation]} {target}, {source}"


def _miscellaneous(w: int, at: int, low: str, second: str) -> str:
    kind, byte = w >> 8 & 15, w & 0xFF
    match kind:
        case 0:
            return f"{'sub' if w & 0x80 else 'add'} sp, #{4 * (w & 0x7F)}"
        case 1 | 3 | 9 | 11:
            return f"cb{'nz' if w & 0x800 else 'z'} {low}, {at + 4 + (w >> 3 & 0x40 | w >> 2 & 0x3E):X}H"
        case 2:
            return f"{EXTENDS[w >> 6 & 3]} {low}, {second}"
        case 4 | 5 if w & 0x1FF:
            return f"push {registers(byte | (w & 0x100) << 6)}"
        case 6 if w & 0xEC == 0x60 and w & 3:
            return f"cps{'id' if w & 0x10 else 'ie'} {('', 'f', 'i', 'if')[w & 3]}"
        case 10 if REVERSES[w >> 6 & 3]:
            return f"{REVERSES[w >> 6 & 3]} {low}, {second}"
        case 12 | 13 if w & 0x1FF:
            return f"pop {registers(byte | (w & 0x100) << 7)}"
        case 14:
            return f"bkpt #{byte}"
        case 15 if w & 15:
            return _makes_conditional(w)
        case 15 if byte >> 4 < len(HINTS):
            return HINTS[byte >> 4]
    return ""


def _makes_conditional(w: int) -> str:
    condition, mask = w >> 4 & 15, w & 15
    if condition == 15:
        return ""
    last = (mask & -mask).bit_length() - 1
    more = "".join("t" if (mask >> b & 1) == (condition & 1) else "e" for b in range(3, last, -1))
    return f"it{more} {CONDITIONS[condition]}"
