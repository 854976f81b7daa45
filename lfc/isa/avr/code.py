"""What AVR machine code does to the control flow and to the stack, instruction by instruction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Y_LOW, Y_HIGH = 28, 29
STACK_LOW, STACK_HIGH = 0x3D, 0x3E  # the stack pointer, in the input/output space
SMALL_FLASH, PADDING = 8192, 8  # bytes: of the chips without JMP; behind the code, at most


class Does(Enum):
    GOES_ON = "goes on"
    JUMPS = "jumps"  # to `target`
    MAY_JUMP = "may jump"  # to `target`, or goes on
    SKIPS = "skips"  # perhaps the next instruction
    CALLS = "calls"  # `target`
    CALLS_SOMETHING = "calls something"  # by a pointer
    JUMPS_SOMEWHERE = "jumps somewhere"  # by a pointer
    RETURNS = "returns"
    PUSHES = "pushes"
    POPS = "pops"
    READS_STACK = "reads the stack pointer"  # half of it, into `register`
    WRITES_STACK = "writes the stack pointer"  # half of it, from `register`
    SUBTRACTS = "subtracts"  # `amount` from the register `register`, a byte
    SUBTRACTS_CARRY = "subtracts with carry"
    SUBTRACTS_WORD = "subtracts from a word"  # `amount`, from the pair at `register`


@dataclass(frozen=True, slots=True)
class Instruction:
    size: int  # bytes
    does: Does
    target: int = 0  # byte address
    register: int = 0
    amount: int = 0


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def _round(code: bytes, target: int) -> int:
    """In a flash of 8 KB its begin follows its end. In a larger one the linker refuses such a jump."""
    beyond = target < 0 or (target >= SMALL_FLASH and len(code) <= SMALL_FLASH + PADDING)
    return target % SMALL_FLASH if beyond else target


def decode(code: bytes, at: int) -> Instruction:
    """The instruction at byte `at` of the flash. What matters to neither flow nor stack only goes on."""
    w = code[at] | code[at + 1] << 8
    if w & 0xFC0F == 0x9000:  # LDS, STS
        return Instruction(4, Does.GOES_ON)
    if w & 0xFE0C == 0x940C:
        low = code[at + 2] | code[at + 3] << 8
        target = 2 * ((w & 0x01F0) << 13 | (w & 1) << 16 | low)
        return Instruction(4, Does.CALLS if w & 2 else Does.JUMPS, target)
    if w & 0xF000 in (0xC000, 0xD000):
        target = _round(code, at + 2 + 2 * _signed(w & 0xFFF, 12))
        return Instruction(2, Does.JUMPS if w & 0xF000 == 0xC000 else Does.CALLS, target)
    if w & 0xF800 == 0xF000:
        return Instruction(2, Does.MAY_JUMP, at + 2 + 2 * _signed(w >> 3 & 0x7F, 7))
    if w & 0xFC00 == 0x1000 or w & 0xFC08 == 0xFC00 or w & 0xFD00 == 0x9900:
        return Instruction(2, Does.SKIPS)
    if w in (0x9508, 0x9518):
        return Instruction(2, Does.RETURNS)
    if w in (0x9409, 0x9419):
        return Instruction(2, Does.JUMPS_SOMEWHERE)
    if w in (0x9509, 0x9519):
        return Instruction(2, Does.CALLS_SOMETHING)
    return Instruction(2, *_on_stack(w))


def _on_stack(w: int) -> tuple[Does, int, int, int]:
    register = w >> 4 & 0x1F
    if w & 0xFE0F == 0x920F:
        return Does.PUSHES, 0, register, 0
    if w & 0xFE0F == 0x900F:
        return Does.POPS, 0, register, 0
    port = w >> 5 & 0x30 | w & 0xF
    if w & 0xF000 == 0xB000 and port in (STACK_LOW, STACK_HIGH):
        return Does.WRITES_STACK if w & 0x0800 else Does.READS_STACK, 0, register, port
    if w & 0xFE00 == 0x9600:
        amount = w >> 2 & 0x30 | w & 0xF
        return Does.SUBTRACTS_WORD, 0, 24 + 2 * (w >> 4 & 3), amount if w & 0x0100 else -amount
    if w & 0xF000 in (0x4000, 0x5000):
        amount = w >> 4 & 0xF0 | w & 0xF
        does = Does.SUBTRACTS if w & 0xF000 == 0x5000 else Does.SUBTRACTS_CARRY
        return does, 0, 16 + (w >> 4 & 0xF), amount
    return Does.GOES_ON, 0, 0, 0
