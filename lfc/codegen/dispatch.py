"""Which code runs next: the record of a slot and its body; of few processes, the next one that is ready.

Round-robin over few slots is a chain of tests, one for each slot, that the cursor enters behind the slot that ran last.
Each test leads to the code of its own process: what the loop of runtime/policies/board.h would compute is constant
there.
"""

from __future__ import annotations

from lfc.actions.model.machine import BlockLayout, RecordLayout
from lfc.codegen.bodies.frames import FEW, OVER
from lfc.codegen.module.debug import enter_glue
from lfc.codegen.module.emit import Function, Value, bits_of, number
from lfc.codegen.module.generated import PolicyLayout
from lfc.codegen.module.policy_layout import NOBODY, TURN_OWED
from lfc.codegen.module.scope import Scope
from lfc.codegen.module.unit import Unit, reached

FEW_POSITIONS = 4  # of one process, that are compared one by one


def function_of_slot(unit: Unit, signature: str) -> tuple[Function, Scope]:
    f = Function(unit.target, signature)
    enter_glue(unit, f, signature[signature.index("@") + 1 : signature.index("(")])
    return f, Scope(unit, f, unit.bodies[0])


def run_function(unit: Unit) -> None:
    """Finds the record of a slot, then runs its body; calls that can wait go on in the frame of the callee."""
    f, _ = function_of_slot(unit, f"void @lf_program_run(ptr %b, {unit.own_slot.type} zeroext %slot)")
    layout = unit.layout
    records = [r for r in layout.records if r.slots]
    if not unit.target.bounded_actions:  # those that run most often first, it is to be hoped
        records.sort(key=lambda r: r.slots, reverse=True)
    labels = [f.label_name("record") for _ in records]
    for i, r in enumerate(records):
        if i + 1 < len(records):
            following = f.label_name("next")
            f.branch_if(runs_in(unit, f, r), labels[i], following)
            f.label(following)
        else:
            f.branch(labels[i])
    for r, label in zip(records, labels, strict=True):
        f.label(label)
        run_record(unit, f, r, slot_in(unit, r))
    unit.add(f)


def runs_in(unit: Unit, f: Function, r: RecordLayout) -> Value:
    """Whether the slot is one of this record's; on the host the records before it have been looked at."""
    if unit.target.bounded_actions:
        return f.compare("ult", unit.own_slot, number(unit.slot_bits, r.first_slot + r.slots))
    index = f.arithmetic("sub", unit.own_slot, number(unit.slot_bits, r.first_slot))
    return f.compare("ult", index, number(unit.slot_bits, r.slots))


def record_pointer(f: Function, r: RecordLayout, slot: Value) -> Value:
    base = f.offset(Value("ptr", "%b"), r.offset)
    if r.slots == 1:
        return base
    index = f.arithmetic("sub", slot, number(bits_of(slot.type), r.first_slot))
    return f.offset(base, f.arithmetic("mul", f.widen(index, 16), number(16, r.stride)))


def position_pointer(f: Function, layout: BlockLayout, slot: Value) -> Value:
    at = f.offset(Value("ptr", "%b"), layout.positions_offset)
    index = f.widen(slot, 16)
    first = layout.records[0].first_slot
    if first:
        index = f.arithmetic("sub", index, number(16, first))
    if layout.position_size == 2:
        index = f.arithmetic("shl", index, number(16, 1))
    return f.offset(at, index)


def slot_in(unit: Unit, r: RecordLayout) -> Value:
    return number(unit.slot_bits, r.first_slot) if r.slots == 1 else unit.own_slot


def run_record(unit: Unit, f: Function, r: RecordLayout, slot: Value) -> None:
    record = record_pointer(f, r, slot)
    at = position_pointer(f, unit.layout_of(r.body), slot)
    b = Value("ptr", "%b")
    bits = 8 * r.position_size
    if r.frame_field_offset is None:
        position = f.widen(f.load(f"i{bits}", at, r.position_size), 16)
        f.call("i16", unit.symbol(r.body, "run"), [b, slot, record, f.offset(record, r.frame0), position])
        f.end("ret void")
        return
    field = f.offset(record, r.frame_field_offset)
    again, over, nowhere, go_on = (f.label_name(x) for x in ("again", "over", "nowhere", "on"))
    f.label(again)
    position = f.widen(f.load(f"i{bits}", at, r.position_size), 16)
    where = f.load(f"i{8 * r.frame_field_size}", field, r.frame_field_size)
    frame = f.offset(record, f.widen(where, 16))
    bodies = reached(r)
    labels = [f.label_name("body") for _ in bodies]
    cases = [(p.number, label) for x, label in zip(bodies, labels, strict=True) for p in x.positions if p.ready]
    f.switch(position, cases, nowhere)
    results = []
    for x, label in zip(bodies, labels, strict=True):
        f.label(label)
        results.append((f.call("i16", unit.symbol(x, "run"), [b, slot, record, frame, position]), label))
        f.branch(go_on)
    f.label(nowhere)
    f.end("unreachable")
    f.label(go_on)
    moved = f.op("i16", "phi i16 " + ", ".join(f"[ {v.ref}, %{label} ]" for v, label in results))
    change = f.label_name("change")
    f.branch_if(f.compare("eq", moved, number(16, OVER)), over, change)
    f.label(change)
    f.store(f.arithmetic("add", where, f.widen(moved, 8 * r.frame_field_size)), field, r.frame_field_size)
    f.branch(again)
    f.label(over)
    f.end("ret void")


