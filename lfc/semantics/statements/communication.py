"""Sends, receives and SELECT."""

from __future__ import annotations

from functools import partial

from lfc.diagnostics.model import Note
from lfc.semantics.expressions import system
from lfc.semantics.expressions.conversions import (
    assignable,
    base_type,
    boolean,
    holds,
    holds_all,
    is_integer,
    shown,
    unsigned,
)
from lfc.semantics.expressions.designators import changeable, designate, designator_value
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, statement_rule, text_of
from lfc.semantics.names.scope import Predeclared
from lfc.semantics.names.unknown_names import did_you_mean
from lfc.semantics.statements.control import declaration_notes
from lfc.semantics.statements.directions import check_copy, check_meeting
from lfc.semantics.statements.replicated import Head, Replicated, bodies_of, replicate
from lfc.syntax.grammar import tree


@statement_rule(tree.Send)
def send(ctx: Context, node: tree.Send) -> typed.Send | None:
    port, message = _meeting(ctx, node)
    if message is None:
        for value in node.values:
            ctx.expression(value)
        return None
    values = []
    if not _count_fits(ctx, node, node.values, message):
        for value in node.values:
            ctx.expression(value)
        return None
    for t, value in zip(message.types, node.values, strict=True):
        what = f"a value of message `{message.name}`"
        notes = [Note(f"`{message.name}` is declared here", message.span)] if message.span is not None else []
        given = assignable(ctx, ctx.expression(value, t), t, what, *notes)
        if not check_copy(ctx, given, given.span, "who receives it"):
            given = typed.Constant(given.span, ty.ERROR, 0)
        values.append(given)
    if any(v.type is ty.ERROR for v in values) or not _communicates(ctx, node):
        return None
    return typed.Send(node.span, port, message, values, fairness_of(node))


@statement_rule(tree.Receive)
def receive(ctx: Context, node: tree.Receive) -> typed.Receive | None:
    port, message = _meeting(ctx, node)
    if message is None or not _count_fits(ctx, node, node.targets, message):
        for target in node.targets:
            ctx.expression(target)
        return None
    targets = [_target(ctx, t, value, message) for t, value in zip(message.types, node.targets, strict=True)]
    found = [t for t in targets if t is not None]
    if len(found) != len(targets) or not _communicates(ctx, node):
        return None
    return typed.Receive(node.span, port, message, found, fairness_of(node))


def fairness_of(node: tree.Send | tree.Receive) -> str | None:
    return None if node.fairness is None else node.fairness.lower().replace(" ", "-")


def _communicates(ctx: Context, node: tree.Statement) -> bool:
    if ctx.in_procedure:
        ctx.report("LF0622", node.span, "a PROCEDURE computes: it does not communicate")
        return False
    if ctx.in_property:
        ctx.report("LF0802", node.span, "a property communicates with nobody: it only watches")
    return not ctx.in_property


def _meeting(ctx: Context, node: tree.Send | tree.Receive) -> tuple[typed.Expr, ty.Message | None]:
    """The port and the message; no message after a report."""
    port = _port(ctx, node.port)
    if isinstance(port, typed.InterruptPort):
        return port, _system_message(ctx, node, [system.INTERRUPT], "SYSTEM.INT")
    if isinstance(port, typed.IoPort):
        there = [system.VALUE] if isinstance(node, tree.Send) else [system.PORTIN, system.PORTOUT]
        return port, _system_message(ctx, node, there, "SYSTEM.IOPORT")
    t = port.type
    if t is ty.ERROR:
        return port, None
    if not isinstance(t, ty.ChannelType):
        notes = declaration_notes(port)
        if ty.is_port(t):
            notes.append(Note(f"name one of them: `{text_of(port.span)}[i]`"))
        ctx.report("LF0604", port.span, f"`{text_of(port.span)}` is no port: it has type {t}", *notes)
        return port, None
    for message in t.messages:
        if message.name == node.message.text:
            ctx.unknown_members.seen.add(message)
            check_meeting(ctx, port, "!" if isinstance(node, tree.Send) else "?")
            ctx.note(node.message.span, message)
            return port, message
    ctx.unknown_members.add(t, node.message.text, node.message.span)
    return port, None


