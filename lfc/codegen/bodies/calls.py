"""Calls of ordinary functions, calls of processes that can wait, and CREATE.

An ordinary function takes the block, then for each formal a value (scalars), a pointer (VAR; arrays and records, which
it copies) or a pointer and a flagged length (open arrays), then for each recursive process of its cycle of calls how
many calls of it are under way, then the chain of ports on the stack.
"""

from __future__ import annotations

from lfc.actions.model.machine import Body, CallWaiting, RecordLayout
from lfc.codegen.bodies.call_graph import cycle_of, reaches_new
from lfc.codegen.bodies.external import call_external
from lfc.codegen.bodies.frames import count_calls, leave_with_frame
from lfc.codegen.expressions.arrays import assign_from, flagged_length
from lfc.codegen.expressions.designators import Place, is_scalar, place, store
from lfc.codegen.expressions.initial import initialise_variables
from lfc.codegen.expressions.values import value
from lfc.codegen.instrument.rounds import spend_round
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import CALLS, Scope, value_type
from lfc.codegen.module.unit import aligned_frame_size_of
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import OpenArrayType, size_and_alignment


def parameter_types(body: Body) -> list[str]:
    types = []
    for v in body.formals:
        if isinstance(v.type, OpenArrayType):
            types += ["ptr", "i16"]
        elif v.kind is VariableKind.VAR or not is_scalar(v.type):
            types.append("ptr")
        else:
            types.append(value_type(v.type))
    return types


def call_function(s: Scope, st: typed.CallProcess) -> None:
    f = s.f
    callee = s.body.callees[st]
    if callee.process is not None and callee.process.external:
        count_round(s, st)
        call_external(s, st, callee)
        return
    arguments: list[Value | str] = [s.b]
    for a in st.arguments:
        v = a.formal
        if isinstance(v.type, OpenArrayType):
            p = place(s, a.value)
            assert p.pointer is not None
            arguments += [p.pointer, flagged_length(s, p)]
        elif v.kind is VariableKind.VAR or not is_scalar(v.type):
            p = place(s, a.value)
            assert p.pointer is not None
            arguments.append(string_copy(s, v, a.value, p))
        else:
            arguments.append(value(s, a.value))
    mine = cycle_of(s.body)
    for other in cycle_of(callee):
        count = Value("i16", f"%count.{mine.index(other)}") if other in mine else number(16, 0)
        if other is callee:
            good = f.compare("ult", count, number(16, callee.max_calls))
            s.check(good, CALLS, st.span, "call", (number(32, callee.max_calls), False))
            count = f.arithmetic("add", count, number(16, 1))
        arguments.append(count)
    if reaches_new(callee):
        arguments.append(s.live or Value("ptr", "null"))
    count_round(s, st)
    f.call("void", s.unit.symbol(callee, "function"), arguments)


def string_copy(s: Scope, formal: Variable, e: typed.Expr, p: Place) -> Value:
    """What a function copies from: a string that is shorter than the formal, or in flash, is copied here first."""
    assert p.pointer is not None
    in_flash = isinstance(e, typed.Constant) or p.flag is not None
    if formal.kind is VariableKind.VAR or not in_flash:
        return p.pointer
    size, _ = size_and_alignment(formal.type)
    room = s.f.alloca(f"[{size} x i8]")
    assign_from(s, Place(formal.type, room), e, p)
    return room


def count_round(s: Scope, st: typed.Statement) -> None:
    """One loop round or call of the action's budget."""
    spend_round(s, st.span)


# --- processes with frames -------------------------------------------------------------------------------------


Evaluated = list[tuple[typed.Argument, list[Value] | Place]]


def evaluate_arguments(s: Scope, arguments: list[typed.Argument]) -> Evaluated:
    """Evaluates from left to right, faults included, and stores nothing. Of whole arrays and records it gives the
    place: they are copied when there is a frame, and nothing runs in between."""
    evaluated: Evaluated = []
    for a in arguments:
        v = a.formal
        if isinstance(v.type, OpenArrayType):
            p = place(s, a.value)
            evaluated.append((a, [block_offset(s, p), flagged_length(s, p)]))
        elif v.kind is VariableKind.VAR:
            evaluated.append((a, [block_offset(s, place(s, a.value))]))
        elif is_scalar(v.type):
            evaluated.append((a, [value(s, a.value)]))
        else:
            evaluated.append((a, place(s, a.value)))
    return evaluated