def deep_at(unit: Unit) -> int | None:
    """Where in the block the library's `Power` keeps whether the board may sleep so deeply that its clock stands."""
    if not any(m.name == "ChipPower" for m in unit.machine.program.modules):
        return None
    variables = unit.layout.variables.items()
    return next((at for v, at in variables if v.name == "deep" and v.owner.name == "Power"), None)


def has_next(unit: Unit, policies: PolicyLayout) -> bool:
    """Whether `lf_program_run_next` is there."""
    if unit.target.bounded_actions or policies.has_deadlines or unit.machine.wide or deep_at(unit) is not None:
        return False
    return unit.machine.environment is None and sum(r.slots for r in unit.layout.records) <= FEW


def taker_pointer(f: Function, policies: PolicyLayout) -> Value:
    return f.offset(Value("ptr", "%b"), policies.taker_at - policies.size)


def run_taker(
    f: Function,
    policies: PolicyLayout,
    slots: list[tuple[RecordLayout, int]],
    run: dict[int, str],
    found: dict[int, list[tuple[int, str]]],
) -> Value:
    """Who has taken an interrupt runs before the others have their turn. The taker, behind which these come."""
    labels = {n: f.label_name("taker") for n in policies.takers}
    nobody = f.label_name("ordinary")
    taker = f.load("i8", taker_pointer(f, policies), 1)
    f.switch(taker, list(labels.items()), nobody)
    for r, n in slots:
        if n in labels:
            f.label(labels[n])
            found[id(r)].append((n, labels[n]))
            f.store(number(8, TURN_OWED), taker_pointer(f, policies), 1)
            f.branch(run[id(r)])
    f.label(nobody)
    f.store(number(8, NOBODY), taker_pointer(f, policies), 1)
    return taker


def next_function(unit: Unit, policies: PolicyLayout) -> None:
    """As `lf_pick_round_robin`, then `lf_program_run`, or `lf_port_idle`."""
    f, _ = function_of_slot(unit, "void @lf_program_run_next(ptr %b)")
    layout = unit.layout
    records = [r for r in layout.records if r.slots]
    slots = [(r, r.first_slot + i) for r in records for i in range(r.slots)]
    first = int(not unit.bodies[0].can_wait and len(slots) > 1)  # that is met again: `lf_wrap_to`
    run = {id(r): f.label_name("run") for r in records}
    seek = [f.label_name("seek") for _ in slots]
    nobody = f.label_name("nobody")
    found: dict[int, list[tuple[int, str]]] = {id(r): [] for r in records}
    taker = run_taker(f, policies, slots, run, found) if policies.takers else None
    cursor = f.offset(Value("ptr", "%b"), policies.cursor_at - policies.size)
    last = f.load("i8", cursor, 1)
    after = [*range(1, len(slots)), first]
    f.switch(last, [(n, seek[after[n]]) for n in range(first, len(slots))], seek[0])
    for (r, n), following in zip(slots, after, strict=True):
        f.label(seek[n])
        ready, other = f.label_name("ready"), f.label_name("other")
        bits = 8 * layout.position_size
        at = f.load(f"i{bits}", position_pointer(f, layout, number(8, n)), layout.position_size)
        can_run = [p.number for body in reached(r) for p in body.positions if p.ready]
        if len(can_run) <= FEW_POSITIONS:
            f.switch(at, [(p, ready) for p in can_run], other)
        else:
            before = f.arithmetic("sub", at, number(bits, 1))
            f.branch_if(f.compare("ult", before, number(bits, layout.first_waiting - 1)), ready, other)
        f.label(ready)
        found[id(r)].append((n, ready))
        f.store(number(8, n if n >= first else len(slots) - 1), cursor, 1)
        f.branch(run[id(r)])
        f.label(other)
        f.branch_if(f.compare("eq", last, number(8, n)), nobody, seek[following])
    for r in records:
        f.label(run[id(r)])
        slot = number(8, r.first_slot)
        if r.slots > 1:
            slot = f.op("i8", "phi i8 " + ", ".join(f"[ {n}, %{label} ]" for n, label in found[id(r)]))
        run_record(unit, f, r, slot)
    f.label(nobody)
    if taker is not None:  # in the turn that is owed nobody has looked at interrupts, and one may have come
        idle, looks_first = f.label_name("idle"), f.label_name("looks")
        f.branch_if(f.compare("eq", taker, number(8, NOBODY)), idle, looks_first)
        f.label(looks_first)
        f.end("ret void")
        f.label(idle)
    f.call("void", "@lf_port_idle", [])
    f.end("ret void")
    unit.add(f)
