"""Who can be the partner of a clause, and what is known of where it lies.

On a board slots and channels are never renamed. If it is known on which channel each slot speaks, the
partner is found by a number, or lies always as far from who seeks it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from lfc.actions.model.machine import Machine, Point, PointClause, RecordLayout, direction_of
from lfc.codegen.bodies.offers import Offer, places_by_channel, steady_channel, waiting_on
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import Scope
from lfc.codegen.module.unit import Unit

Offers = dict[tuple[str, object], list[Offer]]
PARTNER = {"send": "receive", "receive": "send"}


class Known(Enum):
    """Of the one slot of an offer that can wait for us."""

    NOBODY = "nothing: all of them are looked at"
    INDEX = "its place among them"
    PLACE = "its slot, where its position lies, and its frame"


@dataclass(slots=True)
class Whereabouts:
    known: Known = Known.NOBODY
    place: list[Value] = field(default_factory=list)
    can_be: Value | None = None  # i1: whether there is such a slot; None: there always is


def partners(machine: Machine, point: Point, clause: PointClause, offers: Offers) -> list[Offer]:
    """Two SELECTs never meet."""
    kind, key = direction_of(clause)
    if kind not in PARTNER:
        return []
    possible = [o for o in offers.get((PARTNER[kind], key), []) if not (point.is_select and o.point.is_select)]
    channel = steady_channel(machine, point.body, clause)
    if channel is None:
        return possible
    return [o for o in possible if steady_channel(machine, o.body, o.clause) in (None, channel)]


def own_channels(unit: Unit, point: Point, clause: PointClause) -> dict[int, list[int]] | None:
    """On a board: by channel, the slots that speak of it there. None: it is not known of each of them."""
    own = own_record(unit, point)
    if unit.target.bounded_actions or own is None:
        return None
    return waiting_on(unit.machine, Offer(own, point.body, point, clause, ""))


def is_surely_set(unit: Unit, point: Point, clause: PointClause) -> bool:
    """On a board: whether the port has a channel whenever a process comes there. If it is known which one, the
    initialisation has made it before any process runs; what it calls itself may run before."""
    body = point.body
    if body.process is None or body.called or body.domain != "program":
        return False
    return own_channels(unit, point, clause) is not None


def possible_partners(unit: Unit, point: Point, clause: PointClause, offers: Offers) -> list[Offer]:
    """On a board slots and channels are never renamed: who waits on other channels only is not looked at."""
    found = partners(unit.machine, point, clause, offers)
    channels = own_channels(unit, point, clause)
    if channels is None:
        return found
    there = [(o, waiting_on(unit.machine, o)) for o in found]
    return [o for o, waiting in there if waiting is None or not waiting.keys().isdisjoint(channels)]


def index_of_partner(s: Scope, o: Offer, channel: Value) -> Value | None:
    """On a board: who alone can wait on this channel there, by place among the offer's slots; else, a greater number.
    None: several can, or it is not known who."""
    unit, f = s.unit, s.f
    of = places_by_channel(unit, o)
    if of is None:
        return None
    if len({known - i for known, i in of.items()}) == 1:
        return f.arithmetic("sub", channel, number(unit.port_bits, min(known - i for known, i in of.items())))
    space = f"addrspace({unit.target.code_space}) " if unit.target.code_space else ""
    name = f'@"partners.{o.symbol[2:]}'
    numbers = [of.get(c, 0xFF) for c in range(unit.layout.max_channels + 1)]
    listed = ", ".join(str(number(8, n)) for n in numbers)
    table = f"{name} = internal {space}constant [{len(numbers)} x i8] [{listed}]"
    unit.once(name, lambda: unit.globals.append(table))
    at = f.op("ptr", f"getelementptr i8, ptr {space}{name}, {f.widen(channel, 32)}")
    return f.op("i8", f"load i8, ptr {space}{at.ref}, align 1")


def own_record(unit: Unit, point: Point) -> RecordLayout | None:
    return next((r for r in unit.layout.records if r.body is point.body), None)


def whereabouts(s: Scope, point: Point, clause: PointClause, channel: Value, o: Offer) -> Whereabouts:
    unit, f = s.unit, s.f
    distance = distance_of_partner(unit, point, clause, o)
    if distance is not None:
        return at_distance(s, point, distance, o, channels_of(unit, point, clause))
    index = index_of_partner(s, o, channel)
    if index is None:
        return Whereabouts()
    return Whereabouts(Known.INDEX, [index], f.compare("ult", index, number(unit.slot_bits, o.record.slots)))


def channels_of(unit: Unit, point: Point, clause: PointClause) -> dict[int, int]:
    """By slot."""
    found = own_channels(unit, point, clause) or {}
    return {slot: channel for channel, slots in found.items() for slot in slots}


def distance_of_partner(unit: Unit, point: Point, clause: PointClause, o: Offer) -> int | None:
    """From the own slot to the one that alone can wait for it in this offer: the same for all of ours that have one.
    Who has none has nobody of the offer at this distance either."""
    own, r = own_record(unit, point), o.record
    there = None if unit.target.bounded_actions else waiting_on(unit.machine, o)
    if own is None or own.slots == 1 or own.body.called or there is None or id(o.point) in unit.shared:
        return None
    moving = own.frame_field_offset is not None or r.frame_field_offset is not None
    if moving or (r.slots > 1 and r.stride != own.stride):
        return None
    mine = channels_of(unit, point, clause)
    if any(len(there.get(channel, ())) > 1 for channel in mine.values()):
        return None
    distances = {there[channel][0] - slot for slot, channel in mine.items() if channel in there}
    if len(distances) != 1:
        return None
    (distance,) = distances
    taken = range(r.first_slot, r.first_slot + r.slots)
    return None if any(s + distance in taken for s, channel in mine.items() if channel not in there) else distance


def at_distance(s: Scope, point: Point, distance: int, o: Offer, mine: dict[int, int]) -> Whereabouts:
    unit, f, r = s.unit, s.f, o.record
    own = own_record(unit, point)
    assert own is not None
    can_be = None
    if any(not r.first_slot <= slot + distance < r.first_slot + r.slots for slot in mine):
        bits = unit.slot_bits if own.slots + r.slots <= 1 << unit.slot_bits else 16  # who lies too far comes round
        index = f.arithmetic("sub", f.widen(unit.own_slot, bits), number(bits, r.first_slot - distance))
        can_be = f.compare("ult", index, number(bits, r.slots))
    if r.slots == 1:
        position, frame = f.offset(s.b, r.position_offset), f.offset(s.b, r.offset + r.frame0)
        return Whereabouts(Known.PLACE, [number(unit.slot_bits, r.first_slot), position, frame], can_be)
    first = r.position_offset + (distance - r.first_slot) * r.position_size
    scaled = f.widen(unit.own_slot, 16)
    if r.position_size == 2:
        scaled = f.arithmetic("shl", scaled, number(16, 1))
    position = f.offset(f.offset(s.b, scaled), first)
    to_record = r.offset + (own.first_slot + distance - r.first_slot) * r.stride - own.offset
    frame = f.offset(s.frame, to_record + r.frame0 - own.frame0)
    slot = f.arithmetic("add", unit.own_slot, number(unit.slot_bits, distance))
    return Whereabouts(Known.PLACE, [slot, position, frame], can_be)
