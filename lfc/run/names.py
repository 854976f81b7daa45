"""The block by name: what every variable holds and where every process is, as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lfc.actions.layout.fields import slot_name
from lfc.actions.layout.frames import frame_alignment
from lfc.semantics.model.typed import VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    BooleanType,
    ChannelType,
    CharType,
    EnumerationType,
    FixedType,
    OpenArrayType,
    RecordType,
    SetType,
    SubrangeType,
    record_layout,
    size_and_alignment,
    size_and_signedness,
    steps_text,
)

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body, Machine, Position, RecordLayout
    from lfc.base.source import Span
    from lfc.semantics.model import typed
    from lfc.semantics.model.types import (
        Type,
    )


@dataclass(slots=True)
class ActiveFrame:
    body: Body
    position: Position
    offset: int  # in the block


@dataclass(slots=True)
class LiveProcess:
    slot: int
    name: str  # Module.Process[i]
    record: RecordLayout
    position: Position
    frames: list[ActiveFrame]  # the innermost first


def position_number(machine: Machine, block: bytes, slot: int) -> int:
    """Of the program's positions, or of the environment's, whosever slot it is; 0: the slot is free."""
    position = machine.position_at(block, slot)
    return 0 if position is None else position.number


def short_name(machine: Machine, record: RecordLayout, index: int) -> str:
    """Without the main module's name, and without an index where there is only one."""
    name = slot_name(record, index)
    if record.slots == 1:
        name = name.removesuffix("[0]")
    if record.body.process is None:
        return "initialisation"
    return name.removeprefix(machine.program.main.name + ".")


def live_processes(machine: Machine, block: bytes) -> Iterator[LiveProcess]:
    for record in machine.records:
        for index in range(record.slots):
            slot = record.first_slot + index
            position = machine.position_at(block, slot)
            if position is not None:
                frames = list(active_frames(machine, block, record, index, position))
                yield LiveProcess(slot, short_name(machine, record, index), record, position, frames)


