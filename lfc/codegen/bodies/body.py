"""The functions of bodies: one for each process with positions, entered through a switch over its ready positions; one
for each ordinary function.
"""

from __future__ import annotations

from lfc.actions.model.machine import (
    Advance,
    Attempt,
    Block,
    Body,
    Branch,
    CallWaiting,
    Choose,
    Finish,
    Goto,
    Suspend,
    Switch,
    Terminator,
)
from lfc.codegen.bodies.attempts import attempt
from lfc.codegen.bodies.call_graph import cycle_of, reaches_new
from lfc.codegen.bodies.calls import call_waiting, parameter_types
from lfc.codegen.bodies.frames import FEW, finish, leave_at
from lfc.codegen.bodies.partners import Offers
from lfc.codegen.bodies.statements import statement
from lfc.codegen.expressions.designators import copy, is_scalar, load, place, store
from lfc.codegen.expressions.initial import initialise
from lfc.codegen.expressions.values import value
from lfc.codegen.instrument.input_splitting import ask_for, compare, keep_parts, part_of, value_asked
from lfc.codegen.instrument.rounds import spend_round
from lfc.codegen.module.debug import enter_function, locate
from lfc.codegen.module.emit import Function, Value, bits_of, number, pass_argument
from lfc.codegen.module.scope import CASE, Scope, is_signed, value_type
from lfc.codegen.module.target import Instrument
from lfc.codegen.module.unit import Unit
from lfc.semantics.model.typed import Process, Variable, VariableKind, VariableRef
from lfc.semantics.model.types import ArrayType, OpenArrayType, is_port, size_and_alignment


def process_function(unit: Unit, body: Body, offers: Offers) -> None:
    """`i16 run.P(b, slot, record, frame)`: from the process's ready position to the end of the action."""
    signature = f"internal i16 {unit.symbol(body, 'run')}({unit.body_parameters}, i16 zeroext %position)"
    f = Function(unit.target, signature, "nounwind noinline" if runs_once(unit, body) else "nounwind")
    enter_function(unit, f, body)
    s = Scope(unit, f, body)
    labels = {id(block): f"b{block.number}" for block in body.blocks}
    entries = [(p.number, labels[id(p.entry)]) for p in body.positions if p.ready and p.entry is not None]
    if len(entries) == 1:
        f.branch(entries[0][1])
    else:
        f.switch(Value("i16", "%position"), entries, "nowhere")
        f.label("nowhere")
        f.end("unreachable")
    compile_blocks(s, labels, offers)
    unit.add(f)


def runs_once(unit: Unit, body: Body) -> bool:
    """The initialisation, if it is one action: on a board with many processes it stays by itself, so that the registers
    that it takes are not saved whenever one of them runs."""
    return body is unit.bodies[0] and not (body.can_wait or unit.target.bounded_actions) and unit.machine.slots > FEW


def ordinary_function(unit: Unit, body: Body, offers: Offers) -> None:
    types = parameter_types(body)
    parameters = ["ptr %b"] + [pass_argument(Value(t, f"%p{i}")) for i, t in enumerate(types)]
    parameters += [f"i16 zeroext %count.{i}" for i, _ in enumerate(cycle_of(body))]
    new = reaches_new(body)
    if new:
        parameters.append("ptr %live")
    f = Function(unit.target, f"internal void {unit.symbol(body, 'function')}({', '.join(parameters)})")
    enter_function(unit, f, body)
    s = Scope(unit, f, body)
    bind_formals(s, body)
    make_locals(s, body)
    keep_parts(s, iter(body.locals))
    if new:
        s.live = Value("ptr", "%live")
        chain_ports(s, body)
    labels = {id(block): f"b{block.number}" for block in body.blocks}
    assert body.entry is not None
    f.branch(labels[id(body.entry)])
    compile_blocks(s, labels, offers)
    unit.add(f)


def make_locals(s: Scope, body: Body) -> None:
    for v in body.locals:
        size, align = size_and_alignment(v.type)
        room = s.places[v] = s.f.alloca(f"[{size} x i8]", align)
        zero_fill(s, room, size)
        initialise(s, room, v.type)


def bind_formals(s: Scope, body: Body) -> None:
    f = s.f
    i = 0
    for v in body.formals:
        at = Value("ptr", f"%p{i}")
        if isinstance(v.type, OpenArrayType):
            s.places[v] = at
            s.lengths[v] = Value("i16", f"%p{i + 1}")
            i += 2
            continue
        i += 1
        if v.kind is VariableKind.VAR:
            s.places[v] = at
            continue
        size, align = size_and_alignment(v.type)
        room = s.places[v] = f.alloca(f"[{size} x i8]", align)
        if is_scalar(v.type):
            passed = Value(value_type(v.type), at.ref)
            f.store(f.widen(passed, 8 * size), room, size)
        else:
            copy(s, room, at, v.type)


def zero_fill(s: Scope, room: Value, size: int) -> None:
    s.f.call("void", "@llvm.memset.p0.i32", [f"ptr {room.ref}", "i8 0", f"i32 {size}", "i1 false"])


def chain_ports(s: Scope, body: Body) -> None:
    """Links the ports of this function into the chain that NEW looks through."""
    f = s.f
    for v in [*body.formals, *body.locals]:
        if not is_port(v.type) or v.kind is VariableKind.VAR or isinstance(v.type, OpenArrayType):
            continue
        link = f.alloca("%lf_live", 8)
        for index, (type_, x) in enumerate([("ptr", s.live), ("ptr", s.places[v]), ("i16", number(16, port_count(v)))]):
            assert x is not None
            at = f.op("ptr", f"getelementptr %lf_live, {link}, i32 0, i32 {index}")
            f.store(x, at, 2 if type_ == "i16" else 8)
        s.live = link


