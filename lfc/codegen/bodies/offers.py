"""What waiting processes offer: one constant `struct lf_offer` for each clause of each waiting position and each run
of slots that can be there.
"""

from __future__ import annotations

from dataclasses import dataclass

from lfc.actions.analysis.known_partners import channel_of_element, channels_by_slot
from lfc.actions.layout.frames import message_layout
from lfc.actions.model.machine import Body, Machine, Point, PointClause, RecordLayout, direction_of
from lfc.codegen.bodies.receiving import accept_function, complete_function
from lfc.codegen.module.emit import number
from lfc.codegen.module.unit import Unit, roots_of
from lfc.semantics.model import typed
from lfc.semantics.model.typed import VariableKind
from lfc.semantics.model.types import ArrayType, Message, size_and_alignment

NONE = 0xFF
PORT_NONE, PORT_FRAME, PORT_BLOCK, PORT_CONSTANT = range(4)


@dataclass(slots=True, eq=False)
class Offer:
    record: RecordLayout
    body: Body
    point: Point
    clause: PointClause
    symbol: str


def all_offers(unit: Unit) -> list[Offer]:
    found = []
    for body in unit.bodies:
        for point in body.points:
            if point.waiting is None:
                continue
            for record in roots_of(unit.layout, body):
                for clause in point.clauses:
                    name = f'@"offer.{point.waiting.number}.{clause.index}.{record.first_slot}"'
                    found.append(Offer(record, body, point, clause, name))
    return found


def own_number(clause: PointClause, point: Point) -> int:
    """How items and offers name a clause."""
    return clause.index if point.is_select else NONE


def wait_size(point: Point) -> int:
    """How many bytes of the wait area the picture of this point takes."""
    assert point.body.frame is not None
    ends = [point.body.frame.wait_offset]
    if point.closed_offset is not None:
        ends.append(point.closed_offset + point.closed_size)
    for clause in point.clauses:
        if clause.port_offset is not None:
            assert isinstance(clause.event, typed.Send | typed.Receive)
            ends.append(clause.port_offset + size_and_alignment(clause.event.port.type)[0])
        event = clause.event
        if clause.value_offsets and isinstance(event, typed.Send):
            ends.append(clause.value_offsets[0] + message_size(event.message))
        ends += [t.offset + 2 for t in clause.targets if t.offset is not None]
    return max(ends) - ends[0]


def message_size(message: Message) -> int:
    return message_layout(message.types)[1]


def port_of(unit: Unit, body: Body, clause: PointClause) -> tuple[int, int]:
    """Where an offer finds its port: kind and number."""
    event = clause.event
    if not isinstance(event, typed.Send | typed.Receive) or isinstance(event.port, typed.InterruptPort | typed.IoPort):
        return PORT_NONE, 0
    if clause.port_offset is not None:
        return PORT_FRAME, clause.port_offset
    root, distance = constant_place(event.port)
    variable = root.variable
    if variable in unit.machine.constant_ports and isinstance(event.port, typed.VariableRef):
        return PORT_CONSTANT, unit.machine.constant_ports[variable]
    if variable.kind is VariableKind.MODULE:
        return PORT_BLOCK, unit.layout.variables[variable] + distance
    assert body.frame is not None
    return PORT_FRAME, body.frame.variables[variable] + distance


def port_on_board(unit: Unit, o: Offer) -> tuple[int, int] | None:
    """Where channels are never renamed, what is known of them need not be looked up."""
    if unit.target.bounded_actions:
        return None
    channels = waiting_on(unit.machine, o)
    if channels is not None and len(channels) == 1:
        return PORT_CONSTANT, next(iter(channels))
    return (PORT_NONE, 0) if places_by_channel(unit, o) is not None else None


def places_by_channel(unit: Unit, o: Offer) -> dict[int, int] | None:
    """On a board: for each channel, who alone can wait on it in this offer, by place among its slots. None: several can
    wait on one channel, or it is not known who waits where."""
    channels = None if unit.target.bounded_actions or o.record.slots == 1 else waiting_on(unit.machine, o)
    if channels is None or any(len(slots) > 1 for slots in channels.values()):
        return None
    return {channel: slots[0] - o.record.first_slot for channel, slots in channels.items()}


def steady_channel(machine: Machine, body: Body, clause: PointClause) -> int | None:
    """The channel that a clause always speaks of, where it is known."""
    event = clause.event
    if not isinstance(event, typed.Send | typed.Receive) or not isinstance(event.port, typed.VariableRef):
        return None
    return machine.constant_ports.get(event.port.variable)


