"""Which value fits which type: compute types, common types, and the explicit conversions of assigned values."""

from __future__ import annotations

from dataclasses import replace

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, code_of, text_of

INTEGERS_BY_SIZE = (ty.INT8, ty.UINT8, ty.INT16, ty.UINT16, ty.INT32, ty.UINT32)  # signed first
CONVERTED = (ty.IntegerType, ty.BooleanType, ty.CharType, ty.EnumerationType)  # by value, as integers are


def is_integer(t: ty.Type) -> bool:
    return isinstance(t, ty.IntegerType)


def is_string(t: ty.Type) -> bool:
    """An array of CHAR, of fixed or open length."""
    return isinstance(t, ty.ArrayType | ty.OpenArrayType) and t.element is ty.CHAR


def is_scalar(t: ty.Type) -> bool:
    return isinstance(t, CONVERTED + (ty.SubrangeType, ty.SetType))


def base_type(t: ty.Type) -> ty.Type:
    """What a type computes as."""
    return t.base if isinstance(t, ty.SubrangeType) and not isinstance(t, ty.FixedType) else t


def holds(t: ty.Type, value: int) -> bool:
    low, high = ty.scalar_range(t)
    return low <= value <= high


def holds_all(outer: ty.Type, inner: ty.Type) -> bool:
    low, high = ty.scalar_range(outer)
    inner_low, inner_high = ty.scalar_range(inner)
    return low <= inner_low and inner_high <= high


def integer_constant(span: Span, value: int) -> typed.Constant:
    """A constant that no type was asked for: INTEGER, or UINT32 where it is too large."""
    return typed.Constant(span, ty.INTEGER if value <= ty.INTEGER.high else ty.UINT32, value, free=True)


def computed(e: typed.Expr) -> typed.Expr:
    """A value of a subrange as one of the type that it computes as."""
    t = e.type
    if isinstance(t, ty.SubrangeType) and not isinstance(t, ty.FixedType):
        if isinstance(e, typed.Constant):
            return typed.Constant(e.span, t.base, e.value)
        return typed.Convert(e.span, t.base, e, checked=False)
    return e


def settled(e: typed.Expr) -> typed.Expr:
    """A constant keeps the type that it has so far."""
    if isinstance(e, typed.Constant) and e.free:
        return replace(e, free=False)
    return e


def convert(e: typed.Expr, t: ty.Type) -> typed.Expr:
    """To a type that holds every value (a free constant: its value) of `e`."""
    if isinstance(e, typed.Constant):
        return e if e.type is t and not e.free else typed.Constant(e.span, t, e.value)
    return e if e.type is t else typed.Convert(e.span, t, e, checked=False)


def common_integer(a: ty.Type, b: ty.Type) -> ty.Type | None:
    if a is b:
        return a
    for t in INTEGERS_BY_SIZE:
        if holds_all(t, a) and holds_all(t, b):
            return t
    return None


def operand_type(left: typed.Expr, right: typed.Expr) -> ty.Type | None:
    """The smallest type that holds both integer operands; a free constant adapts to the other if it can."""
    left_free = isinstance(left, typed.Constant) and left.free
    right_free = isinstance(right, typed.Constant) and right.free
    if left_free and right_free and left.type is not right.type:
        assert isinstance(left, typed.Constant) and isinstance(right, typed.Constant)
        assert isinstance(left.value, int) and isinstance(right.value, int)
        return ty.UINT32 if left.value >= 0 and right.value >= 0 else None
    if left_free == right_free:
        return common_integer(left.type, right.type)
    free, other = (left, right.type) if left_free else (right, left.type)
    assert isinstance(free, typed.Constant) and isinstance(free.value, int)
    if holds(other, free.value):
        return other
    for t in INTEGERS_BY_SIZE:
        if holds_all(t, other) and holds(t, free.value):
            return t
    return None


def string_constant(e: typed.Expr) -> bytes | None:
    """The bytes, without the closing 0X, of a constant that can stand for a string."""
    if not isinstance(e, typed.Constant) or (isinstance(e.value, bytes) and not is_string(e.type)):
        return None
    if isinstance(e.value, bytes):
        return e.value[: e.value.index(0)] if e.value.count(0) > 1 else e.value[:-1]
    return bytes([e.value] if e.value else []) if e.type is ty.CHAR else None


