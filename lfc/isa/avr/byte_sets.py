"""Sets of values that a register of eight bits can hold, and what AVR's arithmetic makes of them.

A set is a number with 256 bits: bit v is one if v is in the set.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

ANY = (1 << 256) - 1
MOST_PAIRS = 1 << 12  # that are tried one by one; of more, nothing is known
CARRY, ZERO, NEGATIVE, OVERFLOW, SIGN = 1, 2, 4, 8, 16  # bits of the status register

USES_CARRY = frozenset({"adc", "sbc", "rol", "ror"})
KEEPS_CARRY = frozenset({"and", "or", "eor", "test", "inc", "dec"})
SINGLE = frozenset({"test", "inc", "dec", "com", "neg", "lsl", "rol", "lsr", "ror", "asr"})

Outcome = tuple[int, int, int, int]  # flags, then what the operands and the result are with these flags


def only(value: int) -> int:
    return 1 << (value & 0xFF)


@lru_cache(maxsize=4096)
def members(s: int) -> tuple[int, ...]:
    return tuple(v for v in range(256) if s >> v & 1)


def the_only(s: int) -> int | None:
    return s.bit_length() - 1 if s & (s - 1) == 0 else None


def set_of(values: Iterable[int]) -> int:
    found = 0
    for v in values:
        found |= 1 << v
    return found


@cache
def with_bit(bit: int, value: bool) -> int:
    return set_of(v for v in range(256) if bool(v >> bit & 1) == value)


@lru_cache(maxsize=8192)
def swapped(s: int) -> int:
    return set_of((v << 4 | v >> 4) & 0xFF for v in members(s))


@lru_cache(maxsize=65536)
def outcomes(operation: str, a: int, b: int, carry: int, zero: int) -> tuple[Outcome, ...] | None:
    """None: nothing is known. `carry` and `zero` are as before; of operations on one operand, `b` is not looked at."""
    first = members(a)
    second = (0,) if operation in SINGLE else members(b)
    if len(first) * len(second) > MOST_PAIRS:
        return None
    found: dict[int, tuple[int, int, int]] = {}
    for x in first:
        for y in second:
            flags, result = _compute(operation, x, y, carry, zero)
            before = found.get(flags, (0, 0, 0))
            found[flags] = before[0] | 1 << x, before[1] | 1 << y, before[2] | 1 << result
    return tuple((flags, *sets) for flags, sets in found.items())


def _compute(operation: str, x: int, y: int, carry: int, zero: int) -> tuple[int, int]:
    overflow = over = 0
    empty = None
    match operation:
        case "add" | "adc" | "lsl" | "rol":
            y = x if operation in SINGLE else y
            total = x + y + (carry if operation in ("adc", "rol") else 0)
            result, over = total & 0xFF, total >> 8
            overflow = ((x ^ result) & (y ^ result)) >> 7
        case "sub" | "sbc":
            total = x - y - (carry if operation == "sbc" else 0)
            result, over = total & 0xFF, int(total < 0)
            overflow = ((x ^ y) & (x ^ result)) >> 7
            empty = result == 0 and (operation == "sub" or bool(zero))
        case "and":
            result = x & y
        case "or":
            result = x | y
        case "eor":
            result = x ^ y
        case "test":
            result = x
        case "inc":
            result, overflow = (x + 1) & 0xFF, int(x == 0x7F)
        case "dec":
            result, overflow = (x - 1) & 0xFF, int(x == 0x80)
        case "com":
            result, over = x ^ 0xFF, 1
        case "neg":
            result, over, overflow = -x & 0xFF, int(x != 0), int(x == 0x80)
        case _:  # lsr, ror, asr
            high = {"lsr": 0, "ror": carry << 7, "asr": x & 0x80}[operation]
            result, over = high | x >> 1, x & 1
            overflow = result >> 7 ^ over
    negative = result >> 7
    nothing = result == 0 if empty is None else empty
    flags = over * CARRY | nothing * ZERO | negative * NEGATIVE | overflow * OVERFLOW | (negative ^ overflow) * SIGN
    return flags, result


@lru_cache(maxsize=8192)
def word_outcomes(low: int, high: int, amount: int) -> tuple[Outcome, ...] | None:
    """Of adding a number (ADIW; below 0: SBIW) to a pair: flags, nothing, then what the halves are."""
    lows, highs = members(low), members(high)
    if len(lows) * len(highs) > MOST_PAIRS:
        return None
    found: dict[int, tuple[int, int]] = {}
    for x in lows:
        for y in highs:
            before = y << 8 | x
            result = before + amount & 0xFFFF
            over = int(not 0 <= before + amount <= 0xFFFF)
            negative = result >> 15
            overflow = (~before & result) >> 15 & 1 if amount >= 0 else (before & ~result) >> 15 & 1
            flags = over | (result == 0) * ZERO | negative * NEGATIVE | overflow * OVERFLOW
            flags |= (negative ^ overflow) * SIGN
            sets = found.get(flags, (0, 0))
            found[flags] = sets[0] | 1 << (result & 0xFF), sets[1] | 1 << (result >> 8)
    return tuple((flags, 0, *sets) for flags, sets in found.items())