def constant_place(e: typed.Expr) -> tuple[typed.VariableRef, int]:
    """The variable of a steady port, and how many bytes into it."""
    if isinstance(e, typed.VariableRef):
        return e, 0
    assert isinstance(e, typed.IndexRef) and isinstance(e.index, typed.Constant) and isinstance(e.index.value, int)
    root, distance = constant_place(e.base)
    assert isinstance(e.base.type, ArrayType)
    return root, distance + e.index.value * size_and_alignment(e.base.type.element)[0]


def make_offers(unit: Unit) -> dict[tuple[str, object], list[Offer]]:
    """Emits the constants; gives the offers of each direction and message."""
    by_direction: dict[tuple[str, object], list[Offer]] = {}
    for offer in all_offers(unit):
        by_direction.setdefault(direction_of(offer.clause), []).append(offer)
    unit.shared = shared_points(unit.machine, by_direction)
    for offers in by_direction.values():
        for offer in offers:
            emit_offer(unit, offer, id(offer.point) in unit.shared)
    return by_direction


def shared_points(machine: Machine, by_direction: dict[tuple[str, object], list[Offer]]) -> set[int]:
    """Points of which one queue can hold several processes."""
    shared: set[int] = set()
    for (kind, _), offers in by_direction.items():
        if kind in (typed.Sleep.__name__, typed.AfterEvent.__name__, typed.ConsoleRead.__name__):
            continue  # nobody chooses among these by their arrival
        everywhere: set[int] = set()  # slots that may wait on any channel
        on: dict[int, set[int]] = {}  # channel -> slots that may wait there and nowhere else
        of = [(o, waiting_on(machine, o)) for o in offers]
        for o, channels in of:
            if channels is None:
                everywhere.update(range(o.record.first_slot, o.record.first_slot + o.record.slots))
            for channel, slots in (channels or {}).items():
                on.setdefault(channel, set()).update(slots)
        for o, channels in of:
            queues = [everywhere.union(*on.values())] if channels is None else [everywhere | on[c] for c in channels]
            if any(len(queue) > 1 for queue in queues):
                shared.add(id(o.point))
    return shared


def waiting_on(machine: Machine, o: Offer) -> dict[int, list[int]] | None:
    """By channel, the slots that can wait on it in this offer. None: any of them on any channel."""
    first = o.record.first_slot
    event = o.clause.event
    channel = steady_channel(machine, o.body, o.clause)
    if channel is None and isinstance(event, typed.Send | typed.Receive):
        channel = channel_of_element(machine, event.port)
    if channel is not None:
        return {channel: list(range(first, first + o.record.slots))}
    by_slot = channels_by_slot(machine, o.record, o.body, o.clause)
    if by_slot is None:
        return None
    found: dict[int, list[int]] = {}
    for i, known in enumerate(by_slot):
        if known is not None:
            found.setdefault(known, []).append(first + i)
    return found


def emit_offer(unit: Unit, o: Offer, shares: bool) -> None:
    assert o.body.frame is not None and o.point.waiting is not None
    r = o.record
    code = unit.target.code_pointer
    kind, port = port_on_board(unit, o) or port_of(unit, o.body, o.clause)
    moving = r.frame_field_offset is not None
    closable = o.point.closed_offset is not None and o.clause.guard is not None and not is_receive(o.clause)
    words = [
        r.position_offset,
        r.offset,
        r.stride,
        0 if moving else r.frame0,
        r.frame_field_offset or 0,
        o.point.waiting.number,
        o.clause.resume.number,
        port,
        o.point.closed_offset or 0,
        o.clause.value_offsets[0] if o.clause.value_offsets else 0,
        o.body.frame.wait_offset,
        wait_size(o.point),
    ]
    slots = [r.first_slot, r.slots]
    small = [
        r.frame_field_size if moving else 0,
        r.position_size - 1,
        own_number(o.clause, o.point),
        kind,
        int(closable),
    ]
    accept = accept_function(unit, o.point, o.clause) if is_receive(o.clause) else None
    complete = complete_function(unit, o.point, o.clause) if is_receive(o.clause) else None
    small += [int(accept is not None), int(complete is not None), int(shares)]
    fields = [f"i16 {w if w < 32768 else w - 65536}" for w in words]
    fields += [str(number(unit.slot_bits, n)) for n in slots]
    fields += [f"i8 {w if w < 128 else w - 256}" for w in small]
    fields += [f"{code} {accept or 'null'}", f"{code} {complete or 'null'}"]
    unit.globals.append(f"{o.symbol} = internal unnamed_addr constant %lf_offer {{ {', '.join(fields)} }}")


def is_receive(clause: PointClause) -> bool:
    return isinstance(clause.event, typed.Receive | typed.ConsoleRead)
