"""Walks over typed statements and expressions, for all that reads a typed program."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields

from lfc.semantics.model import typed

FRAMES = 6000  # of Python, enough for what follows the deepest statements that the parser lets through
COMPUTING = (  # what no other process has a part in, but for calls: neither waits nor lets others run
    typed.Assign,
    typed.Step,
    typed.Include,
    typed.Assert,
    typed.If,
    typed.Case,
    typed.While,
    typed.Repeat,
    typed.For,
    typed.Loop,
    typed.Exit,
    typed.Return,
)


@contextmanager
def deep_stack() -> Iterator[None]:
    """For recursive walks over statements."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def bodies(statement: typed.Statement) -> list[list[typed.Statement]]:
    """The statement sequences inside a statement, in the order of the text."""
    match statement:
        case typed.If():
            return [body for _, body in statement.branches] + [statement.otherwise]
        case typed.Case():
            return [body for _, body in statement.branches] + [statement.otherwise or []]
        case typed.While() | typed.Repeat() | typed.For() | typed.Loop():
            return [statement.body]
        case typed.Select():
            return [clause.body for clause in statement.clauses] + [statement.otherwise or []]
        case typed.Choice():
            return list(statement.branches)
    return []


def statements(body: Sequence[typed.Statement]) -> Iterator[typed.Statement]:
    """Every statement of a sequence and of what lies inside, outer before inner. Not the events of SELECT clauses."""
    stack = [iter(body)]
    while stack:
        statement = next(stack[-1], None)
        if statement is None:
            stack.pop()
            continue
        yield statement
        for inner in reversed(bodies(statement)):
            if inner:
                stack.append(iter(inner))


def communications(
    body: Sequence[typed.Statement],
) -> Iterator[tuple[typed.Send | typed.Receive, typed.Clause | None]]:
    """Every send and receive, with its clause if it is the event of one."""
    for statement in statements(body):
        if isinstance(statement, typed.Send | typed.Receive):
            yield statement, None
        elif isinstance(statement, typed.Select):
            for clause in statement.clauses:
                if isinstance(clause.event, typed.Send | typed.Receive):
                    yield clause.event, clause


def expressions_of(x: object) -> list[typed.Expr]:
    """The outermost expressions that a statement, clause, argument or target itself holds: not those of statements
    inside."""
    if isinstance(x, typed.Expr):
        return [x]
    if isinstance(x, list | tuple):
        return [e for part in x if not _is_body(part) for e in expressions_of(part)]
    if isinstance(x, typed.Statement | typed.Clause | typed.Argument | typed.Target):
        return [e for f in fields(x) if f.name not in ("body", "otherwise") for e in expressions_of(getattr(x, f.name))]
    return []


def _is_body(part: object) -> bool:
    """A sequence of statements, but not a pair of a condition and one."""
    return isinstance(part, list) and bool(part) and all(isinstance(s, typed.Statement) for s in part)


def subexpressions(expression: typed.Expr) -> Iterator[typed.Expr]:
    """The expression and all that it is made of, outer before inner."""
    stack = [expression]
    while stack:
        e = stack.pop()
        yield e
        stack.extend(reversed(operands(e)))


def operands(e: typed.Expr) -> list[typed.Expr]:
    """The expressions directly inside."""
    match e:
        case typed.Constant() | typed.VariableRef():
            return []
        case typed.SetConstructor():
            return [x for low, high in e.elements for x in (low, high) if x is not None]
        case typed.FunctionCall():
            return e.arguments
        case typed.CallFunction():
            read = [typed.VariableRef(e.span, v.type, v) for v in e.process.reads]
            return [a.value for a in e.arguments] + read
    found = []
    for f in fields(e):
        value = getattr(e, f.name)
        if isinstance(value, typed.Expr):
            found.append(value)
    return found


def constant_of(expression: typed.Expr) -> int | None:
    """The value of a scalar that is known when compiled."""
    return expression.value if isinstance(expression, typed.Constant) and isinstance(expression.value, int) else None


def rounds_of(loop: typed.For) -> int | None:
    """How often the body of a FOR runs, None if its bounds are not constant."""
    low, high = constant_of(loop.low), constant_of(loop.high)
    if low is None or high is None:
        return None
    return max(0, (high - low) // loop.by + 1) if loop.by > 0 else max(0, (low - high) // -loop.by + 1)


def root_variable(designator: typed.Expr) -> typed.Variable | None:
    """The variable that a designator is, or is a part of."""
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        designator = designator.base
    return designator.variable if isinstance(designator, typed.VariableRef) else None


def reads_input(expression: typed.Expr) -> bool:
    """Whether its value can change by itself: a port access, the clock, a device register, a NONATOMIC variable."""
    for e in subexpressions(expression):
        if isinstance(e, typed.FunctionCall) and (e.name.startswith("PORTIN") or e.name == "Clock.Now"):
            return True
        if isinstance(e, typed.Overlapped) or (isinstance(e, typed.VariableRef) and e.variable.outside):
            return True
    return False


def functions_called(expressions: Iterable[typed.Expr]) -> dict[typed.Process, None]:
    """With all that these call."""
    found: dict[typed.Process, None] = {}
    waiting = list(expressions)
    while waiting:
        for e in subexpressions(waiting.pop()):
            if isinstance(e, typed.CallFunction) and e.process not in found:
                found[e.process] = None
                waiting += [x for s in statements(e.process.body) for x in expressions_of(s)]
    return found


def reads_clock(expression: typed.Expr) -> bool:
    return any(isinstance(e, typed.FunctionCall) and e.name == "Clock.Now" for e in subexpressions(expression))
