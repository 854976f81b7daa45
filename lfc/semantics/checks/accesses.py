"""Which variables one statement reads and writes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from lfc.base.lazy_dataclass import dataclass
from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.visit import root_variable, subexpressions


class Kind(Enum):
    READ = "read"
    GUARD = "read in a guard"
    ASSIGN = "assigned"
    STEP = "changed by INC, DEC, INCL or EXCL"
    FOR = "counted by FOR"
    RECEIVE = "received into"
    ARGUMENT = "passed as VAR argument"
    NEW = "made by NEW"
    ATTEMPT = "communicated on"
    PASS = "passed as a value argument"


READS = frozenset({Kind.READ, Kind.GUARD, Kind.ATTEMPT, Kind.PASS})
WRITES = frozenset({Kind.ASSIGN, Kind.STEP, Kind.FOR, Kind.RECEIVE, Kind.NEW})


@dataclass(slots=True)
class Access:
    variable: typed.Variable
    kind: Kind
    span: Span
    formal: typed.Variable | None = None  # of an argument: the parameter that it goes to
    process: typed.Process | None = None  # of an argument: whose parameter that is
    created: bool = False  # of an argument: of a CREATE


def accesses(statement: typed.Statement) -> Iterator[Access]:
    """Direct accesses: not those of statements inside, nor of what is called. Of a SELECT: its events and guards."""
    match statement:
        case typed.Assign():
            yield from read(statement.value)
            yield from write(statement.target, Kind.ASSIGN)
        case typed.Step():
            yield from read(statement.amount)
            yield from write(statement.target, Kind.STEP)
        case typed.Include():
            yield from read(statement.element)
            yield from write(statement.set, Kind.STEP)
        case typed.New():
            yield from write(statement.port, Kind.NEW)
        case typed.Assert():
            yield from read(statement.condition)
        case typed.PortOut():
            yield from read(statement.address)
            yield from read(statement.value)
        case typed.ConsoleWrite():
            yield from read(statement.value)
        case typed.Spin():
            yield from read(statement.microseconds)
        case typed.ConsoleRead():
            yield from write(statement.target, Kind.RECEIVE)
        case typed.Sleep():
            yield from read(statement.milliseconds)
        case typed.CallProcess():
            yield from pass_arguments(statement, created=False)
        case typed.CreateProcess():
            yield from pass_arguments(statement, created=True)
            if statement.deadline is not None:
                yield from read(statement.deadline)
        case typed.Send() | typed.Receive():
            yield from communicate(statement)
        case typed.If():
            for condition, _ in statement.branches:
                yield from read(condition)
        case typed.Case():
            yield from read(statement.selector)
        case typed.While():
            yield from read(statement.condition)
        case typed.Repeat():
            yield from read(statement.until)
        case typed.For():
            yield from read(statement.low)
            yield from read(statement.high)
            yield Access(statement.variable, Kind.FOR, statement.span)
        case typed.Select():
            for clause in statement.clauses:
                if isinstance(clause.event, typed.AfterEvent):
                    yield from read(clause.event.milliseconds)
                else:
                    yield from communicate(clause.event)
                if clause.guard is not None:
                    yield from read(clause.guard, Kind.GUARD)


def read(expression: typed.Expr, kind: Kind = Kind.READ) -> Iterator[Access]:
    for e in subexpressions(expression):
        if isinstance(e, typed.VariableRef | typed.SlotVariable):
            yield Access(e.variable, kind, e.span)


def write(designator: typed.Expr, kind: Kind) -> Iterator[Access]:
    """The root variable is written, what its indices are made of is read."""
    part = designator
    while isinstance(part, typed.FieldRef | typed.IndexRef):
        if isinstance(part, typed.IndexRef):
            yield from read(part.index)
        part = part.base
    variable = root_variable(designator)
    if variable is not None:
        yield Access(variable, kind, designator.span)


def communicate(statement: typed.Send | typed.Receive) -> Iterator[Access]:
    yield from use(statement.port, Kind.ATTEMPT)
    if isinstance(statement, typed.Send):
        for value in statement.values:
            yield from read(value)
    else:
        for target in statement.targets:
            if target.designator is not None:
                yield from write(target.designator, Kind.RECEIVE)


def use(designator: typed.Expr, kind: Kind) -> Iterator[Access]:
    """A read of a designator where what for matters: its root variable has that kind, its indices are just read."""
    yield from write(designator, kind)


def pass_arguments(statement: typed.CallProcess | typed.CreateProcess, created: bool) -> Iterator[Access]:
    for argument in statement.arguments:
        if argument.formal.kind is typed.VariableKind.VAR:
            found = write(argument.value, Kind.ARGUMENT)
        elif root_variable(argument.value) is not None:
            found = use(argument.value, Kind.PASS)
        else:
            found = read(argument.value)
        for access in found:
            if access.kind in (Kind.ARGUMENT, Kind.PASS):
                access.formal = argument.formal
                access.process = statement.process
                access.created = created
            yield access