def fill_frame(s: Scope, callee: Body, frame: Value, evaluated: Evaluated) -> None:
    """Arguments and initial values of a frame that is zero."""
    f = s.f
    assert callee.frame is not None
    for a, values in evaluated:
        v = a.formal
        at = f.offset(frame, callee.frame.variables[v])
        if isinstance(values, Place):
            assign_from(s, Place(v.type, at), a.value, values)
        elif isinstance(v.type, OpenArrayType):
            f.store(values[0], at, 2)
            f.store(values[1], f.offset(at, 2), 2)
        elif v.kind is VariableKind.VAR:
            f.store(values[0], at, 2)
        else:
            store(s, Place(v.type, at), values[0])
    own = [v for v in callee.locals if v in callee.frame.variables]
    initialise_variables(s, callee, frame, own, zeroed=True)


def block_offset(s: Scope, p: Place) -> Value:
    """The 16-bit offset of a place, in the block or in the constant pool."""
    f = s.f
    assert p.pointer is not None
    wide = f"i{s.unit.target.pointer_bits}"
    at = f.op(wide, f"ptrtoint {p.pointer} to {wide}")
    base = f.op(wide, f"ptrtoint {s.b} to {wide}")
    if p.flag is not None:
        pool = f.op(wide, f"ptrtoint ptr @lf_pool to {wide}")
        base = f.select(p.flag, pool, base)
    return f.widen(f.arithmetic("sub", at, base), 16)


def record_of(s: Scope, body: Body) -> RecordLayout:
    return next(r for r in s.unit.layout.records if r.body is body)


def known_slot(s: Scope, st: typed.CreateProcess, r: RecordLayout) -> int | None:
    """On a board, of a CREATE that is executed once, before any process runs: it is free, and the lowest."""
    slots = s.unit.machine.known_slots.get(s.body.in_text[st], ())
    if s.unit.target.bounded_actions or len(slots) != 1 or slots[0] >= r.slots:
        return None
    return slots[0]


def create_process(s: Scope, st: typed.CreateProcess) -> None:
    f = s.f
    callee = s.body.callees[st]
    r = record_of(s, callee)
    wide = number(8, r.position_size - 1)
    evaluated = evaluate_arguments(s, st.arguments)
    deadline = number(32, -1) if st.deadline is None else value(s, st.deadline)
    site = number(16, s.unit.site(8, st.span, f"CREATE {st.process.name}"))
    bits = s.unit.slot_bits
    known = known_slot(s, st, r)
    if known is not None:
        index = number(bits, known)
    else:
        slots = number(bits, r.slots)
        index = f.call(f"i{bits}", "@lf_free_slot", [s.b, number(16, r.position_offset), slots, wide, site])
    distance = f.arithmetic("mul", f.widen(index, 16), number(16, r.stride))
    record = f.offset(f.offset(s.b, r.offset), distance)
    if r.frame_field_offset is not None:
        f.store(number(8 * r.frame_field_size, r.frame0), f.offset(record, r.frame_field_offset), r.frame_field_size)
    fill_frame(s, callee, f.offset(record, r.frame0), evaluated)
    start = number(16, callee.start.number)
    f.call("void", "@lf_set_position", [s.b, number(16, r.position_offset), index, wide, start])
    slot = f.arithmetic("add", index, number(bits, r.first_slot))
    f.call("void", "@lf_policy_created", [s.b, slot, deadline])
    if callee.domain == "environment":  # it runs at once, on to its first scheduling point
        count_round(s, st)
        f.call("void", "@lf_policy_access", [s.b, number(8, 1)])
        f.call("void", "@lf_program_run", [s.b, slot])
        f.call("void", "@lf_policy_access", [s.b, number(8, 0)])


def call_waiting(s: Scope, end: CallWaiting) -> None:
    """Makes the callee's frame and tells the dispatcher to go on there."""
    f = s.f
    callee = end.callee
    assert callee.frame is not None and callee.frame.return_offset is not None
    distance = aligned_frame_size_of(s.unit, s.body)
    frame = f.offset(s.frame, distance)
    evaluated = evaluate_arguments(s, end.call.arguments)
    if callee.recursive:
        count_calls(s, callee, end.span)
    fill_frame(s, callee, frame, evaluated)
    size = callee.frame.return_size
    f.store(number(8 * size, end.position.number), f.offset(frame, callee.frame.return_offset), size)
    leave_with_frame(s, callee.start.number, distance)
