"""Which registers and flags an instruction of Thumb machine code looks at, and which it sets whatever they were.

Of what it does not know it says that it looks at everything.
"""

from __future__ import annotations

from lfc.isa.thumb.code import LR, PC, SP, half, is_wide

NZ, C, V = 1 << 32, 1 << 33, 1 << 34  # flags
FLAGS = NZ | C | V
REGISTERS = (1 << PC) - 1  # all but the program counter
EVERYTHING = REGISTERS | FLAGS
ARGUMENTS = 0xF  # and results
KEPT_BY_CALLS = 0xFF0 | 1 << SP
Effect = tuple[int, int]  # uses, defines

AND, ORR, ORN, EOR, ADD, ADC, SBC, SUB, RSB = 0, 2, 3, 4, 8, 10, 11, 13, 14


def bit(register: int) -> int:
    return 1 << register if register < PC else 0


def registers_of(code: bytes, at: int, conditional: bool = False) -> Effect:
    """`conditional`: in an IT block."""
    first = half(code, at)
    if is_wide(first):
        uses, defines = _wide(first, half(code, at + 2))
    else:
        uses, defines = _narrow(first, conditional)
    return (uses | FLAGS, 0) if conditional else (uses, defines)


# --- narrow ------------------------------------------------------------------------------------------------------


def _narrow(w: int, conditional: bool) -> Effect:
    low, second, third = bit(w & 7), bit(w >> 3 & 7), bit(w >> 6 & 7)
    high = bit(w >> 8 & 7)
    match w >> 11:
        case 0 | 1 | 2:
            return second, low | NZ | (C if w >> 6 & 31 or w >> 11 else 0)
        case 3:
            return second | (0 if w & 0x400 else third), low | FLAGS
        case 4:
            return 0, high | NZ
        case 5:
            return high, FLAGS
        case 6 | 7:
            return high, high | FLAGS
        case 8:
            return _on_high(w) if w & 0x400 else _on_two(w >> 6 & 15, low, second, conditional)
        case 9 | 20:
            return 0, high
        case 10 | 11:
            return (second | third | low, 0) if w >> 9 & 7 < 3 else (second | third, low)
        case 12 | 14 | 16:
            return second | low, 0
        case 13 | 15 | 17:
            return second, low
        case 18:
            return high | bit(SP), 0
        case 19 | 21:
            return bit(SP), high
        case 22 | 23:
            return _miscellaneous(w, low, second)
        case 24:
            return high | w & 0xFF, high
        case 25:
            return high, high | w & 0xFF
        case 26 | 27:
            return (EVERYTHING if w >> 8 & 15 >= 14 else FLAGS), 0
    return 0, 0


def _on_two(operation: int, low: int, second: int, conditional: bool) -> Effect:
    if operation in (5, 6):  # ADC, SBC
        return low | second | C, low | FLAGS
    if operation in (8, 10, 11):  # TST, CMP, CMN
        return low | second, NZ if operation == 8 else FLAGS
    if operation == 9:  # RSB
        return second, low | FLAGS
    if operation == 15:  # MVN
        return second, low | NZ
    return low | second, low | NZ


def _on_high(w: int) -> Effect:
    source, target = bit(w >> 3 & 15), w & 7 | w >> 4 & 8
    match w >> 8 & 3:
        case 0:
            return source | bit(target), bit(target)
        case 1:
            return source | bit(target), FLAGS
        case 2:
            return source, bit(target)
    if w & 0x80:
        return source | ARGUMENTS | KEPT_BY_CALLS, bit(LR)
    return source if w >> 3 & 15 == LR else source | ARGUMENTS | KEPT_BY_CALLS | bit(LR), 0


def _miscellaneous(w: int, low: int, second: int) -> Effect:
    sp = bit(SP)
    match w >> 8 & 15:
        case 0:
            return sp, sp
        case 1 | 3 | 9 | 11:
            return low, 0
        case 2 | 10:
            return second, low
        case 4 | 5:
            return w & 0xFF | sp | (bit(LR) if w & 0x100 else 0), sp
        case 12 | 13:
            return sp, w & 0xFF | sp
        case 15:
            return (FLAGS if w & 15 else 0), 0
        case 6:
            return 0, 0
    return EVERYTHING, 0


