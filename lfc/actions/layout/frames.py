"""Lays out frames: the return position, the wait area with its pictures, the variables."""

from __future__ import annotations

from collections.abc import Iterable

from lfc.actions.layout.steady import is_steady_port, is_steady_target
from lfc.actions.model.machine import Body, FrameLayout, Point
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import OpenArrayType, RecordField, RecordType, Type, record_layout, size_and_alignment
from lfc.semantics.model.visit import reads_input

OFFSET = 2  # bytes of an offset into the block
MOST_CLOSABLE = 32  # clauses of a SELECT whose closed ones are remembered


def aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def frame_alignment(bodies: Iterable[Body]) -> int:
    """What the frames of callees are aligned to: the greatest alignment of any frame."""
    return max((b.frame.align for b in bodies if b.frame is not None), default=1)


def place_of_variable(variable: Variable) -> tuple[int, int]:
    """Size and alignment in its frame or among its module's variables."""
    if isinstance(variable.type, OpenArrayType):
        return 2 * OFFSET, OFFSET
    if variable.kind is VariableKind.VAR:
        return OFFSET, OFFSET
    return size_and_alignment(variable.type)


def lay_variables(variables: Iterable[Variable], start: int) -> tuple[dict[Variable, int], int]:
    """By falling alignment, then in order of declaration, from `start` on; and where they end. No registers."""
    places: dict[Variable, int] = {}
    stored = [v for v in variables if v.address is None]
    for alignment in (4, 2, 1):
        for v in stored:
            size, own_alignment = place_of_variable(v)
            if own_alignment == alignment:
                start = aligned(start, alignment)
                places[v] = start
                start += size
    return places, start


def lay_frame(body: Body, position_size: int, module_ports: set[Variable]) -> FrameLayout:
    """Also gives the points of the body the offsets of what they wait with."""
    has_return = body.called and body.can_wait
    return_size = position_size if has_return else 0
    align = max(1, return_size)
    wait_end = return_size
    for point in body.points:
        lay = _lay_wait if point.waiting is not None else _lay_poll
        end, point_align = lay(point, return_size, module_ports)
        wait_end = max(wait_end, end)
        align = max(align, point_align)
    variables = [*body.formals, *body.locals]
    places, size = lay_variables(variables, wait_end)
    for v in places:
        align = max(align, place_of_variable(v)[1])
    return FrameLayout(
        return_offset=0 if has_return else None,
        return_size=return_size,
        wait_offset=return_size,
        wait_size=wait_end - return_size,
        variables=places,
        size=size,
        align=align,
    )


def _lay_wait(point: Point, start: int, module_ports: set[Variable]) -> tuple[int, int]:
    """The picture of one waiting position: where it ends and its greatest alignment."""
    offset, align = start, 1
    if any(is_closable(clause.event, clause.guard) for clause in point.clauses):
        count = len(point.clauses)
        point.closed_size = 1 if count <= 8 else 2 if count <= 16 else 4
        point.closed_offset = offset = aligned(offset, point.closed_size)
        offset += point.closed_size
        align = point.closed_size
    for clause in point.clauses:
        event = clause.event
        if isinstance(event, typed.Send | typed.Receive) and not is_steady_port(event.port, point.body, module_ports):
            size, alignment = size_and_alignment(event.port.type)
            clause.port_offset = offset = aligned(offset, alignment)
            offset += size
            align = max(align, alignment)
        if isinstance(event, typed.Send) and event.message.types:
            offsets, size, alignment = message_layout(event.message.types)
            offset = aligned(offset, alignment)
            clause.value_offsets = [offset + o for o in offsets]
            offset += size
            align = max(align, alignment)
        for target in clause.targets:
            if not is_steady_target(target.target, point.body):
                target.offset = offset = aligned(offset, OFFSET)
                offset += OFFSET
                align = max(align, OFFSET)
    return offset, align


def _lay_poll(point: Point, start: int, module_ports: set[Variable]) -> tuple[int, int]:
    """A `SELECT` with `ELSE` never waits. But where a target's place depends on an input, which must be read once only,
    the place is kept in the wait area until the action ends."""
    offset, align = start, 1
    for clause in point.clauses:
        for target in clause.targets:
            if target.target.designator is not None and asks_for_input(target.target.designator):
                target.offset = offset = aligned(offset, OFFSET)
                offset += OFFSET
                align = OFFSET
    return offset, align


def asks_for_input(e: typed.Expr) -> bool:
    """Whether finding the place of a designator reads an input. (A register that is itself the target is written.)"""
    if isinstance(e, typed.FieldRef):
        return asks_for_input(e.base)
    return isinstance(e, typed.IndexRef) and (asks_for_input(e.base) or reads_input(e.index))


def message_layout(types: list[Type]) -> tuple[list[int], int, int]:
    """The values of a message lie like the fields of a record: offsets, size, alignment."""
    return record_layout(RecordType("", [RecordField("", t, False, None) for t in types]))


def is_closable(event: typed.Statement, guard: typed.Expr | None) -> bool:
    """A clause whose guard is evaluated at the attempt, and only then."""
    return guard is not None and isinstance(event, typed.Send | typed.AfterEvent)
