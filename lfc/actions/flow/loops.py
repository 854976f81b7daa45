"""Lowers WHILE, REPEAT, LOOP and FOR. After this there is no FOR: only blocks, assignments and `Advance`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Advance, Block, Goto
from lfc.actions.model.reach import is_point
from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.counted_loops import sets_back
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.types import BOOLEAN, INTEGER, UINT32, SubrangeType, Type, scalar_range
from lfc.semantics.model.visit import rounds_of, statements

if TYPE_CHECKING:
    from lfc.actions.flow.lower import Lowering


@dataclass(slots=True)
class Enclosing:
    """A loop that the statement at hand stands in."""

    exit: Block | None  # of a LOOP
    limit: typed.Expr | None = None  # of a FOR: the hidden variable to reset when it is left
    own: typed.Expr | None = None  # of a FOR VAR: its variable, likewise
    label: typed.LoopLabel | None = None
    after: Block | None = None  # where an EXIT of its name goes


def lower_while(lowering: Lowering, s: typed.While) -> None:
    head, inside, after = lowering.new_block(), lowering.new_block(), lowering.new_block()
    lowering.end_with(Goto(head, s.span), head)
    lowering.branch(s.condition, inside, after, inside)
    lowering.loops.append(Enclosing(None, label=s.label, after=after))
    lowering.sequence(s.body)
    lowering.loops.pop()
    lowering.end_with(Goto(head, s.span, backward=True), after)


def lower_repeat(lowering: Lowering, s: typed.Repeat) -> None:
    head, again, after = lowering.new_block(), lowering.new_block(), lowering.new_block()
    lowering.end_with(Goto(head, s.span), head)
    lowering.loops.append(Enclosing(None, label=s.label, after=after))
    lowering.sequence(s.body)
    lowering.loops.pop()
    lowering.branch(s.until, after, again, again)
    lowering.end_with(Goto(head, s.span, backward=True), after)


def lower_loop(lowering: Lowering, s: typed.Loop) -> None:
    head, after = lowering.new_block(), lowering.new_block()
    lowering.end_with(Goto(head, s.span), head)
    lowering.loops.append(Enclosing(after, label=s.label, after=after))
    lowering.sequence(s.body)
    lowering.loops.pop()
    lowering.end_with(Goto(head, s.span, backward=True), after)


def lower_for(lowering: Lowering, s: typed.For) -> None:
    """variable := low; limit := high; while variable has not passed the limit: body, then one step, if the type has
    room for it. The step past the end of the type is not made, so it needs no check."""
    variable = typed.VariableRef(s.span, s.variable.type, s.variable)
    limit = None if s.limit is None else typed.VariableRef(s.span, s.limit.type, s.limit)
    lowering.current.statements.append(typed.Assign(s.span, variable, s.low))
    if limit is not None:
        lowering.current.statements.append(typed.Assign(s.span, limit, s.high))
    head, inside, step, after = (lowering.new_block() for _ in range(4))
    lowering.end_with(Goto(head, s.span), head)
    lowering.branch(not_past(variable, limit or s.high, s.by, s.span), inside, after, inside)
    own = variable if s.own else None
    lowering.loops.append(Enclosing(None, limit, own, s.label, after))
    lowering.sequence(s.body)
    lowering.loops.pop()

    undisturbed = _is_undisturbed(lowering, s)
    if undisturbed:
        head.rounds = rounds_of(s)
    low, high = scalar_range(s.variable.type)
    last = high - s.by if s.by > 0 else low - s.by  # from here on the next step would leave the type
    value = s.high.value if isinstance(s.high, typed.Constant) else None
    if undisturbed and isinstance(value, int) and (value <= last if s.by > 0 else value >= last):
        lowering.end_with(Goto(step, s.span), step)
    else:
        last_round = typed.Constant(s.span, variable.type, last)
        lowering.branch(not_past(variable, last_round, s.by, s.span), step, after, step)
    lowering.current.statements.append(Advance(s.span, variable, s.by))
    lowering.end_with(Goto(head, s.span, backward=True), after)
    lowering.reset_limits([Enclosing(None, limit, own)], s.span)


def not_past(variable: typed.Expr, limit: typed.Expr, by: int, span: Span) -> typed.Expr:
    """variable <= limit (going down: >=), in a type that holds both."""
    low, high = scalar_range(variable.type)
    if isinstance(limit, typed.Constant):
        assert isinstance(limit.value, int)
        always = limit.value >= high if by > 0 else limit.value <= low
        never = limit.value < low if by > 0 else limit.value > high
        if always or never:
            return typed.Constant(span, limit.type, int(always))
        limit = typed.Constant(limit.span, variable.type, limit.value)
    common = _common_type(variable.type, limit.type)
    return typed.Relation(span, BOOLEAN, "<=" if by > 0 else ">=", _as(variable, common), _as(limit, common))


def _common_type(a: Type, b: Type) -> Type:
    a = a.base if isinstance(a, SubrangeType) else a
    b = b.base if isinstance(b, SubrangeType) else b
    if a is b:
        return a
    low, high = scalar_range(INTEGER)
    ranges = scalar_range(a), scalar_range(b)
    return INTEGER if all(low <= r[0] and r[1] <= high for r in ranges) else UINT32


def _as(e: typed.Expr, t: Type) -> typed.Expr:
    if e.type is t:
        return e
    if isinstance(e, typed.Constant):
        return typed.Constant(e.span, t, e.value)
    return typed.Convert(e.span, t, e, checked=False)


def _is_undisturbed(lowering: Lowering, s: typed.For) -> bool:
    """Whether only the FOR itself changes its variable while it lasts. Said only where it is certain."""
    variable = s.variable
    if variable.kind is VariableKind.VAR or variable.outside or sets_back(s):
        return False
    calls = False
    waits = False
    for inner in statements(s.body):
        waits |= is_point(inner)
        if isinstance(inner, typed.CallProcess):
            calls = True
            waits |= lowering.around.callee(inner.process).can_wait
            if variable in lowering.around.hidden.get(inner.process, {}):
                return False
    if isinstance(variable.owner, Process):
        return True
    return not (calls or waits) or not _is_changed_elsewhere(lowering, variable)


def _is_changed_elsewhere(lowering: Lowering, variable: Variable) -> bool:
    return variable in lowering.around.written_by_processes
