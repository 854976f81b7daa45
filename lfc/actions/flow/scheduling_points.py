"""Lowers scheduling points, and calls of processes that reach one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.actions.model.machine import (
    Attempt,
    Body,
    CallWaiting,
    Choose,
    Goto,
    Point,
    PointClause,
    Suspend,
    WaitTarget,
)
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.actions.flow.lower import Lowering

Event = typed.Send | typed.Receive | typed.AfterEvent | typed.Sleep | typed.ConsoleRead


def lower_plain_point(lowering: Lowering, s: typed.Send | typed.Receive | typed.ConsoleRead | typed.Sleep) -> None:
    after = lowering.new_block()
    resume = lowering.position("after", s.span, after)
    waiting = lowering.position("waiting", s.span, None)
    clause = PointClause(0, s, None, resume, targets=_targets(s))
    point = Point(lowering.body, s.span, [clause], False, waiting, None)
    resume.point = waiting.point = point
    lowering.body.points.append(point)
    lowering.end_with(Attempt(point, s.span), after)


def lower_select(lowering: Lowering, s: typed.Select) -> None:
    after = lowering.new_block()
    waiting = lowering.position("waiting", s.span, None) if s.otherwise is None else None
    point = Point(lowering.body, s.span, [], True, waiting, None)
    if waiting is not None:
        waiting.point = point
    lowering.body.points.append(point)
    lowering.end_with(Attempt(point, s.span))
    for index, clause in enumerate(s.clauses):
        resume = lowering.position("clause", clause.span, lowering.current)
        resume.point, resume.clause = point, index
        point.clauses.append(PointClause(index, clause.event, clause.guard, resume, targets=_targets(clause.event)))
        lowering.sequence(clause.body)
        lowering.end_with(Goto(after, clause.span))
    if s.otherwise is not None:
        point.otherwise = lowering.position("else", s.span, lowering.current)
        point.otherwise.point = point
        lowering.sequence(s.otherwise)
        lowering.end_with(Goto(after, s.span))
    lowering.current = after


def lower_choice(lowering: Lowering, s: typed.Choice) -> None:
    pick, after = lowering.new_block(), lowering.new_block()
    lowering.end_with(Suspend(lowering.position("choice", s.span, pick), s.span), pick)
    branches = [lowering.new_block() for _ in s.branches]
    lowering.end_with(Choose(list(branches), s.span, s.fair))
    for block, body in zip(branches, s.branches, strict=True):
        lowering.current = block
        lowering.sequence(body)
        lowering.end_with(Goto(after, s.span))
    lowering.current = after


def lower_reschedule(lowering: Lowering, s: typed.Reschedule) -> None:
    after = lowering.new_block()
    lowering.end_with(Suspend(lowering.position("reschedule", s.span, after), s.span), after)


def lower_call_waiting(lowering: Lowering, call: typed.CallProcess, callee: Body) -> None:
    after = lowering.new_block()
    position = lowering.position("return", call.span, after)
    lowering.end_with(CallWaiting(call, callee, position, call.span), after)


def _targets(event: Event) -> list[WaitTarget]:
    if isinstance(event, typed.Receive):
        return [WaitTarget(t) for t in event.targets]
    if isinstance(event, typed.ConsoleRead):
        return [WaitTarget(typed.Target(event.target, None, None))]
    return []
