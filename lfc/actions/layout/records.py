"""Lays out records: the frame field, the counts of recursive calls, frame 0 and room for the frames of calls."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.actions.layout.frames import aligned
from lfc.actions.model.machine import Body, RecordLayout


@dataclass(slots=True)
class RecordShape:
    """A record before it has its place in the block."""

    frame_field_offset: int | None
    frame_field_size: int
    call_counts: dict[Body, tuple[int, int]]
    frame0: int
    calls_offset: int | None
    size: int
    align: int

    def placed(self, body: Body, first_slot: int, slots: int, offset: int) -> RecordLayout:
        """At this offset in the block; its positions, which lie apart, have none yet."""
        return RecordLayout(
            body=body,
            first_slot=first_slot,
            slots=slots,
            position_offset=0,
            offset=offset,
            stride=self.size,
            position_size=0,
            frame_field_offset=self.frame_field_offset,
            frame_field_size=self.frame_field_size,
            call_counts=self.call_counts,
            frame0=self.frame0,
            calls_offset=self.calls_offset,
        )


def shape_record(body: Body, frame_align: int) -> RecordShape:
    """`frame_align`: what callee's frames are aligned to, the greatest alignment of any frame."""
    shape = _shape(body, frame_align, 1)
    return shape if shape.size <= 255 or shape.frame_field_offset is None else _shape(body, frame_align, 2)


def _shape(body: Body, frame_align: int, field_size: int) -> RecordShape:
    assert body.frame is not None
    calls = bool(body.calls_waiting)
    offset, align = 0, max(1, body.frame.align)
    if calls:
        offset = field_size
        align = max(align, field_size, frame_align)
    counts: dict[Body, tuple[int, int]] = {}
    for callee in reached_by_calls(body):
        if callee.recursive:
            size = 1 if callee.max_calls <= 255 else 2
            offset = aligned(offset, size)
            counts[callee] = offset, size
            offset += size
            align = max(align, size)
    frame0 = aligned(offset, frame_align if calls else body.frame.align)
    end = frame0 + body.frame.size
    calls_offset = aligned(end, frame_align) if calls else None
    if calls_offset is not None:
        end = calls_offset + room_for_calls(body, frame_align)
    field_offset = 0 if calls else None
    return RecordShape(
        field_offset, field_size if calls else 0, counts, frame0, calls_offset, aligned(end, align), align
    )


def reached_by_calls(body: Body) -> list[Body]:
    """The bodies that can wait and whose frames may lie above that of `body`, in the order of the text."""
    seen: set[Body] = set()
    stack = [body]
    while stack:
        for callee in stack.pop().calls_waiting:
            if callee not in seen:
                seen.add(callee)
                stack.append(callee)
    return sorted(seen, key=lambda b: b.order)


def room_for_calls(body: Body, frame_align: int) -> int:
    """The longest chain of callee's frames. A body on a cycle of calls counts as often as it may be under way, and so
    does every other body of that cycle: that is what there can be at most."""
    reached = reached_by_calls(body)
    reaches = {b: set(reached_by_calls(b)) for b in reached}

    def frames_of(b: Body) -> int:
        assert b.frame is not None
        return aligned(b.frame.size, frame_align)

    known: dict[Body, int] = {}

    def room(first: Body) -> int:
        """Frames from a call of `first` on."""
        if first not in known:
            cycle = [b for b in reaches[first] if first in reaches[b]] if first in reaches[first] else [first]
            own = sum(frames_of(b) * (b.max_calls if b.recursive else 1) for b in cycle)
            further = [c for b in cycle for c in b.calls_waiting if c not in cycle]
            known[first] = own + max((room(c) for c in further), default=0)
        return known[first]

    return max((room(callee) for callee in body.calls_waiting), default=0)
