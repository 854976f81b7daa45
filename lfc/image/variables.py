"""What a debugger is told of an image's data: each variable lies at a fixed place of the state block.

A module's variables go by their names, those of an imported module are fields of a record that has the module's name.
A process is a record of its variables; one with several slots is an array of them. Frames of calls move: of these the
types are told, and lfc's script for gdb finds where they lie (`call_frames` of the tables).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lfc.actions.layout.frames import aligned, frame_alignment
from lfc.actions.model.machine import Body, FrameLayout, Machine, RecordLayout
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    BooleanType,
    ChannelType,
    CharType,
    EnumerationType,
    IntegerType,
    OpenArrayType,
    RecordType,
    SetType,
    SubrangeType,
    Type,
    record_layout,
    size_and_alignment,
)
from lfc.toolchain.dwarf import Encoding, Entry, Tag, with_unit
from lfc.toolchain.elf import read_symbol

MEMORY = "lf_memory"


def block_address(elf: bytes, block_offset: int) -> int:
    """As in the ELF. `block_offset`: of the state block in the program's memory."""
    return read_symbol(elf, MEMORY).address + block_offset


def with_variables(elf: bytes, machine: Machine, start: int) -> bytes:
    """`start`: of the block, as in the ELF."""
    made = _Made(start)
    made.modules(machine)
    for record in machine.layout.records:
        made.process(machine, record)
    for body in machine.bodies:
        made.call(machine, body)
    return with_unit(elf, machine.program.main.name, made.entries)


def name_of(machine: Machine, process: Process) -> str:
    """Without the main module's."""
    return process.qualified_name.removeprefix(machine.program.main.name + ".")


def named_variables(frame: FrameLayout) -> list[tuple[Variable, int]]:
    """Those that the text names."""
    return [(v, at) for v, at in frame.variables.items() if "'" not in v.name]


def call_type(machine: Machine, body: Body) -> str:
    """Of the frame that a call of it has; empty: it is not called, or has no variables there."""
    frame = body.frame
    if frame is None or frame.return_offset is None or body.process is None or not named_variables(frame):
        return ""
    return f"CALL {name_of(machine, body.process)}"


def call_frames(machine: Machine, start: int) -> dict[str, Any]:
    """For debuggers: how the frames of calls are found, from the innermost one to its callers. `start`: of the block.

    `stacks`, by slot: where its record lies, and where that says how far from its start the innermost frame lies (null:
    there is only the first), in how many bytes, and how far the first one lies. `body`, by position. `bodies`: name,
    type of the frame, where the caller's position lies in it (null: it has none), in how many bytes, and what a frame
    takes.
    """
    align = frame_alignment([b for b in machine.composed_bodies if b.domain == machine.bodies[0].domain])
    bodies = list({id(p.body): p.body for p in machine.positions}.values())
    number = {id(b): n for n, b in enumerate(bodies)}
    stacks: list[list[int | None]] = []
    for r in machine.layout.records:
        for index in range(r.slots):
            at = start + r.offset + index * r.stride
            field_at = None if r.frame_field_offset is None else at + r.frame_field_offset
            stacks.append([at, field_at, r.frame_field_size, r.frame0])
    told: list[list[object]] = []
    for b in bodies:
        assert b.frame is not None
        name = "initialisation" if b.process is None else name_of(machine, b.process)
        size = aligned(b.frame.size, align)
        told.append([name, call_type(machine, b), b.frame.return_offset, b.frame.return_size, size])
    return {"stacks": stacks, "body": [number[id(p.body)] for p in machine.positions], "bodies": told}


