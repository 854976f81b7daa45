"""Comparisons."""

from __future__ import annotations

from lfc.diagnostics.model import Note
from lfc.semantics.expressions.conversions import (
    as_set,
    character_constant,
    computed,
    convert,
    is_integer,
    is_string,
    operand_type,
    settled,
    string_constant,
    string_expression,
)
from lfc.semantics.model import folding, typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, text_of
from lfc.syntax.grammar import tree


def relation(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    left, right = computed(left), computed(right)
    if left.type is ty.ERROR or right.type is ty.ERROR:
        return typed.Constant(node.span, ty.ERROR, 0)
    if is_integer(left.type) and is_integer(right.type):
        if isinstance(left, typed.Constant) and isinstance(right, typed.Constant):
            return _compared(node, left, right)
        t = operand_type(left, right)
        if t is None:
            return no_common_type(ctx, node, left, right)
        return _compared(node, convert(left, t), convert(right, t))
    if isinstance(left.type, ty.FixedType) or isinstance(right.type, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        return fixed.compared(ctx, node, left, right)
    left, right = _as_characters(left, right)
    if is_string(left.type) and is_string(right.type):
        return _compared_strings(node, left, right)
    if isinstance(left.type, ty.SetType) and isinstance(right.type, ty.SetType):
        return _compared_sets(ctx, node, left, right)
    if left.type is right.type:
        return _compared_scalars(ctx, node, left, right)
    return _mismatch(ctx, node, left, right)


def no_common_type(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    names = " and ".join(
        str(e.value) if isinstance(e, typed.Constant) and e.free else e.type.name for e in (left, right)
    )
    note = Note("convert one of them, for instance `INTEGER(...)`: the conversion is checked")
    return ctx.error("LF0404", node.span, f"no type holds both operands of `{node.op}`: {names}", note)


def _compared(node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant):
        return typed.Constant(node.span, ty.BOOLEAN, int(folding.relation(node.op, left.value, right.value)))
    return typed.Relation(node.span, ty.BOOLEAN, node.op, settled(left), settled(right))


def _as_characters(left: typed.Expr, right: typed.Expr) -> tuple[typed.Expr, typed.Expr]:
    """A string of one character beside a CHAR is a CHAR; a constant CHAR beside a string is a string."""
    if left.type is ty.CHAR and is_string(right.type):
        code = character_constant(right)
        if code is not None:
            return left, typed.Constant(right.span, ty.CHAR, code)
        text = string_constant(left)
        return (left if text is None else string_expression(left.span, text)), right
    if right.type is ty.CHAR and is_string(left.type):
        right, left = _as_characters(right, left)
    return left, right


def _compared_strings(node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    first, second = string_constant(left), string_constant(right)
    if first is not None and second is not None:
        return typed.Constant(node.span, ty.BOOLEAN, int(folding.relation(node.op, first, second)))
    return typed.Relation(node.span, ty.BOOLEAN, node.op, left, right)


def _compared_sets(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    if left.type is not right.type:
        assert isinstance(left.type, ty.SetType) and isinstance(right.type, ty.SetType)
        adapted_left, adapted_right = as_set(ctx, left, right.type), as_set(ctx, right, left.type)
        if adapted_left is None and adapted_right is None:
            return _mismatch(ctx, node, left, right)
        left, right = (left, adapted_right) if adapted_right is not None else (adapted_left or left, right)
        if ty.ERROR in (left.type, right.type):
            return typed.Constant(node.span, ty.ERROR, 0)
    if node.op in ("<", ">"):
        return ctx.error("LF0403", node.span, f"sets are compared with `=`, `#`, `<=` and `>=`, not `{node.op}`")
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant):
        assert isinstance(left.value, int) and isinstance(right.value, int)
        return typed.Constant(node.span, ty.BOOLEAN, int(folding.set_relation(node.op, left.value, right.value)))
    return typed.Relation(node.span, ty.BOOLEAN, node.op, settled(left), settled(right))


def _compared_scalars(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    t = left.type
    if isinstance(t, ty.CharType | ty.EnumerationType):
        return _compared(node, left, right)
    if isinstance(t, ty.BooleanType | ty.ChannelType):
        if node.op in ("=", "#"):
            return _compared(node, left, right)
        what = "ports are" if isinstance(t, ty.ChannelType) else "BOOLEANs are"
        return ctx.error("LF0403", node.span, f"{what} compared with `=` and `#`, not `{node.op}`")
    what = "records" if isinstance(t, ty.RecordType) else "arrays"
    note = Note("compare their parts, one by one")
    return ctx.error("LF0403", node.span, f"{what} are not compared as a whole", note)


def _mismatch(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    notes = []
    if {type(left.type), type(right.type)} <= {ty.IntegerType, ty.CharType, ty.EnumerationType}:
        notes.append(Note("ORD(x) is the number of a character or an enumeration value"))
    message = f"`{text_of(left.span)}` of type {left.type} is not compared with {right.type}"
    return ctx.error("LF0401", node.span, message, *notes)
