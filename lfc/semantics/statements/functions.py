"""PROCEDUREs: headings, RETURN, calls in expressions, and what is known of them when all of a module is analysed.

One without an effect is a *function*: its calls are expressions, wherever these may stand. One with an effect (it
changes variables of its module or VAR parameters, reads a register) is called as `x := F(y)`, and is from then on an
ordinary call that gives its result to a VAR parameter. So no expression has an effect, and its order does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.semantics.expressions.conversions import assignable, is_scalar
from lfc.semantics.expressions.designators import look_at
from lfc.semantics.expressions.type_expressions import type_expression
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.constant_calls import NotComputed, call_constant
from lfc.semantics.model.counted_loops import is_counted
from lfc.semantics.model.visit import constant_of, expressions_of, functions_called, statements, subexpressions
from lfc.semantics.names.context import CALL_RULES, Context, statement_rule
from lfc.semantics.names.scope import kind_of, span_of
from lfc.semantics.statements.calls import pass_arguments
from lfc.semantics.statements.levels import choice_at_level
from lfc.syntax.grammar import tree

# --- headings --------------------------------------------------------------------------------------------------


def procedure_heading(ctx: Context, node: tree.ProcessDecl, process: typed.Process) -> None:
    """Of parameters that are known."""
    for formal in process.formals:
        if ty.is_port(formal.type):
            ctx.report("LF0622", formal.span, f"a PROCEDURE has nothing to do with ports, and `{formal.name}` is one")
            formal.type = ty.ERROR
    is_function = process in (ctx.module if ctx.process is None else ctx.process).functions
    t: ty.Type = ty.ERROR
    if node.result is None:
        keyword = Span(node.span.source, node.span.start, node.span.start + len("PROCEDURE"))
        message = f"`{process.name}` has no result type: a PROCEDURE has a result, what has none is a PROCESS"
        ctx.report("LF0620", process.span, message, fix=Fix(keyword, "PROCESS", "make it a PROCESS"))
    else:
        t = type_expression(ctx, node.result)
        if t is not ty.ERROR and not is_scalar(t):
            message = f"the result of a PROCEDURE is a simple value, not {t}"
            ctx.report("LF0620", node.result.span, message, Note("give it through a VAR parameter of a PROCESS"))
            t = ty.ERROR
    kind = typed.VariableKind.LOCAL if is_function else typed.VariableKind.VAR
    process.result = typed.Variable(f"{process.name}'result", t, kind, process, process.span)
    (process.locals if is_function else process.formals).append(process.result)
    for effect in node.effects:
        for name in effect.names:
            _state_effect(ctx, process, effect.keyword == "WRITES", name)


def _state_effect(ctx: Context, process: typed.Process, writes: bool, name: tree.Name) -> None:
    keyword = "WRITES" if writes else "READS"
    symbol = ctx.lookup(name.text, name.span)
    if symbol is None:
        return
    where = span_of(symbol)
    notes = [Note(f"`{name.text}` is declared here", where)] if where is not None else []
    if not isinstance(symbol, typed.Variable) or ty.is_port(symbol.type) or isinstance(symbol.owner, typed.Process):
        message = f"{keyword} names variables of the module, and `{name.text}` is {kind_of(symbol)}"
        if isinstance(symbol, typed.Variable) and isinstance(symbol.owner, typed.Process):
            message = f"{keyword} names variables of the module, and `{name.text}` is one of `{symbol.owner.name}`"
        ctx.report("LF0618", name.span, message, *notes)
    elif symbol in process.stated_effects:
        ctx.report(
            "LF0618", name.span, f"the effect on `{name.text}` is stated already (WRITES allows to read it as well)"
        )
    elif not writes and not symbol.outside:
        message = f"READS is for device registers and NONATOMIC variables: `{name.text}` may be read as it is"
        ctx.report("LF0618", name.span, message, *notes)
    else:
        process.stated_effects[symbol] = writes


# --- the inside ------------------------------------------------------------------------------------------------


@statement_rule(tree.Return)
def return_statement(ctx: Context, node: tree.Return) -> list[typed.Statement]:
    process = ctx.process
    if process is None or not process.is_procedure:
        if node.value is not None:
            ctx.expression(node.value)
            note = Note("a process returns results through its VAR parameters; a PROCEDURE has a value")
            ctx.report("LF0621", node.value.span, "RETURN takes no value here", note)
        return [typed.Return(node.span)]
    result = process.result
    if node.value is None:
        ctx.report("LF0621", node.span, f"RETURN takes the value of `{process.name}`: `RETURN ...`")
        return []
    value = ctx.expression(node.value, None if result is None or result.type is ty.ERROR else result.type)
    if result is None or ty.ERROR in (result.type, value.type):
        return []
    value = assignable(ctx, value, result.type, f"the result of `{process.name}`")
    if value.type is ty.ERROR:
        return []
    target = typed.VariableRef(node.span, result.type, result)
    return [typed.Assign(node.span, target, value), typed.Return(node.span)]


def check_inside(ctx: Context, process: typed.Process, node: tree.ProcessDecl) -> None:
    """Of a body that has been analysed."""
    for inner in (*process.nested, *process.functions):
        ctx.report("LF0622", inner.span, f"`{inner.name}` stands inside of a PROCEDURE: move it out")
    process.nested.clear()
    process.functions.clear()
    for v in process.locals:
        if ty.is_port(v.type):
            ctx.report("LF0622", v.span, f"a PROCEDURE has nothing to do with ports, and `{v.name}` is one")
    if _goes_on(process.body) and process.result is not None and process.result.type is not ty.ERROR:
        before = len(ctx.diagnostics.items)
        where = process.end_span or process.span
        inside = Span(where.source, node.span.start, node.span.end)
        reported = any(
            d.span.source is inside.source and inside.start <= d.span.start < inside.end
            for d in ctx.diagnostics.items[:before]
        )
        if not reported:
            ctx.report("LF0621", where, f"`{process.name}` can come to its end without a RETURN of its value")


def _goes_on(body: Sequence[typed.Statement]) -> bool:
    """Whether control may come to the end of a sequence."""
    return all(_passes(s) for s in body)


def _passes(s: typed.Statement) -> bool:
    match s:
        case typed.Return():
            return False
        case typed.Assert():
            return constant_of(s.condition) != 0
        case typed.If():
            for condition, body in s.branches:
                known = constant_of(condition)
                if known != 0 and _goes_on(body):
                    return True
                if known not in (None, 0):
                    return False
            return _goes_on(s.otherwise)
        case typed.Case():
            otherwise = s.otherwise is not None and _goes_on(s.otherwise)
            return otherwise or any(_goes_on(body) for _, body in s.branches)
        case typed.Repeat():
            return _goes_on(s.body)
        case typed.Loop():
            return any(isinstance(inner, typed.Exit) for inner in statements(s.body))  # be it of another loop
    return True


@statement_rule(tree.Reschedule)
def reschedule(ctx: Context, node: tree.Reschedule) -> typed.Statement | None:
    if ctx.in_procedure:
        ctx.report("LF0622", node.span, "a PROCEDURE computes: it does not wait")
        return None
    return typed.Reschedule(node.span)


@statement_rule(tree.Choice)
def choice(ctx: Context, node: tree.Choice) -> typed.Statement | None:
    if ctx.in_procedure:
        ctx.report("LF0622", node.span, "a PROCEDURE computes: it has no CHOICE")
        return None
    return choice_at_level(ctx, node)


# --- calls -----------------------------------------------------------------------------------------------------


def call(ctx: Context, node: tree.Call, process: typed.Process) -> typed.Expr:
    """Where one with an effect may not stand, that is reported here; where it may, the assignment takes it."""
    wrong = typed.Constant(node.span, ty.ERROR, 0)
    process.used = process.used or process is not ctx.process
    if not process.is_function and (ctx.whole is not node or ctx.constant):
        look_at(ctx, node.arguments)
        example = f"x := {process.name}({', '.join(f.name for f in process.stated_formals)})"
        message = f"`{process.name}` has an effect: it is called in an assignment of its own, `{example}`"
        return ctx.error("LF0624", node.span, message, Note(f"`{process.name}` is declared here", process.span))
    if not process.is_function and ctx.in_procedure and not _covers(ctx, node, process):
        return wrong
    if not process.is_function and ctx.in_property:
        return ctx.error("LF0802", node.span, f"`{process.name}` has an effect: a property only watches")
    if ctx.constant and process.module is ctx.module and process.span.start > node.span.start:
        look_at(ctx, node.arguments)
        note = Note(f"`{process.name}` is declared here", process.span)
        message = f"`{process.name}` is declared further down: a constant cannot ask for it"
        return ctx.error("LF0304", node.span, message, note)
    if process.result is None:
        message = f"`{process.name}` is declared further down than a constant that needs it"
        return ctx.error("LF0304", node.span, message, Note(f"`{process.name}` is declared here", process.span))
    with ctx.set(whole=None):
        arguments = pass_arguments(ctx, process, node.arguments, node.span, created=False)
    if arguments is None or process.result is None or process.result.type is ty.ERROR:
        return wrong
    found = typed.CallFunction(node.span, process.result.type, process, arguments)
    if ctx.constant:
        return _folded(ctx, found)
    if ctx.guard or ctx.formula or ctx.in_property:
        what = "a guard" if ctx.guard else "a property"
        ctx.must_end.append((process, node.span, what))
    return found


CALL_RULES.append(call)


def _covers(ctx: Context, node: tree.Call, process: typed.Process) -> bool:
    """Whether the heading around here states the effects of what it calls; False after a report."""
    mine = ctx.process
    assert mine is not None
    for variable, writes in process.stated_effects.items():
        if mine.stated_effects.get(variable, None if writes else False) is None or (
            writes and not mine.stated_effects[variable]
        ):
            word = "WRITES" if writes else "READS"
            message = f"`{process.name}` {word} `{variable.name}`, and the heading of `{mine.name}` does not say so"
            ctx.report("LF0623", node.span, message, Note(f"add `{word} {variable.name}` to the heading"))
            return False
    return True


def _folded(ctx: Context, e: typed.CallFunction) -> typed.Expr:
    process = e.process
    note = Note(f"`{process.name}` is declared here", process.span)
    if process.module is ctx.module:
        while missing := next((f for f in functions_called([e]) if f in ctx.insides), None):
            inside = ctx.insides.pop(missing)
            scope = ctx.module_scope if missing.parent is None else ctx.scope
            state = dict(scope=scope, process=missing.parent, constant=False, guard=False, formula=False, late=False)
            with ctx.set(**state, declaring=None, channels={}, loops=0, whole=None):
                inside()
        if not process.body:
            return typed.Constant(e.span, ty.ERROR, 0)  # what is wrong with it has been said
    try:
        value = call_constant(e)
    except NotComputed as wrong:
        return ctx.error("LF0501", e.span, f"`{process.name}` gives no constant here: {wrong}", note)
    return typed.Constant(e.span, e.type, value)


# --- all together ----------------------------------------------------------------------------------------------


def complete_functions(ctx: Context) -> None:
    """What functions read and whether they come to an end, calls included; who calls itself is reported."""
    mine = [*ctx.module.functions]
    procedures = [p for p in ctx.module.processes if p.is_procedure]
    stack = list(ctx.module.processes)
    while stack:
        p = stack.pop()
        mine += p.functions
        procedures += [q for q in p.nested if q.is_procedure]
        stack += p.nested
    calls = {f: _calls_of(f) for f in (*mine, *procedures)}
    _report_recursion(ctx, calls)
    for f in mine:
        f.reads = [v for v in _variables_read(f)]
        f.may_not_end = next((s.span for s in statements(f.body) if may_not_end(s)), None)
    changed = True
    while changed:
        changed = False
        for f in mine:
            for callee in calls[f]:
                more = [v for v in callee.reads if v not in f.reads]
                f.reads += more
                if f.may_not_end is None and callee.may_not_end is not None:
                    f.may_not_end, changed = callee.may_not_end, True
                changed |= bool(more)
    for process, span, what in ctx.must_end:
        if process.may_not_end is not None:
            message = f"{what} must come to an end, and `{process.name}` has a loop that may not: count with FOR"
            ctx.report("LF0625", span, message, Note("this loop", process.may_not_end))


def may_not_end(s: typed.Statement) -> bool:
    if isinstance(s, typed.For):
        return not is_counted(s)
    return isinstance(s, typed.While | typed.Repeat | typed.Loop)


def _calls_of(process: typed.Process) -> list[typed.Process]:
    found: dict[typed.Process, None] = {}
    for s in statements(process.body):
        if isinstance(s, typed.CallProcess):
            found[s.process] = None
        for whole in expressions_of(s):
            found.update((e.process, None) for e in subexpressions(whole) if isinstance(e, typed.CallFunction))
    return list(found)


def _variables_read(process: typed.Process) -> dict[typed.Variable, None]:
    found: dict[typed.Variable, None] = {}
    for s in statements(process.body):
        for whole in expressions_of(s):
            for e in subexpressions(whole):
                if isinstance(e, typed.VariableRef) and isinstance(e.variable.owner, typed.Module):
                    found[e.variable] = None
    return found


def _report_recursion(ctx: Context, calls: dict[typed.Process, list[typed.Process]]) -> None:
    for f in calls:
        seen: dict[typed.Process, None] = {}
        stack = list(calls[f])
        while stack:
            callee = stack.pop()
            if callee is f:
                message = f"`{f.name}` calls itself: a PROCEDURE may not, so that its stack is known"
                ctx.report("LF0626", f.span, message, Note("a PROCESS may, with MAX"))
                break
            if callee not in seen:
                seen[callee] = None
                stack += calls.get(callee, [])