def _port(ctx: Context, node: tree.Expr) -> typed.Expr:
    if not isinstance(node, tree.Ident | tree.Field | tree.Index):
        return ctx.expression(node)
    meaning = designate(ctx, node)
    if isinstance(meaning, Predeclared) and meaning.name == "SYSTEM.IOPORT":
        return system.io_port(ctx, node.span)
    if isinstance(meaning, typed.Expr):
        return meaning
    if isinstance(meaning, Predeclared) and meaning.name == "SYSTEM.INT":
        return ctx.error("LF0613", node.span, "which interrupt? write `SYSTEM.INT[n]`")
    return designator_value(ctx, node, None)


def _system_message(
    ctx: Context, node: tree.Send | tree.Receive, there: list[ty.Message], port: str
) -> ty.Message | None:
    sends = isinstance(node, tree.Send)
    if sends and port == "SYSTEM.INT" and not ctx.module.environment:
        ctx.report_no_environment(node.span, "only an ENVIRONMENT module raises interrupts")
        return None
    for message in there:
        if message.name == node.message.text:
            ctx.note(node.message.span, message)
            return message
    names = [m.name for m in there]
    hint, fix = did_you_mean(node.message.text, names, node.message.span)
    there_is = f"only `{names[0]}`" if len(names) == 1 else " and ".join(f"`{n}`" for n in names)
    message_text = (
        f"`{port}` has no message `{node.message.text}` to {'send' if sends else 'receive'}, {there_is}{hint}"
    )
    ctx.report("LF0602", node.message.span, message_text, fix=fix)
    return None


def _count_fits(ctx: Context, node: tree.Send | tree.Receive, given: list[tree.Expr], message: ty.Message) -> bool:
    if len(given) == len(message.types):
        return True
    if not any(isinstance(g, tree.ErrorExpr) for g in given):
        wanted = len(message.types)
        what = "no value" if wanted == 0 else "one value" if wanted == 1 else f"{wanted} values"
        notes = [Note(f"`{message.name}` is declared here", message.span)] if message.span is not None else []
        ctx.report("LF0603", node.span, f"message `{message.name}` carries {what}, not {len(given)}", *notes)
    return False


def _target(ctx: Context, t: ty.Type, node: tree.Expr, message: ty.Message) -> typed.Target | None:
    """A designator is assigned to, a constant must be equal."""
    e = ctx.expression(node, t)
    if e.type is ty.ERROR or t is ty.ERROR:
        return None
    if isinstance(e, typed.Constant):
        if not isinstance(t, ty.ArrayType | ty.RecordType | ty.ChannelType):
            return _to_match(ctx, t, e, message)
        ctx.report("LF0615", e.span, f"a value of type {t} is received into a variable, not matched")
        return None
    if not isinstance(e, typed.VariableRef | typed.FieldRef | typed.IndexRef):
        text = text_of(e.span)
        ctx.report("LF0615", e.span, f"`{text}` is neither a variable to receive into nor a constant to match")
        return None
    e = changeable(ctx, node, e, "a receive")
    return None if e.type is ty.ERROR else _into(ctx, t, e, message)


def _to_match(ctx: Context, t: ty.Type, e: typed.Constant, message: ty.Message) -> typed.Target | None:
    """Matching never faults: what can never be sent is an error, for a subrange too."""
    base = base_type(t)
    c = assignable(ctx, e, base, f"a value of message `{message.name}`")
    if not isinstance(c, typed.Constant) or c.type is not base or not isinstance(c.value, int):
        return None
    if not holds(t, c.value):
        ctx.report("LF0502", e.span, f"message `{message.name}` carries {t} here, which is never {shown(c)}")
        return None
    return typed.Target(None, typed.Constant(c.span, t, c.value), None)


