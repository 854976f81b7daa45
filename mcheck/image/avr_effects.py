"""What AVR instructions make of registers that nobody has set.

What they hold may be moved, saved, and computed with; but no jump, no address and nothing that is stored outside of
the stack may depend on it.
"""

from __future__ import annotations

from lfc.isa.avr.code import Does, decode
from lfc.isa.avr.execute import ARITHMETIC, ON_ONE, WITH_CONSTANT, X, Y, Z
from lfc.isa.avr.liveness import FLAGS, bits, registers_of
from lfc.mcheck.engine.abi import IMAGE_CODE as EXECUTABLE
from lfc.mcheck.engine.abi import ImageEffect as Effect

ALIKE = ("sub", "eor")  # with a register and itself: 0, whatever it holds
PADDING = bytes(8)


def effects_of(flash: bytes, code: bytes) -> list[Effect]:
    """By word; `code`: its marks."""
    padded = flash + PADDING
    return [
        effect_of(padded, 2 * word) if mark & EXECUTABLE and 2 * word < len(flash) else Effect()
        for word, mark in enumerate(code)
    ]


def effect_of(flash: bytes, at: int) -> Effect:
    w = flash[at] | flash[at + 1] << 8
    instruction = decode(flash, at)
    try:
        uses, defines = registers_of(flash, at, instruction)
    except KeyError:  # no instruction
        return Effect()
    match instruction.does:
        case Does.MAY_JUMP | Does.SKIPS:
            return Effect(needs=uses)
        case Does.CALLS_SOMETHING | Does.JUMPS_SOMEWHERE:
            return Effect(needs=bits(Z, Z + 1))
        case Does.JUMPS | Does.CALLS | Does.RETURNS:
            return Effect()
    pointer = _pointer(w)
    if pointer is not None:
        address = bits(pointer, pointer + 1)
        if w & 0x0200:
            return Effect(needs=address, stores=bits(w >> 4 & 31))
        return Effect(defines=defines, needs=address)
    if w & 0xFE0F in (0x9200, 0x920F):  # STS, PUSH
        return Effect(stores=bits(w >> 4 & 31))
    return Effect(_uses(w, uses), defines | _flags(w))


def _pointer(w: int) -> int | None:
    """Of a load or a store through one."""
    if w & 0xD000 == 0x8000:
        return Y if w & 8 else Z
    if w in (0x95C8, 0x95D8) or w & 0xFE0C == 0x9004:
        return Z
    if w & 0xFC00 != 0x9000 or w & 0xF in (0, 0xF):
        return None
    return {0: Z, 8: Y, 0xC: X}.get(w & 0xC)


def _uses(w: int, uses: int) -> int:
    d, r = w >> 4 & 0x1F, w & 0xF | w >> 5 & 0x10
    if w & 0xFC00 in ARITHMETIC and d == r:
        operation = ARITHMETIC[w & 0xFC00][0]
        return 0 if operation in ALIKE else bits(FLAGS) if operation == "sbc" else uses
    if w & 0xFF00 == 0x0200:  # MULS
        return bits(16 + (w >> 4 & 15), 16 + (w & 15))
    if w & 0xFF00 == 0x0300:
        return bits(16 + (w >> 4 & 7), 16 + (w & 7))
    return uses


def _flags(w: int) -> int:
    """Whoever writes some of them is taken to write all."""
    one = w & 0xFE00 == 0x9400 and w & 0xF in ON_ONE
    return bits(FLAGS) if one or w & 0xFC00 in ARITHMETIC or w & 0xF000 in WITH_CONSTANT else 0
