"""LF0719: loops that only count, as delays are written elsewhere. The optimiser deletes them, so they take no time.

What counts to less than 100 is no delay: somebody tries out how a loop is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts
from lfc.semantics.model import typed
from lfc.semantics.model.visit import constant_of, reads_input, rounds_of

LONG = 100  # rounds
Counted = typed.For | typed.While | typed.Repeat


def check_busy_loops(facts: Facts, diagnostics: Diagnostics) -> None:
    for body in facts.bodies.values():
        inner: set[int] = set()
        for before, statement in pairwise([None, *body.statements]):  # outer before inner
            if not isinstance(statement, typed.For | typed.While | typed.Repeat) or not only_counts(statement):
                continue
            inner.update(id(s) for s in statement.body)
            if id(statement) not in inner and takes_long(statement, before):
                keyword = type(statement).__name__.upper()
                facts.report(
                    diagnostics,
                    "LF0719",
                    statement.span,
                    f"this {keyword} only counts; the optimiser deletes it, so it takes no time",
                    Note("to wait, write `Clock.Sleep(t)`, which waits for t milliseconds and lets others go on"),
                )


def only_counts(loop: Counted) -> bool:
    """A FOR without a body, or a WHILE or REPEAT whose body steps its variable by one towards a constant."""
    if isinstance(loop, typed.For):
        return all(isinstance(s, typed.For) and only_counts(s) for s in loop.body) and not (
            reads_input(loop.low) or reads_input(loop.high)
        )
    counter = counter_of(loop.condition if isinstance(loop, typed.While) else loop.until)
    return counter is not None and len(loop.body) == 1 and steps(loop.body, counter)


def takes_long(loop: Counted, before: typed.Statement | None) -> bool:
    """`before`: the statement before it, which may say from where it counts."""
    if isinstance(loop, typed.For):
        return rounds_in(loop) >= LONG
    condition = loop.condition if isinstance(loop, typed.While) else loop.until
    assert isinstance(condition, typed.Relation)
    end, start = constant_of(condition.right), 0
    counter = counter_of(condition)
    if counter is not None and isinstance(before, typed.Assign) and is_counter(before.target, counter):
        start = constant_of(before.value) or 0
    return abs((end or 0) - start) >= LONG


def rounds_in(loop: typed.For) -> int:
    inner = sum(rounds_in(s) for s in loop.body if isinstance(s, typed.For))
    rounds = rounds_of(loop)
    return (LONG if rounds is None else rounds) * (inner or 1)


def counter_of(condition: typed.Expr) -> typed.Variable | None:
    """`n < 1000`"""
    if not isinstance(condition, typed.Relation) or constant_of(condition.right) is None:
        return None
    left = condition.left
    return left.variable if isinstance(left, typed.VariableRef) and not left.variable.outside else None


def steps(body: Sequence[typed.Statement], counter: typed.Variable) -> bool:
    """`n := n + 1`, `INC(n)`"""
    s = body[0]
    if isinstance(s, typed.Step):
        return is_counter(s.target, counter) and constant_of(s.amount) == 1
    if not isinstance(s, typed.Assign) or not is_counter(s.target, counter):
        return False
    value = s.value.operand if isinstance(s.value, typed.Convert) else s.value
    return (
        isinstance(value, typed.Binary)
        and value.op in ("+", "-")
        and is_counter(value.left, counter)
        and constant_of(value.right) == 1
    )


def is_counter(e: typed.Expr, counter: typed.Variable) -> bool:
    while isinstance(e, typed.Convert):
        e = e.operand
    return isinstance(e, typed.VariableRef) and e.variable is counter
