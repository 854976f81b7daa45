"""Lists the fields of the block in the order of their offsets, and the pictures of wait areas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lfc.actions.layout.frames import place_of_variable
from lfc.actions.model.machine import BlockLayout, Body, Field, Point, RecordLayout
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Variable, VariableKind
from lfc.semantics.model.types import OpenArrayType, size_and_alignment


@dataclass(slots=True)
class Picture:
    """What a wait area holds at one waiting position. Offsets are relative to the frame."""

    position: int
    body: Body
    point: Point
    fields: list[Field]


def block_fields(layout: BlockLayout) -> list[Field]:
    """All that is not padding. A wait area is one field, whatever it holds; so is the room for frames of calls."""
    found: list[Field] = []
    width = layout.position_size
    for record in layout.records:
        for index in range(record.slots):
            offset = record.position_offset + index * width
            found.append(Field(offset, width, slot_name(record, index), "position", "position"))
    if layout.pending_size:
        names = ", ".join(str(n) for n in layout.interrupts)
        found.append(Field(layout.pending_offset, layout.pending_size, "SYSTEM", f"pending {names}", "bits"))
    for v, offset in layout.variables.items():
        assert isinstance(v.owner, Module)
        found.append(_of_variable(v, offset, v.owner.name))
    for record in layout.records:
        for index in range(record.slots):
            found += _of_record(record, index)
    return sorted(found, key=lambda f: f.offset)


def slot_name(record: RecordLayout, index: int) -> str:
    return record.body.name if record.body.process is None else f"{record.body.name}[{index}]"


def _of_record(record: RecordLayout, index: int) -> Iterator[Field]:
    start = record.offset + index * record.stride
    owner = slot_name(record, index)
    if record.frame_field_offset is not None:
        yield Field(start + record.frame_field_offset, record.frame_field_size, owner, "frame", "frame")
    for callee, (offset, size) in record.call_counts.items():
        yield Field(start + offset, size, owner, f"calls of {callee.name}", "count")
    yield from frame_fields(record.body, start + record.frame0, owner)
    end = record.calls_offset
    if end is not None:
        yield Field(start + end, record.stride - end, owner, "frames of calls", "frames")


def frame_fields(body: Body, start: int, owner: str) -> Iterator[Field]:
    frame = body.frame
    assert frame is not None
    if frame.return_offset is not None:
        yield Field(start + frame.return_offset, frame.return_size, owner, "return", "position")
    if frame.wait_size:
        yield Field(start + frame.wait_offset, frame.wait_size, owner, "wait", "wait")
    for v, offset in frame.variables.items():
        yield _of_variable(v, start + offset, owner)


def _of_variable(v: Variable, offset: int, owner: str) -> Field:
    if isinstance(v.type, OpenArrayType):
        kind = f"{v.type.name}: offset, length"
    elif v.kind is VariableKind.VAR:
        kind = f"offset of {v.type.name}"
    elif v.kind is VariableKind.LIMIT:
        kind = f"{v.type.name}, limit of a FOR"
    else:
        kind = v.type.name
    return Field(offset, place_of_variable(v)[0], owner, v.name, kind)


def pictures(bodies: list[Body]) -> list[Picture]:
    """In the order of the waiting positions."""
    found = [
        Picture(point.waiting.number, body, point, list(_picture(point)))
        for body in bodies
        for point in body.points
        if point.waiting is not None
    ]
    return sorted(found, key=lambda p: p.position)


def _picture(point: Point) -> Iterator[Field]:
    owner = point.body.name
    if point.closed_offset is not None:
        yield Field(point.closed_offset, point.closed_size, owner, "closed clauses", "bits")
    for clause in point.clauses:
        where = f"clause {clause.index}: " if point.is_select else ""
        event = clause.event
        if clause.port_offset is not None:
            assert isinstance(event, typed.Send | typed.Receive)
            yield Field(clause.port_offset, size_and_alignment(event.port.type)[0], owner, f"{where}port", "channel")
        if isinstance(event, typed.Send):
            for number, (offset, t) in enumerate(zip(clause.value_offsets, event.message.types, strict=True)):
                yield Field(offset, size_and_alignment(t)[0], owner, f"{where}value {number}", t.name)
        for number, target in enumerate(clause.targets):
            if target.offset is not None:
                yield Field(target.offset, 2, owner, f"{where}target {number}", "offset")