def character_constant(e: typed.Expr) -> int | None:
    """The code of a string constant of one character."""
    if isinstance(e, typed.Constant) and isinstance(e.value, bytes) and len(e.value) == 2 and is_string(e.type):
        return e.value[0]
    return None


_string_types: dict[int, ty.ArrayType] = {}


def array_of_char(length: int) -> ty.ArrayType:
    """One type for each length, shared with the arrays written out in programs."""
    found = _string_types.get(length)
    if found is None:
        found = _string_types[length] = ty.ArrayType(f"ARRAY {length} OF CHAR", length, ty.CHAR)
    return found


def string_expression(span: Span, text: bytes) -> typed.Constant:
    return typed.Constant(span, array_of_char(len(text) + 1), text + b"\0")


# --- assignment ------------------------------------------------------------------------------------------------


def assignable(ctx: Context, e: typed.Expr, target: ty.Type, what: str, *notes: Note) -> typed.Expr:
    """`e` as exactly `target`, converted where that is implicit; otherwise a report, which says `what` was needed."""
    source = e.type
    if source is target:
        return settled(e)
    if source is ty.ERROR or target is ty.ERROR:
        return e
    if isinstance(target, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        fitting = fixed.assigned(ctx, e, target)
    elif isinstance(target, ty.SubrangeType):
        fitting = _as_subrange(ctx, e, target)
    elif isinstance(target, ty.IntegerType) and isinstance(base_type(source), ty.IntegerType):
        return _as_integer(ctx, e, target, notes)
    elif isinstance(source, ty.SubrangeType) and base_type(source) is target:
        fitting = computed(e)
    elif target is ty.CHAR:
        code = character_constant(e)
        fitting = None if code is None else typed.Constant(e.span, ty.CHAR, code)
    elif isinstance(target, ty.ArrayType) and target.element is ty.CHAR and string_constant(e) is not None:
        return _as_string(ctx, e, target)
    elif isinstance(target, ty.SetType):
        fitting = as_set(ctx, e, target)
    else:
        fitting = None
    if fitting is not None:
        return fitting
    return mismatch(ctx, e, target, what, *notes)


def mismatch(ctx: Context, e: typed.Expr, target: ty.Type, what: str, *notes: Note) -> typed.Constant:
    fix, more = None, list(notes)
    wanted, given = base_type(target), base_type(e.type)
    if isinstance(wanted, ty.IntegerType) and isinstance(given, CONVERTED + (ty.SetType,)):
        fix = Fix(e.span, f"ORD({code_of(e.span)})", "ORD gives the number")
    elif isinstance(given, ty.IntegerType) and isinstance(wanted, ty.CharType):
        fix = Fix(e.span, f"CHR({code_of(e.span)})", "CHR gives the character")
    elif isinstance(given, ty.FixedType) and isinstance(wanted, ty.IntegerType):
        fix = Fix(e.span, f"ROUND({target}, {code_of(e.span)})", "ROUND gives the nearest whole number, FLOOR cuts")
    elif given.name == wanted.name or not isinstance(wanted, CONVERTED + (ty.SetType, ty.SubrangeType)):
        if isinstance(given, ty.ArrayType | ty.RecordType | ty.ChannelType) and type(given) is type(wanted):
            more.append(Note("types are compared by name: use one TYPE for both"))
    return ctx.error(
        "LF0401", e.span, f"{what} has type {target}, but `{text_of(e.span)}` has type {e.type}", *more, fix=fix
    )


def _as_integer(ctx: Context, e: typed.Expr, target: ty.IntegerType, notes: tuple[Note, ...]) -> typed.Expr:
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        if holds(target, e.value):
            return typed.Constant(e.span, target, e.value)
        return does_not_fit(ctx, e, target)
    if holds_all(target, e.type):
        return typed.Convert(e.span, target, e, checked=False)
    text = code_of(e.span)
    return ctx.error(
        "LF0402",
        e.span,
        f"a value of type {e.type} may not fit {target}, and is not narrowed by itself",
        *notes,
        fix=Fix(e.span, f"{target}({text})", f"convert it, checked: `{target}(...)`"),
    )


def does_not_fit(ctx: Context, e: typed.Expr, target: ty.Type) -> typed.Constant:
    low, high = ty.scalar_range(target)
    value = e.value if isinstance(e, typed.Constant) and isinstance(e.value, int) else "this"
    if isinstance(target, ty.SetType):
        assert isinstance(value, int)
        return ctx.error(
            "LF0502", e.span, f"{target} has the elements 0 to {target.bits - 1}, not {value.bit_length() - 1}"
        )
    return ctx.error("LF0502", e.span, f"{value} does not fit {target}, which has the values {low} to {high}")


def _as_subrange(ctx: Context, e: typed.Expr, target: ty.SubrangeType) -> typed.Expr | None:
    code = character_constant(e)
    if target.base is ty.CHAR and code is not None:
        e = typed.Constant(e.span, ty.CHAR, code)
    source = base_type(e.type)
    if source is not target.base and not (is_integer(source) and is_integer(target.base)):
        return None
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        if holds(target, e.value):
            return typed.Constant(e.span, target, e.value)
        if certain_fault(ctx, "LF0506", e.span, f"{shown(e)} is outside of {target}"):
            return typed.Constant(e.span, ty.ERROR, 0)
        return typed.Convert(e.span, target, settled(e), checked=True)
    return typed.Convert(e.span, target, e, checked=not holds_all(target, e.type))


def _as_string(ctx: Context, e: typed.Expr, target: ty.ArrayType) -> typed.Expr:
    text = string_constant(e)
    assert text is not None
    if len(text) >= target.length:
        return ctx.error(
            "LF0502",
            e.span,
            f"this string has {len(text)} characters; {target} holds {target.length - 1} and the closing 0X",
        )
    return typed.Constant(e.span, target, text.ljust(target.length, b"\0"))


def as_set(ctx: Context, e: typed.Expr, target: ty.SetType) -> typed.Expr | None:
    """Constant sets and set constructors take the type of their place."""
    if isinstance(e, typed.Constant) and e.free and isinstance(e.type, ty.SetType) and isinstance(e.value, int):
        if holds(target, e.value):
            return typed.Constant(e.span, target, e.value)
        return does_not_fit(ctx, e, target)
    return None


def shown(e: typed.Constant) -> str:
    """A constant as a programmer would write it."""
    t = base_type(e.type)
    if isinstance(t, ty.FixedType) and isinstance(e.value, int):
        return ty.steps_text(t, e.value)
    if isinstance(e.value, bytes) and not is_string(e.type):
        return f"a constant of type {e.type}"
    if isinstance(e.value, bytes):
        return '"' + (string_constant(e) or b"").decode("utf-8", errors="replace") + '"'
    if isinstance(t, ty.EnumerationType) and 0 <= e.value < len(t.values):
        return t.values[e.value]
    if t is ty.CHAR:
        return f"'{chr(e.value)}'" if 32 <= e.value < 127 else f"{e.value:02X}X"
    if t is ty.BOOLEAN:
        return "TRUE" if e.value else "FALSE"
    return str(e.value)


def certain_fault(ctx: Context, code: str, span: Span, message: str, *notes: Note) -> bool:
    """A warning where the program would fault; an error (then the result is True) inside of a constant expression,
    which has no run time."""
    if ctx.constant:
        ctx.report("LF0501", span, message, *notes)
    else:
        ctx.report(code, span, f"{message}: this faults when it is executed", *notes)
    return ctx.constant


# --- arguments of a fixed kind ---------------------------------------------------------------------------------


def boolean(ctx: Context, e: typed.Expr, what: str, *notes: Note) -> typed.Expr:
    return assignable(ctx, e, ty.BOOLEAN, what, *notes)


def any_integer(ctx: Context, e: typed.Expr, what: str) -> typed.Expr:
    """A number of any integer type; the error type after a report."""
    e = computed(e)
    if e.type is ty.ERROR or is_integer(e.type):
        return e
    return ctx.error("LF0421", e.span, f"{what} is a number, but `{text_of(e.span)}` has type {e.type}")


def unsigned(ctx: Context, e: typed.Expr, what: str) -> typed.Expr:
    """UINT32 from any integer type: addresses and times. A negative value is a fault."""
    e = any_integer(ctx, e, what)
    if e.type is ty.ERROR:
        return e
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        return typed.Constant(e.span, ty.UINT32, e.value) if e.value >= 0 else does_not_fit(ctx, e, ty.UINT32)
    if e.type is ty.UINT32:
        return e
    return typed.Convert(e.span, ty.UINT32, e, checked=not holds_all(ty.UINT32, e.type))
