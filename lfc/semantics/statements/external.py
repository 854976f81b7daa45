"""EXTERNAL processes: what their headings may say, and the effects that they declare.

An effect is a parameter that every call passes by itself: READS a value, WRITES a VAR parameter. So all that
follows the calls of a program (shared variables, actions and their effects, code) follows declared effects as well.
"""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context
from lfc.semantics.names.scope import kind_of, span_of
from lfc.syntax.grammar import tree

KERNEL_PREFIX = "lf_"  # of all names of the kernel and the ports


def check_external(ctx: Context, node: tree.ProcessDecl, process: typed.Process) -> None:
    """Of a heading whose parameters are known."""
    if process.parent is not None:
        note = Note(f"its C function is named after the module and the process: `{ctx.module.name}_{process.name}`")
        message = f"`{process.name}` is EXTERNAL and stands inside of `{process.parent.name}`: move it to the module"
        ctx.report("LF0616", process.span, message, note)
        return
    if process.symbol.startswith(KERNEL_PREFIX):
        message = (
            f"the C function of `{process.name}` would be `{process.symbol}`, and `{KERNEL_PREFIX}` is the kernel's"
        )
        ctx.report("LF0616", process.span, message, Note("give the module another name"))
    for formal in process.formals:
        _check_type(ctx, formal.type, formal.span, f"parameter `{formal.name}`")
    stated = {formal.name: formal for formal in process.formals}
    for effect in node.effects:
        for name in effect.names:
            _declare_effect(ctx, process, effect.keyword == "WRITES", name, stated)


def _check_type(ctx: Context, t: ty.Type, span: Span, what: str) -> bool:
    if t is ty.ERROR:
        return False
    wrong = _not_for_c(t)
    if wrong is None:
        return True
    ctx.report("LF0617", span, f"{what} cannot be passed to C: {wrong}")
    return False


def _not_for_c(t: ty.Type) -> str | None:
    """Why C has no name for it."""
    if ty.is_port(t):
        return "only processes of LF communicate over ports"
    if isinstance(t, ty.FixedType):
        return "C has no fixed-point numbers; pass the number of steps, `SYSTEM.VAL(INT32, x)`"
    if isinstance(t, ty.ArrayType | ty.OpenArrayType):
        return _not_for_c(t.element)
    if isinstance(t, ty.RecordType):
        if t.name == "RECORD":
            return "give the record type a name"
        for f in t.fields:
            wrong = _not_for_c(f.type)
            if wrong is not None:
                return f"in its field `{f.name}`, {wrong}"
    return None


def _declare_effect(
    ctx: Context, process: typed.Process, writes: bool, name: tree.Name, stated: dict[str, typed.Variable]
) -> None:
    keyword = "WRITES" if writes else "READS"
    symbol = ctx.lookup(name.text, name.span)
    if symbol is None:
        return
    where = span_of(symbol)
    notes = [Note(f"`{name.text}` is declared here", where)] if where is not None else []
    if not isinstance(symbol, typed.Variable) or ty.is_port(symbol.type):
        message = f"{keyword} names variables of the module, and `{name.text}` is {kind_of(symbol)}"
        ctx.report("LF0618", name.span, message, *notes)
        return
    if any(effect.variable is symbol for effect in process.effects):
        message = f"the effect on `{name.text}` is stated already (WRITES allows to read it as well)"
        ctx.report("LF0618", name.span, message)
        return
    if name.text in stated:
        note = Note(f"parameter `{name.text}` is declared here", stated[name.text].span)
        message = f"`{name.text}` is a variable of the module and a parameter: C could not tell them apart"
        ctx.report("LF0618", name.span, message, note)
        return
    if not _check_type(ctx, symbol.type, name.span, f"variable `{name.text}`"):
        return
    formal = None
    if symbol.address is None:  # C knows the address of a device register
        kind = typed.VariableKind.VAR if writes else typed.VariableKind.VALUE
        formal = typed.Variable(name.text, symbol.type, kind, process, name.span)
        process.formals.append(formal)
    process.effects.append(typed.ExternalEffect(symbol, writes, formal))


def effect_arguments(process: typed.Process, span: Span) -> list[typed.Argument]:
    """What a call passes beside what it states."""
    return [
        typed.Argument(effect.formal, typed.VariableRef(span, effect.variable.type, effect.variable))
        for effect in process.effects
        if effect.formal is not None
    ]
