"""What in two blocks differs, by name: the first variable that does, with both values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lfc.actions.layout.fields import block_fields
from lfc.actions.model.machine import Machine
from lfc.run.names import live_processes, scalar_text, value_text
from lfc.semantics.model.typed import VariableKind
from lfc.semantics.model.types import ArrayType, OpenArrayType, RecordType, Type, record_layout, size_and_alignment

POSITION = "the position of "


@dataclass(frozen=True, slots=True)
class FieldDifference:
    name: str
    host: str
    board: str
    offset: int
    more: int  # how many bytes differ besides those of this variable


@dataclass(frozen=True, slots=True)
class Place:
    """`type` None: a number of this size without a type."""

    offset: int
    size: int
    name: str
    type: Type | None


def first_difference(machine: Machine, host: bytes, board: bytes) -> FieldDifference | None:
    """Names are those that the host's block gives. None: the blocks are equal."""
    differing = [i for i, (x, y) in enumerate(zip(host, board, strict=True)) if x != y]
    if not differing:
        return None
    at = differing[0]
    place = next((p for p in places(machine, host) if p.offset <= at < p.offset + p.size), None)
    if place is None:
        place = Place(at, 1, f"byte {at} of the block, which no variable uses", None)
    place = element_at(place, at)
    more = sum(not place.offset <= i < place.offset + place.size for i in differing)
    return FieldDifference(place.name, shown(machine, place, host), shown(machine, place, board), place.offset, more)


def shown(machine: Machine, place: Place, block: bytes) -> str:
    number = int.from_bytes(block[place.offset : place.offset + place.size], "little")
    if place.name.startswith(POSITION):
        known = 0 < number <= len(machine.positions)
        return f"{number} (line {machine.positions[number - 1].span.line})" if known else f"{number}"
    if place.type is None:
        return f"{block[place.offset : place.offset + place.size].hex(' ').upper()}"
    try:
        return value_text(place.type, block, place.offset)
    except (ValueError, IndexError):  # no value of the type: such as a byte of a BOOLEAN that is neither
        return scalar_text(place.type, number)


def places(machine: Machine, block: bytes) -> Iterator[Place]:
    """Of the live processes' variables by name and type, then of all else as `lfc layout` has it."""
    layout = machine.layout
    width = layout.position_size
    for record in layout.records:
        for index in range(record.slots):
            name = record.body.name if record.slots == 1 else f"{record.body.name}[{index}]"
            yield Place(record.position_offset + index * width, width, POSITION + name, None)
    main = machine.program.main
    for v, offset in layout.variables.items():
        name = v.name if v.owner is main else f"{v.owner.name}.{v.name}"
        yield Place(offset, size_and_alignment(v.type)[0], name, v.type)
    for process in live_processes(machine, block):
        for depth, frame in enumerate(reversed(process.frames)):
            assert frame.body.frame is not None
            called = "" if depth == 0 else f".{frame.body.name.rsplit('.', 1)[-1]}()"
            for v, offset in frame.body.frame.variables.items():
                if v.kind is not VariableKind.VAR and not isinstance(v.type, OpenArrayType):
                    size = size_and_alignment(v.type)[0]
                    yield Place(frame.offset + offset, size, f"{process.name}{called}.{v.name}", v.type)
    for f in block_fields(layout):
        yield Place(f.offset, f.size, f"{f.owner}.{f.name}", None)


def element_at(place: Place, at: int) -> Place:
    """The element or field that lies there."""
    t = place.type
    if isinstance(t, ArrayType):
        size = size_and_alignment(t.element)[0]
        index = (at - place.offset) // size
        return element_at(Place(place.offset + index * size, size, f"{place.name}[{index}]", t.element), at)
    if isinstance(t, RecordType):
        offsets, _, _ = record_layout(t)
        for f, offset in zip(t.fields, offsets, strict=True):
            size = size_and_alignment(f.type)[0]
            if place.offset + offset <= at < place.offset + offset + size:
                return element_at(Place(place.offset + offset, size, f"{place.name}.{f.name}", f.type), at)
    return place
