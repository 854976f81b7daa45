"""What SYSTEM and Clock provide: interrupts, the ports of the hardware, the clock."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.semantics.expressions.constants import constant_integer
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context
from lfc.syntax.grammar import tree

HIGHEST_INTERRUPT = 255

INTERRUPT_PORT_TYPE = ty.Type("SYSTEM.INT")
IO_PORT_TYPE = ty.Type("SYSTEM.IOPORT")

INTERRUPT = ty.Message("INTERRUPT", [], 0, None)
PORTIN = ty.Message("PORTIN", [ty.UINT8, ty.UINT32], 0, None)
PORTOUT = ty.Message("PORTOUT", [ty.UINT8, ty.UINT32, ty.UINT32], 1, None)
VALUE = ty.Message("VALUE", [ty.UINT32], 2, None)


def interrupt_port(ctx: Context, node: tree.Index) -> typed.Expr:
    """SYSTEM.INT[n]"""
    if len(node.indices) != 1:
        return ctx.error("LF0613", node.span, "an interrupt has one number: `SYSTEM.INT[n]`")
    number = constant_integer(ctx, node.indices[0], "the number of an interrupt")
    if number is None:
        return typed.Constant(node.span, ty.ERROR, 0)
    if not 0 <= number <= HIGHEST_INTERRUPT:
        message = f"interrupts have the numbers 0 to {HIGHEST_INTERRUPT}, not {number}"
        return ctx.error("LF0613", node.indices[0].span, message)
    return typed.InterruptPort(node.span, INTERRUPT_PORT_TYPE, number)


def io_port(ctx: Context, span: Span) -> typed.Expr:
    """SYSTEM.IOPORT"""
    if not ctx.module.environment:
        ctx.report_no_environment(span, "only an ENVIRONMENT module stands behind SYSTEM.IOPORT")
        return typed.Constant(span, ty.ERROR, 0)
    return typed.IoPort(span, IO_PORT_TYPE)


def clock_now(ctx: Context, span: Span) -> typed.Expr:
    of_property = ctx.formula or ctx.in_property  # the checker can keep the clock with the states
    if not of_property and not allowed_input(ctx, span, "Clock.Now"):
        return typed.Constant(span, ty.ERROR, 0)
    return typed.FunctionCall(span, ty.UINT32, "Clock.Now", [])


def allowed_input(ctx: Context, span: Span, name: str) -> bool:
    """Inputs are for ordinary statements; False after a report."""
    if ctx.guard:
        ctx.report("LF0611", span, f"a guard reads variables only: `{name}` is an input")
    elif ctx.formula or ctx.in_property:
        ctx.report("LF0807", span, f"a property reads variables only: `{name}` is an input")
    elif ctx.constant:
        ctx.report("LF0503", span, f"`{name}` is not constant")
    elif ctx.in_procedure:
        ctx.report("LF0622", span, f"a PROCEDURE computes: `{name}` is an input. Pass it what was read")
    else:
        return True
    return False
