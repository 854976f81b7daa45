"""Assignment and control."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.expressions.constants import constant, constant_integer
from lfc.semantics.expressions.conversions import (
    assignable,
    base_type,
    boolean,
    character_constant,
    computed,
    holds,
    is_integer,
    settled,
    shown,
)
from lfc.semantics.expressions.designators import variable
from lfc.semantics.expressions.type_expressions import type_expression
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import root_variable
from lfc.semantics.names.context import STATEMENT_RULES, Context, statement_rule, text_of
from lfc.semantics.names.scope import Scope
from lfc.semantics.statements.directions import check_copy, direction_of
from lfc.syntax.grammar import tree


@statement_rule(tree.ErrorStatement)
def error_statement(ctx: Context, node: tree.ErrorStatement) -> None:
    return None


@statement_rule(tree.Assign)
def assignment(ctx: Context, node: tree.Assign) -> typed.Statement | None:
    target = variable(ctx, node.target, "an assignment")
    with ctx.set(whole=node.value):
        value = ctx.expression(node.value, target.type if target.type is not ty.ERROR else None)
    if isinstance(value, typed.CallFunction) and not value.process.is_function:
        return None if target.type is ty.ERROR else call_with_effect(ctx, node, target, value)
    if target.type is ty.ERROR or value.type is ty.ERROR:
        return None
    if isinstance(target.type, ty.OpenArrayType):
        note = Note("assign its elements, one by one")
        ctx.report("LF0416", node.target.span, f"the open array `{text_of(target.span)}` is not assigned whole", note)
        return None
    value = assignable(ctx, value, target.type, f"`{text_of(target.span)}`", *declaration_notes(target))
    if not check_copy(ctx, value, value.span, f"`{text_of(target.span)}`", direction_of(target)):
        return None
    return None if value.type is ty.ERROR else typed.Assign(node.span, target, value)


def call_with_effect(
    ctx: Context, node: tree.Assign, target: typed.Expr, call: typed.CallFunction
) -> typed.Statement | None:
    """`x := F(y)`, where F has an effect: a call like that of a process, which gives its result to a VAR parameter."""
    result, root = call.process.result, root_variable(target)
    assert result is not None and root is not None
    note = Note(f"`{call.process.name}` is declared here", call.process.span)
    text = text_of(target.span)
    if target.type is not result.type:
        message = f"the result of `{call.process.name}` has type {result.type}, and `{text}` has type {target.type}"
        more = Note("of a PROCEDURE with an effect the result goes to a variable of exactly its type")
        ctx.report("LF0413", target.span, message, note, more)
        return None
    if root.outside:
        ctx.report("LF0413", target.span, f"`{root.name}` cannot take the result: assign it to a variable first", note)
        return None
    return typed.CallProcess(node.span, call.process, [*call.arguments, typed.Argument(result, target)])


def declaration_notes(designator: typed.Expr) -> list[Note]:
    if isinstance(designator, typed.VariableRef):
        v = designator.variable
        return [Note(f"`{v.name}` is declared here", v.span)]
    if isinstance(designator, typed.FieldRef) and designator.field.span is not None:
        return [Note(f"field `{designator.field.name}` is declared here", designator.field.span)]
    return []


def condition(ctx: Context, node: tree.Expr, what: str) -> typed.Expr:
    return boolean(ctx, ctx.expression(node), what)


@statement_rule(tree.If)
def if_statement(ctx: Context, node: tree.If) -> typed.Statement:
    branches = [(condition(ctx, b.condition, "the condition of IF"), ctx.statements(b.body)) for b in node.branches]
    return typed.If(node.span, branches, ctx.statements(node.otherwise))


@statement_rule(tree.While)
def while_statement(ctx: Context, node: tree.While) -> typed.Statement:
    return typed.While(node.span, condition(ctx, node.condition, "the condition of WHILE"), ctx.statements(node.body))


@statement_rule(tree.Repeat)
def repeat_statement(ctx: Context, node: tree.Repeat) -> typed.Statement:
    body = ctx.statements(node.body)
    return typed.Repeat(node.span, body, condition(ctx, node.until, "the condition of UNTIL"))


@statement_rule(tree.Loop)
def loop_statement(ctx: Context, node: tree.Loop) -> typed.Statement:
    ctx.loops += 1
    body = ctx.statements(node.body)
    ctx.loops -= 1
    return typed.Loop(node.span, body)


@statement_rule(tree.NamedLoop)
def named_loop(ctx: Context, node: tree.NamedLoop) -> typed.Statement | None:
    label = typed.LoopLabel(node.label.text, node.label.span)
    earlier = ctx.labels.get(label.name)
    if earlier is not None:
        note = Note("it begins here", earlier.span)
        ctx.report("LF0303", label.span, f"a loop around here has the name `{label.name}` already", note)
    with ctx.set(labels={**ctx.labels, label.name: label}):
        found = STATEMENT_RULES[node.loop.__class__](ctx, node.loop)
    assert found is None or isinstance(found, typed.While | typed.Repeat | typed.For | typed.Loop)
    if found is not None:
        found.label = label
    return found


@statement_rule(tree.Exit)
def exit_statement(ctx: Context, node: tree.Exit) -> typed.Statement | None:
    if node.label is not None:
        label = ctx.labels.get(node.label.text)
        if label is None:
            message = f"no loop around here has the name `{node.label.text}`"
            ctx.report(
                "LF0612", node.span, message, Note(f"a loop is named before its keyword: `{node.label.text}: LOOP`")
            )
            return None
        return typed.Exit(node.span, label)
    if ctx.loops == 0:
        note = Note(
            "WHILE, REPEAT and FOR end by their conditions, or by the EXIT of a name: `search: WHILE`, `EXIT search`"
        )
        ctx.report("LF0612", node.span, "EXIT leaves a LOOP, and there is none around it", note)
        return None
    return typed.Exit(node.span)


# --- FOR -------------------------------------------------------------------------------------------------------


@statement_rule(tree.For)
def for_statement(ctx: Context, node: tree.For) -> typed.Statement | None:
    if node.declares:
        stated = None if node.type is None else type_expression(ctx, node.type)
        low = ctx.expression(node.low, stated)
        counter = _own_variable(ctx, node, stated, low)
    else:
        counter = _for_variable(ctx, node)
        low = ctx.expression(node.low, counter.type if counter is not None else None)
    t = counter.type if counter is not None else None
    high = ctx.expression(node.high, t)
    by = _step(ctx, node)
    if counter is not None and t is not None:
        notes = [Note(f"`{counter.name}` is declared here", counter.span)]
        low = assignable(ctx, low, t, f"`{counter.name}`", *notes)
        high = assignable(ctx, high, base_type(t), "the limit of FOR", *notes)
    if node.declares and counter is not None:
        with ctx.set(scope=Scope(ctx.scope), counting=ctx.counting | {counter}):
            ctx.declare(counter.name, counter, node.variable.span)
            body = ctx.statements(node.body)
    else:
        body = ctx.statements(node.body)
    if counter is None or by is None or ty.ERROR in (low.type, high.type):
        return None
    limit = None if isinstance(high, typed.Constant) else _hidden_limit(ctx, counter, high.type)
    return typed.For(node.span, counter, low, high, by, limit, body, own=node.declares)


def _own_variable(ctx: Context, node: tree.For, stated: ty.Type | None, low: typed.Expr) -> typed.Variable | None:
    """FOR VAR: of the stated type, else of that of the first value. Loops that are not nested share variables of one
    name and type."""
    name = node.variable
    t = stated
    if t is None:
        free = isinstance(low, typed.Constant) and low.free and is_integer(low.type)
        code = character_constant(low)
        t = ty.INTEGER if free else ty.CHAR if code is not None else base_type(low.type)
    if t is ty.ERROR:
        return None
    if not isinstance(base_type(t), ty.IntegerType | ty.CharType | ty.EnumerationType):
        ctx.report(
            "LF0423", name.span, f"FOR counts with a number, a CHAR or an enumeration, but `{name.text}` has type {t}"
        )
        return None
    return own_variable(ctx, name, t)


def own_variable(ctx: Context, name: tree.Name, t: ty.Type) -> typed.Variable | None:
    """Of a FOR VAR or of a clause that stands for several."""
    owner = ctx.owner
    found = ctx.counters.get((owner, name.text, t))
    if found is None or found in ctx.counting:
        kind = typed.VariableKind.LOCAL if ctx.process is not None else typed.VariableKind.MODULE
        found = typed.Variable(name.text, t, kind, owner, name.span)
        (owner.variables if isinstance(owner, typed.Module) else owner.locals).append(found)
        ctx.counters[owner, name.text, t] = found
    return found


def _for_variable(ctx: Context, node: tree.For) -> typed.Variable | None:
    name = node.variable
    e = variable(ctx, tree.Ident(name.span, name.text), "FOR")
    if e.type is ty.ERROR or not isinstance(e, typed.VariableRef):
        return None
    if isinstance(base_type(e.type), ty.IntegerType | ty.CharType | ty.EnumerationType):
        return e.variable
    message = f"FOR counts with a number, a CHAR or an enumeration, but `{name.text}` has type {e.type}"
    ctx.report("LF0423", name.span, message, Note(f"`{name.text}` is declared here", e.variable.span))
    return None


def _step(ctx: Context, node: tree.For) -> int | None:
    if node.by is None:
        return 1
    by = constant_integer(ctx, node.by, "the step of FOR")
    if by == 0:
        ctx.report("LF0509", node.by.span, "a step of 0 never comes to an end")
        return None
    return by


def _hidden_limit(ctx: Context, counter: typed.Variable, t: ty.Type) -> typed.Variable:
    owner = ctx.owner
    variables = owner.variables if isinstance(owner, typed.Module) else owner.locals
    name = f"{counter.name}'limit"
    count = ctx.limits[owner, name] = ctx.limits.get((owner, name), 0) + 1
    if count > 1:
        name += str(count)
    limit = typed.Variable(name, t, typed.VariableKind.LIMIT, owner, counter.span)
    variables.append(limit)
    return limit


# --- CASE ------------------------------------------------------------------------------------------------------


@statement_rule(tree.Case)
def case_statement(ctx: Context, node: tree.Case) -> typed.Statement | None:
    selector = settled(computed(ctx.expression(node.selector)))
    t = selector.type
    known = isinstance(t, ty.IntegerType | ty.CharType | ty.EnumerationType | ty.BooleanType)
    if not known and t is not ty.ERROR:
        message = f"CASE chooses by a number, a CHAR or an enumeration, but `{text_of(selector.span)}` has type {t}"
        ctx.report("LF0422", selector.span, message)
    taken: list[tuple[int, int, Span]] = []
    branches = []
    for branch in node.branches:
        ranges = []
        for label in branch.labels:
            found = _label(ctx, label, t if known else ty.ERROR)
            if found is not None:
                taken.append((*found, label.span))
                ranges.append(found)
        branches.append((ranges, ctx.statements(branch.body)))
    otherwise = None if node.otherwise is None else ctx.statements(node.otherwise)
    _report_overlaps(ctx, taken, t)
    return typed.Case(node.span, selector, branches, otherwise) if known else None


def _label(ctx: Context, label: tree.CaseLabel, t: ty.Type) -> tuple[int, int] | None:
    """`t` is what the selector computes as."""
    low = _label_value(ctx, label.low, t)
    high = low if label.high is None else _label_value(ctx, label.high, t)
    if low is None or high is None:
        return None
    if low > high:
        ctx.report("LF0508", label.span, "this range is empty: its first value is larger than its last")
        return None
    return low, high


def _label_value(ctx: Context, node: tree.Expr, t: ty.Type) -> int | None:
    c: typed.Expr = computed(constant(ctx, node, t if t is not ty.ERROR else None))
    if c.type is ty.ERROR or t is ty.ERROR:
        return None
    code = character_constant(c)
    if t is ty.CHAR and code is not None:
        c = typed.Constant(c.span, ty.CHAR, code)
    elif not (is_integer(t) and is_integer(c.type)):
        c = assignable(ctx, c, t, "the selector")
    if not isinstance(c, typed.Constant) or c.type is ty.ERROR or not isinstance(c.value, int):
        return None
    if holds(t, c.value):  # a subrange computes as its base: a label outside of its bounds is only never taken
        return c.value
    low, high = (typed.Constant(c.span, t, bound) for bound in ty.scalar_range(t))
    values = f"{t} has the values {shown(low)} to {shown(high)}"
    ctx.report("LF0508", node.span, f"the selector never has the value {shown(c)}: {values}")
    return None


def _report_overlaps(ctx: Context, taken: list[tuple[int, int, Span]], t: ty.Type) -> None:
    """A label that an earlier one contains, each reported once."""
    taken.sort(key=lambda label: (label[0], label[2].start))
    furthest: tuple[int, int, Span] | None = None
    for label in taken:
        if furthest is not None and label[0] <= furthest[1]:
            first, second = sorted((furthest, label), key=lambda item: item[2].start)
            value = shown(typed.Constant(second[2], t, max(first[0], second[0])))
            note = Note("it was here first", first[2])
            ctx.report("LF0507", second[2], f"{value} is a label of this CASE already", note)
        if furthest is None or label[1] > furthest[1]:
            furthest = label


# --- statements of properties ----------------------------------------------------------------------------------


@statement_rule(tree.Accept)
def accept(ctx: Context, node: tree.Accept) -> typed.Statement | None:
    return typed.Accept(node.span) if _in_property(ctx, node.span, "ACCEPT") else None


@statement_rule(tree.NoMove)
def no_move(ctx: Context, node: tree.NoMove) -> typed.Statement | None:
    return typed.NoMove(node.span) if _in_property(ctx, node.span, "NOMOVE") else None


def _in_property(ctx: Context, span: Span, name: str) -> bool:
    if not ctx.in_property:
        ctx.report("LF0803", span, f"{name} belongs into a PROPERTY process")
    return ctx.in_property
