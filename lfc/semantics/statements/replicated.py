"""Clauses of a SELECT that stand for several: `WHEN FOR i IN 0 .. 3 : in[i]?m(x) THEN ...`.

Each value of `i` is a clause of its own, in whose event and guard it is a constant. The statements stand once, behind
the SELECT: a clause notes which one it was, and the next statement asks for it, in the same action.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfc.base.source import Span
from lfc.diagnostics.model import Note
from lfc.semantics.expressions.constants import constant
from lfc.semantics.expressions.conversions import base_type, is_integer
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import expressions_of, statements, subexpressions
from lfc.semantics.names.context import Context, text_of
from lfc.semantics.names.scope import Scope
from lfc.semantics.statements.control import own_variable
from lfc.syntax.grammar import tree

MOST = 255  # clauses of a SELECT
Event = typed.Send | typed.Receive | typed.AfterEvent
Head = tuple[Event | None, typed.Expr | None]


@dataclass(slots=True)
class Replicated:
    clauses: list[typed.Clause]  # without statements, but for what notes the clause
    values: list[typed.Constant]
    variable: typed.Variable
    body: list[typed.Statement]
    span: Span  # of the statements

    @property
    def reads_variable(self) -> bool:
        inside = (e for s in statements(self.body) for whole in expressions_of(s) for e in subexpressions(whole))
        return any(isinstance(e, typed.VariableRef) and e.variable is self.variable for e in inside)


def replicate(ctx: Context, when: tree.When, replica: tree.Replica, head: Callable[[], Head]) -> Replicated | None:
    """None after a report."""
    name = replica.variable
    values = _values(ctx, replica)
    if not values:
        return None
    clauses = []
    before = len(ctx.diagnostics.items)
    for value in values:
        with ctx.set(scope=Scope(ctx.scope)):
            symbol = typed.NamedConstant(name.text, value.type, value.value, False, name.span, free=value.free)
            ctx.declare(name.text, symbol, name.span)
            event, guard = head()
        if event is not None and (guard is None or guard.type is not ty.ERROR):
            clauses.append(typed.Clause(when.span, event, guard, []))
        if len(ctx.diagnostics.items) > before:
            break  # once is enough
    variable = own_variable(ctx, name, base_type(values[0].type))
    if variable is None:
        return None
    with ctx.set(scope=Scope(ctx.scope), counting=ctx.counting | {variable}):
        ctx.declare(name.text, variable, name.span)
        body = ctx.statements(when.body)
    if len(clauses) < len(values):
        return None
    span = (
        when.body[0].span.to(when.body[-1].span) if when.body else Span(when.span.source, when.span.end, when.span.end)
    )
    return Replicated(clauses, values, variable, body, span)


def _values(ctx: Context, replica: tree.Replica) -> list[typed.Constant]:
    """Nothing after a report."""
    low, high = constant(ctx, replica.low), constant(ctx, replica.high)
    if ty.ERROR in (low.type, high.type):
        return []
    t = ty.INTEGER if is_integer(base_type(low.type)) else base_type(low.type)
    same = is_integer(base_type(high.type)) if t is ty.INTEGER else base_type(high.type) is t
    counts = t is ty.INTEGER or isinstance(t, ty.EnumerationType)
    if not same or not counts or not isinstance(low.value, int) or not isinstance(high.value, int):
        what = f"{low.type} and {high.type}"
        ctx.report("LF0628", replica.span, f"clauses are counted by numbers or by an enumeration, not by {what}")
        return []
    if not 1 <= high.value - low.value + 1 <= MOST:
        message = (
            f"`{text_of(replica.span)}` stands for {max(0, high.value - low.value + 1)} clauses: there are 1 to {MOST}"
        )
        ctx.report("LF0628", replica.span, message, Note("its bounds are constants, the last one not below the first"))
        return []
    free = t is ty.INTEGER
    return [typed.Constant(replica.span, t, n, free=free) for n in range(low.value, high.value + 1)]


def bodies_of(ctx: Context, replicated: list[Replicated]) -> list[typed.Statement]:
    """What comes behind the SELECT; the clauses get what notes them."""
    if not replicated:
        return []
    branches = []
    span = replicated[0].span
    nowhere = Span(span.source, span.start, span.start)
    chosen = _hidden(ctx, nowhere)
    for number, group in enumerate(replicated, 1):
        at = Span(group.span.source, group.span.start, group.span.start)
        reads = group.reads_variable
        counter = typed.VariableRef(at, group.variable.type, group.variable)
        for clause, value in zip(group.clauses, group.values, strict=True):
            clause.body = [_assign(at, chosen, number)]
            if reads:
                known = typed.Constant(at, group.variable.type, value.value)
                clause.body.append(typed.Assign(at, counter, known))
        condition = typed.Relation(at, ty.BOOLEAN, "=", chosen, typed.Constant(at, ty.UINT8, number))
        body = [_assign(at, chosen, 0), *group.body]
        if reads:
            first = typed.Constant(at, group.variable.type, ty.initial_value(group.variable.type))
            body.append(typed.Assign(at, counter, first))
        branches.append((condition, body))
    otherwise: list[typed.Statement] = []
    for group, (condition, body) in reversed(list(zip(replicated, branches, strict=True))):
        otherwise = [typed.If(group.span, [(condition, body)], otherwise)]
    return otherwise


def _assign(span: Span, to: typed.VariableRef, number: int) -> typed.Assign:
    return typed.Assign(span, typed.VariableRef(span, to.type, to.variable), typed.Constant(span, ty.UINT8, number))


def _hidden(ctx: Context, span: Span) -> typed.VariableRef:
    """Which group of clauses was taken: 0 wherever an action ends. One is enough for a process."""
    owner = ctx.owner
    variables = owner.variables if isinstance(owner, typed.Module) else owner.locals
    name = "clause'taken"
    found = next((v for v in variables if v.name == name), None)
    if found is None:
        found = typed.Variable(name, ty.UINT8, typed.VariableKind.LIMIT, owner, span)
        variables.append(found)
    return typed.VariableRef(span, ty.UINT8, found)
