"""Which meetings are visible, and what a transition is called by them.

A meeting is `port.message(values)` between two processes of the program, `port!message(values)` if the program sends to
the outside, `port?message(values)` if it receives from there. docs/theory/refinement.md has the definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lfc.actions.model.machine import Machine, PointClause, RecordLayout, WaitTarget
from lfc.mcheck.model.description import CLOSING, home_of
from lfc.run.names import ActiveFrame, active_frames, scalar_text, value_text
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    ChannelType,
    RecordType,
    is_port,
    record_layout,
    size_and_alignment,
)
from lfc.trace.items import Item

INSIDE, SENT, RECEIVED = ".", "!", "?"
WATCHED = re.compile(r"(?P<name>[A-Za-z_]\w*(\.[A-Za-z_]\w*){0,2})(\[(?P<index>\d+)\])?(\.(?P<message>[A-Za-z_]\w*))?$")


class NotVisible(Exception):
    """Says what cannot be watched, and why."""


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a module, or an element of an array of ports."""

    name: str  # as in `--on`
    offset: int  # in the block
    messages: tuple[str, ...]


def ports_of(machine: Machine) -> list[Port]:
    home = home_of(machine)
    found: list[Port] = []
    for v, offset in machine.layout.variables.items():
        if is_port(v.type):
            owner = v.owner
            name = v.name if owner is home else f"{owner.name}.{v.name}"
            found += elements(name, v.type, offset)
    return found


def elements(name: str, t: object, offset: int) -> Iterator[Port]:
    if isinstance(t, ChannelType):
        yield Port(name, offset, tuple(m.name for m in t.messages))
    elif isinstance(t, ArrayType):
        size, _ = size_and_alignment(t.element)
        for i in range(t.length):
            yield from elements(f"{name}[{i}]", t.element, offset + i * size)


def choose(there: Sequence[Port], texts: Sequence[str], whose: str) -> dict[Port, frozenset[str] | None]:
    """What `--on` names: a port, an array of ports, or one message of them (`line.ack`). None: all its messages."""
    chosen: dict[Port, frozenset[str] | None] = {}
    for text in texts:
        ports, message = find(there, text, whose)
        for port in ports:
            before = chosen.get(port, frozenset())
            chosen[port] = None if message is None or before is None else before | {message}
    return chosen


def find(there: Sequence[Port], text: str, whose: str) -> tuple[list[Port], str | None]:
    if WATCHED.match(text) is None:
        raise NotVisible(f"`{text}` is not a port: write PORT, PORT[2], PORT.MESSAGE or MODULE.PORT")
    ports = named(there, text)
    if ports:
        return ports, None
    name, _, message = text.rpartition(".")
    ports = named(there, name)
    if not ports:
        known = ", ".join(dict.fromkeys(p.name.partition("[")[0] for p in there)) or "none"
        raise NotVisible(f"{whose} has no port `{name or text}`; its modules' ports are: {known}")
    if message not in ports[0].messages:
        raise NotVisible(f"`{name}` of {whose} has no message `{message}`; it has: {', '.join(ports[0].messages)}")
    return ports, message


def named(there: Sequence[Port], name: str) -> list[Port]:
    return [p for p in there if p.name == name or p.name.startswith(f"{name}[")]


def is_outside(machine: Machine, record: RecordLayout) -> bool:
    """A partner that was made for an exported port."""
    main, process = machine.program.main, record.body.process
    return main.name == CLOSING and process is not None and process.module is main