@dataclass(slots=True)
class _Made:
    start: int  # of the block, as in the ELF
    entries: list[Entry] = field(default_factory=list)
    types: dict[Type, Entry] = field(default_factory=dict)
    own: dict[str, Entry] = field(default_factory=dict)  # types that the language has no name for

    def add(self, entry: Entry) -> Entry:
        self.entries.append(entry)
        return entry

    def modules(self, machine: Machine) -> None:
        others: dict[str, list[tuple[Variable, int]]] = {}
        for v, at in machine.layout.variables.items():
            if v.owner is machine.program.main:
                self.variable(v.name, self.of(v), at)
            else:
                others.setdefault(v.owner.name, []).append((v, at))
        for name, variables in others.items():
            self.variable(name, self.record(f"MODULE {name}", machine.layout.size, variables), 0)

    def process(self, machine: Machine, record: RecordLayout) -> None:
        frame = record.body.frame
        if frame is None or record.body.process is None or not record.slots:
            return
        variables = [(v, record.frame0 + at) for v, at in named_variables(frame)]
        if not variables:
            return
        name = name_of(machine, record.body.process).replace(".", "_")
        one = self.record(f"PROCESS {name}", record.stride, variables)
        if record.slots > 1:
            one = self.array(f"PROCESS {name} []", one, record.slots)
        self.variable(name, one, record.offset)

    def call(self, machine: Machine, body: Body) -> None:
        """The type of its frame."""
        name = call_type(machine, body)
        if name:
            assert body.frame is not None
            self.record(name, body.frame.size, named_variables(body.frame))

    def variable(self, name: str, of: Entry, at: int) -> None:
        self.add(Entry(Tag.VARIABLE, name, of, location=self.start + at))

    def record(self, name: str, size: int, variables: list[tuple[Variable, int]]) -> Entry:
        members = [Entry(Tag.MEMBER, v.name, self.of(v), offset=at) for v, at in variables]
        return self.add(Entry(Tag.STRUCTURE, name, size=size, children=members))

    def of(self, v: Variable) -> Entry:
        """A VAR parameter and an open array lie elsewhere: what is here is where, counted from the block's start."""
        if isinstance(v.type, OpenArrayType):
            return self.base("descriptor of an open array", Encoding.UNSIGNED, 4)
        if v.kind is VariableKind.VAR:
            return self.base("place in the block", Encoding.UNSIGNED, 2)
        return self.type(v.type)

    # --- types -----------------------------------------------------------------------------------------------------

    def base(self, name: str, encoding: Encoding, size: int) -> Entry:
        if name not in self.own:
            self.own[name] = self.add(Entry(Tag.BASE, name, size=size, encoding=encoding))
        return self.own[name]

    def array(self, name: str, element: Entry, length: int, index: Entry | None = None) -> Entry:
        bounds = Entry(Tag.SUBRANGE, type=index or self.base("index", Encoding.UNSIGNED, 4), lower=0, upper=length - 1)
        return self.add(Entry(Tag.ARRAY, name, element, children=[bounds]))

    def type(self, t: Type) -> Entry:
        if t not in self.types:
            self.types[t] = self.made(t)
        return self.types[t]

    def made(self, t: Type) -> Entry:
        size, _ = size_and_alignment(t)
        match t:
            case ArrayType():
                index = None if t.index is None else self.type(t.index)
                return self.array(t.name, self.type(t.element), t.length, index)
            case RecordType():
                offsets, _, _ = record_layout(t)
                pairs = zip(t.fields, offsets, strict=True)
                members = [Entry(Tag.MEMBER, f.name, self.type(f.type), offset=at) for f, at in pairs]
                return self.add(Entry(Tag.STRUCTURE, t.name, size=size, children=members))
            case EnumerationType():
                return self.enumeration(t, size)
            case SubrangeType() if isinstance(t.base, EnumerationType):
                return self.enumeration(t.base, size)
            case SubrangeType() if isinstance(t.base, CharType):
                return self.type(t.base)
            case SubrangeType():
                signed = t.low < 0
                base = self.base(f"{'INT' if signed else 'UINT'}{8 * size}", SIGNS[signed], size)
                return self.add(Entry(Tag.SUBRANGE, t.name, base, size=size, lower=t.low, upper=t.high))
            case SetType():
                bits = [Entry(Tag.ENUMERATOR, str(n), value=1 << n) for n in range(t.bits)]  # gdb shows (1 | 4)
                return self.add(Entry(Tag.ENUMERATION, t.name, size=size, children=bits))
            case IntegerType():
                return self.base(t.name, SIGNS[t.signed], size)
            case BooleanType():
                return self.base(t.name, Encoding.BOOLEAN, size)
            case CharType():
                return self.base(t.name, Encoding.UNSIGNED_CHAR, size)
            case ChannelType():
                return self.base(f"channel of {size}" if size > 1 else "channel", Encoding.UNSIGNED, size)
        raise AssertionError(t)

    def enumeration(self, t: EnumerationType, size: int) -> Entry:
        values = [Entry(Tag.ENUMERATOR, name, value=n) for n, name in enumerate(t.values)]
        return self.add(Entry(Tag.ENUMERATION, t.name, size=size, children=values))


SIGNS = {True: Encoding.SIGNED, False: Encoding.UNSIGNED}
