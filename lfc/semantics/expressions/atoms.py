"""READY, WAITING, ENDED, TAKEN: what only properties can ask."""

from __future__ import annotations

from collections.abc import Callable

from lfc.semantics.expressions.designators import ProcessSlot, designate
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, text_of
from lfc.syntax.grammar import tree


def _status(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    status = text_of(node.callee.span)
    if not _in_property(ctx, node, status):
        return typed.Constant(node.span, ty.ERROR, 0)
    example = f"{status}(P)" if status == "ENDED" else f"{status}(P) or {status}(P[i])"
    if len(node.arguments) != 1:
        return ctx.error("LF0805", node.span, f"`{status}` asks about one process: `{example}`")
    argument = node.arguments[0]
    is_designator = isinstance(argument, tree.Ident | tree.Field | tree.Index)
    meaning = designate(ctx, argument) if is_designator else ctx.expression(argument)
    if isinstance(meaning, typed.Process) and not meaning.is_property:
        return typed.StatusAtom(node.span, ty.BOOLEAN, status, meaning, None)
    if isinstance(meaning, ProcessSlot):
        if status == "ENDED":
            return ctx.error("LF0805", node.span, "`ENDED` speaks of all slots of a process: write it without an index")
        return typed.StatusAtom(node.span, ty.BOOLEAN, status, meaning.process, meaning.slot)
    if isinstance(meaning, typed.Expr) and meaning.type is ty.ERROR:
        return meaning
    message = f"`{status}` asks about a process, and `{text_of(argument.span)}` is none: `{example}`"
    return ctx.error("LF0805", argument.span, message)


def _taken(ctx: Context, node: tree.Call, expected: ty.Type | None) -> typed.Expr:
    if not _in_property(ctx, node, "TAKEN"):
        return typed.Constant(node.span, ty.ERROR, 0)
    argument = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(argument, tree.Field):
        return ctx.error("LF0805", node.span, "`TAKEN` asks about one message of one port: `TAKEN(port.message)`")
    port = ctx.expression(argument.base)
    if port.type is ty.ERROR:
        return port
    if not isinstance(port.type, ty.ChannelType):
        message = f"`TAKEN` asks about a port, but `{text_of(port.span)}` has type {port.type}"
        return ctx.error("LF0805", port.span, message)
    name = argument.name
    for message_declaration in port.type.messages:
        if message_declaration.name == name.text:
            ctx.unknown_members.seen.add(message_declaration)
            ctx.note(name.span, message_declaration)
            return typed.TakenAtom(node.span, ty.BOOLEAN, port, message_declaration)
    ctx.unknown_members.add(port.type, name.text, name.span)
    return typed.Constant(node.span, ty.ERROR, 0)


def _in_property(ctx: Context, node: tree.Call, name: str) -> bool:
    if ctx.formula or ctx.in_property:
        return True
    ctx.report("LF0804", node.span, f"`{name}` belongs into a PROPERTY")
    return False


ATOMS: dict[str, Callable[[Context, tree.Call, ty.Type | None], typed.Expr]] = {
    "READY": _status,
    "WAITING": _status,
    "ENDED": _status,
    "TAKEN": _taken,
}