def port_count(v: Variable) -> int:
    n, t = 1, v.type
    while isinstance(t, ArrayType):
        n, t = n * t.length, t.element
    return n


def compile_blocks(s: Scope, labels: dict[int, str], offers: Offers) -> None:
    for block in s.body.blocks:
        s.f.label(labels[id(block)])
        compile_block(s, block, labels, offers)


def compile_block(s: Scope, block: Block, labels: dict[int, str], offers: Offers) -> None:
    passed_at = s.unit.passed_at.get(id(block))
    if passed_at is not None:
        with s.f.instrument(Instrument.BLOCKS):
            s.f.store(number(8, 1), s.f.offset(s.b, passed_at), 1)
    for st in block.statements:
        locate(s, st.span)
        if isinstance(st, Advance):
            advance(s, st)
        else:
            statement(s, st)
    assert block.end is not None
    locate(s, block.end.span)
    terminator(s, block.end, labels, offers)


def advance(s: Scope, st: Advance) -> None:
    """The step of a FOR; it is known to fit."""
    to = place(s, st.target)
    old = load(s, to)
    if old.type == "i1":
        store(s, to, s.f.arithmetic("xor", old, number(1, 1)))
    else:
        store(s, to, s.f.arithmetic("add", old, number(bits_of(old.type), st.amount)))


def terminator(s: Scope, end: Terminator, labels: dict[int, str], offers: Offers) -> None:
    f = s.f
    if isinstance(end, Goto):
        if end.backward:
            spend_round(s, end.span)
        f.branch(labels[id(end.target)])
    elif isinstance(end, Branch):
        f.branch_if(value(s, end.condition), labels[id(end.then)], labels[id(end.otherwise)])
    elif isinstance(end, Switch):
        switch(s, end, labels)
    elif isinstance(end, Attempt):
        attempt(s, end.point, offers)
    elif isinstance(end, Suspend):
        leave_at(s, end.position)
    elif isinstance(end, Choose):
        picked = f.call("i8", "@lf_policy_choice", [s.b, number(8, len(end.branches))])
        note_picked(s, end, picked)
        cases = [(i, labels[id(b)]) for i, b in enumerate(end.branches)]
        f.switch(picked, cases[1:], cases[0][1])
    elif isinstance(end, CallWaiting):
        spend_round(s, end.span)
        call_waiting(s, end)
    elif isinstance(end, Finish):
        if s.body.has_positions:
            finish(s)
        elif s.body.process is not None and s.body.process.is_function:
            give_result(s, s.body.process)
        else:
            f.end("ret void")
    else:
        raise AssertionError(f"no code for {type(end).__name__}")


def note_picked(s: Scope, end: Choose, picked: Value) -> None:
    """The checker is told which branch of a fair CHOICE the process in this slot goes on with."""
    first = s.unit.picked_at.get(end)
    if first is None:
        return
    f = s.f
    with f.instrument(Instrument.BLOCKS):
        branch = f.arithmetic("mul", f.widen(picked, 32), number(32, s.unit.machine.slots))
        before = f.arithmetic("add", branch, f.widen(s.unit.own_slot, 32))
        at = f.offset(f.offset(s.b, first), f.arithmetic("sub", number(32, 0), before))
        f.store(number(8, 1), at, 1)


def give_result(s: Scope, process: Process) -> None:
    assert process.result is not None
    s.f.end(f"ret {value(s, VariableRef(process.span, process.result.type, process.result))}")


def split_switch(s: Scope, end: Switch, labels: dict[int, str]) -> bool:
    """The labels are asked for one by one, if the selector is a part of an input."""
    f = s.f
    part = part_of(s, end.selector)
    if part is None:
        return False
    asked = ask_for(s, part, value)
    for ranges, block in end.cases:
        for low, high in ranges:
            following = f.label_name("following")
            if high > low:
                above = f.label_name("above")
                f.branch_if(compare(s, asked, ">=", number(64, low)), above, following)
                f.label(above)
            test = compare(s, asked, "<=" if high > low else "=", number(64, high))
            f.branch_if(test, labels[id(block)], following)
            f.label(following)
    if end.otherwise is not None:
        f.branch(labels[id(end.otherwise)])
        return True
    s.checks += 1
    selector = value_asked(s, part, asked, end.selector, value)
    s.fail(CASE, end.span, "CASE", f.widen(selector, 32), unsigned=True)
    return True


def switch(s: Scope, end: Switch, labels: dict[int, str]) -> None:
    f = s.f
    if split_switch(s, end, labels):
        return
    selector = value(s, end.selector)
    bits = bits_of(selector.type)
    signed = is_signed(end.selector.type) and bits > 1
    other = f.label_name("other")
    cases: list[tuple[int, str]] = []
    for ranges, block in end.cases:
        for low, high in ranges:
            if high - low > 16:
                inside, outside = labels[id(block)], f.label_name("outside")
                distance = f.arithmetic("sub", selector, number(bits, low))
                f.branch_if(f.compare("ule", distance, number(bits, high - low)), inside, outside)
                f.label(outside)
            else:
                cases += [(n, labels[id(block)]) for n in range(low, high + 1)]
    if end.otherwise is not None:
        f.switch(selector, cases, labels[id(end.otherwise)])
        return
    f.switch(selector, cases, other)
    f.label(other)
    s.checks += 1
    s.fail(CASE, end.span, "CASE", f.widen(selector, 32, signed), unsigned=not signed)
