"""Compares a block of bytes with an abstract state, by the layout of the compiler (docs/reference/machine.md, 1).

The state is written down as the bytes that it must be: every field at its place, all else zero. So a difference is
a wrong value, or a byte of padding, of a free slot, of a frame or a wait area that is not active, which is not
zero. Positions are found by what they stand for (their kind, process and place in the text), never by counting.
"""

from __future__ import annotations

from functools import cache

from lfc.actions.layout.fields import block_fields, frame_fields
from lfc.actions.model.machine import Body, Field, Machine, Point, RecordLayout
from lfc.actions.model.machine import Position as MachinePosition
from lfc.base.source import Span
from lfc.codegen.module.composition import composed_layout
from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    ArrayType,
    OpenArrayType,
    RecordType,
    Type,
    record_layout,
    size_and_alignment,
    size_and_signedness,
)
from tests.naive.bounds import Bounds
from tests.naive.expressions import Evaluation
from tests.naive.state import CONSTANT, MODULE, Activation, Place, Position, State, Value, thawed


def bounds_of(machine: Machine) -> Bounds:
    """The room that the compiler made, to compare programs whose bounds it may count in its own way."""
    processes = machine.program.all_processes()
    instances = dict.fromkeys(processes, 0)
    for record in machine.records:
        if record.body.process is not None:
            instances[record.body.process] = record.slots
    bodies = [*machine.composed_bodies, *machine.function_of.values()]
    if machine.environment is not None:
        bodies += machine.environment.function_of.values()
    calls = {b.process: b.max_calls for b in bodies if b.recursive and b.process is not None}
    return Bounds(instances, calls, machine.layout.max_channels, machine.parts[-1][0].max_channels)


def compare(state: State, block: bytes, machine: Machine) -> list[str]:
    """What differs, field by field: empty if the block is that of the state."""
    expected = encode(state, machine)
    if len(block) != len(expected):
        return [f"the block has {len(block)} bytes, not {len(expected)}"]
    if block == expected:
        return []
    fields = live_fields(state, machine)
    found: list[str] = []
    at = 0
    while at < len(block):
        if block[at] == expected[at]:
            at += 1
            continue
        inside = [f for f in fields if f.offset <= at < f.offset + f.size]
        if not inside:
            found.append(f"byte {at}: {block[at]:02X}H, should be {expected[at]:02X}H (no live field)")
            at += 1
            continue
        f = min(inside, key=lambda f: f.size)
        have, want = block[f.offset : f.offset + f.size], expected[f.offset : f.offset + f.size]
        text = f"{f.owner}.{f.name} ({f.type}) at {f.offset}: {have.hex(' ')}, should be {want.hex(' ')}"
        if f.name in ("position", "return"):
            text += f" ({position_text(have, machine)}, should be {position_text(want, machine)})"
        found.append(text)
        at = f.offset + f.size
    return found


def encode(state: State, machine: Machine) -> bytes:
    return Writer(state, machine).block()


def live_fields(state: State, machine: Machine) -> list[Field]:
    fields = [f for layout, _ in machine.parts for f in block_fields(layout)]
    writer = Writer(state, machine)
    for slot, activation in enumerate(state.slots):
        for depth in range(1, len(activation.frames) if activation is not None else 0):
            assert activation is not None
            body = writer.body_of_frame(slot, depth)
            fields += frame_fields(body, writer.frame_offset(slot, depth), f"{body.name}@{slot}.{depth}")
    return fields


def position_text(number: bytes, machine: Machine) -> str:
    n = int.from_bytes(number, "little")
    if not 1 <= n <= len(machine.positions):
        return "free" if n == 0 else "no position"
    p = machine.positions[n - 1]
    return f"{p.kind} {p.body.name} line {p.span.line}"


