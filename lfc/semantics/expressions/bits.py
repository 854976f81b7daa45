"""The bits of unsigned numbers: BAND, BOR, BXOR, BNOT, LSR, BITS, SETBITS and `n IN x`.

They are made of what there is: a number's bits are those of the set of its width, so that `BXOR(x, y)` is the
symmetric difference of two sets. So every later stage knows them already.
"""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.expressions.constants import constant, constant_integer
from lfc.semantics.expressions.conversions import (
    any_integer,
    assignable,
    convert,
    integer_constant,
    operand_type,
    settled,
)
from lfc.semantics.model import folding, typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, text_of
from lfc.syntax.grammar import tree

SETS: dict[ty.Type, ty.SetType] = {ty.UINT8: ty.SET8, ty.UINT16: ty.SET16, ty.UINT32: ty.SET32}
UNSIGNED: dict[ty.Type, ty.IntegerType] = {ty.INT8: ty.UINT8, ty.INT16: ty.UINT16, ty.INT32: ty.UINT32}
OPERATIONS = {"BAND": "*", "BOR": "+", "BXOR": "/"}


def as_bits(e: typed.Expr) -> typed.Expr:
    """The set of the bits of an unsigned number."""
    t = SETS[e.type]
    if isinstance(e, typed.Constant):
        return typed.Constant(e.span, t, e.value)
    if isinstance(e, typed.Reinterpret) and e.operand.type is t:
        return e.operand
    return typed.Reinterpret(e.span, t, e)


def as_number(e: typed.Expr, t: ty.Type) -> typed.Expr:
    return typed.Constant(e.span, t, e.value) if isinstance(e, typed.Constant) else typed.Reinterpret(e.span, t, e)


def known(e: typed.Expr) -> int | None:
    return e.value if isinstance(e, typed.Constant) and isinstance(e.value, int) else None


def _wrong(node: tree.Expr) -> typed.Constant:
    return typed.Constant(node.span, ty.ERROR, 0)


def _operand(ctx: Context, name: str, node: tree.Expr, expected: ty.Type | None) -> typed.Expr:
    """An unsigned number, or a constant that may become one; of the error type after a report."""
    wanted = expected if expected in SETS else None
    e = any_integer(ctx, ctx.expression(node, wanted), f"an argument of {name}")
    if e.type is ty.ERROR or e.type in SETS or (isinstance(e, typed.Constant) and e.free and (known(e) or 0) >= 0):
        return e
    instead = UNSIGNED.get(e.type, ty.UINT32)
    note = Note(f"`SYSTEM.VAL({instead}, ...)` takes its bits as they are, `{instead}(...)` its value, checked")
    message = f"{name} is for unsigned numbers, but `{text_of(e.span)}` has type {e.type}"
    return ctx.error("LF0421", e.span, message, note)


def _common(ctx: Context, span: Span, name: str, left: typed.Expr, right: typed.Expr) -> ty.Type | None:
    t = operand_type(left, right)
    if t in SETS:
        return t
    message = f"no unsigned type holds both arguments of {name}: {left.type} and {right.type}"
    ctx.report("LF0404", span, message)
    return None


def combine(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """BAND, BOR, BXOR: bit by bit, in the common type."""
    name = text_of(node.callee.span)
    left, right = (_operand(ctx, name, a, expected) for a in node.arguments)
    if ty.ERROR in (left.type, right.type):
        return _wrong(node)
    first, second = known(left), known(right)
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant) and left.free and right.free:
        assert first is not None and second is not None
        return integer_constant(node.span, folding.set_operation(OPERATIONS[name], first, second))
    t = _common(ctx, node.span, name, left, right)
    if t is None:
        return _wrong(node)
    if first is not None and second is not None:
        return typed.Constant(node.span, t, folding.set_operation(OPERATIONS[name], first, second))
    parts = as_bits(convert(left, t)), as_bits(convert(right, t))
    return as_number(typed.Binary(node.span, SETS[t], OPERATIONS[name], *parts), t)


