"""The state block to the byte, as docs/reference/machine.md says: positions, pending bits, variables, records."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.flow.positions import position_size
from lfc.actions.layout.frames import aligned, frame_alignment, lay_frame, lay_variables
from lfc.actions.layout.records import shape_record
from lfc.actions.model.constant_pool import constant_pool
from lfc.actions.model.machine import BlockLayout, Body, Position, RecordLayout
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Process, Variable
from lfc.semantics.model.visit import communications


def lay_out(
    bodies: Sequence[Body],
    positions: Sequence[Position],
    first_waiting: int,
    modules: Sequence[Module],
    instances: dict[Process, int],
    module_ports: set[Variable],
    max_channels: int,
    interrupts: list[int],
    after: BlockLayout | None = None,
) -> BlockLayout:
    """`after`: the part of the block that this one follows (for environment modules)."""
    width = position_size(list(positions))
    with_frames = [b for b in bodies if b.has_positions]
    for body in with_frames:
        body.frame = lay_frame(body, width, module_ports)

    slotted = [(b, 1 if b.process is None else instances[b.process]) for b in with_frames if owns_slots(b)]
    slots = sum(count for _, count in slotted)
    first_slot = 0 if after is None else _slots_of(after)
    positions_offset = aligned(0 if after is None else after.size, width)
    pending_offset = positions_offset + slots * width
    pending_size = (len(interrupts) + 7) // 8
    variables: dict[Variable, int] = {}
    end = pending_offset + pending_size
    for module in modules:
        places, end = lay_variables(module.variables, end)
        variables.update(places)

    records: list[RecordLayout] = []
    frame_align, slot = frame_alignment(with_frames), 0
    for body, count in slotted:
        shape = shape_record(body, frame_align)
        record = shape.placed(body, first_slot + slot, count, aligned(end, shape.align))
        record.position_offset, record.position_size = positions_offset + slot * width, width
        records.append(record)
        end = record.offset + count * record.stride if count and record.stride else end
        slot += count
    pool, constant_offsets = constant_pool(bodies, modules)
    return BlockLayout(
        size=end,
        positions_offset=positions_offset,
        pending_offset=pending_offset,
        pending_size=pending_size,
        interrupts=interrupts,
        variables=variables,
        records=records,
        position_size=width,
        first_waiting=first_waiting,
        max_channels=max_channels,
        constant_pool=pool,
        constant_offsets=constant_offsets,
    )


def owns_slots(body: Body) -> bool:
    return body.process is None or body.created


def _slots_of(layout: BlockLayout) -> int:
    return max((r.first_slot + r.slots for r in layout.records), default=0)


def interrupts_named(modules: Sequence[Module]) -> list[int]:
    """In the order of their numbers, which is that of their bits."""
    found: set[int] = set()

    def look_into(processes: Sequence[Process]) -> None:
        for p in processes:
            bodies.append(p.body)
            look_into(p.nested)

    bodies: list[list[typed.Statement]] = [m.body for m in modules]
    for m in modules:
        look_into(m.processes)
    for body in bodies:
        for event, _ in communications(body):
            if isinstance(event.port, typed.InterruptPort):
                found.add(event.port.number)
    return sorted(found)