def _into(ctx: Context, t: ty.Type, e: typed.Expr, message: ty.Message) -> typed.Target | None:
    """A received value is assigned as by `:=`."""
    into = e.type
    if into is t:
        return typed.Target(e, None, None)
    value_type, into_type = base_type(t), base_type(into)
    both_integers = is_integer(value_type) and is_integer(into_type)
    if value_type is into_type or both_integers:
        if holds_all(into, t):
            return typed.Target(e, None, "widen")
        if isinstance(into, ty.SubrangeType):
            return typed.Target(e, None, "check")
    text = text_of(e.span)
    notes = declaration_notes(e)
    if message.span is not None:
        notes.append(Note(f"`{message.name}` is declared here", message.span))
    code = "LF0402" if both_integers else "LF0401"
    ctx.report(code, e.span, f"message `{message.name}` carries {t} here, but `{text}` has type {into}", *notes)
    return None


@statement_rule(tree.Select)
def select(ctx: Context, node: tree.Select) -> typed.Statement | list[typed.Statement] | None:
    if ctx.in_property:
        ctx.report("LF0802", node.span, "a property communicates with nobody: it only watches")
        return None
    if ctx.in_procedure:
        ctx.report("LF0622", node.span, "a PROCEDURE computes: it does not wait")
        return None
    clauses = []
    replicated: list[Replicated] = []
    for when in node.clauses:
        if when.replica is not None:
            found = replicate(ctx, when, when.replica, partial(_head, ctx, when))
            if found is not None:
                replicated.append(found)
                clauses += found.clauses
            continue
        event, guard = _head(ctx, when)
        body = ctx.statements(when.body)
        if event is not None and (guard is None or guard.type is not ty.ERROR):
            clauses.append(typed.Clause(when.span, event, guard, body))
    otherwise = None if node.otherwise is None else ctx.statements(node.otherwise)
    return [typed.Select(node.span, clauses, otherwise), *bodies_of(ctx, replicated)]


def _head(ctx: Context, when: tree.When) -> Head:
    return _event(ctx, when.event), _guard(ctx, when.guard)


def _event(
    ctx: Context, node: tree.Send | tree.Receive | tree.After | tree.ErrorStatement
) -> typed.Send | typed.Receive | typed.AfterEvent | None:
    if isinstance(node, tree.Send):
        return send(ctx, node)
    if isinstance(node, tree.Receive):
        return receive(ctx, node)
    return after_event(ctx, node) if isinstance(node, tree.After) else None


def _guard(ctx: Context, node: tree.Expr | None) -> typed.Expr | None:
    if node is None:
        return None
    before, ctx.guard = ctx.guard, True
    guard = boolean(ctx, ctx.expression(node), "a guard")
    ctx.guard = before
    return guard


@statement_rule(tree.After)
def after_event(ctx: Context, node: tree.After) -> typed.AfterEvent | None:
    call = node.call
    callee = call.callee if isinstance(call, tree.Call) else call
    if not isinstance(callee, tree.Ident | tree.Field):
        return None
    meaning = designate(ctx, callee)
    arguments = call.arguments if isinstance(call, tree.Call) else []
    if not isinstance(meaning, Predeclared) or meaning.name != "Clock.After":
        for a in arguments:
            ctx.expression(a)
        if not isinstance(meaning, typed.Expr) or meaning.type is not ty.ERROR:
            message = f"WHEN waits for a communication or for `Clock.After(t)`, not for `{text_of(callee.span)}`"
            ctx.report("LF0614", callee.span, message)
        return None
    if len(arguments) != 1:
        ctx.report("LF0412", node.span, f"`Clock.After` takes 1 argument, not {len(arguments)}")
        return None
    time = unsigned(ctx, ctx.expression(arguments[0]), "a time in milliseconds")
    return None if time.type is ty.ERROR else typed.AfterEvent(node.span, time)