# --- wide --------------------------------------------------------------------------------------------------------


def _wide(w: int, v: int) -> Effect:
    if w & 0xF800 == 0xF000:
        if v & 0x8000:
            return _branch(w, v)
        return _plain(w, v) if w & 0x0200 else _computes(w, v, 0)
    match w >> 8:
        case 0xEA | 0xEB:
            shifts_through_carry = v & 0x70F0 == 0x0030
            uses, defines = _computes(w, v, bit(v & 15))
            return uses | (C if shifts_through_carry else 0), defines
        case 0xE8 | 0xE9:
            return _several(w, v) if not w & 0x40 else _two_words(w, v)
        case 0xF8 | 0xF9:
            return _single(w, v)
        case 0xFA:
            sets = w & 0x0090 == 0x0010 and not v & 0x00F0
            return bit(w & 15) | bit(v & 15), bit(v >> 8 & 15) | (NZ if sets else 0)
        case 0xFB:
            return _multiplies(w, v)
    return EVERYTHING, 0


def _branch(w: int, v: int) -> Effect:
    if v & 0x1000:
        return 0, (bit(LR) if v & 0x4000 else 0)
    if w & 0x0380 != 0x0380:
        return FLAGS, 0
    if w & 0xFFF0 == 0xF380:
        if v & 0xFF < 4:
            return bit(w & 15), FLAGS if v & 0x0800 else 0
        return (bit(w & 15), 0) if v & 0xFF == 16 else (EVERYTHING, 0)
    if w == 0xF3EF:
        return (FLAGS if v & 0xFF < 4 else bit(SP)), bit(v >> 8 & 15)
    return 0, 0


def _computes(w: int, v: int, second: int) -> Effect:
    operation, n, target, sets = w >> 5 & 15, bit(w & 15), bit(v >> 8 & 15), bool(w & 0x10)
    uses = n | second | (C if operation in (ADC, SBC) else 0)
    return uses, target | (FLAGS if operation >= ADD else NZ if sets else 0) if sets else target


def _plain(w: int, v: int) -> Effect:
    n, target, operation = bit(w & 15), bit(v >> 8 & 15), w >> 4 & 31
    if operation in (4, 12):  # MOVW, MOVT
        return (target if operation == 12 else 0), target
    return n | (target if operation == 22 else 0), target  # BFI


def _several(w: int, v: int) -> Effect:
    n, moved = bit(w & 15), bit(w & 15) if w & 0x20 else 0
    return (n, v & REGISTERS | moved) if w & 0x10 else (n | v & REGISTERS, moved)


def _two_words(w: int, v: int) -> Effect:
    n, first, second = bit(w & 15), bit(v >> 12), bit(v >> 8 & 15)
    if w & 0x0120:
        moved = n if w & 0x20 else 0
        return (n, first | second | moved) if w & 0x10 else (n | first | second, moved)
    if w & 0xFFF0 == 0xE840:
        return n | first, second
    if w & 0xFFF0 == 0xE850:
        return n, first
    if w & 0xFFF0 == 0xE8C0:
        return n | first, bit(v & 15)
    return (n, first) if v & 0xC0 else (n | bit(v & 15), 0)  # LDREX, LDA; else TBB


def _single(w: int, v: int) -> Effect:
    n, value, uses, moved = bit(w & 15), bit(v >> 12), bit(w & 15), 0
    if w & 15 != PC and not w & 0x80:
        if v & 0x0800:
            moved = n if v & 0x0100 else 0
        else:
            uses |= bit(v & 15)
    return (uses, value | moved) if w & 0x10 else (uses | value, moved)


def _multiplies(w: int, v: int) -> Effect:
    factors, a, target = bit(w & 15) | bit(v & 15), bit(v >> 12), bit(v >> 8 & 15)
    if not w & 0x80:
        return factors | a, target
    kind = w >> 4 & 7
    if kind & 5 == 1:  # divisions
        return factors, target
    return factors | (a | target if kind >= 4 else 0), a | target
