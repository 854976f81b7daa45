"""The arithmetic of constants, on Python's integers."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.semantics.model import types as ty


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an operation has no result."""

    reason: str


def arithmetic(op: str, left: int, right: int) -> int | Fault:
    """Exact, without bounds. DIV and MOD floor: `(-7) DIV 2 = -4`, `(-7) MOD 2 = 1`."""
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    if op == "*":
        return left * right
    if right == 0:
        return Fault("division by zero")
    return left // right if op == "DIV" else left % right


def in_type(value: int, t: ty.IntegerType) -> int | Fault:
    """Unsigned arithmetic wraps, signed arithmetic must not leave its type."""
    if t.low <= value <= t.high:
        return value
    if t.signed:
        return Fault(f"the result, {value}, does not fit {t}")
    return value & t.high


def type_of_result(value: int, *operands: int, expected: ty.Type | None = None) -> ty.IntegerType | None:
    """The type of an exact result of operands that no type was asked for: INTEGER; UINT32 only where an operand or
    the place has it. None: it leaves both."""
    if ty.INTEGER.low <= value <= ty.INTEGER.high:
        return ty.INTEGER
    wide = expected is ty.UINT32 or any(o > ty.INTEGER.high for o in operands)
    return ty.UINT32 if wide and 0 <= value <= ty.UINT32.high else None


def set_operation(op: str, left: int, right: int) -> int:
    if op == "+":
        return left | right
    if op == "-":
        return left & ~right
    if op == "*":
        return left & right
    return left ^ right


def relation(op: str, left: int | bytes, right: int | bytes) -> bool:
    """Of numbers, or of strings (without their closing 0X, as bytes)."""
    if op == "=":
        return left == right
    if op == "#":
        return left != right
    if op == "<":
        return left < right  # type: ignore[operator]
    if op == "<=":
        return left <= right  # type: ignore[operator]
    if op == ">":
        return left > right  # type: ignore[operator]
    return left >= right  # type: ignore[operator]


def set_relation(op: str, left: int, right: int) -> bool:
    if op == "=":
        return left == right
    if op == "#":
        return left != right
    return left & ~right == 0 if op == "<=" else right & ~left == 0


def wrap(value: int, size: int, signed: bool) -> int:
    """The low `size` bytes of a value, sign- or zero-extended."""
    bits = 8 * size
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def shift(name: str, value: int, count: int, t: ty.IntegerType) -> int:
    """LSL, ASR, ROR in a type. A count past the width shifts all out; ROR takes it modulo the width."""
    bits = 8 * t.size
    if name == "ROR":
        count %= bits
        pattern = value & ((1 << bits) - 1)
        return wrap(pattern >> count | pattern << (bits - count), t.size, t.signed)
    count = min(count, bits)
    return wrap(value << count, t.size, t.signed) if name == "LSL" else value >> count
