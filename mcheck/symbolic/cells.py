"""Which bytes of a state may be undetermined: data of variables and of messages that wait. All others, on which it
depends what can happen, are explicit: positions, pending bits, frames, calls, channels, offsets, closed clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.layout.frames import aligned, frame_alignment
from lfc.actions.model.machine import BlockLayout, Body, Machine, Point, Position, RecordLayout
from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, RecordType, Type, is_port, record_layout, size_and_alignment

MOST_LIFTED = 64  # scalars of one variable: more of them are numbers until they are undetermined
Block = Sequence[object]


@dataclass(frozen=True, slots=True)
class Cell:
    """A scalar. `lifted`: also a number that is known counts as a set, of one. `element`: of an array."""

    offset: int
    size: int
    lifted: bool
    element: bool = False


Frames = tuple[
    tuple[int, int, int], ...
]  # of each slot that is taken: part, position, where the frame lies; callers too


class Cells:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._known: dict[Frames, tuple[Cell, ...]] = {}
        self._of_position: dict[tuple[int, int], tuple[Cell, ...]] = {}
        self._align = [frame_alignment(bodies) for bodies in bodies_of_parts(machine)]
        self._modules = tuple(
            c for layout, _ in machine.parts for v, offset in layout.variables.items() for c in of_variable(v, offset)
        )
        self.control = tuple(control_ranges(machine))
        bodies = machine.composed_bodies
        self._has_calls = any(b.frame is not None and b.frame.return_offset is not None for b in bodies) or any(
            r.frame_field_offset is not None for r in machine.records
        )
        self._records = [
            (part, r, r.first_slot + i, r.position_offset + i * r.position_size, r.offset + i * r.stride)
            for part, (layout, _) in enumerate(machine.parts)
            for r in layout.records
            for i in range(r.slots)
        ]

    def frames(self, block: Block) -> Frames:
        """Its positions, frames and return positions are numbers."""
        found: list[tuple[int, int, int]] = []
        for part, r, _, at, record in self._records:
            number = block[at] if r.position_size == 1 else number_at(block, at, 2)
            if not number:
                continue
            if self._has_calls:
                found += self._frames_of(block, part, r, number, record)  # type: ignore[arg-type]
            else:
                found.append((part, number, record + r.frame0))  # type: ignore[arg-type]
        return tuple(found)

    def _frames_of(
        self, block: Block, part: int, r: RecordLayout, number: int, record: int
    ) -> Iterator[tuple[int, int, int]]:
        frame = record + r.frame0
        if r.frame_field_offset is not None:
            frame = record + number_at(block, record + r.frame_field_offset, r.frame_field_size)
        while number:
            yield part, number, frame
            position = self.position(part, number)
            layout = position.body.frame
            if layout is None or layout.return_offset is None:
                return
            number = number_at(block, frame + layout.return_offset, layout.return_size)
            if number:
                caller = self.position(part, number).body.frame
                assert caller is not None
                frame -= aligned(caller.size, self._align[part])

    def position(self, part: int, number: int) -> Position:
        return self.machine.parts[part][1][number - 1]

    def of(self, frames: Frames) -> tuple[Cell, ...]:
        """In the order of their offsets."""
        found = self._known.get(frames)
        if found is None:
            cells = list(self._modules)
            for part, number, frame in frames:
                cells += [replace(c, offset=frame + c.offset) for c in self._at(part, number)]
            found = self._known[frames] = tuple(sorted(cells, key=lambda c: c.offset))
        return found

    def _at(self, part: int, number: int) -> tuple[Cell, ...]:
        """Of a frame, with what waits in it."""
        found = self._of_position.get((part, number))
        if found is None:
            position = self.position(part, number)
            cells: list[Cell] = []
            if position.body.frame is not None:
                for v, offset in position.body.frame.variables.items():
                    cells += of_variable(v, offset)
            if not position.ready and position.point is not None:
                cells += sent_values(position.point)
            found = self._of_position[part, number] = tuple(cells)
        return found


def number_at(block: Block, at: int, size: int) -> int:
    return int.from_bytes(block[at : at + size], "little")  # type: ignore[arg-type]


def bodies_of_parts(machine: Machine) -> list[list[Body]]:
    return [machine.bodies] + ([] if machine.environment is None else [machine.environment.bodies])


def control_ranges(machine: Machine) -> Iterator[tuple[int, int]]:
    """Offset and size of what says where processes are, without the frames of calls."""
    for layout, _ in machine.parts:
        yield from control_of(layout)


def control_of(layout: BlockLayout) -> Iterator[tuple[int, int]]:
    if layout.pending_size:
        yield layout.pending_offset, layout.pending_size
    for r in layout.records:
        yield r.position_offset, r.slots * r.position_size
        if r.frame_field_offset is not None:
            for i in range(r.slots):
                yield r.offset + i * r.stride + r.frame_field_offset, r.frame_field_size


def of_variable(v: typed.Variable, offset: int) -> list[Cell]:
    if stands_for_another(v):
        return []
    scalars = list(of_type(v.type, offset))
    lifted = len(scalars) <= MOST_LIFTED
    return [Cell(at, size, lifted, element) for at, size, element in scalars]


def of_type(t: Type, offset: int, element: bool = False) -> Iterator[tuple[int, int, bool]]:
    """Offset and size of each scalar that is no port, and whether it is an element of an array."""
    if isinstance(t, ArrayType):
        step = size_and_alignment(t.element)[0]
        for i in range(t.length):
            yield from of_type(t.element, offset + i * step, True)
    elif isinstance(t, RecordType):
        for f, at in zip(t.fields, record_layout(t)[0], strict=True):
            yield from of_type(f.type, offset + at, element)
    elif not is_port(t):
        yield offset, size_and_alignment(t)[0], element


def sent_values(point: Point) -> Iterator[Cell]:
    for clause in point.clauses:
        if isinstance(clause.event, typed.Send):
            for offset, t in zip(clause.value_offsets, clause.event.message.types, strict=True):
                for at, size, element in of_type(t, offset):
                    yield Cell(at, size, True, element)
