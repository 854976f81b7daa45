"""Type expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.expressions.constants import constant, constant_integer
from lfc.semantics.expressions.conversions import array_of_char, base_type, character_constant, shown
from lfc.semantics.expressions.designators import designate, imported_symbol
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, text_of
from lfc.semantics.names.scope import kind_of, span_of
from lfc.syntax.grammar import tree

LARGEST = 65536  # bytes: the whole block
DEEPEST_TYPE = 64  # types inside of types; more is no program
MOST_VALUES = 65536  # of an enumeration

Rule = Callable[[Context, Any, "str | None", bool], ty.Type]


def type_expression(ctx: Context, node: tree.TypeNode, name: str | None = None, exported: bool = False) -> ty.Type:
    """A new type takes the `name` that a TYPE declaration gives it; `exported` is for the constants of enumerations."""
    return RULES[node.__class__](ctx, node, name, exported)


def _error_type(ctx: Context, node: tree.ErrorTypeNode, name: str | None, exported: bool) -> ty.Type:
    return ty.ERROR


def _named(ctx: Context, node: tree.NamedType, name: str | None, exported: bool) -> ty.Type:
    if node.module is None:
        symbol = ctx.lookup(node.name.text, node.name.span)
    else:
        module = ctx.lookup(node.module.text, node.module.span)
        if module is None:
            return ty.ERROR
        if not isinstance(module, typed.ImportedName):
            ctx.report("LF0308", node.module.span, f"`{node.module.text}` is {kind_of(module)}, not a module")
            return ty.ERROR
        symbol = imported_symbol(ctx, module, node.name)
    if symbol is None:
        return ty.ERROR
    if isinstance(symbol, typed.NamedType):
        return symbol.type
    where = span_of(symbol)
    notes = [Note(f"`{node.name.text}` is declared here", where)] if where is not None else []
    ctx.report("LF0308", node.name.span, f"`{node.name.text}` is {kind_of(symbol)}, not a type", *notes)
    return ty.ERROR


# --- arrays and records ----------------------------------------------------------------------------------------


def _array(ctx: Context, node: tree.ArrayType, name: str | None, exported: bool) -> ty.Type:
    if not node.lengths:
        ctx.report(
            "LF0417",
            node.span,
            "an array without a length is only for parameters",
            Note("state how many elements it has: `ARRAY 10 OF ...`"),
        )
        type_expression(ctx, node.element)
        return ty.ERROR
    lengths = [_length(ctx, length) for length in node.lengths]
    t = type_expression(ctx, node.element)
    for at, found in reversed(list(enumerate(lengths))):
        if t is ty.ERROR or found is None:
            return ty.ERROR
        length, index = found
        if not _fits_block(ctx, node.span, length * ty.size_and_alignment(t)[0]) or not _deepen(ctx, node.span, t):
            return ty.ERROR
        t = _array_type(ctx, length, t, name if at == 0 else None, index)
    return t


def _length(ctx: Context, node: tree.Expr) -> tuple[int, ty.Type | None] | None:
    """And the type that numbers the elements, if that is stated instead."""
    if isinstance(node, tree.Ident | tree.Field):
        meaning = designate(ctx, node)
        if isinstance(meaning, typed.NamedType):
            return _length_of_index(ctx, node, meaning.type)
        if isinstance(meaning, typed.Constant) and meaning.type is ty.ERROR:
            return None
    length = constant_integer(ctx, node, "the length of an array")
    if length is not None and length < 1:
        ctx.report("LF0407", node.span, f"an array has at least one element, not {length}")
        return None
    return None if length is None else (length, None)


def _length_of_index(ctx: Context, node: tree.Expr, t: ty.Type) -> tuple[int, ty.Type | None] | None:
    if isinstance(t, ty.EnumerationType | ty.BooleanType | ty.CharType):
        return ty.scalar_range(t)[1] + 1, t
    if isinstance(t, ty.SubrangeType) and not isinstance(t, ty.FixedType) and t.low == 0:
        return t.high + 1, None if isinstance(t.base, ty.IntegerType) else t.base
    if t is not ty.ERROR:
        message = f"elements are numbered by an enumeration, BOOLEAN, CHAR or a subrange from 0, not by {t}"
        ctx.report("LF0421", node.span, message)
    return None


def _array_type(ctx: Context, length: int, element: ty.Type, name: str | None, index: ty.Type | None = None) -> ty.Type:
    """Arrays written out alike are one type; a TYPE declaration makes a new one."""
    if name is not None:
        t = ty.ArrayType(name, length, element, index)
        ctx.module_scopes.type_depths[t] = ctx.module_scopes.type_depths.get(element, 0) + 1
        return t
    if element is ty.CHAR and index is None:
        return array_of_char(length)
    known = ctx.module_scopes.arrays
    found = known.get((length, element, index))
    if found is None:
        text = element.name if len(element.name) < 200 else "..."
        numbered = str(length) if index is None else index.name
        found = ty.ArrayType(f"ARRAY {numbered} OF {text}", length, element, index)
        known[length, element, index] = found
        ctx.module_scopes.type_depths[found] = ctx.module_scopes.type_depths.get(element, 0) + 1
    return found


def _deepen(ctx: Context, span: Span, *parts: ty.Type) -> bool:
    """Whether one more level around these types is bearable; False after a report."""
    deepest = max((ctx.module_scopes.type_depths.get(t, 0) for t in parts), default=0)
    if deepest < DEEPEST_TYPE:
        return True
    ctx.report("LF0414", span, f"types are nested more than {DEEPEST_TYPE} deep here")
    return False


def _fits_block(ctx: Context, span: Span, size: int) -> bool:
    if size <= LARGEST:
        return True
    ctx.report("LF0406", span, f"this type takes {size} bytes; all variables together have {LARGEST}")
    return False


def _record(ctx: Context, node: tree.RecordType, name: str | None, exported: bool) -> ty.Type:
    fields: list[ty.RecordField] = []
    seen: dict[str, Span] = {}
    whole = True
    for group in node.groups:
        t = type_expression(ctx, group.type)
        if ty.is_port(t):
            what = "a record has no ports"
            ctx.report("LF0601", group.span, what, Note("declare a PORT beside it, or an array of ports"))
            t = ty.ERROR
        whole = whole and t is not ty.ERROR
        for n in group.names:
            if n.text in seen:
                note = Note(f"`{n.text}` is declared here first", seen[n.text])
                ctx.report("LF0303", n.span, f"field `{n.text}` is declared twice in the same record", note)
                continue
            seen[n.text] = n.span
            fields.append(ty.RecordField(n.text, t, n.exported, n.span))
            ctx.note(n.span, fields[-1])
    if not fields:
        if not node.groups:
            ctx.report("LF0419", node.span, "a record has at least one field")
        return ty.ERROR
    record = ty.RecordType(name or "RECORD", fields)
    if not whole:
        record.fields = [f for f in fields if f.type is not ty.ERROR]
        ctx.module_scopes.broken_fields[record] = {f.name for f in fields if f.type is ty.ERROR}
        if not record.fields:
            return ty.ERROR
    parts = [f.type for f in record.fields]
    if not _deepen(ctx, node.span, *parts):
        return ty.ERROR
    ctx.module_scopes.type_depths[record] = max(ctx.module_scopes.type_depths.get(t, 0) for t in parts) + 1
    if not _fits_block(ctx, node.span, ty.record_layout(record)[1]):
        return ty.ERROR
    return record


# --- enumerations and subranges --------------------------------------------------------------------------------


def _enumeration(ctx: Context, node: tree.EnumType, name: str | None, exported: bool) -> ty.Type:
    if len(node.names) > MOST_VALUES:
        ctx.report("LF0406", node.span, f"an enumeration has at most {MOST_VALUES} values")
        return ty.ERROR
    shown_name = "(" + ", ".join(n.text for n in node.names[:3]) + (", ...)" if len(node.names) > 3 else ")")
    t = ty.EnumerationType(name or shown_name, [n.text for n in node.names])
    for ordinal, n in enumerate(node.names):
        ctx.declare(n.text, typed.NamedConstant(n.text, t, ordinal, exported, n.span), n.span)
    return t if t.values else ty.ERROR


def _subrange(ctx: Context, node: tree.SubrangeType, name: str | None, exported: bool) -> ty.Type:
    low, high = _bound(ctx, node.low), _bound(ctx, node.high)
    if low is None or high is None:
        return ty.ERROR
    assert isinstance(low.value, int) and isinstance(high.value, int)
    low_base, high_base = base_type(low.type), base_type(high.type)
    if isinstance(low_base, ty.IntegerType) and isinstance(high_base, ty.IntegerType):
        low_base = high_base = ty.INTEGER
        for bound in (low, high):
            if not ty.INTEGER.low <= bound.value <= ty.INTEGER.high:  # type: ignore[operator]
                ctx.report("LF0408", bound.span, f"a subrange computes as INTEGER, which does not hold {bound.value!r}")
                return ty.ERROR
    if low_base is not high_base:
        ctx.report("LF0408", node.span, f"the bounds of a subrange have one type, not {low_base} and {high_base}")
        return ty.ERROR
    if low.value > high.value:
        ctx.report("LF0408", node.span, "this subrange is empty: its first value is larger than its last")
        return ty.ERROR
    shown_name = f"{shown(low)} .. {shown(high)}"
    return ty.SubrangeType(name or shown_name, low_base, low.value, high.value)


def _fixed(ctx: Context, node: tree.FixedType, name: str | None, exported: bool) -> ty.Type:
    from lfc.semantics.expressions import fixed  # needed rarely

    return fixed.type_of(ctx, node, name)


def _bound(ctx: Context, node: tree.Expr) -> typed.Constant | None:
    c = constant(ctx, node)
    code = character_constant(c)
    if code is not None:
        c = typed.Constant(c.span, ty.CHAR, code)
    if isinstance(base_type(c.type), ty.IntegerType | ty.CharType | ty.EnumerationType):
        return c
    if c.type is not ty.ERROR:
        message = f"a subrange is one of numbers, CHARs or an enumeration, but `{text_of(c.span)}` has type {c.type}"
        step = Note("with a step it is fixed point, as in `0.0 .. 5.0 BY 0.01`")
        ctx.report("LF0408", c.span, message, *([step] if isinstance(c.type, ty.FixedType) else []))
    return None


# --- channels --------------------------------------------------------------------------------------------------


def _channel(ctx: Context, node: tree.ChannelType, name: str | None, exported: bool) -> ty.Type:
    shown_name = "[" + ", ".join(m.name.text for m in node.messages[:3]) + (", ...]" if len(node.messages) > 3 else "]")
    known = ctx.channels.get(name) if name is not None else None
    channel = known.type if known is not None else None
    if not isinstance(channel, ty.ChannelType) or channel.messages:
        channel = ty.ChannelType(name or shown_name)
        ctx.module.channel_types.append(channel)
    seen: dict[str, Span] = {}
    for m in node.messages:
        types = [type_expression(ctx, t) for t in m.types]
        if m.name.text in seen:
            note = Note(f"`{m.name.text}` is declared here first", seen[m.name.text])
            ctx.report("LF0303", m.name.span, f"message `{m.name.text}` is declared twice in the same type", note)
            continue
        seen[m.name.text] = m.name.span
        channel.messages.append(ty.Message(m.name.text, types, len(channel.messages), m.name.span))
        ctx.note(m.name.span, channel.messages[-1])
    return channel


def formal_type(ctx: Context, node: tree.TypeNode) -> ty.Type:
    """Like any type, or an open array."""
    if not isinstance(node, tree.ArrayType) or node.lengths:
        return type_expression(ctx, node)
    if isinstance(node.element, tree.ArrayType) and not node.element.lengths:
        ctx.report("LF0417", node.element.span, "only one dimension of an array can be open")
        return ty.ERROR
    element = type_expression(ctx, node.element)
    if element is ty.ERROR:
        return ty.ERROR
    known = ctx.module_scopes.open_arrays
    if element not in known:
        known[element] = ty.OpenArrayType(f"ARRAY OF {element.name}", element)
    return known[element]


RULES: dict[type[tree.TypeNode], Rule] = {
    tree.NamedType: _named,
    tree.ArrayType: _array,
    tree.RecordType: _record,
    tree.EnumType: _enumeration,
    tree.SubrangeType: _subrange,
    tree.FixedType: _fixed,
    tree.ChannelType: _channel,
    tree.ErrorTypeNode: _error_type,
}