@cache
def _positions_by_place(machine: Machine) -> dict[tuple[object, ...], int]:
    """(process, kind, start and end of the statement or clause, clause) -> number."""
    found: dict[tuple[object, ...], int] = {}
    for p in [p for _, positions in machine.parts for p in positions]:
        key = _place_of(p)
        assert key not in found, f"two positions for {key}"
        found[key] = p.number
    return found


def _place_of(p: MachinePosition) -> tuple[object, ...]:
    return p.body.process, p.kind, None if p.kind == "start" else p.span, p.clause


class Writer:
    def __init__(self, state: State, machine: Machine) -> None:
        self.state = state
        self.machine = machine
        self.layout = composed_layout(machine)
        self.bytes = bytearray(self.layout.size)
        self.record_of_slot: list[RecordLayout] = []
        for record in self.layout.records:
            self.record_of_slot += [record] * record.slots
        assert len(self.record_of_slot) == len(state.slots), "the state has other bounds than the machine"
        self.frame_align: dict[str, int] = {}  # program and environment
        for b in machine.composed_bodies:
            if b.frame is not None:
                self.frame_align[b.domain] = max(self.frame_align.get(b.domain, 1), b.frame.align)

    # --- places ------------------------------------------------------------------------------------------------

    def record_offset(self, slot: int) -> int:
        record = self.record_of_slot[slot]
        return record.offset + (slot - record.first_slot) * record.stride

    def activation(self, slot: int) -> Activation:
        activation = self.state.slots[slot]
        assert activation is not None
        return activation

    def body_of_frame(self, slot: int, depth: int) -> Body:
        if depth == 0:
            return self.record_of_slot[slot].body
        process = self.activation(slot).frames[depth].process
        assert process is not None
        environment = self.machine.environment
        if environment is not None and process in environment.body_of:
            return environment.body_of[process]
        return self.machine.body_of[process]

    def frame_offset(self, slot: int, depth: int) -> int:
        offset = self.record_offset(slot) + self.record_of_slot[slot].frame0
        for below in range(depth):
            body = self.body_of_frame(slot, below)
            frame, align = body.frame, self.frame_align[body.domain]
            assert frame is not None
            offset += -(-frame.size // align) * align
        return offset

    def place_offset(self, place: Place) -> int:
        assert place.variable is not None
        if place.slot == MODULE:
            offset = self.layout.variables[place.variable]
        else:
            frame = self.body_of_frame(place.slot, place.frame).frame
            assert frame is not None
            offset = self.frame_offset(place.slot, place.frame) + frame.variables[place.variable]
        t: Type = place.variable.type
        for index in place.path:
            if isinstance(t, RecordType):
                offset += record_layout(t)[0][index]
                t = t.fields[index].type
            else:
                assert isinstance(t, ArrayType | OpenArrayType)
                t = t.element
                offset += index * size_and_alignment(t)[0]
        return offset

    # --- the block ---------------------------------------------------------------------------------------------

    def block(self) -> bytes:
        for layout, _ in self.machine.parts:
            for bit, number in enumerate(layout.interrupts):
                if number in self.state.pending:
                    self.bytes[layout.pending_offset + bit // 8] |= 1 << bit % 8
        for variable, value in self.state.modules.items():
            if variable in self.layout.variables:
                self.put(self.layout.variables[variable], variable.type, value)
        for slot, activation in enumerate(self.state.slots):
            if activation is not None:
                self.record(slot, activation)
        return bytes(self.bytes)

    def record(self, slot: int, activation: Activation) -> None:
        record = self.record_of_slot[slot]
        start = self.record_offset(slot)
        top = len(activation.frames) - 1
        at = record.position_offset + (slot - record.first_slot) * record.position_size
        self.number(at, record.position_size, self.position(slot, top, activation.frames[top].at))
        if record.frame_field_offset is not None:
            running = self.frame_offset(slot, top) - start
            self.number(start + record.frame_field_offset, record.frame_field_size, running)
        for callee, (offset, size) in record.call_counts.items():
            under_way = sum(f.process is callee.process for f in activation.frames[1:])
            self.number(start + offset, size, under_way)
        for depth in range(top + 1):
            self.frame(slot, depth, activation)

    def frame(self, slot: int, depth: int, activation: Activation) -> None:
        body = self.body_of_frame(slot, depth)
        layout = body.frame
        assert layout is not None
        start = self.frame_offset(slot, depth)
        frame = activation.frames[depth]
        if depth > 0:
            assert layout.return_offset is not None
            position = self.position(slot, depth - 1, activation.frames[depth - 1].at)
            self.number(start + layout.return_offset, layout.return_size, position)
        for variable, value in frame.variables.items():
            if variable.address is None:
                self.put(start + layout.variables[variable], variable.type, value)
        for variable, stand_in in body.hidden.items():
            place = Evaluation(self.state, slot, depth, None, []).variable(variable)
            self.put(start + layout.variables[stand_in], stand_in.type, place)
        if activation.wait is not None and depth == len(activation.frames) - 1:
            self.wait(slot, start, body, activation)

    def position(self, slot: int, depth: int, at: Position) -> int:
        process = self.activation(slot).frames[depth].process
        span: Span | None = None if at.statement is None else at.statement.span
        if at.kind == "clause":
            assert isinstance(at.statement, typed.Select) and at.clause is not None
            span = at.statement.clauses[at.clause].span
        return _positions_by_place(self.machine)[process, at.kind, span, at.clause]

    def wait(self, slot: int, start: int, body: Body, activation: Activation) -> None:
        at = activation.frames[-1].at
        assert at.statement is not None and activation.wait is not None
        point = self.point(body, at.statement)
        if point.closed_offset is not None:
            closed = sum(1 << i for i, clause in enumerate(activation.wait) if clause.closed)
            self.number(start + point.closed_offset, point.closed_size, closed)
        for clause, waiting in zip(point.clauses, activation.wait, strict=True):
            if waiting.closed:
                continue
            if clause.port_offset is not None:
                self.number(start + clause.port_offset, self.machine.port_size, waiting.channel)
            if isinstance(clause.event, typed.Send):
                types = clause.event.message.types
                for offset, t, value in zip(clause.value_offsets, types, waiting.values, strict=True):
                    self.put(start + offset, t, thawed(value))
            for target, place in zip(clause.targets, waiting.targets, strict=True):
                if target.offset is not None:
                    assert place is not None
                    self.number(start + target.offset, 2, self.place_offset(place))

    def point(self, body: Body, statement: typed.Statement) -> Point:
        found = [p for p in body.points if p.span == statement.span]
        assert len(found) == 1, f"{len(found)} points at {statement.span}"
        return found[0]

    # --- values ------------------------------------------------------------------------------------------------

    def number(self, offset: int, size: int, value: int) -> None:
        self.bytes[offset : offset + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def put(self, offset: int, t: Type, value: Value) -> None:
        if isinstance(value, Place):
            if not isinstance(t, OpenArrayType):
                self.number(offset, 2, self.place_offset(value))
            elif value.slot == CONSTANT:
                self.number(offset, 2, self.layout.constant_offsets[value.constant])
                self.number(offset + 2, 2, (value.of.length if isinstance(value.of, ArrayType) else 0) | 0x8000)
            else:
                elements = Evaluation(self.state, 0, 0, None, []).load(value)
                assert isinstance(elements, list)
                self.number(offset, 2, self.place_offset(value))
                self.number(offset + 2, 2, len(elements))
        elif isinstance(t, ArrayType):
            assert isinstance(value, list)
            size, _ = size_and_alignment(t.element)
            for index, element in enumerate(value):
                self.put(offset + index * size, t.element, element)
        elif isinstance(t, RecordType):
            assert isinstance(value, list)
            for inner, f, element in zip(record_layout(t)[0], t.fields, value, strict=True):
                self.put(offset + inner, f.type, element)
        else:
            assert isinstance(value, int)
            self.number(offset, size_and_signedness(t)[0], value)
