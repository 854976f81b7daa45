"""The policy block: which fields a program needs, and where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.actions.model.machine import direction_of
from lfc.codegen.module.before_block import ROOM_OF_ROUNDS, ROOM_WITH_CONTEXT, ROOM_WITH_ENVIRONMENT
from lfc.codegen.module.composition import composed_layout
from lfc.codegen.module.generated import PolicyLayout
from lfc.codegen.module.unit import roots_of
from lfc.semantics.model import typed
from lfc.semantics.model.types import size_and_alignment

if TYPE_CHECKING:
    from lfc.actions.model.machine import BlockLayout, Machine, PointClause
    from lfc.codegen.module.generated import PolicyNeeds
    from lfc.codegen.module.target import Target

NOBODY, TURN_OWED = 0xFF, 0xFE  # LF_NOBODY and LF_TURN_OWED of the runtime


def lay_out_policies(machine: Machine, target: Target, deadlines: bool, needs: PolicyNeeds) -> PolicyLayout:
    composed = machine.environment is not None
    if target.explores:
        return PolicyLayout(ROOM_WITH_ENVIRONMENT if composed else ROOM_WITH_CONTEXT, 0, 4, 4, 4, 4, False, 0, 0)
    layout = composed_layout(machine)
    slots = machine.slots
    sleepers = sleepers_room(machine, layout)
    offset = 4 if needs.clock else 0
    deadlines_at = offset
    offset += 8 * slots if deadlines else 0  # when, and how long from a release on
    sleepers_at = offset
    found = PolicyLayout(
        size=0,
        clock_at=0,
        deadlines_at=deadlines_at,
        sleepers_at=sleepers_at,
        cursor_at=0,
        arrivals_at=0,
        has_deadlines=deadlines,
        sleepers_room=sleepers,
        arrivals_room=needs.arrivals,
        slot_size=2 if machine.wide else 1,
    )
    found.cursor_at = sleepers_at + found.sleepers_size
    found.arrivals_at = found.cursor_at + found.slot_size
    offset = found.arrivals_at + found.arrivals_size
    if not (deadlines or target.bounded_actions or composed or slots >= TURN_OWED):
        found.taker_at, found.takers, found.interrupts = offset, takers(machine), len(layout.interrupts)
        offset += (1 + int(found.turn_at is not None)) if found.takers else 0
    align = max(target.max_align, layout_alignment(layout))
    offset = -(-offset // align) * align
    if composed:
        offset += ROOM_WITH_ENVIRONMENT
    elif target.bounded_actions:
        offset += ROOM_OF_ROUNDS
    found.size = offset
    return found


def takes_interrupt(clause: PointClause) -> bool:
    return direction_of(clause)[0] == "receive interrupt"


def takers(machine: Machine) -> tuple[int, ...]:
    """Slots of processes that can wait for an interrupt."""
    found: set[int] = set()
    for body in machine.bodies:
        if any(takes_interrupt(c) for point in body.points for c in point.clauses):
            for r in roots_of(machine.layout, body):
                found.update(range(r.first_slot, r.first_slot + r.slots))
    return tuple(sorted(found))


def layout_alignment(layout: BlockLayout) -> int:
    """What the block's own offset in memory is a multiple of."""
    found = layout.position_size
    for v in layout.variables:
        found = max(found, size_and_alignment(v.type)[1])
    for r in layout.records:
        assert r.body.frame is not None
        found = max(found, r.body.frame.align, r.frame_field_size)
    return found


def sleepers_room(machine: Machine, layout: BlockLayout) -> int:
    """How many processes can wait for time at once."""
    sleeping: dict[int, int] = {}
    for body in machine.composed_bodies:
        for point in body.points:
            timed = any(isinstance(c.event, typed.Sleep | typed.AfterEvent) for c in point.clauses)
            if timed and point.waiting is not None:
                sleeping.update((id(r), r.slots) for r in roots_of(layout, body))
    return sum(sleeping.values())
