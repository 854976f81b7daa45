"""Leaving a body: the end of an action, calls and returns of processes that can wait.

The function of a body returns an i16 to the dispatcher: OVER ends the action; another number is added to the frame
field of the record, and the action goes on at the position that has been set.
"""

from __future__ import annotations

from lfc.actions.model.machine import Body, CallWaiting, Position
from lfc.base.source import Span
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import CALLS, Scope
from lfc.codegen.module.unit import aligned_frame_size_of, roots_of

FEW = 8  # slots, of which each has a test of its own when the next one is looked for
OVER = -32768  # no distance: a record has less than 32768 bytes


def set_own_position(s: Scope, position: int) -> None:
    f = s.f
    layout = s.unit.layout_of(s.body)
    size = layout.position_size
    at = f.offset(s.b, layout.positions_offset)
    slot = f.widen(s.unit.own_slot, 16)
    if layout is not s.unit.machine.layout:
        slot = f.arithmetic("sub", slot, number(16, layout.records[0].first_slot))
    if size == 2:
        slot = f.arithmetic("shl", slot, number(16, 1))
    f.store(number(8 * size, position), f.offset(at, slot), size)


def leave_at(s: Scope, position: Position) -> None:
    """The action is over; the process goes on at `position`, or waits there."""
    set_own_position(s, position.number)
    s.f.end(f"ret i16 {OVER}")


def leave_with_frame(s: Scope, position: int, distance: int) -> None:
    set_own_position(s, position)
    s.f.end(f"ret i16 {distance}")


def call_counter(s: Scope, callee: Body) -> list[tuple[int, int, int, int]]:
    """For each record in which `callee` can be called: first slot, slots, offset of the counter, its size."""
    return [(r.first_slot, r.slots, *r.call_counts[callee]) for r in roots_of(s.unit.layout, s.body)]


def for_each_counter(s: Scope, callee: Body, call: str, extra: list[Value | str]) -> None:
    """Calls a function of the kernel on the counter of the own record."""
    f = s.f
    counters = call_counter(s, callee)
    done = f.label_name("counted")
    for i, (first, slots, offset, size) in enumerate(counters):
        if i + 1 < len(counters):
            mine, other = f.label_name("mine"), f.label_name("other")
            bits = s.unit.slot_bits
            index = f.arithmetic("sub", s.unit.own_slot, number(bits, first))
            f.branch_if(f.compare("ult", index, number(bits, slots)), mine, other)
            f.label(mine)
        at = f.offset(Value("ptr", "%record"), offset)
        before: list[Value | str] = [s.b] if extra else []
        f.call("void", call, [*before, at, number(8, size), *extra])
        if i + 1 < len(counters):
            f.branch(done)
            f.label(other)
    f.branch(done)
    f.label(done)


def count_calls(s: Scope, callee: Body, span: Span) -> None:
    site = number(16, s.unit.site(CALLS, span, "call"))
    s.checks += 1
    for_each_counter(s, callee, "@lf_count_call", [number(16, callee.max_calls), site])


def finish(s: Scope) -> None:
    """The end of a body with positions: back to the caller, or the end of the process."""
    f = s.f
    body = s.body
    assert body.frame is not None
    if body.frame.return_offset is None:
        end_process(s)
        return
    size = body.frame.return_size
    back = f.load(f"i{8 * size}", f.offset(s.frame, body.frame.return_offset), size)
    callers = return_positions(s, body)
    ended = f.label_name("ended")
    cases = [(p.number, f.label_name("back")) for p in callers]
    if any(r.body is body for r in s.unit.layout.records):
        f.switch(back, cases, ended)
        f.label(ended)
        end_process(s)
    elif not cases:  # only called where control never comes
        f.end("unreachable")
    else:
        f.switch(back, cases[1:], cases[0][1])
    for (_, label), p in zip(cases, callers, strict=True):
        f.label(label)
        if body.recursive:
            for_each_counter(s, body, "@lf_uncount_call", [])
        f.call("void", "@lf_clear", [s.frame, number(16, body.frame.size)])
        leave_with_frame(s, p.number, -aligned_frame_size_of(s.unit, p.body))


def return_positions(s: Scope, body: Body) -> list[Position]:
    return [
        block.end.position
        for caller in s.unit.bodies
        for block in caller.blocks
        if isinstance(block.end, CallWaiting) and block.end.callee is body
    ]


def end_process(s: Scope) -> None:
    f = s.f
    r = next(r for r in s.unit.layout.records if r.body is s.body)
    slot = s.unit.own_slot
    index = f.arithmetic("sub", slot, number(s.unit.slot_bits, r.first_slot))
    wide = number(8, r.position_size - 1)
    record = Value("ptr", "%record")
    f.call("void", "@lf_end", [s.b, number(16, r.position_offset), index, wide, slot, record, number(16, r.stride)])
    f.end(f"ret i16 {OVER}")
