"""ASSUME: what a device register, a port, the console or a message of a module's users can give."""

from __future__ import annotations

from lfc.diagnostics.model import Note
from lfc.semantics.expressions.constants import constant, constant_integer
from lfc.semantics.expressions.designators import designate
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.alphabet import NoAlphabet, characters_of
from lfc.semantics.names.context import Context, text_of
from lfc.syntax.grammar import tree

CONSOLE = "console"
WRONG = "LF0810"
WIDTHS = {"PORTIN": 8, "PORTIN16": 16, "PORTIN32": 32}


def declare_assumption(ctx: Context, node: tree.AssumptionDecl) -> None:
    if ctx.process is not None:
        ctx.report("LF0806", node.span, "an assumption stands inside of a process: move it to the module")
        return
    if ctx.module.environment:
        ctx.report(
            WRONG, node.span, "an environment assumes nothing of its inputs: it has none, it is the world outside"
        )
        return
    found = _of_console(ctx, node) if _names_console(ctx, node.of) else _of_numbers(ctx, node)
    if found is not None:
        ctx.module.assumptions.append(found)


def _names_console(ctx: Context, of: tree.Expr) -> bool:
    """`console` is the console unless the program gives this name to something else."""
    if not isinstance(of, tree.Ident) or of.name != CONSOLE:
        return False
    return all(CONSOLE not in scope.names for scope in ctx.scope.outward())


def _of_console(ctx: Context, node: tree.AssumptionDecl) -> typed.Assumption | None:
    if node.high is not None:
        note = Note('a string says which characters, with ranges: `console IN "0-9 \\n"`')
        ctx.report(WRONG, node.span, "the console gives characters, not numbers", note)
        return None
    text = constant(ctx, node.low)
    if text.type is ty.ERROR:
        return None
    if not isinstance(text.value, bytes):
        note = Note('for example `console IN "0-9 \\n"`')
        ctx.report(WRONG, node.low.span, "the characters of the console are a string", note)
        return None
    spelled = text.value.rstrip(b"\0").decode("latin-1")
    try:
        return typed.Assumption(node.span, CONSOLE, characters=characters_of(spelled), spelled=spelled)
    except NoAlphabet as e:
        ctx.report(WRONG, node.low.span, str(e))
        return None


def _of_numbers(ctx: Context, node: tree.AssumptionDecl) -> typed.Assumption | None:
    found = _message_of(ctx, node.of) or _port_of(ctx, node.of)
    if node.high is None:
        ctx.report(WRONG, node.low.span, "a range has two bounds, `low .. high`")
        return None
    low, high = constant_integer(ctx, node.low, "a bound"), constant_integer(ctx, node.high, "a bound")
    if found is None or low is None or high is None:
        return None
    least, most = found.low, found.high
    if low > high:
        ctx.report(WRONG, node.low.span.to(node.high.span), f"the range {low} .. {high} is empty")
    elif low < least or high > most:
        note = Note(f"`{found.name}` gives {least} to {most}")
        ctx.report(WRONG, node.low.span.to(node.high.span), f"{low} .. {high} does not fit `{found.name}`", note)
    elif low < 0 <= high and found.width:
        note = Note("declare the register without a sign, and convert what it gives")
        ctx.report(WRONG, node.low.span.to(node.high.span), "a range of a register has numbers of one sign", note)
    else:
        found.span, found.low, found.high = node.span, low, high
        return found
    return None


def _port(ctx: Context, node: tree.Expr) -> typed.Variable | None:
    """Of `port.message`, if the module has this port."""
    if not isinstance(node, tree.Field) or not isinstance(node.base, tree.Ident):
        return None
    symbol = next((s.names[node.base.name] for s in ctx.scope.outward() if node.base.name in s.names), None)
    is_port = isinstance(symbol, typed.Variable) and symbol.owner is ctx.module and ty.is_port(symbol.type)
    return symbol if isinstance(symbol, typed.Variable) and is_port else None


def _message_of(ctx: Context, node: tree.Expr) -> typed.Assumption | None:
    """`port.message` of an exported port; None: it is none, and nothing has been reported."""
    symbol = _port(ctx, node)
    if symbol is None or not isinstance(node, tree.Field):
        return None
    t = symbol.type.element if isinstance(symbol.type, ty.ArrayType) else symbol.type
    message = next((m for m in getattr(t, "messages", ()) if m.name == node.name.text), None)
    if (
        message is None
        or not symbol.exported
        or len(message.types) != 1
        or not isinstance(message.types[0], ty.IntegerType)
    ):
        return None
    ctx.mark_used(symbol)
    low, high = ty.scalar_range(message.types[0])
    return typed.Assumption(node.span, f"{symbol.name}.{message.name}", low, high, port=symbol, message=message)


def _port_of(ctx: Context, node: tree.Expr) -> typed.Assumption | None:
    """None after a report."""
    if isinstance(node, tree.Field) and _port(ctx, node) is not None:
        _no_input(ctx, node)
        return None
    meaning = ctx.expression(node) if isinstance(node, tree.Call) else designate(ctx, node)
    if isinstance(meaning, typed.Expr) and meaning.type is ty.ERROR:
        return None
    if isinstance(meaning, typed.FunctionCall) and meaning.name in WIDTHS:
        address, width = meaning.arguments[0], WIDTHS[meaning.name]
        if isinstance(address, typed.Constant) and isinstance(address.value, int):
            name = text_of(node.span)
            return typed.Assumption(node.span, name, 0, (1 << width) - 1, width=width, address=address.value)
        ctx.report("LF0503", node.span, "the address of an assumption is a constant")
        return None
    if isinstance(meaning, typed.VariableRef) and meaning.variable.address is not None:
        v = meaning.variable
        if isinstance(v.type, ty.IntegerType | ty.CharType):
            width = 8 * ty.size_and_alignment(v.type)[0]
            low, high = ty.scalar_range(v.type)
            return typed.Assumption(node.span, v.name, low, high, width=width, address=v.address or 0)
    _no_input(ctx, node)
    return None


def _no_input(ctx: Context, node: tree.Expr) -> None:
    note = Note(
        "a range is that of a device register (`AT`) of numbers, of `PORTIN(address)` and its like, of `console`, or of"
        " `port.message` of an exported port whose message carries one number"
    )
    ctx.report(WRONG, node.span, f"`{text_of(node.span)}` gives nothing from outside that has a range", note)
