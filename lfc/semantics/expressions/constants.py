"""Constant expressions."""

from __future__ import annotations

from lfc.semantics.expressions.conversions import is_integer
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, text_of
from lfc.syntax.grammar import tree


def constant(ctx: Context, node: tree.Expr, expected: ty.Type | None = None) -> typed.Constant:
    """The value of a constExpr; of the error type after a report."""
    before = ctx.constant
    ctx.constant = True
    e = ctx.expression(node, expected)
    ctx.constant = before
    if isinstance(e, typed.Constant):
        return e
    if e.type is ty.ERROR:
        return typed.Constant(e.span, ty.ERROR, 0)
    return ctx.error("LF0503", node.span, f"`{text_of(node.span)}` is not constant")


def constant_integer(ctx: Context, node: tree.Expr, what: str) -> int | None:
    """None after a report."""
    c = constant(ctx, node)
    if c.type is ty.ERROR:
        return None
    if isinstance(c.type, ty.SubrangeType) and not isinstance(c.type, ty.FixedType):
        c = typed.Constant(c.span, c.type.base, c.value)
    if not is_integer(c.type) or not isinstance(c.value, int):
        ctx.report("LF0421", c.span, f"{what} is a number, but `{text_of(c.span)}` has type {c.type}")
        return None
    return c.value
