"""Which registers, and whether the flags, are looked at again from an instruction of AVR machine code on.

It says less than it could where functions return. It only serves to see that two states are the same for what
follows: what it wrongly calls dead makes a bound larger, never wrong.
"""

from __future__ import annotations

from lfc.isa.avr.code import Does, Instruction, decode
from lfc.isa.avr.execute import ARITHMETIC, ON_ONE, STATUS, WITH_CONSTANT, X, Y, Z

FLAGS = 32  # the number of the bit that stands for them
KEPT_BY_CALLS = [*range(1, 18), 28, 29]
RESULTS = [*range(18, 26)]


def bits(*registers: int) -> int:
    found = 0
    for r in registers:
        found |= 1 << r
    return found


EVERYTHING = (1 << FLAGS + 1) - 1
AT_RETURN = bits(*KEPT_BY_CALLS, *RESULTS)


class Liveness:
    def __init__(self, code: bytes, entry: int) -> None:
        self.code = code
        self.instructions: dict[int, Instruction] = {}
        self.targets: set[int] = {entry}  # where the straight way ends
        self.before: dict[int, int] = {}  # address -> live registers
        self._find(entry)
        self._settle()

    def _find(self, entry: int) -> None:
        waiting = [entry]
        while waiting:
            at = waiting.pop()
            if at in self.instructions or at + 2 > len(self.code):
                continue
            i = self.instructions[at] = decode(self.code, at)
            ways = self._ways(at, i)
            if i.does is not Does.GOES_ON and len(ways) + (i.does is Does.JUMPS) > 1:
                self.targets.update(ways)
            waiting += ways

    def _ways(self, at: int, i: Instruction) -> list[int]:
        after = at + i.size
        match i.does:
            case Does.JUMPS:
                return [i.target]
            case Does.MAY_JUMP | Does.CALLS:
                return [i.target, after]
            case Does.SKIPS:
                return [after, after + decode(self.code, after).size]
            case Does.RETURNS | Does.JUMPS_SOMEWHERE:
                return []
        return [after]

    def _settle(self) -> None:
        effects = {at: registers_of(self.code, at, i) for at, i in self.instructions.items()}
        order = sorted(self.instructions, reverse=True)
        changed = True
        while changed:
            changed = False
            for at in order:
                i = self.instructions[at]
                after = AT_RETURN if i.does in (Does.RETURNS, Does.JUMPS_SOMEWHERE) else 0
                for way in self._ways(at, i):
                    after |= self.before.get(way, 0)
                uses, defines = effects[at]
                live = uses | after & ~defines
                if live != self.before.get(at):
                    self.before[at] = live
                    changed = True


def registers_of(code: bytes, at: int, i: Instruction) -> tuple[int, int]:
    """What it looks at, and what it writes for sure."""
    w = code[at] | code[at + 1] << 8
    d, r = w >> 4 & 0x1F, w & 0xF | w >> 5 & 0x10
    flags = bits(FLAGS)
    match i.does:
        case Does.MAY_JUMP:
            return flags, 0
        case Does.SKIPS:
            return (bits(d, r) if w & 0xFC00 == 0x1000 else bits(d) if w & 0xFC00 == 0xFC00 else 0), 0
        case Does.CALLS_SOMETHING | Does.JUMPS_SOMEWHERE:
            return bits(Z, Z + 1, *range(8, 26)), 0
        case Does.JUMPS | Does.CALLS | Does.RETURNS:
            return 0, 0
    if w & 0xFC00 in ARITHMETIC:
        operation, keeps = ARITHMETIC[w & 0xFC00]
        if operation == "eor" and d == r:
            return 0, bits(d)
        return bits(d, r) | (flags if operation in ("adc", "sbc") else 0), _written(operation) | (keeps and bits(d))
    if w & 0xFC00 == 0x2C00:
        return bits(r), bits(d)
    if w & 0xF000 in WITH_CONSTANT:
        operation, keeps = WITH_CONSTANT[w & 0xF000]
        d = 16 + (w >> 4 & 0xF)
        return bits(d) | (flags if operation == "sbc" else 0), _written(operation) | (keeps and bits(d))
    if w & 0xF000 == 0xE000:
        return 0, bits(16 + (w >> 4 & 0xF))
    if w & 0xFF00 == 0x0100:
        source, into = 2 * (w & 0xF), 2 * (w >> 4 & 0xF)
        return bits(source, source + 1), bits(into, into + 1)
    if w & 0xFE00 == 0x9600:
        pair = 24 + 2 * (w >> 4 & 3)
        return bits(pair, pair + 1), bits(pair, pair + 1) | flags
    if w & 0xFC00 == 0x9C00:
        return bits(d, r), bits(0, 1) | flags
    if w & 0xFE00 == 0x0200 or w & 0xFF00 == 0x0300:
        return bits(*range(16, 32)), bits(0, 1) | flags
    if w & 0xFE00 == 0x9400 and w & 0xF in ON_ONE:
        return bits(d) | (flags if ON_ONE[w & 0xF] == "ror" else 0), bits(d) | _written(ON_ONE[w & 0xF])
    if w & 0xFE0F == 0x9402:
        return bits(d), bits(d)
    if w & 0xF000 == 0xB000:
        is_status = (w >> 5 & 0x30 | w & 0xF) + 0x20 == STATUS
        return (bits(d), flags * is_status) if w & 0x0800 else (flags * is_status, bits(d))
    if w & 0xFC00 == 0xF800:
        return bits(d), 0
    return _memory(w, d)


def _written(operation: str) -> int:
    """The carry stays as it is after some: these do not write all flags."""
    return 0 if operation in ("and", "or", "eor", "inc", "dec") else bits(FLAGS)


def _memory(w: int, d: int) -> tuple[int, int]:
    if w & 0xFE0E in (0x9004, 0x9006):
        return bits(Z, Z + 1), bits(d)
    if w in (0x95C8, 0x95D8):
        return bits(Z, Z + 1), bits(0)
    if w & 0xD000 == 0x8000:
        pointer = Y if w & 8 else Z
    elif w & 0xFC00 != 0x9000:
        return 0, 0
    elif w & 0xF in (0, 0xF):
        return (bits(d), 0) if w & 0x0200 else (0, bits(d))
    elif w & 0xC in (0, 8, 0xC):
        pointer = {0: Z, 8: Y, 0xC: X}[w & 0xC]
    else:  # undefined, or of another core: it may look at anything
        return EVERYTHING, 0
    if w & 0x0200:
        return bits(d, pointer, pointer + 1), 0
    return bits(pointer, pointer + 1), bits(d)
