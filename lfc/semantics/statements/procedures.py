"""Predeclared procedures, and those of SYSTEM and Clock: calls that are statements."""

from __future__ import annotations

from collections.abc import Callable

from lfc.diagnostics.model import Note
from lfc.semantics.expressions.bits import SETS
from lfc.semantics.expressions.conversions import any_integer, assignable, boolean, certain_fault, settled, unsigned
from lfc.semantics.expressions.designators import variable
from lfc.semantics.expressions.functions import arguments
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, text_of
from lfc.semantics.statements.control import declaration_notes
from lfc.syntax.grammar import tree

Procedure = Callable[[Context, tree.Call], "typed.Statement | None"]


def _step(ctx: Context, node: tree.Call) -> typed.Statement | None:
    """INC and DEC: numbers in their own type; CHARs, enumerations and subranges as INTEGER, then checked."""
    name = text_of(node.callee.span)
    if not arguments(ctx, node, 1, 2):
        return None
    target = variable(ctx, node.arguments[0], name)
    t = target.type
    own = t if isinstance(t, ty.IntegerType) else ty.INTEGER
    amount: typed.Expr = typed.Constant(node.span, own, 1)
    if len(node.arguments) == 2:
        amount = any_integer(ctx, ctx.expression(node.arguments[1], own), f"the second argument of {name}")
    if t is ty.ERROR or amount.type is ty.ERROR:
        return None
    counts = isinstance(t, ty.IntegerType | ty.CharType | ty.EnumerationType | ty.SubrangeType)
    if not counts or isinstance(t, ty.FixedType):
        ctx.report("LF0421", target.span, f"{name} counts, but `{text_of(target.span)}` has type {t}")
        return None
    amount = assignable(ctx, amount, own, f"the second argument of {name}", *declaration_notes(target))
    return None if amount.type is ty.ERROR else typed.Step(node.span, target, amount, down=name == "DEC")


def _include(ctx: Context, node: tree.Call) -> typed.Statement | None:
    """INCL and EXCL"""
    name = text_of(node.callee.span)
    if not arguments(ctx, node, 2):
        return None
    target = variable(ctx, node.arguments[0], name)
    element = any_integer(ctx, ctx.expression(node.arguments[1]), f"the second argument of {name}")
    t = target.type
    if t is ty.ERROR or element.type is ty.ERROR:
        return None
    if not isinstance(t, ty.SetType) and t not in SETS:
        message = f"{name} changes a set or an unsigned number, but `{text_of(target.span)}` has type {t}"
        ctx.report("LF0421", target.span, message)
        return None
    most = t.bits if isinstance(t, ty.SetType) else SETS[t].bits
    if isinstance(element, typed.Constant) and isinstance(element.value, int) and not 0 <= element.value < most:
        message = (
            f"{t} has the {'elements' if isinstance(t, ty.SetType) else 'bits'} 0 to {most - 1}, not {element.value}"
        )
        certain_fault(ctx, "LF0506", element.span, message)
    return typed.Include(node.span, target, settled(element), exclude=name == "EXCL")


def _new(ctx: Context, node: tree.Call) -> typed.Statement | None:
    if not arguments(ctx, node, 1):
        return None
    port = variable(ctx, node.arguments[0], "NEW")
    if port.type is ty.ERROR:
        return None
    if not isinstance(port.type, ty.ChannelType):
        text = text_of(port.span)
        notes = [Note("make one for each element, in a FOR")] if ty.is_port(port.type) else declaration_notes(port)
        ctx.report("LF0604", port.span, f"NEW makes a channel for a port, but `{text}` has type {port.type}", *notes)
        return None
    if ctx.in_property:
        ctx.report("LF0802", node.span, "a property makes no channels: it only watches")
        return None
    return typed.New(node.span, port)


def _assert(ctx: Context, node: tree.Call) -> typed.Statement | None:
    if not arguments(ctx, node, 1):
        return None
    condition = boolean(ctx, ctx.expression(node.arguments[0]), "the argument of ASSERT")
    return None if condition.type is ty.ERROR else typed.Assert(node.span, condition)


PORTOUT_TYPES = {"PORTOUT": ty.UINT8, "PORTOUT16": ty.UINT16, "PORTOUT32": ty.UINT32}


def _portout(ctx: Context, node: tree.Call) -> typed.Statement | None:
    name = text_of(node.callee.span)
    if not arguments(ctx, node, 2):
        return None
    t = PORTOUT_TYPES[name]
    address = unsigned(ctx, ctx.expression(node.arguments[0]), "an address")
    value = assignable(ctx, ctx.expression(node.arguments[1], t), t, f"the value of {name}")
    if not _acts(ctx, node, name) or ty.ERROR in (address.type, value.type):
        return None
    return typed.PortOut(node.span, t.size * 8, address, value)


def _write(ctx: Context, node: tree.Call) -> typed.Statement | None:
    """SYSTEM.WRITE(ch)"""
    if not arguments(ctx, node, 1):
        return None
    value = assignable(ctx, ctx.expression(node.arguments[0], ty.CHAR), ty.CHAR, "the argument of SYSTEM.WRITE")
    if not _acts(ctx, node, "SYSTEM.WRITE") or value.type is ty.ERROR:
        return None
    return typed.ConsoleWrite(node.span, value)


def _read(ctx: Context, node: tree.Call) -> typed.Statement | None:
    """SYSTEM.READ(ch)"""
    if not arguments(ctx, node, 1):
        return None
    target = variable(ctx, node.arguments[0], "SYSTEM.READ")
    if not _acts(ctx, node, "SYSTEM.READ") or target.type is ty.ERROR:
        return None
    if target.type is not ty.CHAR:
        ctx.report("LF0413", target.span, f"SYSTEM.READ reads a CHAR, but `{text_of(target.span)}` has {target.type}")
        return None
    return typed.ConsoleRead(node.span, target)


def _sleep(ctx: Context, node: tree.Call) -> typed.Statement | None:
    """Clock.Sleep(t)"""
    time = _time(ctx, node, "Clock.Sleep", "a time in milliseconds")
    return None if time is None else typed.Sleep(node.span, time)


def _spin(ctx: Context, node: tree.Call) -> typed.Statement | None:
    """Clock.Spin(t)"""
    time = _time(ctx, node, "Clock.Spin", "a time in microseconds")
    return None if time is None else typed.Spin(node.span, time)


def _time(ctx: Context, node: tree.Call, name: str, what: str) -> typed.Expr | None:
    """Its only argument."""
    if not arguments(ctx, node, 1):
        return None
    time = unsigned(ctx, ctx.expression(node.arguments[0]), what)
    return time if _acts(ctx, node, name) and time.type is not ty.ERROR else None


def _acts(ctx: Context, node: tree.Call, name: str) -> bool:
    if ctx.in_property:
        ctx.report("LF0802", node.span, f"a property only watches: `{name}` is not for it")
    return not ctx.in_property


COMPUTE = ("INC", "DEC", "INCL", "EXCL", "ASSERT")  # what a PROCEDURE may call

PROCEDURES: dict[str, Procedure] = {
    "INC": _step,
    "DEC": _step,
    "INCL": _include,
    "EXCL": _include,
    "NEW": _new,
    "ASSERT": _assert,
    "PORTOUT": _portout,
    "PORTOUT16": _portout,
    "PORTOUT32": _portout,
    "SYSTEM.WRITE": _write,
    "SYSTEM.READ": _read,
    "Clock.Sleep": _sleep,
    "Clock.Spin": _spin,
}
