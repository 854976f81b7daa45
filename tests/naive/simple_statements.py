"""Statements that neither end an action nor hold others: assignments, NEW, ASSERT, outputs, CREATE."""

from __future__ import annotations

from lfc.semantics.model import typed
from lfc.semantics.model.types import INTEGER, IntegerType, OpenArrayType, SetType, size_and_signedness
from tests.naive.expressions import (
    ASSERTION,
    CHANNELS,
    ELEMENT,
    PROCESSES,
    Evaluation,
    Faulted,
    converted,
    fitted,
    wrapped,
)
from tests.naive.meeting import place_or_register, write_register
from tests.naive.state import Activation, Frame, Position, Value, initial, thawed


def execute_simple(here: Evaluation, s: typed.Statement) -> None:
    match s:
        case typed.Assign():
            place = place_or_register(here, s.target)
            value = here.value(s.value)
            if place is None:
                write_register(here, s.target, value)
            else:
                here.store(place, thawed(fitted(value, s.target.type)))
        case typed.Step():
            _count(here, s)
        case typed.Include():
            _include(here, s)
        case typed.New():
            _new(here, s)
        case typed.Assert():
            if not here.integer(s.condition):
                raise Faulted(ASSERTION, s.span)
        case typed.PortOut():
            address = here.integer(s.address)
            here.write_port(s.width, address, here.integer(s.value), s.span)
        case typed.ConsoleWrite():
            here.items.append(["write", here.integer(s.value)])
        case typed.Spin():
            here.integer(s.microseconds)
        case typed.CreateProcess():
            _create(here, s)
        case _:
            raise AssertionError(f"no statement: {type(s).__name__}")


def _update(here: Evaluation, target: typed.Expr, operand: typed.Expr) -> tuple[object, int, int]:
    """The place of the target, what it holds, and the operand."""
    place = place_or_register(here, target)
    amount = here.integer(operand)
    old = here.value(target) if place is None else here.load(place)
    assert isinstance(old, int)
    return place, old, amount


def _put_back(here: Evaluation, target: typed.Expr, place: object, value: int) -> None:
    if place is None:
        write_register(here, target, value)
    else:
        here.store(place, value)  # type: ignore[arg-type]


def _count(here: Evaluation, s: typed.Step) -> None:
    place, old, amount = _update(here, s.target, s.amount)
    result = old - amount if s.down else old + amount
    if isinstance(s.target.type, IntegerType):
        result = wrapped(result, s.target.type, s.span, old, amount)
    else:
        wrapped(result, INTEGER, s.span, old, amount)
        converted(result, s.target.type, s.span)
    _put_back(here, s.target, place, result)


def _include(here: Evaluation, s: typed.Include) -> None:
    place, old, element = _update(here, s.set, s.element)
    bits = s.set.type.bits if isinstance(s.set.type, SetType) else 8 * size_and_signedness(s.set.type)[0]
    if not 0 <= element < bits:
        raise Faulted(ELEMENT, s.element.span, element, bits)
    _put_back(here, s.set, place, old & ~(1 << element) if s.exclude else old | 1 << element)


def _new(here: Evaluation, s: typed.New) -> None:
    place = here.place(s.port)
    used = here.state.channels_in_use()
    first, last = 1, here.state.bounds.channels
    if any(m.source is s.span.source for m in here.state.tables.environment):  # its numbers follow the program's
        first, last = last + 1, here.state.bounds.all_channels
    channel = next((n for n in range(first, last + 1) if n not in used), None)
    if channel is None:
        raise Faulted(CHANNELS, s.span, last - first + 1)
    here.store(place, channel)


def arguments_of(
    here: Evaluation, process: typed.Process, arguments: list[typed.Argument]
) -> dict[typed.Variable, Value]:
    variables = {v: initial(v) for v in process.formals + process.locals if not is_open(v)}
    given: dict[typed.Variable, Value] = {}
    for a in arguments:
        if a.formal.kind is typed.VariableKind.VAR or is_open(a.formal):
            given[a.formal] = here.place(a.value)
        else:
            given[a.formal] = thawed(fitted(here.value(a.value), a.formal.type))
    ordered = {v: given[v] for v in process.formals}
    return ordered | {v: variables[v] for v in process.locals}


def _create(here: Evaluation, s: typed.CreateProcess) -> None:
    variables = arguments_of(here, s.process, s.arguments)
    if s.deadline is not None:
        here.integer(s.deadline)
    first = here.state.first_slot(s.process)
    room = here.state.bounds.instances[s.process]
    free = [slot for slot in range(first, first + room) if here.state.slots[slot] is None]
    if not free:
        raise Faulted(PROCESSES, s.span, room)
    here.state.slots[free[0]] = Activation([Frame(s.process, variables, Position("start"))])


def is_open(variable: typed.Variable) -> bool:
    return isinstance(variable.type, OpenArrayType)