def complement(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """BNOT: of a constant, in the type of its place."""
    e = _typed_operand(ctx, node, "BNOT", node.arguments[0], expected)
    if e.type is ty.ERROR:
        return e
    t = e.type
    assert isinstance(t, ty.IntegerType)
    value = known(e)
    if value is not None:
        return typed.Constant(node.span, t, value ^ t.high)
    return as_number(typed.Unary(node.span, SETS[t], "-", as_bits(e)), t)


def _typed_operand(
    ctx: Context, node: tree.Call, name: str, argument: tree.Expr, expected: ty.Type | None
) -> typed.Expr:
    """One of an unsigned type: of a constant the width must be known from its place."""
    e = _operand(ctx, name, argument, expected)
    if isinstance(e, typed.Constant) and e.free and e.type is not ty.ERROR:
        if expected not in SETS:
            note = Note(f"state it: `{name}(UINT8({text_of(argument.span)}){', ...' * (len(node.arguments) > 1)})`")
            return ctx.error("LF0421", argument.span, f"{name} of a constant: it has no width here", note)
        return assignable(ctx, e, expected, f"the argument of {name}")
    return e


def shift_right(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """LSR: zeros come in, whatever the type is."""
    wanted = expected if isinstance(expected, ty.IntegerType) else None
    e = any_integer(ctx, ctx.expression(node.arguments[0], wanted), "the first argument of LSR")
    count = any_integer(ctx, ctx.expression(node.arguments[1]), "the second argument of LSR")
    if ty.ERROR in (e.type, count.type):
        return _wrong(node)
    value, by = known(e), known(count)
    if isinstance(e, typed.Constant) and e.free and value is not None:
        t = wanted if wanted is not None and wanted.low <= value <= wanted.high else e.type
        e = settled(typed.Constant(e.span, t, value))
    if by is not None and by < 0:
        return ctx.error("LF0502", count.span, f"LSR by {by}, which is negative")
    assert isinstance(e.type, ty.IntegerType)
    if value is not None and by is not None:
        bits = value & ((1 << 8 * e.type.size) - 1)
        return typed.Constant(node.span, e.type, folding.wrap(bits >> by, e.type.size, e.type.signed))
    return _shifted(node.span, e, settled(count if count.type is ty.UINT32 else convert(count, ty.INTEGER)))


def _shifted(span: Span, e: typed.Expr, count: typed.Expr) -> typed.Expr:
    if e.type in SETS:
        return typed.FunctionCall(span, e.type, "ASR", [e, count])
    t = UNSIGNED[e.type]
    bits: typed.Expr = typed.Reinterpret(e.span, t, e)
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        bits = typed.Constant(e.span, t, folding.wrap(e.value, t.size, False))
    return typed.Reinterpret(span, e.type, typed.FunctionCall(span, t, "ASR", [bits, count]))


# --- fields ----------------------------------------------------------------------------------------------------


def _field(ctx: Context, node: tree.Call, name: str, t: ty.Type) -> tuple[int, int] | None:
    """The lowest and the highest bit; None after a report. A field is two numbers, or a constant set of its bits."""
    assert isinstance(t, ty.IntegerType)
    width = 8 * t.size
    if len(node.arguments) == ARGUMENTS[name]:
        low = constant_integer(ctx, node.arguments[1], f"the lowest bit of {name}")
        high = constant_integer(ctx, node.arguments[2], f"the highest bit of {name}")
        span, told = node.arguments[1].span.to(node.arguments[2].span), f"{low} to {high} are"
    else:
        found = _named_field(ctx, node.arguments[1], name)
        if found is None:
            return None
        low, high = found
        span, told = node.arguments[1].span, f"`{text_of(node.arguments[1].span)}`, {low} to {high}, is"
    if low is None or high is None:
        return None
    if not 0 <= low <= high < width:
        ctx.report("LF0421", span, f"{t} has the bits 0 to {width - 1}, and {told} no field of it")
        return None
    return low, high


def _named_field(ctx: Context, node: tree.Expr, name: str) -> tuple[int, int] | None:
    """Of a constant set: its elements stand side by side."""
    e = constant(ctx, node)
    if e.type is ty.ERROR:
        return None
    note = Note("a field is two numbers, or a constant set of bits side by side, as `CONST mode = {4 .. 6}`")
    if not isinstance(e.type, ty.SetType) or not isinstance(e.value, int):
        ctx.report("LF0421", e.span, f"the field of {name} is a set, but `{text_of(e.span)}` has type {e.type}", note)
        return None
    bits = [i for i in range(32) if e.value >> i & 1]
    if not bits or bits != list(range(bits[0], bits[-1] + 1)):
        what = "is empty" if not bits else "has gaps"
        ctx.report("LF0421", e.span, f"the field of {name} {what}: `{text_of(e.span)}`", note)
        return None
    return bits[0], bits[-1]


def field_of(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """BITS(x, low, high), BITS(x, field): the number in these bits."""
    e = _typed_operand(ctx, node, "BITS", node.arguments[0], expected)
    if e.type is ty.ERROR:
        return e
    found = _field(ctx, node, "BITS", e.type)
    if found is None:
        return _wrong(node)
    low, high = found
    assert isinstance(e.type, ty.IntegerType)
    value, count = known(e), high - low + 1
    if value is not None:
        return typed.Constant(node.span, e.type, value >> low & ((1 << count) - 1))
    if low > 0:
        e = typed.FunctionCall(node.span, e.type, "ASR", [e, typed.Constant(node.span, ty.INTEGER, low)])
    if high == 8 * e.type.size - 1:  # type: ignore[attr-defined]
        return e
    return typed.Binary(node.span, e.type, "MOD", e, typed.Constant(node.span, e.type, 1 << count))


def with_field(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """SETBITS(x, low, high, v), SETBITS(x, field, v): x with v in these bits; a v that has no room there is a fault."""
    e = _typed_operand(ctx, node, "SETBITS", node.arguments[0], expected)
    v = any_integer(ctx, ctx.expression(node.arguments[-1]), "the last argument of SETBITS")
    if ty.ERROR in (e.type, v.type):
        return _wrong(node)
    found = _field(ctx, node, "SETBITS", e.type)
    if found is None:
        return _wrong(node)
    low, high = found
    t = e.type
    assert isinstance(t, ty.IntegerType)
    most = (1 << high - low + 1) - 1
    if known(v) is not None:
        v = assignable(ctx, v, ty.SubrangeType(f"0 .. {most}", ty.UINT32, 0, most), "the last argument of SETBITS")
        if v.type is ty.ERROR:
            return v
    value, before = known(v), known(e)
    if value is not None and before is not None:
        return typed.Constant(node.span, t, before & ~(most << low) | value << low)
    if value is not None:
        placed: typed.Expr = typed.Constant(v.span, SETS[t], value << low)
    else:
        placed = _placed(v, t, low, most)
    rest: typed.Expr = typed.Constant(e.span, SETS[t], t.high & ~(most << low))
    kept = typed.Binary(e.span, SETS[t], "*", as_bits(settled(e)), rest)
    return as_number(typed.Binary(node.span, SETS[t], "+", kept, placed), t)


def _placed(v: typed.Expr, t: ty.IntegerType, low: int, most: int) -> typed.Expr:
    """The bits of a number that is checked to have room in a field, in its place. A constant without room has been
    converted to what faults."""
    fitting: typed.Expr = settled(v)
    low_v, high_v = ty.scalar_range(v.type)
    if low_v < 0 or high_v > most:
        if most <= ty.INTEGER.high:
            room = ty.SubrangeType(f"0 .. {most}", ty.INTEGER, 0, most)
            fitting = typed.Convert(v.span, room, fitting, checked=True)
        elif v.type is not t:
            fitting = typed.Convert(v.span, t, fitting, checked=True)
    number = fitting if fitting.type is t else typed.Convert(v.span, t, fitting, checked=False)
    if low > 0:
        number = typed.FunctionCall(v.span, t, "LSL", [number, typed.Constant(v.span, ty.INTEGER, low)])
    return as_bits(number)


FIELDS = ("BITS", "SETBITS")  # one argument less if the field has a name
ARGUMENTS = {"BAND": 2, "BOR": 2, "BXOR": 2, "BNOT": 1, "LSR": 2, "BITS": 3, "SETBITS": 4}
RULES = {
    "BAND": combine,
    "BOR": combine,
    "BXOR": combine,
    "BNOT": complement,
    "LSR": shift_right,
    "BITS": field_of,
    "SETBITS": with_field,
}
