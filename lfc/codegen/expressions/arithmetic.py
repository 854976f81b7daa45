"""Operations on integers and sets, with their checks."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.codegen.expressions import wide
from lfc.codegen.module.emit import Value, bits_of, number
from lfc.codegen.module.scope import DIVISION, ELEMENT, OVERFLOW, RANGE, Scope, is_signed
from lfc.semantics.model.types import (
    IN_STEPS,
    BooleanType,
    ExactType,
    FixedType,
    IntegerType,
    SetType,
    Type,
    scalar_range,
    size_and_signedness,
    steps_text,
)

INSTRUCTIONS = {"+": "add", "-": "sub", "*": "mul"}
SET_OPERATIONS = {"+": "or", "*": "and", "/": "xor"}
SIGNED_PREDICATES = {"=": "eq", "#": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
UNSIGNED_PREDICATES = {"=": "eq", "#": "ne", "<": "ult", "<=": "ule", ">": "ugt", ">=": "uge"}


def binary(s: Scope, op: str, t: Type, left: Value, right: Value, span: Span) -> Value:
    f = s.f
    if isinstance(t, SetType):
        if op == "-":
            return f.arithmetic("and", left, f.arithmetic("xor", right, number(t.bits, -1)))
        return f.arithmetic(SET_OPERATIONS[op], left, right)
    signed = is_signed(t)
    if op in ("DIV", "MOD"):
        return divide(s, op, signed, left, right, span)
    instruction = INSTRUCTIONS[op]
    if not signed or isinstance(t, ExactType):
        called = wide.product(s, left, right) if op == "*" and left.type == "i64" else None
        return called or f.arithmetic(instruction, left, right)
    return with_overflow(s, instruction, left, right, span)


def with_overflow(s: Scope, instruction: str, left: Value, right: Value, span: Span) -> Value:
    f = s.f
    pair = f.call(
        f"{{ {left.type}, i1 }}",
        f"@llvm.s{instruction}.with.overflow.{left.type}",
        [f"{left.type} {left.ref}", f"{right.type} {right.ref}"],
    )
    result = f.op(left.type, f"extractvalue {pair}, 0")
    bad = f.op("i1", f"extractvalue {pair}, 1")
    s.check(f.arithmetic("xor", bad, number(1, 1)), OVERFLOW, span, "overflow", (left, True), (right, True))
    return result


def without_wrap(s: Scope, op: str, t: Type, left: Value, right: Value, span: Span) -> Value:
    """Of an unsigned type: what it cannot hold is a fault."""
    f = s.f
    if op == "-":
        result, good = f.arithmetic("sub", left, right), f.compare("uge", left, right)
    else:
        pair_type, name = f"{{ {left.type}, i1 }}", f"@llvm.u{INSTRUCTIONS[op]}.with.overflow.{left.type}"
        s.unit.once(name, lambda: s.unit.globals.append(f"declare {pair_type} {name}({left.type}, {left.type})"))
        pair = f.call(pair_type, name, [f"{left.type} {left.ref}", f"{right.type} {right.ref}"])
        result = f.op(left.type, f"extractvalue {pair}, 0")
        good = f.arithmetic("xor", f.op("i1", f"extractvalue {pair}, 1"), number(1, 1))
    s.check(good, OVERFLOW, span, f"{op} of {t}", (left, False), (right, False))
    return result


def divide(s: Scope, op: str, signed: bool, left: Value, right: Value, span: Span) -> Value:
    """DIV and MOD round towards minus infinity."""
    f = s.f
    bits = bits_of(left.type)
    zero = number(bits, 0)
    told = within_32_bits(s, left) if bits > 32 else left
    s.check(f.compare("ne", right, zero), DIVISION, span, op, (told, signed))
    if not signed:
        return f.arithmetic("udiv" if op == "DIV" else "urem", left, right)
    called = wide.quotient(s, left, right) if op == "DIV" and bits == 64 else None
    if called is not None:
        return called
    minus_one = f.compare("eq", right, number(bits, -1))
    if op == "DIV":
        lowest = f.compare("eq", left, number(bits, 1 << (bits - 1)))
        overflow = f.arithmetic("and", lowest, minus_one)
        s.check(f.arithmetic("xor", overflow, number(1, 1)), OVERFLOW, span, "overflow", (left, True), (right, True))
        divisor = right
    else:  # lowest MOD -1 is 0, but undefined in LLVM
        divisor = f.select(minus_one, number(bits, 1), right)
    remainder = f.arithmetic("srem", left, divisor)
    not_zero = f.compare("ne", remainder, zero)
    opposite = f.compare("slt", f.arithmetic("xor", remainder, divisor), zero)
    adjust = f.arithmetic("and", not_zero, opposite)
    if op == "DIV":
        quotient = f.arithmetic("sdiv", left, divisor)
        return f.arithmetic("sub", quotient, f.widen(adjust, bits))
    return f.arithmetic("add", remainder, f.select(adjust, divisor, zero))


def negate(s: Scope, t: Type, v: Value, span: Span) -> Value:
    if isinstance(t, SetType):
        return s.f.arithmetic("xor", v, number(t.bits, -1))
    return binary(s, "-", t, number(bits_of(v.type), 0), v, span)


def relation(s: Scope, op: str, t: Type, left: Value, right: Value) -> Value:
    """Two scalars of one type."""
    f = s.f
    if isinstance(t, SetType) and op in ("<=", ">="):
        inner, outer = (left, right) if op == "<=" else (right, left)
        outside = f.arithmetic("and", inner, f.arithmetic("xor", outer, number(t.bits, -1)))
        return f.compare("eq", outside, number(t.bits, 0))
    predicates = SIGNED_PREDICATES if is_signed(t) else UNSIGNED_PREDICATES
    return f.compare(predicates[op], left, right)


def convert(s: Scope, v: Value, source: Type, target: Type, checked: bool, span: Span) -> Value:
    f = s.f
    signed = is_signed(source) and not isinstance(source, BooleanType)
    if checked:
        check_range(s, v, source, target, span)
    if isinstance(target, BooleanType):
        return v if v.type == "i1" else f.op("i1", f"trunc {v} to i1")
    return f.widen(v, 8 * size_and_signedness(target)[0], signed)


def check_range(s: Scope, v: Value, source: Type, target: Type, span: Span) -> None:
    """Fault 2 unless the value, read as `source`, lies in `target`."""
    f = s.f
    signed = is_signed(source) and not isinstance(source, BooleanType)
    low, high = scalar_range(target)
    source_low, source_high = scalar_range(source)
    if isinstance(source, IntegerType) or low > source_low or high < source_high:
        wide = f.widen(v, 64, signed)
        good: Value | None = None
        if low > source_low:
            good = f.compare("sge", wide, number(64, low))
        if high < source_high:
            below = f.compare("sle", wide, number(64, high))
            good = below if good is None else f.arithmetic("and", good, below)
        if good is not None:
            by = f"{IN_STEPS}{steps_text(target, 1)}" if isinstance(target, FixedType) else ""
            s.check(good, RANGE, span, f"value of {target.name}{by}", (within_32_bits(s, v), signed))


def within_32_bits(s: Scope, v: Value) -> Value:
    """What a fault can tell of a number: of one that is wider, the nearest."""
    f = s.f
    if bits_of(v.type) <= 32:
        return v
    low, high = number(64, -(1 << 31)), number(64, (1 << 31) - 1)
    up = f.select(f.compare("slt", v, low), low, v)
    return f.select(f.compare("sgt", up, high), high, up)


def reinterpret(s: Scope, v: Value, source: Type, target: Type) -> Value:
    f = s.f
    if isinstance(target, BooleanType):
        return v if v.type == "i1" else f.op("i1", f"trunc {v} to i1")
    return f.widen(v, 8 * size_and_signedness(target)[0], is_signed(source) and v.type != "i1")


def element_bit(s: Scope, v: Value, source: Type, bits: int, span: Span) -> Value:
    """The mask of one set element, checked."""
    f = s.f
    check_element(s, v, source, bits, span)
    return f.arithmetic("shl", number(bits, 1), f.widen(v, bits))


def check_element(s: Scope, v: Value, source: Type, bits: int, span: Span) -> None:
    f = s.f
    wide = f.widen(v, 32, is_signed(source))
    s.check(
        f.compare("ult", wide, number(32, bits)),
        ELEMENT,
        span,
        "set element",
        (wide, is_signed(source)),
        (number(32, bits), False),
    )


def element_range(s: Scope, low: Value, high: Value, low_type: Type, high_type: Type, bits: int, span: Span) -> Value:
    """The mask of {low..high}; empty when low > high."""
    f = s.f
    check_element(s, low, low_type, bits, span)
    check_element(s, high, high_type, bits, span)
    wide = 2 * bits  # so that a shift by `bits` is defined
    one = number(wide, 1)
    low_w, high_w = f.widen(low, wide), f.widen(high, wide)
    above = f.arithmetic("sub", f.arithmetic("shl", number(wide, 2), high_w), one)
    below = f.arithmetic("sub", f.arithmetic("shl", one, low_w), one)
    mask = f.arithmetic("and", above, f.arithmetic("xor", below, number(wide, -1)))
    return f.widen(mask, bits)


def shift(s: Scope, name: str, t: Type, v: Value, count: Value, count_type: Type, span: Span) -> Value:
    f = s.f
    bits = bits_of(v.type)
    wide = f.widen(count, 32, is_signed(count_type))
    if is_signed(count_type):
        s.check(f.compare("sge", wide, number(32, 0)), RANGE, span, "shift count", (wide, True))
    if name == "ROR":
        n = f.widen(f.arithmetic("and", wide, number(32, bits - 1)), bits)
        return f.call(v.type, f"@llvm.fshr.{v.type}", [f"{v.type} {v.ref}", f"{v.type} {v.ref}", f"{v.type} {n.ref}"])
    inside = f.compare("ult", wide, number(32, bits))
    if name == "LSL" or not is_signed(t):
        n = f.widen(f.select(inside, wide, number(32, 0)), bits)
        return f.select(inside, f.arithmetic("shl" if name == "LSL" else "lshr", v, n), number(bits, 0))
    n = f.widen(f.select(inside, wide, number(32, bits - 1)), bits)
    return f.arithmetic("ashr", v, n)
