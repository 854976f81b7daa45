"""What Thumb machine code (ARMv6-M, ARMv7-M) does to the control flow and to the stack, instruction by instruction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

SP, LR, PC = 13, 14, 15


class Does(Enum):
    GOES_ON = "goes on"
    JUMPS = "jumps"  # to `target`
    MAY_JUMP = "may jump"  # to `target`, or goes on
    CALLS = "calls"  # `target`
    CALLS_SOMETHING = "calls something"  # by a pointer
    JUMPS_SOMEWHERE = "jumps somewhere"  # by a pointer
    JUMPS_BY_BYTES = "jumps by a table of bytes"  # that begins at `target`, each half the way from there
    JUMPS_BY_HALVES = "jumps by a table of half-words"
    ADDS_TO_COUNTER = "adds a register to the program counter"  # as the two above, on processors that lack them
    SETS_COUNTER = "sets the program counter"  # from a table of words
    RETURNS = "returns"
    STOPS = "stops"
    GROWS_STACK = "grows the stack"  # by `amount`; negative: shrinks it
    ADDS_TO_STACK = "adds a register to the stack pointer"  # `register`
    SETS_STACK = "sets the stack pointer"  # to what nobody knows here
    MAKES_CONDITIONAL = "makes conditional"  # the next `amount` instructions


@dataclass(frozen=True, slots=True)
class Instruction:
    size: int  # bytes
    does: Does
    target: int = 0
    amount: int = 0
    register: int = 0


def half(code: bytes, at: int) -> int:
    return code[at] | code[at + 1] << 8


def is_wide(first: int) -> bool:
    """Whether an instruction with this first half-word has a second one."""
    return first >> 11 in (0b11101, 0b11110, 0b11111)


def decode(code: bytes, at: int) -> Instruction:
    """The instruction at `at`; `target` counts from the same start. What matters to neither flow nor stack goes on."""
    first = half(code, at)
    if is_wide(first):
        return _wide(first, half(code, at + 2), at)
    return _narrow(first, at)


def _narrow(w: int, at: int) -> Instruction:
    following = at + 4  # what the program counter reads as
    if w & 0xFE00 == 0xB400:
        return Instruction(2, Does.GROWS_STACK, amount=4 * (w & 0x1FF).bit_count())
    if w & 0xFE00 == 0xBC00:
        if w & 0x100:
            return Instruction(2, Does.RETURNS)
        return Instruction(2, Does.GROWS_STACK, amount=-4 * (w & 0xFF).bit_count())
    if w & 0xFF00 == 0xB000:
        amount = 4 * (w & 0x7F)
        return Instruction(2, Does.GROWS_STACK, amount=amount if w & 0x80 else -amount)
    if w & 0xF500 == 0xB100:  # CBZ, CBNZ
        return Instruction(2, Does.MAY_JUMP, following + (w >> 3 & 0x40 | w >> 2 & 0x3E))
    if w & 0xFF00 == 0xBF00 and w & 0xF:
        return Instruction(2, Does.MAKES_CONDITIONAL, amount=4 - ((w & -w).bit_length() - 1))
    if w & 0xF000 == 0xD000 and w & 0x0F00 != 0x0F00:  # SVC, with all ones, comes back
        if w & 0x0F00 == 0x0E00:
            return Instruction(2, Does.STOPS)
        return Instruction(2, Does.MAY_JUMP, following + 2 * signed(w & 0xFF, 8))
    if w & 0xF800 == 0xE000:
        return Instruction(2, Does.JUMPS, following + 2 * signed(w & 0x7FF, 11))
    if w & 0xFC00 == 0x4400:
        return _on_high_register(w, at)
    return Instruction(2, Does.GOES_ON)


def _on_high_register(w: int, at: int) -> Instruction:
    operation, source, destination = w >> 8 & 3, w >> 3 & 0xF, w & 7 | w >> 4 & 8
    if operation == 3:
        if w & 0x80:
            return Instruction(2, Does.CALLS_SOMETHING)
        return Instruction(2, Does.RETURNS if source == LR else Does.JUMPS_SOMEWHERE)
    if operation == 1 or destination not in (SP, PC):  # compares
        return Instruction(2, Does.GOES_ON)
    if destination == SP:
        return Instruction(2, Does.ADDS_TO_STACK if operation == 0 else Does.SETS_STACK, register=source)
    if operation == 0:
        return Instruction(2, Does.ADDS_TO_COUNTER, at + 2)
    return Instruction(2, Does.RETURNS if source == LR else Does.SETS_COUNTER)


def _wide(w: int, v: int, at: int) -> Instruction:
    following = at + 4
    if w & 0xF800 == 0xF000 and v & 0x8000:
        return _branch(w, v, following)
    if (w, v & 0x8000) == (0xE8BD, 0x8000) or (w, v & 0xF900) == (0xF85D, 0xF900):  # POP of several, of one
        return Instruction(4, Does.RETURNS)
    if w & 0xFFF0 == 0xE8D0 and v & 0xFFE0 == 0xF000:
        by_bytes = v & 0x10 == 0
        if w & 0xF != PC:
            return Instruction(4, Does.JUMPS_SOMEWHERE)
        return Instruction(4, Does.JUMPS_BY_BYTES if by_bytes else Does.JUMPS_BY_HALVES, following)
    if w & 0xFF70 == 0xF850 and v >> 12 == PC or (w & 0xFE50 == 0xE810 and v & 0x8000):  # LDR, LDM of the counter
        return Instruction(4, Does.JUMPS_SOMEWHERE)
    amount = _growth(w, v)
    if amount is not None:
        return Instruction(4, Does.GROWS_STACK, amount=amount)
    if _writes_stack_pointer(w, v):
        return Instruction(4, Does.SETS_STACK)
    return Instruction(4, Does.GOES_ON)


def _branch(w: int, v: int, following: int) -> Instruction:
    sign, j1, j2 = w >> 10 & 1, v >> 13 & 1, v >> 11 & 1
    if v & 0x5000 == 0:
        if w & 0x0380 == 0x0380:  # barriers, special registers; a permanently undefined one
            return Instruction(4, Does.STOPS if (w & 0xFFF0, v & 0xF000) == (0xF7F0, 0xA000) else Does.GOES_ON)
        way = sign << 20 | j2 << 19 | j1 << 18 | (w & 0x3F) << 12 | (v & 0x7FF) << 1
        return Instruction(4, Does.MAY_JUMP, following + signed(way, 21))
    if v & 0x1000 == 0:
        return Instruction(4, Does.GOES_ON)  # to the ARM instruction set, which these processors have not
    i1, i2 = 1 - (j1 ^ sign), 1 - (j2 ^ sign)
    way = sign << 24 | i1 << 23 | i2 << 22 | (w & 0x3FF) << 12 | (v & 0x7FF) << 1
    return Instruction(4, Does.CALLS if v & 0x4000 else Does.JUMPS, following + signed(way, 25))


def _growth(w: int, v: int) -> int | None:
    """By how many bytes the stack grows; None if this is no instruction that says it."""
    if w == 0xE92D:  # PUSH.W
        return 4 * v.bit_count()
    if w == 0xE8BD:  # POP.W
        return -4 * v.bit_count()
    if w & 0xFE8F == 0xF80D and v & 0x0900 == 0x0900:  # STR, LDR that move SP: PUSH, POP of one
        return -(v & 0xFF) if v & 0x0200 else v & 0xFF
    if w & 0xFE6F == 0xE86D:  # STRD, LDRD that move SP
        return -4 * (v & 0xFF) if w & 0x0080 else 4 * (v & 0xFF)
    if w & 0xFFBF == 0xED2D and v & 0x0E00 == 0x0A00:  # VPUSH
        return 4 * (v & 0xFF)
    if w & 0xFFBF == 0xECBD and v & 0x0E00 == 0x0A00:  # VPOP
        return -4 * (v & 0xFF)
    if v & 0x8F00 == 0x0D00:
        immediate = (w >> 10 & 1) << 11 | (v >> 12 & 7) << 8 | v & 0xFF
        if w & 0xFBEF == 0xF1AD:  # SUB.W, with or without flags
            return expanded(immediate)
        if w & 0xFBEF == 0xF10D:
            return -expanded(immediate)
        if w & 0xFBFF == 0xF2AD:  # SUBW
            return immediate
        if w & 0xFBFF == 0xF20D:
            return -immediate
    return None


def _writes_stack_pointer(w: int, v: int) -> bool:
    """Data processing, or a load, whose destination it is."""
    if w & 0xFE00 == 0xEA00 or (w & 0xF800 == 0xF000 and not v & 0x8000):
        return v >> 8 & 0xF == SP
    return w & 0xFF70 == 0xF850 and v >> 12 == SP


def expanded(immediate: int) -> int:
    """The constant that the 12 bits of a Thumb-2 instruction stand for."""
    low = immediate & 0xFF
    match immediate >> 8:
        case 0:
            return low
        case 1:
            return low << 16 | low
        case 2:
            return low << 24 | low << 8
        case 3:
            return low << 24 | low << 16 | low << 8 | low
    turn, value = immediate >> 7, 0x80 | immediate & 0x7F
    return (value >> turn | value << 32 - turn) & 0xFFFFFFFF


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
