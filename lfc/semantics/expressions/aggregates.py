"""Constant arrays and records: `[1, 2, 3]`, `[x := 1, y := 2]`, nested as their types are."""

from __future__ import annotations

from lfc.diagnostics.model import Note
from lfc.semantics.expressions.constants import constant
from lfc.semantics.expressions.conversions import assignable
from lfc.semantics.model import tables, typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, expression_rule
from lfc.syntax.grammar import tree


@expression_rule(tree.Aggregate)
def aggregate(ctx: Context, node: tree.Aggregate, expected: ty.Type | None) -> typed.Expr:
    if isinstance(expected, ty.ArrayType) and expected.element is ty.CHAR:
        return ctx.error("LF0511", node.span, 'a constant array of CHAR is a string: `"text"`')
    if isinstance(expected, ty.ArrayType):
        return _array(ctx, node, expected)
    if isinstance(expected, ty.RecordType):
        return _record(ctx, node, expected)
    if expected is ty.ERROR:
        return typed.Constant(node.span, ty.ERROR, 0)
    what = "its type is not known" if expected is None else f"{expected} is no array and no record"
    return ctx.error("LF0511", node.span, f"`[...]` is a constant array or record, and {what} here")


def _array(ctx: Context, node: tree.Aggregate, t: ty.ArrayType) -> typed.Expr:
    parts = []
    for item in node.items:
        if item.name is not None:
            return ctx.error("LF0511", item.name.span, f"{t} has elements, and no field `{item.name.text}`")
        value = _part(ctx, item, t.element, "an element")
        if value is not None:
            parts.append(value)
    if len(node.items) != t.length:
        return ctx.error("LF0511", node.span, f"{t} has {t.length} elements, not {len(node.items)}")
    if len(parts) < len(node.items):
        return typed.Constant(node.span, ty.ERROR, 0)
    return typed.Constant(node.span, t, tables.array_bytes(t, parts))


def _part(ctx: Context, item: tree.InitialItem, t: ty.Type, what: str) -> tables.Part | None:
    """None after a report."""
    value = constant(ctx, item.value, t)
    if value.type is not ty.ERROR:
        fitting = assignable(ctx, value, t, what)
        if isinstance(fitting, typed.Constant) and fitting.type is not ty.ERROR:
            return fitting.value
    return None


def _record(ctx: Context, node: tree.Aggregate, t: ty.RecordType) -> typed.Expr:
    named = [item for item in node.items if item.name is not None]
    if named and len(named) < len(node.items):
        return ctx.error(
            "LF0511", node.span, "name all fields or none: what has no name stands for the field of its place"
        )
    parts: dict[str, tables.Part] = {f.name: tables.initial_part(f.type) for f in t.fields}
    if not named and len(node.items) != len(t.fields):
        names = ", ".join(f.name for f in t.fields)
        message = f"{t} has {len(t.fields)} fields ({names}), not {len(node.items)}"
        return ctx.error("LF0511", node.span, message, Note("named ones, `x := 1`, may be left out: they are zero"))
    wrong = False
    seen: set[str] = set()
    for place, item in enumerate(node.items):
        name = t.fields[place].name if item.name is None else item.name.text
        found = next((f for f in t.fields if f.name == name), None)
        if found is None or name in seen:
            assert item.name is not None
            why = f"{t} has no field `{name}`" if found is None else f"`{name}` has a value already"
            return ctx.error("LF0511", item.name.span, why)
        seen.add(name)
        ctx.unknown_members.seen.add(found)
        value = _part(ctx, item, found.type, f"field `{name}`")
        wrong = wrong or value is None
        parts[name] = value if value is not None else 0
    if wrong:
        return typed.Constant(node.span, ty.ERROR, 0)
    return typed.Constant(node.span, t, tables.record_bytes(t, list(parts.values())))
