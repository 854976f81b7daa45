"""Ports that may only send (`out : Msg!`) or only receive (`in : Msg?`): parameters that promise less than their type.

The promise is about a name, not about the channel: whoever has the port whole may give half of it away, and nobody
gets back what is not there.
"""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import root_variable
from lfc.semantics.names.context import Context, text_of

WORDS = {"!": "send", "?": "receive"}


def direction_of(e: typed.Expr) -> str:
    """Of a port: `!`, `?`, or nothing."""
    root = root_variable(e)
    return "" if root is None else root.direction


def _declared(root: typed.Variable) -> list[Note]:
    return [Note(f"`{root.name}` is declared here", root.span)]


def check_meeting(ctx: Context, port: typed.Expr, sign: str) -> None:
    """Of a send (`!`) or a receive (`?`)."""
    root = root_variable(port)
    if root is None or root.direction in ("", sign):
        return
    text = text_of(port.span)
    message = f"`{text}` may only {WORDS[root.direction]}: it was declared with `{root.direction}`"
    fix = None
    if root.mark is not None and root.mark.source is ctx.module.source:
        fix = Fix(root.mark, "", f"leave the `{root.direction}` out: it may do both")
    ctx.report("LF0627", port.span, message, *_declared(root), fix=fix)


def check_argument(ctx: Context, process: typed.Process, formal: typed.Variable, e: typed.Expr) -> bool:
    """Whether the port may be passed; False after a report."""
    given = direction_of(e)
    same = given == formal.direction
    if not ty.is_port(e.type) or same or (not given and formal.kind is not typed.VariableKind.VAR):
        return True
    root = root_variable(e)
    assert root is not None
    text = text_of(e.span)
    if given:
        wants = f"may {WORDS[formal.direction]}" if formal.direction else "may send and receive"
        message = f"`{text}` may only {WORDS[given]}, and `{formal.name}` of `{process.name}` {wants}"
    else:
        what = f"VAR parameter `{formal.name}` of `{process.name}`"
        message = f"{what} may only {WORDS[formal.direction]}, and `{text}` may do both"
    fix = None
    if formal.end is not None and formal.end.source is ctx.module.source and given and not formal.direction:
        fix = Fix(formal.end, given, f"let `{formal.name}` only {WORDS[given]}")
    note = Note(f"parameter `{formal.name}` is declared here", formal.span)
    ctx.report("LF0627", e.span, message, *_declared(root), note, fix=fix)
    return False


def check_copy(ctx: Context, e: typed.Expr, span: Span, where: str, allowed: str = "") -> bool:
    """Of a port that is assigned or sent: there it has no direction, or the `allowed` one. False after a report."""
    given = direction_of(e)
    if not ty.is_port(e.type) or not given or given == allowed:
        return True
    root = root_variable(e)
    assert root is not None
    message = f"`{text_of(e.span)}` may only {WORDS[given]}, and {where} may do more"
    ctx.report("LF0627", span, message, *_declared(root))
    return False