def active_frames(
    machine: Machine, block: bytes, record: RecordLayout, index: int, position: Position
) -> Iterator[ActiveFrame]:
    start = record.offset + index * record.stride
    if record.frame_field_offset is None:
        yield ActiveFrame(position.body, position, start + record.frame0)
        return
    at = start + record.frame_field_offset
    offset = int.from_bytes(block[at : at + record.frame_field_size], "little")
    align = frame_alignment([b for b in machine.composed_bodies if b.domain == record.body.domain])
    positions = next(found for layout, found in machine.parts if record in layout.records)
    while True:
        body = position.body
        yield ActiveFrame(body, position, start + offset)
        assert body.frame is not None
        outermost = offset == record.frame0 and body is record.body  # a frame without variables takes no room
        if outermost or body.frame.return_offset is None:
            return
        at = start + offset + body.frame.return_offset
        position = positions[int.from_bytes(block[at : at + body.frame.return_size], "little") - 1]
        caller = position.body.frame
        assert caller is not None
        offset -= -(-caller.size // align) * align


MOST_ELEMENTS = 256  # of an array that is looked at element by element


def values(machine: Machine, block: bytes) -> dict[str, str]:
    """Every live variable by name, with its value; module variables first."""
    found = places(machine, block)
    return {name: p if isinstance(p, str) else value_text(p[0], block, p[1]) for name, p in found.items()}


def data_values(machine: Machine, block: bytes) -> dict[str, Any]:
    """As `values`, but as data: numbers, truth values, texts, sets as lists, arrays as lists, records as objects."""
    found = places(machine, block)
    return {name: p if isinstance(p, str) else value_data(p[0], block, p[1]) for name, p in found.items()}


def value_data(t: Type, block: bytes, at: int) -> Any:
    if isinstance(t, ArrayType):
        if isinstance(t.element, CharType):
            return block[at : at + t.length].split(b"\0")[0].decode("latin-1")
        size, _ = size_and_alignment(t.element)
        return [value_data(t.element, block, at + i * size) for i in range(t.length)]
    if isinstance(t, RecordType):
        offsets, _, _ = record_layout(t)
        return {f.name: value_data(f.type, block, at + o) for f, o in zip(t.fields, offsets, strict=True)}
    size, signed = size_and_signedness(t)
    value = int.from_bytes(block[at : at + size], "little", signed=signed)
    if isinstance(t, FixedType):
        return steps_text(t, value)
    if isinstance(t, SubrangeType):
        t = t.base
    match t:
        case BooleanType():
            return bool(value)
        case CharType():
            return chr(value)
        case EnumerationType():
            return t.values[value] if value < len(t.values) else value
        case SetType():
            return [i for i in range(t.bits) if value >> i & 1]
    return value


def places(machine: Machine, block: bytes, aliases: bool = True) -> dict[str, tuple[Type, int] | str]:
    """Every live variable by name: its type and where it lies, or what it is called. `aliases`: VAR parameters too."""
    found: dict[str, tuple[Type, int] | str] = {}
    main = machine.program.main
    for layout, _ in machine.parts:
        for v, offset in layout.variables.items():
            owner = v.owner
            name = v.name if owner is main else f"{owner.name}.{v.name}"
            found[name] = v.type, offset
        for n, interrupt in enumerate(layout.interrupts):
            at = layout.pending_offset + n // 8
            found[f"pending {interrupt}"] = "TRUE" if block[at] >> n % 8 & 1 else "FALSE"
    for process in live_processes(machine, block):
        for depth, frame in enumerate(reversed(process.frames)):
            assert frame.body.frame is not None
            called = "" if depth == 0 else f".{frame.body.name.rsplit('.', 1)[-1]}()"
            for v, offset in frame.body.frame.variables.items():
                if v.kind is VariableKind.VAR and not aliases:
                    continue
                name = f"{process.name}{called}.{v.name}"
                found[name] = place_of(v, block, frame.offset + offset)
    return found


def possible_names(machine: Machine) -> set[str]:
    """All that `values` may name in any state."""
    found = shared_names(machine)
    for layout, _ in machine.parts:
        found |= {f"pending {interrupt}" for interrupt in layout.interrupts}
    for record in machine.records:
        own = {record.body.name: ""}
        if record.frame_field_offset is not None:
            bodies = (b for b in machine.composed_bodies if b.domain == record.body.domain)
            own = {b.name: f".{b.name.rsplit('.', 1)[-1]}()" for b in bodies} | own
        variables = [
            f"{called}.{v.name}"
            for body in machine.composed_bodies
            if body.name in own and body.frame is not None
            for called in (own[body.name],)
            for v in body.frame.variables
        ]
        for index in range(record.slots):
            process = short_name(machine, record, index)
            found |= {process + variable for variable in variables}
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """A scalar or a text within a variable."""

    text: str
    of: str  # the variable's name
    zero: bool = False  # as variables are at first


def parts(machine: Machine, block: bytes) -> dict[str, Part]:
    """As `values`, but arrays and records element by element and field by field: `ring[2].number`; without VAR
    parameters, which are variables that have names of their own."""
    found: dict[str, Part] = {}

    def add(name: str, of: str, t: Type, at: int) -> None:
        if isinstance(t, ArrayType) and not isinstance(t.element, CharType) and t.length <= MOST_ELEMENTS:
            size, _ = size_and_alignment(t.element)
            for i in range(t.length):
                add(f"{name}[{i}]", of, t.element, at + i * size)
        elif isinstance(t, RecordType):
            offsets, _, _ = record_layout(t)
            for f, o in zip(t.fields, offsets, strict=True):
                add(f"{name}.{f.name}", of, f.type, at + o)
        else:
            size, _ = size_and_alignment(t)
            found[name] = Part(value_text(t, block, at), of, not any(block[at : at + size]))

    for name, place in places(machine, block, aliases=False).items():
        if isinstance(place, str):
            found[name] = Part(place, name)
        else:
            add(name, name, *place)
    return found


def shared_names(machine: Machine) -> set[str]:
    """Of those variables that `values` names which belong to no process."""
    main = machine.program.main
    variables = (v for layout, _ in machine.parts for v in layout.variables)
    return {v.name if v.owner is main else f"{v.owner.name}.{v.name}" for v in variables}


def variable_text(machine: Machine, v: typed.Variable, block: bytes, at: int) -> str:
    place = place_of(v, block, at)
    return place if isinstance(place, str) else value_text(place[0], block, place[1])


def place_of(v: typed.Variable, block: bytes, at: int) -> tuple[Type, int] | str:
    if isinstance(v.type, OpenArrayType):
        length = int.from_bytes(block[at + 2 : at + 4], "little") & 0x7FFF
        return f"array of {length}"
    if v.kind is VariableKind.VAR:
        return v.type, int.from_bytes(block[at : at + 2], "little")
    return v.type, at


def value_text(t: Type, block: bytes, at: int) -> str:
    if isinstance(t, ArrayType):
        size, _ = size_and_alignment(t.element)
        if isinstance(t.element, CharType):
            text = block[at : at + t.length].split(b"\0")[0]
            if all(32 <= c < 127 and c != 34 for c in text):
                return f'"{text.decode()}"'
        shown = [value_text(t.element, block, at + i * size) for i in range(min(t.length, 32))]
        return f"[{', '.join(shown)}{', ...' if t.length > 32 else ''}]"
    if isinstance(t, RecordType):
        offsets, _, _ = record_layout(t)
        parts = [f"{f.name}: {value_text(f.type, block, at + o)}" for f, o in zip(t.fields, offsets, strict=True)]
        return f"({', '.join(parts)})"
    size, signed = size_and_signedness(t)
    return scalar_text(t, int.from_bytes(block[at : at + size], "little", signed=signed))


def scalar_text(t: Type, value: int) -> str:
    if isinstance(t, FixedType):
        return steps_text(t, value)
    if isinstance(t, SubrangeType):
        t = t.base
    if isinstance(t, BooleanType):
        return "TRUE" if value else "FALSE"
    if isinstance(t, CharType):
        return f"'{chr(value)}'" if 32 <= value < 127 else f"{value:02X}X" if value < 0xA0 else f"0{value:02X}X"
    if isinstance(t, EnumerationType):
        return t.values[value] if value < len(t.values) else str(value)
    if isinstance(t, ChannelType):
        return f"channel {value}" if value else "unset"
    if isinstance(t, SetType):
        elements = [i for i in range(t.bits) if value >> i & 1]
        return "{" + ", ".join(runs(elements)) + "}"
    return str(value)


def runs(elements: list[int]) -> Iterator[str]:
    i = 0
    while i < len(elements):
        j = i
        while j + 1 < len(elements) and elements[j + 1] == elements[j] + 1:
            j += 1
        yield str(elements[i]) if i == j else f"{elements[i]}..{elements[j]}"
        i = j + 1


def place_in(machine: Machine, span: Span) -> str:
    """`12:8`, line and column, in the main module's file; with the file's name in any other one."""
    source = span.source
    line, column = source.line_and_column(span.start)
    name = "" if source is machine.program.main.source else f"{Path(source.path).name}:"
    return f"{name}{line}:{column}"


def source_text(span: object) -> str:
    """The text of a span, on one line, shortened."""
    from lfc.base.source import Span

    assert isinstance(span, Span)
    text = " ".join(span.source.text[span.start : span.end].split())
    return text if len(text) <= 60 else text[:57] + "..."


def event_text(position: Position) -> list[str]:
    """What a waiting process waits for, clause by clause, as written."""
    assert position.point is not None
    return [source_text(c.event.span) for c in position.point.clauses]