class Labels:
    """What transitions are called. `chosen`: ports, and which of their messages are visible (None: all)."""

    def __init__(self, machine: Machine, chosen: dict[Port, frozenset[str] | None]) -> None:
        self.machine = machine
        self.chosen = chosen
        self.outside = {
            slot
            for r in machine.records
            if is_outside(machine, r)
            for slot in range(r.first_slot, r.first_slot + r.slots)
        }
        self.records = {slot: r for r in machine.records for slot in range(r.first_slot, r.first_slot + r.slots)}

    def label(self, before: bytes, items: Sequence[Item], after: bytes) -> str | None:
        """None: nothing visible."""
        actor = items[0].operands[0]
        for item in items[1:]:
            if item.name == "meet" and actor is not None:
                text = self.meeting(before, items, item, actor, after)
                if text is not None:
                    return text
        return None

    def meeting(self, before: bytes, items: Sequence[Item], item: Item, actor: int, after: bytes) -> str | None:
        partner = item.operands[1]
        assert partner is not None
        position = self.machine.position_at(before, partner)
        if position is None or position.ready or position.point is None:
            return None  # of an environment, which runs on within this action
        clause = position.point.clauses[item.operands[2] or 0]
        event = clause.event
        if not isinstance(event, typed.Send | typed.Receive):
            return None
        if isinstance(event.port, typed.InterruptPort | typed.IoPort):
            return None
        frame = self.frame(before, partner)
        port = self.port_of(before, self.channel(before, frame, clause), event.message.name)
        if port is None:
            return None
        sender, receiver = (partner, actor) if isinstance(event, typed.Send) else (actor, partner)
        sign = SENT if receiver in self.outside else RECEIVED if sender in self.outside else INSIDE
        values = self.values(before, frame, clause, items, after)
        return f"{port}{sign}{event.message.name}" + (f"({', '.join(values)})" if values else "")

    def port_of(self, block: bytes, channel: int, message: str) -> str | None:
        for port, messages in self.chosen.items():
            if self.machine.port_at(block, port.offset) == channel and channel:
                if messages is None or message in messages:
                    return port.name
        return None

    def frame(self, block: bytes, slot: int) -> ActiveFrame:
        """The innermost one of the process in this slot."""
        record, position = self.records[slot], self.machine.position_at(block, slot)
        assert position is not None
        return next(active_frames(self.machine, block, record, slot - record.first_slot, position))

    def channel(self, block: bytes, frame: ActiveFrame, clause: PointClause) -> int:
        if clause.port_offset is not None:
            return self.machine.port_at(block, frame.offset + clause.port_offset)
        assert isinstance(clause.event, typed.Send | typed.Receive)
        return self.machine.port_at(block, self.place(frame, clause.event.port))

    def place(self, frame: ActiveFrame, designator: typed.Expr) -> int:
        """Where a designator lies whose place is steady while its process waits."""
        match designator:
            case typed.VariableRef(variable=v):
                return self.place_of_variable(frame, v)
            case typed.IndexRef(base=base, index=typed.Constant(value=int(index))):
                return self.place(frame, base) + index * size_and_alignment(designator.type)[0]
            case typed.FieldRef(base=base, field=field):
                assert isinstance(base.type, RecordType)
                return self.place(frame, base) + record_layout(base.type)[0][base.type.fields.index(field)]
        raise AssertionError(f"no steady place: {designator!r}")

    def place_of_variable(self, frame: ActiveFrame, v: Variable) -> int:
        for layout, _ in self.machine.parts:
            if v in layout.variables:
                return layout.variables[v]
        assert frame.body.frame is not None and v.kind is not VariableKind.VAR
        return frame.offset + frame.body.frame.variables[v]

    def values(
        self, before: bytes, frame: ActiveFrame, clause: PointClause, items: Sequence[Item], after: bytes
    ) -> list[str]:
        """Of what waits to be sent, before; of what was received, where it went."""
        event = clause.event
        if isinstance(event, typed.Send):
            types = event.message.types
            return [value_text(t, before, frame.offset + at) for t, at in zip(types, clause.value_offsets, strict=True)]
        found: list[str] = []
        seen: set[int] = set()
        for target in clause.targets:
            designator, constant = target.target.designator, target.target.constant
            if constant is not None:
                found.append(constant_text(constant))
                continue
            assert designator is not None
            if is_register(designator):
                found.append(next((str(i.operands[2]) for i in items if i.name == "out"), "?"))
                continue
            at = self.target_place(before, frame, target)
            if at in seen:
                line = event.span.line
                raise NotVisible(f"line {line} receives two values into one variable: the first one cannot be told")
            seen.add(at)
            found.append(value_text(designator.type, after, at))
        return found

    def target_place(self, block: bytes, frame: ActiveFrame, target: WaitTarget) -> int:
        if target.offset is not None:
            at = frame.offset + target.offset
            return int.from_bytes(block[at : at + 2], "little")
        assert target.target.designator is not None
        return self.place(frame, target.target.designator)


def constant_text(constant: typed.Constant) -> str:
    if isinstance(constant.value, bytes):
        return f'"{constant.value.split(bytes(1))[0].decode("latin-1")}"'
    return scalar_text(constant.type, constant.value)


def is_register(designator: typed.Expr) -> bool:
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        designator = designator.base
    return isinstance(designator, typed.VariableRef) and designator.variable.address is not None
