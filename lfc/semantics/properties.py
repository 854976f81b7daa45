"""PROPERTY declarations."""

from __future__ import annotations

from collections.abc import Iterable

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.declarations import declare_all, declare_processes, initial_values
from lfc.semantics.expressions.conversions import boolean
from lfc.semantics.model import typed
from lfc.semantics.model.visit import operands
from lfc.semantics.names.context import Context
from lfc.semantics.names.scope import Scope
from lfc.syntax.grammar import tree


def analyse_property(ctx: Context, node: tree.PropertyDecl) -> None:
    """Last of all in a module: a property sees every name of it, wherever it stands."""
    name = node.name
    requirements = tuple(dict.fromkeys(r.text for r in node.requirements))
    found = typed.Property(name.text, ctx.module, name.span, None, None, requirements)
    ctx.declare(name.text, found, name.span)
    ctx.module.properties.append(found)
    before, ctx.late = ctx.late, True
    if node.formula is not None:
        ctx.formula = True
        found.formula = boolean(ctx, ctx.expression(node.formula), "a formula")
        ctx.formula = False
        _report_temporal_operands(ctx, found.formula)
    else:
        found.process = _property_process(ctx, node)
        if node.closing is not None and node.closing.text == found.name:
            ctx.note(node.closing.span, found)
    ctx.late = before


def refuse_same_names(modules: Iterable[typed.Module], diagnostics: Diagnostics) -> None:
    """What is told of a property is told by its name, so the modules of a program share these names."""
    first: dict[str, typed.Property] = {}
    for p in (p for m in modules for p in m.properties):
        other = first.setdefault(p.name, p)
        if other.module is not p.module:
            message = f"the program has another property `{p.name}`, and what is told of a property is told by its name"
            diagnostics.report("LF0303", p.span, message, Note(f"in `{other.module.name}`", other.span))


def _report_temporal_operands(ctx: Context, formula: typed.Expr) -> None:
    """Temporal formulas speak of whole runs: they have no value that other operators and functions could take."""
    waiting = [(formula, True)]
    while waiting:
        e, may_be_temporal = waiting.pop()
        if isinstance(e, typed.Temporal) and not may_be_temporal:
            note = Note("they are joined with `&`, `OR`, `~`, `IMPLIES`, `IFF`; `IFF` says that two are the same")
            ctx.report("LF0403", e.span, f"a formula with `{e.op}` has no value to compute with", note)
            continue
        joins = isinstance(e, typed.Temporal | typed.Logical) or (isinstance(e, typed.Unary) and e.op == "~")
        waiting.extend((inner, joins) for inner in operands(e))


def _property_process(ctx: Context, node: tree.PropertyDecl) -> typed.Process:
    process = typed.Process(node.name.text, ctx.module, None, node.name.span, is_property=True)
    scope = ctx.scope
    ctx.scope, ctx.process = Scope(scope), process
    if ctx.occurrences is not None:
        ctx.occurrences.note_place(node.span, ctx.scope, process)
    nested = declare_processes(ctx, node.declarations)
    for p in nested.values():
        ctx.report("LF0806", p.span, f"process `{p.name}` stands inside of a property, which cannot call it")
    properties = declare_all(ctx, node.declarations, nested)
    for inner in properties:
        ctx.report("LF0806", inner.name.span, f"property `{inner.name.text}` stands inside of a property")
    process.nested.clear()
    process.body = initial_values(ctx, process) + ctx.statements(node.body)
    process.end_span = node.closing.span if node.closing is not None else _last(node.span)
    ctx.scope, ctx.process = scope, None
    return process


def _last(span: Span) -> Span:
    return Span(span.source, max(span.start, span.end - 1), span.end)
