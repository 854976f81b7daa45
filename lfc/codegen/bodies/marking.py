"""Which channel numbers are in use: what NEW looks through."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lfc.actions.layout.frames import message_layout
from lfc.actions.model.machine import Body, CallWaiting, Position, RecordLayout
from lfc.codegen.module.emit import Function, Value, number
from lfc.codegen.module.unit import Unit, aligned_frame_size_of, reached
from lfc.semantics.model import typed
from lfc.semantics.model.typed import VariableKind
from lfc.semantics.model.types import OpenArrayType, Type, is_port, port_offsets

B, USED = Value("ptr", "%b"), Value("ptr", "%used")
UNROLLED = 2  # ports of an array that are not worth a loop


def mark(f: Function, at: Value, t: Type) -> None:
    """The port or ports at `at`."""
    offsets = port_offsets(t)
    if len(offsets) > UNROLLED:
        first = f.offset(at, offsets.start)
        with counted(f, len(offsets)) as i:
            mark_one(f, f.offset(first, f.arithmetic("mul", i, number(16, offsets.step))), offsets.step)
        return
    for offset in offsets:
        mark_one(f, f.offset(at, offset), offsets.step)


@contextmanager
def counted(f: Function, times: int) -> Iterator[Value]:
    """A loop; gives how many rounds there were before."""
    counter = f.alloca("i16", 2)
    f.store(number(16, 0), counter, 2)
    head, end = f.label_name("head"), f.label_name("end")
    f.label(head)
    i = f.load("i16", counter, 2)
    yield i
    following = f.arithmetic("add", i, number(16, 1))
    f.store(following, counter, 2)
    f.branch_if(f.compare("ult", following, number(16, times)), head, end)
    f.label(end)


def mark_one(f: Function, at: Value, size: int) -> None:
    f.call("void", "@lf_mark", [USED, f.load(f"i{8 * size}", at, size)])


def mark_ports(unit: Unit) -> None:
    f = Function(unit.target, "void @lf_program_mark_ports(ptr %b, ptr %used)")
    layout = unit.layout
    for v, offset in layout.variables.items():
        if is_port(v.type):
            mark(f, f.offset(B, offset), v.type)
    for r in layout.records:
        if any(has_ports(body) for body in reached(r)):
            mark_record(unit, f, r)
    f.end("ret void")
    unit.add(f)


def has_ports(body: Body) -> bool:
    assert body.frame is not None
    own = any(is_port(v.type) and is_stored(v) for v in body.frame.variables)
    return own or any(picture(p) for p in body.positions if not p.ready)


def is_stored(v: typed.Variable) -> bool:
    return v.kind is not VariableKind.VAR and not isinstance(v.type, OpenArrayType)


def picture(p: Position) -> list[int]:
    """Where the wait area of a waiting position holds channel numbers, relative to the frame."""
    assert p.point is not None
    found = []
    for clause in p.point.clauses:
        if clause.port_offset is not None:
            found.append(clause.port_offset)
        if clause.value_offsets and isinstance(clause.event, typed.Send):
            offsets, _, _ = message_layout(clause.event.message.types)
            for t, offset in zip(clause.event.message.types, offsets, strict=True):
                if is_port(t):
                    found += [clause.value_offsets[0] + offset + i for i in port_offsets(t)]
    return found


def mark_record(unit: Unit, f: Function, r: RecordLayout) -> None:
    """Slot by slot: the frames of a live process, from the innermost outwards. Several slots are a loop."""
    if r.slots == 1:
        mark_slot(unit, f, r, f.offset(B, r.offset), f.offset(B, r.position_offset))
        return
    with counted(f, r.slots) as i:
        record = f.offset(f.offset(B, r.offset), f.arithmetic("mul", i, number(16, r.stride)))
        at = f.offset(f.offset(B, r.position_offset), f.arithmetic("mul", i, number(16, r.position_size)))
        mark_slot(unit, f, r, record, at)


def mark_slot(unit: Unit, f: Function, r: RecordLayout, record: Value, at: Value) -> None:
    """`at`: of its position."""
    bits = 8 * r.position_size
    position = f.load(f"i{bits}", at, r.position_size)
    over = f.label_name("over")
    if r.frame_field_offset is not None:
        mark_chain(unit, f, r, record, position, over)
        return
    frame: Value = f.offset(record, r.frame0)
    live = f.label_name("live")
    f.branch_if(f.compare("eq", position, number(bits, 0)), over, live)
    f.label(live)
    mark_body(f, r.body, frame)
    mark_picture(unit, f, r.body, frame, position)
    f.branch(over)
    f.label(over)


def mark_body(f: Function, body: Body, frame: Value) -> None:
    assert body.frame is not None
    for v, offset in body.frame.variables.items():
        if is_port(v.type) and is_stored(v):
            mark(f, f.offset(frame, offset), v.type)


def mark_picture(unit: Unit, f: Function, body: Body, frame: Value, position: Value) -> None:
    """A waiting process's own ports, and those in its message."""
    after = f.label_name("after")
    pictures = [(p.number, f.label_name("picture"), picture(p)) for p in body.positions if not p.ready]
    pictures = [x for x in pictures if x[2]]
    if not pictures:
        return
    f.switch(position, [(n, label) for n, label, _ in pictures], after)
    for _, label, offsets in pictures:
        f.label(label)
        for offset in offsets:
            mark_one(f, f.offset(frame, offset), unit.port_bits // 8)
        f.branch(after)
    f.label(after)


def mark_chain(unit: Unit, f: Function, r: RecordLayout, record: Value, position: Value, over: str) -> None:
    """A record with calls: the position tells whose frame it is; a return position, whose frame is below."""
    bits = 8 * r.position_size
    size = r.frame_field_size
    assert r.frame_field_offset is not None
    at_p, at_frame = f.alloca(f"i{bits}", 2), f.alloca("i16", 2)
    f.store(position, at_p, r.position_size)
    f.store(f.widen(f.load(f"i{8 * size}", f.offset(record, r.frame_field_offset), size), 16), at_frame, 2)
    head = f.label_name("frame")
    f.label(head)
    p = f.load(f"i{bits}", at_p, r.position_size)
    where = f.load("i16", at_frame, 2)
    frame = f.offset(record, where)
    bodies = reached(r)
    labels = [f.label_name("body") for _ in bodies]
    cases = [(x.number, label) for b, label in zip(bodies, labels, strict=True) for x in b.positions]
    f.switch(p, cases, over)
    for body, label in zip(bodies, labels, strict=True):
        f.label(label)
        mark_body(f, body, frame)
        mark_picture(unit, f, body, frame, p)
        assert body.frame is not None
        if body.frame.return_offset is None:
            f.branch(over)
            continue
        back = f.load(f"i{bits}", f.offset(frame, body.frame.return_offset), body.frame.return_size)
        f.store(back, at_p, r.position_size)
        returns = [
            (block.end.position.number, aligned_frame_size_of(unit, caller), f.label_name("caller"))
            for caller in bodies
            for block in caller.blocks
            if isinstance(block.end, CallWaiting) and block.end.callee is body
        ]
        f.switch(back, [(n, label) for n, _, label in returns], over)
        for _, distance, caller_label in returns:
            f.label(caller_label)
            f.store(f.arithmetic("sub", where, number(16, distance)), at_frame, 2)
            f.branch(head)
    f.label(over)
