"""Calls that have a value: predeclared functions, conversions, SYSTEM.VAL, and the atoms of properties."""

from __future__ import annotations

from collections.abc import Callable

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.semantics.expressions import atoms, bits, system
from lfc.semantics.expressions.conversions import (
    CONVERTED,
    any_integer,
    base_type,
    certain_fault,
    character_constant,
    computed,
    convert,
    holds,
    holds_all,
    integer_constant,
    is_integer,
    is_scalar,
    operand_type,
    settled,
    shown,
    unsigned,
)
from lfc.semantics.expressions.designators import ProcessSlot, designate, look_at, meaning_name
from lfc.semantics.model import folding, typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import CALL_RULES, Context, code_of, expression_rule, text_of
from lfc.semantics.names.scope import Predeclared, kind_of, span_of
from lfc.syntax.grammar import tree

Function = Callable[[Context, tree.Call, "ty.Type | None"], typed.Expr]


@expression_rule(tree.Call)
def call(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    meaning = designate(ctx, node.callee)
    if isinstance(meaning, typed.NamedType):
        return _conversion(ctx, node, meaning)
    if isinstance(meaning, Predeclared):
        function = FUNCTIONS.get(meaning.name) or atoms.ATOMS.get(meaning.name)
        if function is not None:
            return function(ctx, node, expected)
        return ctx.error("LF0425", node.span, f"`{meaning.name}` has no value: it is {kind_of(meaning)}")
    if isinstance(meaning, typed.Process) and meaning.is_procedure:
        return CALL_RULES[0](ctx, node, meaning)
    look_at(ctx, node.arguments)
    if isinstance(meaning, typed.Expr):
        if meaning.type is ty.ERROR:
            return meaning
        return ctx.error("LF0609", node.callee.span, f"`{text_of(node.callee.span)}` is no function")
    if isinstance(meaning, typed.Process | ProcessSlot):
        notes = [
            Note("a process gives results through VAR parameters: call it in a statement of its own"),
            Note("what only computes can be a PROCEDURE, which has a value"),
        ]
        return ctx.error("LF0610", node.span, f"`{text_of(node.callee.span)}` is a process: it has no value", *notes)
    where = span_of(meaning)
    notes = [Note(f"`{meaning_name(meaning)}` is declared here", where)] if where is not None else []
    return ctx.error("LF0609", node.callee.span, f"`{text_of(node.callee.span)}` is {kind_of(meaning)}", *notes)


def arguments(ctx: Context, node: tree.Call, least: int, most: int | None = None) -> bool:
    """Whether the number of arguments is right; False after a report."""
    most = least if most is None else most
    given = len(node.arguments)
    if least <= given <= most:
        return True
    for argument in node.arguments:
        if not isinstance(argument, tree.ErrorExpr):
            continue
        return False
    wanted = str(least) if least == most else f"{least} or {most}"
    plural = "" if wanted == "1" else "s"
    name = text_of(node.callee.span)
    ctx.report("LF0412", node.span, f"`{name}` takes {wanted} argument{plural}, not {given}")
    return False


def _error(node: tree.Expr) -> typed.Constant:
    return typed.Constant(node.span, ty.ERROR, 0)


# --- conversions -----------------------------------------------------------------------------------------------


def _conversion(ctx: Context, node: tree.Call, named: typed.NamedType) -> typed.Expr:
    """T(x): the same number as a value of T, checked."""
    t = named.type
    if not arguments(ctx, node, 1):
        return _error(node)
    e = ctx.expression(node.arguments[0], t if isinstance(t, ty.SetType | ty.IntegerType) else None)
    if e.type is ty.ERROR or t is ty.ERROR:
        return _error(node)
    if isinstance(e.type, ty.FixedType) or isinstance(t, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        return fixed.converted(ctx, node, e, t)
    if not _converts(e.type, t):
        message = f"`{text_of(e.span)}` of type {e.type} does not convert to {t}"
        return ctx.error("LF0415", node.span, message)
    return converted(ctx, node.span, e, t)


def _converts(source: ty.Type, target: ty.Type) -> bool:
    a, b = base_type(source), base_type(target)
    if a is b:
        return is_scalar(a)
    if is_integer(a):
        return isinstance(b, CONVERTED + (ty.SetType,))
    if is_integer(b):
        return isinstance(a, CONVERTED + (ty.SetType,))
    return isinstance(a, ty.SetType) and isinstance(b, ty.SetType)


def converted(ctx: Context, span: Span, e: typed.Expr, t: ty.Type) -> typed.Expr:
    """By value; a constant is folded, or certain to fault."""
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        if holds(t, e.value):
            return typed.Constant(span, t, e.value)
        if certain_fault(ctx, "LF0506", span, f"{shown(e)} is no value of {t}"):
            return typed.Constant(span, ty.ERROR, 0)
        return typed.Convert(span, t, settled(e), checked=True)
    if e.type is t:
        return e
    return typed.Convert(span, t, e, checked=not holds_all(t, e.type))


def _ord(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    if not arguments(ctx, node, 1):
        return _error(node)
    e = computed(_character(ctx.expression(node.arguments[0])))
    t = e.type
    if t is ty.ERROR:
        return e
    if is_integer(t):
        fix = Fix(node.span, code_of(e.span), "leave ORD out")
        return ctx.error("LF0421", node.span, f"`{text_of(e.span)}` is a number already: it has type {t}", fix=fix)
    if not isinstance(t, CONVERTED + (ty.SetType,)):
        return ctx.error("LF0421", node.span, f"ORD does not go with {t}")
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        return integer_constant(node.span, e.value)
    return typed.Convert(node.span, ty.UINT32 if t is ty.SET32 else ty.INTEGER, e, checked=False)


def _character(e: typed.Expr) -> typed.Expr:
    code = character_constant(e)
    return e if code is None else typed.Constant(e.span, ty.CHAR, code)


def _chr(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    if not arguments(ctx, node, 1):
        return _error(node)
    e = any_integer(ctx, ctx.expression(node.arguments[0]), "the argument of CHR")
    return e if e.type is ty.ERROR else converted(ctx, node.span, e, ty.CHAR)


def _val(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """SYSTEM.VAL(T, x)"""
    if not arguments(ctx, node, 2):
        return _error(node)
    t = _type_argument(ctx, node.arguments[0])
    e = ctx.expression(node.arguments[1], t if isinstance(t, ty.SetType) else None)
    if e.type is ty.ERROR or t is None:
        return _error(node)
    for span, what in ((node.arguments[0].span, t), (e.span, e.type)):
        if not is_scalar(what) or (isinstance(what, ty.FixedType) and not what.stated):
            return ctx.error("LF0415", span, f"SYSTEM.VAL is for simple types, not {what}")
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        low = e.value & 1 if t is ty.BOOLEAN else folding.wrap(e.value, *ty.size_and_signedness(t))
        return typed.Constant(node.span, t, low)
    if isinstance(t, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        return fixed.of_steps(node.span, e, t)
    return typed.Reinterpret(node.span, t, e)


def _type_argument(ctx: Context, node: tree.Expr) -> ty.Type | None:
    """None after a report."""
    meaning = designate(ctx, node) if isinstance(node, tree.Ident | tree.Field) else ctx.expression(node)
    if isinstance(meaning, typed.NamedType):
        return None if meaning.type is ty.ERROR else meaning.type
    if not (isinstance(meaning, typed.Expr) and meaning.type is ty.ERROR):
        ctx.report("LF0421", node.span, f"`{text_of(node.span)}` is no type")
    return None


# --- numbers ---------------------------------------------------------------------------------------------------


def _abs(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    if not arguments(ctx, node, 1):
        return _error(node)
    e = ctx.expression(node.arguments[0], expected)
    if isinstance(e.type, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        return fixed.absolute(ctx, node, e)
    e = any_integer(ctx, e, "the argument of ABS")
    if isinstance(e, typed.Constant) and isinstance(e.value, int) and isinstance(e.type, ty.IntegerType):
        value = abs(e.value)
        if e.free:
            return integer_constant(node.span, value)
        if holds(e.type, value):
            return typed.Constant(node.span, e.type, value)
        if certain_fault(ctx, "LF0505", node.span, f"the result, {value}, does not fit {e.type}"):
            return _error(node)
    return e if e.type is ty.ERROR else typed.FunctionCall(node.span, e.type, "ABS", [settled(e)])


def _odd(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    if not arguments(ctx, node, 1):
        return _error(node)
    e = any_integer(ctx, ctx.expression(node.arguments[0]), "the argument of ODD")
    if e.type is ty.ERROR:
        return e
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        return typed.Constant(node.span, ty.BOOLEAN, e.value & 1)
    return typed.FunctionCall(node.span, ty.BOOLEAN, "ODD", [e])


def _shift(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """LSL, ASR, ROR: in the type of the first argument; a constant there takes the type of its place."""
    if not arguments(ctx, node, 2):
        return _error(node)
    name = text_of(node.callee.span)
    e = any_integer(ctx, ctx.expression(node.arguments[0], expected), f"the first argument of {name}")
    count = any_integer(ctx, ctx.expression(node.arguments[1]), f"the second argument of {name}")
    if e.type is ty.ERROR or count.type is ty.ERROR:
        return _error(node)
    free = isinstance(e, typed.Constant) and e.free
    if isinstance(e, typed.Constant) and isinstance(e.value, int) and free:
        if isinstance(expected, ty.IntegerType) and holds(expected, e.value):
            e = typed.Constant(e.span, expected, e.value)
        e = settled(e)
    if isinstance(count, typed.Constant) and isinstance(count.value, int) and count.value < 0:
        if certain_fault(ctx, "LF0506", count.span, f"{name} by {count.value}, which is negative"):
            return _error(node)
    elif isinstance(e, typed.Constant) and isinstance(count, typed.Constant) and isinstance(e.type, ty.IntegerType):
        assert isinstance(e.value, int) and isinstance(count.value, int)
        value = folding.shift(name, e.value, count.value, e.type)
        return typed.Constant(node.span, e.type, value, free=free and not isinstance(expected, ty.IntegerType))
    if count.type is not ty.UINT32:
        count = convert(count, ty.INTEGER)
    return typed.FunctionCall(node.span, e.type, name, [e, settled(count)])


def _min_max(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    if not arguments(ctx, node, 1, 2):
        return _error(node)
    name = text_of(node.callee.span)
    if len(node.arguments) == 1:
        return _limit(ctx, node, name)
    left, right = (ctx.expression(a, expected) for a in node.arguments)
    if isinstance(left.type, ty.FixedType) or isinstance(right.type, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        return fixed.choose(ctx, node, name, left, right)
    left = any_integer(ctx, left, f"an argument of {name}")
    right = any_integer(ctx, right, f"an argument of {name}")
    if left.type is ty.ERROR or right.type is ty.ERROR:
        return _error(node)
    t = operand_type(left, right)
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant):
        assert isinstance(left.value, int) and isinstance(right.value, int)
        value = (min if name == "MIN" else max)(left.value, right.value)
        if left.free and right.free:
            return integer_constant(node.span, value)
        if t is not None:
            return typed.Constant(node.span, t, value)
    if t is None:
        message = f"no type holds both arguments of {name}: {left.type} and {right.type}"
        return ctx.error("LF0404", node.span, message)
    return typed.FunctionCall(node.span, t, name, [convert(left, t), convert(right, t)])


def _limit(ctx: Context, node: tree.Call, name: str) -> typed.Expr:
    """The lowest or highest value of a type; of a set type, its elements."""
    t = _type_argument(ctx, node.arguments[0])
    if t is None:
        return _error(node)
    if isinstance(t, ty.SetType):
        return integer_constant(node.span, 0 if name == "MIN" else t.bits - 1)
    if not is_scalar(t):
        return ctx.error("LF0421", node.arguments[0].span, f"{name} does not go with {t}")
    value = ty.scalar_range(t)[0 if name == "MIN" else 1]
    base = base_type(t)
    return integer_constant(node.span, value) if is_integer(base) else typed.Constant(node.span, base, value)


def _fixed(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """ROUND(T, x), FLOOR(T, x), SATURATE(T, x)"""
    from lfc.semantics.expressions import fixed  # needed rarely

    if not arguments(ctx, node, 2):
        return _error(node)
    t = _type_argument(ctx, node.arguments[0])
    if t is None:
        look_at(ctx, node.arguments[1:])
        return _error(node)
    return fixed.rounded(ctx, node, t, text_of(node.callee.span))


# --- sizes -----------------------------------------------------------------------------------------------------


def _size(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    if not arguments(ctx, node, 1):
        return _error(node)
    t = _type_argument(ctx, node.arguments[0])
    if t is None:
        return _error(node)
    if ty.is_port(t):
        ty.port_type(t).size_asked = node.span
    return integer_constant(node.span, ty.size_and_alignment(t)[0])


def _len(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    """The length of an array is known without reading it, so that LEN of a variable can be constant."""
    if not arguments(ctx, node, 1):
        return _error(node)
    with ctx.set(constant=False, guard=False):
        e = ctx.expression(node.arguments[0])
    if isinstance(e.type, ty.ArrayType):
        return integer_constant(node.span, e.type.length)
    if isinstance(e.type, ty.OpenArrayType):
        if ctx.constant:
            return ctx.error("LF0503", node.span, f"the length of `{text_of(e.span)}` is not constant")
        return typed.FunctionCall(node.span, ty.INTEGER, "LEN", [e])
    if e.type is ty.ERROR:
        return e
    return ctx.error("LF0421", node.span, f"LEN is for arrays, but `{text_of(e.span)}` has type {e.type}")


# --- inputs ----------------------------------------------------------------------------------------------------

PORTIN_TYPES = {"PORTIN": ty.UINT8, "PORTIN16": ty.UINT16, "PORTIN32": ty.UINT32}


def _portin(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    name = text_of(node.callee.span)
    if not arguments(ctx, node, 1) or not system.allowed_input(ctx, node.span, name):
        return _error(node)
    address = unsigned(ctx, ctx.expression(node.arguments[0]), "an address")
    if address.type is ty.ERROR:
        return address
    return typed.FunctionCall(node.span, PORTIN_TYPES[name], name, [address])


def _clock_now(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    return system.clock_now(ctx, node.span) if arguments(ctx, node, 0) else _error(node)


def _clock_after(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    note = Note("write `SELECT ... WHEN Clock.After(t) THEN ... END`, or `Clock.Sleep(t)`")
    return ctx.error("LF0614", node.span, "`Clock.After` is a clause of a SELECT, not a value", note)


def _bits(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    name = text_of(node.callee.span)
    most = bits.ARGUMENTS[name]
    if not arguments(ctx, node, most - 1 if name in bits.FIELDS else most, most):
        return _error(node)
    return bits.RULES[name](ctx, node, expected)


FUNCTIONS: dict[str, Function] = {
    **{name: _bits for name in bits.RULES},
    "ABS": _abs,
    "ODD": _odd,
    "ORD": _ord,
    "CHR": _chr,
    "LEN": _len,
    "ROUND": _fixed,
    "FLOOR": _fixed,
    "SATURATE": _fixed,
    "MIN": _min_max,
    "MAX": _min_max,
    "SIZE": _size,
    "LSL": _shift,
    "ASR": _shift,
    "ROR": _shift,
    "PORTIN": _portin,
    "PORTIN16": _portin,
    "PORTIN32": _portin,
    "SYSTEM.VAL": _val,
    "Clock.Now": _clock_now,
    "Clock.After": _clock_after,
}
