"""How far a search went within the program's bounds, and which variables take how many values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.mcheck.model.description import Numbers
from lfc.run.names import event_text
from lfc.semantics.model import typed
from lfc.semantics.model.typed import VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    FixedType,
    IntegerType,
    OpenArrayType,
    SubrangeType,
    is_port,
    port_offsets,
    size_and_alignment,
    size_and_signedness,
)

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body, Machine, RecordLayout
    from lfc.base.source import Span
    from lfc.mcheck.model.description import Component
    from lfc.mcheck.search.search import Search
    from lfc.semantics.model.typed import Variable
    from lfc.semantics.model.types import (
        Type,
    )


@dataclass(slots=True)
class Instances:
    process: str
    most: int  # at once
    room: int  # MAX, or what the text shows to be enough


@dataclass(slots=True)
class Queue:
    """Those who wait at one scheduling point at once, on whatever channels."""

    text: str
    span: Span
    most: int


@dataclass(slots=True)
class Bounds:
    instances: list[Instances]
    channels: int | None  # the most at once that processes and modules hold; None: calls hide some
    channel_room: int
    block_bytes: int  # of the program's state, without an environment's
    queues: list[Queue] | None = None  # None: not counted


@dataclass(slots=True)
class VariableValues:
    name: str
    distinct: int
    lowest: int | None = None  # of numbers
    highest: int | None = None


@dataclass(slots=True)
class ComponentValues:
    """A module variable, or the instances of a process: what each of them is and holds, taken together."""

    name: str
    distinct: int
    parts: list[VariableValues] = field(default_factory=list)


def bounds_of(machine: Machine, search: Search) -> Bounds:
    seen = search.seen()
    instances = []
    for r in machine.records:
        if r.body.process is not None:
            # The lowest free slot is taken, so whoever lives in slot n once had company in all slots below.
            used = [i + 1 for i in range(r.slots) if seen.slots[r.first_slot + i]]
            instances.append(Instances(name_of(machine, r), max(used, default=0), r.slots))
    layout = machine.layout
    return Bounds(instances, channels_at_once(machine, search), layout.max_channels, layout.size)


def queues_of(machine: Machine, search: Search) -> list[Queue] | None:
    """Where more than one waits at once; the longest first. Looks at every state."""
    most = search.most_waiting()
    if most is None:
        return None
    numbers = Numbers(machine)
    found = [
        Queue(" or ".join(event_text(p)), p.span, most[numbers.of[id(p)]])
        for _, positions in machine.parts
        for p in positions
        if not p.ready and most[numbers.of[id(p)]] > 1
    ]
    return sorted(found, key=lambda q: -q.most)


def name_of(machine: Machine, r: RecordLayout) -> str:
    if r.body.process is None:
        return "initialisation"
    return r.body.name.removeprefix(machine.program.main.name + ".")


# --- values ----------------------------------------------------------------------------------------------------


def values_of(machine: Machine, search: Search) -> list[ComponentValues]:
    """The largest first."""
    records = {r.first_slot: r for r in machine.records}
    variables = {offset: v for layout, _ in machine.parts for v, offset in layout.variables.items()}
    found: list[ComponentValues] = []
    for number, c in enumerate(search.description.components):
        if c.slot < 0:
            found += module_values(machine, search, number, c, variables)
        elif c.slot in records:
            found.append(record_values(machine, search, number, c, records[c.slot]))
    return sorted(found, key=lambda x: (-x.distinct, x.name))


def most_values(search: Search) -> int:
    """Of any element of a module variable, and of any variable of a process: how many it has had."""
    found = 0
    for number, c in enumerate(search.description.components):
        t = None if c.part_of is None else c.part_of.type
        step = size_and_alignment(t.element)[0] if isinstance(t, ArrayType) else 0
        if step and c.size % step == 0:
            places = [(at, step) for at in range(0, c.size, step)]
        elif c.slot < 0:
            places = [(at, min(4, c.size - at)) for at in range(0, c.size, 4)]
        else:
            places = scalar_places(search, c)
        found = max([found, *(search.range_of(number, at, size).distinct for at, size in places)])
    return found


def scalar_places(search: Search, c: Component) -> list[tuple[int, int]]:
    """Of the variables of a process, in its component."""
    r = next((r for r in search.machine.records if r.first_slot == c.slot), None)
    if r is None or r.body.frame is None:
        return []
    first = c.position_size + r.frame0
    own = {
        offset: size_and_alignment(v.type)[0]
        for v, offset in r.body.frame.variables.items()
        if v.kind is not VariableKind.VAR and not isinstance(v.type, OpenArrayType)
    }
    return [(first + offset, size) for offset, size in own.items() if size <= 4]


def module_values(
    machine: Machine, search: Search, number: int, c: Component, variables: dict[int, Variable]
) -> Iterator[ComponentValues]:
    at = 0
    if c.part_of is not None:
        first = c.pieces[0][0] - next(offset for offset, v in variables.items() if v is c.part_of)
        name = module_variable_name(machine, c.part_of)
        t = c.part_of.type
        if isinstance(t, ArrayType) and size_and_alignment(t.element)[0] == c.size:
            one = variable_values(search, number, 0, f"{name}[{first // c.size}]", t.element)
        else:
            name = f"{name}, bytes {first} to {first + c.size - 1}"
            one = VariableValues(name, search.range_of(number, 0, c.size).distinct)
        name = one.name
        yield ComponentValues(name, one.distinct, [one])
        return
    for offset, size in c.pieces:
        v = variables.get(offset)
        if v is None:
            yield ComponentValues("pending interrupts", search.range_of(number, at, size).distinct)
        else:
            one = variable_values(search, number, at, module_variable_name(machine, v), v.type)
            yield ComponentValues(one.name, one.distinct, [one])
        at += size


def module_variable_name(machine: Machine, v: Variable) -> str:
    owner = v.owner
    return v.name if owner is machine.program.main else f"{owner.name}.{v.name}"


def record_values(machine: Machine, search: Search, number: int, c: Component, r: RecordLayout) -> ComponentValues:
    size = sum(s for _, s in c.pieces)
    name = name_of(machine, r)
    parts = [VariableValues("its position", search.range_of(number, 0, r.position_size).distinct)]
    frame = r.body.frame
    assert frame is not None
    start = r.position_size + r.frame0
    for v, offset in frame.variables.items():
        if isinstance(v.type, OpenArrayType) or v.kind is VariableKind.VAR:
            size_of = 4 if isinstance(v.type, OpenArrayType) else 2
            parts.append(VariableValues(v.name, search.range_of(number, start + offset, size_of).distinct))
        else:
            parts.append(variable_values(search, number, start + offset, v.name, v.type))
    if frame.wait_size:
        distinct = search.range_of(number, start + frame.wait_offset, frame.wait_size).distinct
        parts.append(VariableValues("what it waits with", distinct))
    if r.calls_offset is not None and r.calls_offset < r.stride:
        distinct = search.range_of(number, r.position_size + r.calls_offset, r.stride - r.calls_offset).distinct
        parts.append(VariableValues("its calls", distinct))
    parts.sort(key=lambda x: (-x.distinct, x.name))
    return ComponentValues(name, search.range_of(number, 0, size).distinct, parts)


def variable_values(search: Search, component: int, offset: int, name: str, t: Type) -> VariableValues:
    size = size_and_alignment(t)[0]
    base = t.base if isinstance(t, SubrangeType) else t
    if not isinstance(base, IntegerType) or isinstance(t, FixedType):
        return VariableValues(name, search.range_of(component, offset, size).distinct)
    found = search.range_of(component, offset, size, size_and_signedness(t)[1])
    return VariableValues(name, found.distinct, found.lowest, found.highest)


# --- channels --------------------------------------------------------------------------------------------------


def channels_at_once(machine: Machine, search: Search) -> int | None:
    """NEW gives the lowest number that nobody holds, so the highest one tells how many there were at once."""
    if any(hides_channels(body) for body in machine.bodies):
        return None
    most = max(machine.constant_ports.values(), default=0)
    own = {r.first_slot: r for r in machine.layout.records}
    ports = {offset: v for v, offset in machine.layout.variables.items() if port_places(v)}
    for number, c in enumerate(search.description.components):
        places: list[int] = []
        if c.slot < 0:
            at = 0
            for offset, size in c.pieces:
                if offset in ports:
                    places += [at + i for i in port_places(ports[offset])]
                at += size
        elif c.slot in own:
            r = own[c.slot]
            assert r.body.frame is not None
            for v, offset in r.body.frame.variables.items():
                start = r.position_size + r.frame0 + offset
                if v.kind is not VariableKind.VAR:
                    places += [start + i for i in port_places(v)]
        for at in places:
            most = max(most, search.range_of(number, at, machine.port_size).highest)
    return most


def port_places(v: Variable) -> Sequence[int]:
    """Where the variable has channel numbers."""
    return port_offsets(v.type) if is_port(v.type) and not isinstance(v.type, OpenArrayType) else ()


def hides_channels(body: Body) -> bool:
    """A called process that makes channels in variables of its own: they lie where the record's layout does not say."""
    if body.process is None or not body.called:
        return False
    own = {*body.locals, *body.formals}
    return any(
        isinstance(st, typed.New) and variable_under(st.port) in own for block in body.blocks for st in block.statements
    )


def variable_under(e: typed.Expr) -> Variable | None:
    while isinstance(e, typed.IndexRef | typed.FieldRef):
        e = e.base
    return e.variable if isinstance(e, typed.VariableRef) else None
