"""Environment processes: the other side of port accesses, within the action that makes them.

An access seeks the environment processes that wait for it, as a sender would; the one that is chosen takes the
values, runs on to its next scheduling point, and on through every CHOICE on the way. What it sends as VALUE lies
before the block, with the width that was asked for, which is 0 when nobody has asked. Without an environment an
access is the policy's.

If nobody waits for an access of the program, processes of the environment run on that are ready and can come to wait
for one: one after another, each once, until it waits or ends. It goes on from each of its positions at most as often as
there are slots: so often it may meet somebody who waits for it, and come back there.
"""

from __future__ import annotations

from collections.abc import Callable

from lfc.actions.analysis.effects import Table
from lfc.actions.layout.frames import message_layout
from lfc.actions.model.machine import Position, RecordLayout
from lfc.actions.model.reach import modules_of_program
from lfc.base.source import Span
from lfc.codegen.instrument.rounds import spend_round
from lfc.codegen.module.before_block import ANSWER, WIDTH
from lfc.codegen.module.emit import TRUE, Function, Value, number
from lfc.codegen.module.scope import ENVIRONMENT, RANGE, Scope
from lfc.codegen.module.target import Instrument
from lfc.codegen.module.unit import Unit, meeting_offsets
from lfc.semantics.expressions.system import PORTIN, PORTOUT
from lfc.semantics.model import typed
from lfc.semantics.model.types import Message

B = Value("ptr", "%b")
NONE = number(8, 0xFF)

DECLARATIONS = """
declare void @lf_policy_access(ptr, i8 zeroext)
declare zeroext PORT @lf_new_channel_among(ptr, ptr, i16 zeroext, i16 zeroext, i16 zeroext)
declare void @lf_set_pending(ptr, i8 zeroext)
declare void @lf_policy_raises(ptr)
declare void @lf_policy_alternative(ptr, ptr, i8 zeroext, SLOT zeroext, i8 zeroext, i8 zeroext)
"""


def port_in(s: Scope, bits: int, address: Value, span: Span, torn: bool = False) -> Value:
    """A read of a port; `address` has 32 bits. `torn`: it takes several accesses, between which the device may write
    what is read, so that any value comes of it, whatever the device answers."""
    f = s.f
    if s.unit.machine.environment is None:
        return f.call(f"i{bits}", f"@lf_policy_in{bits}", [s.b, address])
    site = number(16, s.unit.site(ENVIRONMENT, span, "port access", unsigned=True))
    v = f.call("i32", '@"environment.in"', [s.b, number(8, bits), address, site, *whose(s)])
    return f.call(f"i{bits}", f"@lf_policy_in{bits}", [s.b, address]) if torn else f.widen(v, bits)


def port_out(s: Scope, bits: int, address: Value, v: Value, span: Span) -> None:
    f = s.f
    if s.unit.machine.environment is None:
        f.call("void", f"@lf_policy_out{bits}", [s.b, address, v])
        return
    site = number(16, s.unit.site(ENVIRONMENT, span, "port access", unsigned=True))
    f.call("void", '@"environment.out"', [s.b, number(8, bits), address, f.widen(v, 32), site, *whose(s)])


def whose(s: Scope) -> list[Value]:
    """Where processes of the environment may run on: whether it is an access of the program. For one of the environment
    none does: it is in the middle of an action."""
    return [number(8, int(s.body.domain != "environment"))] if Table(s.unit.machine).may_run_on() else []


def answer(s: Scope, st: typed.Send, v: Value) -> None:
    """SYSTEM.IOPORT!VALUE(v): what the read that is under way gives. It must fit, and somebody must have asked."""
    f = s.f
    width = f.load("i32", f.offset(s.b, WIDTH), 4)
    s.check(f.compare("ne", width, number(32, 0)), ENVIRONMENT, st.span, "value")
    whole = f.compare("eq", width, number(32, 32))
    past = f.arithmetic("shl", number(32, 1), f.select(whole, number(32, 0), width))
    fits = f.select(whole, TRUE, f.compare("ult", v, past))
    s.check(fits, RANGE, st.span, "value of a port", (v, False))
    f.store(v, f.offset(s.b, ANSWER), 4)
    f.store(number(32, 0), f.offset(s.b, WIDTH), 4)


def access_functions(unit: Unit, offers: dict[tuple[str, object], list[str]]) -> None:
    """`offers`: symbols of what waits, by direction and message."""
    if unit.machine.environment is None:
        return
    runners = Table(unit.machine).may_run_on()
    own = ", i8 zeroext %own" if runners else ""
    f = Function(
        unit.target,
        f'internal i32 @"environment.in"(ptr %b, i8 zeroext %width, i32 %address, i16 zeroext %site{own})',
    )
    s = Scope(unit, f, unit.bodies[0])
    value_at, width_at = f.offset(B, ANSWER), f.offset(B, WIDTH)
    outer_value, outer_width = f.load("i32", value_at, 4), f.load("i32", width_at, 4)
    width = f.widen(Value("i8", "%width"), 32)
    f.store(width, width_at, 4)
    access(s, PORTIN, [Value("i8", "%width"), Value("i32", "%address")], offers, runners)
    given = f.compare("eq", f.load("i32", width_at, 4), number(32, 0))
    must(s, given)
    v = f.load("i32", value_at, 4)
    f.store(outer_value, value_at, 4)
    f.store(outer_width, width_at, 4)
    f.end(f"ret {v}")
    unit.add(f)
    f = Function(
        unit.target,
        'internal void @"environment.out"(ptr %b, i8 zeroext %width, i32 %address, i32 %value, i16 zeroext %site'
        f"{own})",
    )
    s = Scope(unit, f, unit.bodies[0])
    width_at = f.offset(B, WIDTH)
    outer_width = f.load("i32", width_at, 4)
    f.store(number(32, 0), width_at, 4)
    values = [Value("i8", "%width"), Value("i32", "%address"), Value("i32", "%value")]
    access(s, PORTOUT, values, offers, runners)
    f.store(outer_width, width_at, 4)
    f.end("ret void")
    unit.add(f)
    position_function(unit, "chooses", lambda p: p.kind == "choice")
    if runners:
        position_function(unit, "is_ready", lambda p: p.ready)


def must(s: Scope, good: Value) -> None:
    """An error of the environment otherwise: it is told at the access."""
    f = s.f
    fine, bad = f.label_name("answered"), f.label_name("unanswered")
    f.branch_if(good, fine, bad)
    f.label(bad)
    width = f.widen(Value("i8", "%width"), 32)
    f.call(
        "void",
        "@lf_fault",
        [B, number(8, ENVIRONMENT), Value("i16", "%site"), Value("i32", "%address"), width],
        " #1",
    )
    f.end("unreachable")
    f.label(fine)


def access(
    s: Scope,
    message: Message,
    values: list[Value],
    offers: dict[tuple[str, object], list[str]],
    runners: list[RecordLayout],
) -> None:
    """Somebody who waits for it takes the values and runs on to the next scheduling point."""
    f = s.f
    offsets, size, align = message_layout(message.types)
    room = f.alloca(f"[{size} x i8]", align)
    for v, offset in zip(values, offsets, strict=True):
        f.store(v, f.offset(room, offset), int(v.type[1:]) // 8)
    f.call("void", "@lf_policy_access", [B, number(8, 1)])
    meeting = f.alloca("%lf_meeting", 2)
    waiting = [Value("ptr", symbol) for symbol in offers.get(("receive", id(message)), [])]
    ran = forget(s, sum(r.slots for r in runners))
    seek, met, unmet = f.label_name("seek"), f.label_name("met"), f.label_name("unmet")
    if runners:
        f.label(seek)
    f.call("void", "@lf_meeting_begin", [meeting])
    for offer in waiting:
        f.call("void", "@lf_seek_receivers", [B, meeting, NONE, s.unit.no_channel, room, offer])
    if runners:
        f.branch_if(f.call("i1", "@lf_policy_meet", [B, meeting]), met, unmet)
        f.label(unmet)
        run_one_on(s, meeting, runners, ran)
        f.branch(seek)
        f.label(met)
    else:
        must(s, f.call("i1", "@lf_policy_meet", [B, meeting]))
    delivered = f.label_name("delivered")
    for offer in waiting:
        other = f.label_name("other")
        f.branch_if(f.call("i1", "@lf_deliver", [B, meeting, room, offer]), delivered, other)
        f.label(other)
    f.branch(delivered)
    f.label(delivered)
    slot = f.load(f"i{s.unit.slot_bits}", f.offset(meeting, meeting_offsets(s.unit)[1]), s.unit.slot_bits // 8)
    again, done = f.label_name("run"), f.label_name("done")
    f.label(again)
    spend_round(s, s.unit.machine.program.main.span or Span(s.unit.machine.program.main.source, 0, 0))
    f.call("void", "@lf_program_run", [B, slot])
    f.branch_if(f.call("i1", '@"environment.chooses"', [B, slot]), again, done)
    f.label(done)
    f.call("void", "@lf_policy_access", [B, number(8, 0)])


def run_one_on(s: Scope, meeting: Value, runners: list[RecordLayout], ran: Value) -> None:
    """One of those that are ready and have not run on yet, until it waits or ends. `ran`: a byte for each. If there is
    none, nobody answers."""
    f = s.f
    bits = s.unit.slot_bits
    slots = [r.first_slot + i for r in runners for i in range(r.slots)]
    own = f.compare("ne", Value("i8", "%own"), number(8, 0))
    f.call("void", "@lf_meeting_begin", [meeting])
    for at, slot in enumerate(slots):
        offered, other = f.label_name("offered"), f.label_name("other")
        fresh = f.compare("eq", f.load("i8", f.offset(ran, at), 1), number(8, 0))
        ready = f.call("i1", '@"environment.is_ready"', [s.b, number(bits, slot)])
        f.branch_if(f.arithmetic("and", f.arithmetic("and", fresh, ready), own), offered, other)
        f.label(offered)
        f.call("void", "@lf_policy_alternative", [B, meeting, NONE, number(bits, slot), NONE, number(8, 0)])
        f.branch(other)
        f.label(other)
    must(s, f.call("i1", "@lf_policy_meet", [B, meeting]))
    chosen = f.load(f"i{bits}", f.offset(meeting, meeting_offsets(s.unit)[1]), bits // 8)
    done = f.label_name("ran")
    runs = [(slot, f.label_name("chosen")) for slot in slots]
    width_at = f.offset(B, WIDTH)
    asked = f.load("i32", width_at, 4)
    f.store(number(32, 0), width_at, 4)  # nobody asks it
    f.switch(chosen, runs, done)
    for at, (_, label) in enumerate(runs):
        f.label(label)
        f.store(number(8, 1), f.offset(ran, at), 1)
        run_until_it_waits(s, chosen, done)
    f.label(done)
    f.store(asked, width_at, 4)


def run_until_it_waits(s: Scope, slot: Value, done: str) -> None:
    assert s.unit.machine.environment is not None
    f = s.f
    been = forget(s, len(s.unit.machine.environment.positions) + 1)
    again, on, still = f.label_name("on"), f.label_name("new"), f.label_name("still")
    f.label(again)
    here = f.offset(been, f.widen(position_in(s.unit, f, slot), 16))
    times = f.load("i8", here, 1)
    f.branch_if(f.compare("ult", times, number(8, s.unit.machine.slots)), on, done)
    f.label(on)
    f.store(f.arithmetic("add", times, number(8, 1)), here, 1)
    spend_round(s, s.unit.machine.program.main.span or Span(s.unit.machine.program.main.source, 0, 0))
    f.call("void", "@lf_program_run", [B, slot])
    f.branch_if(f.call("i1", '@"environment.is_ready"', [B, slot]), still, done)
    f.label(still)
    f.branch(again)


def forget(s: Scope, count: int) -> Value:
    """So many bytes, all zero."""
    if not count:
        return Value("ptr", "null")
    room = s.f.alloca(f"[{count} x i8]")
    s.f.emit(f"store [{count} x i8] zeroinitializer, {room}, align 1")
    return room


def position_function(unit: Unit, name: str, holds: Callable[[Position], bool]) -> None:
    """Does the environment process in this slot stand at such a position?"""
    assert unit.machine.environment is not None
    signature = f'internal zeroext i1 @"environment.{name}"(ptr %b, {unit.own_slot.type} zeroext %slot)'
    f = Function(unit.target, signature)
    position = position_in(unit, f, unit.own_slot)
    such = [p.number for p in unit.machine.environment.positions if holds(p)]
    f.switch(position, [(n, name) for n in such], "stands")
    if such:
        f.label(name)
        f.end("ret i1 true")
    f.label("stands")
    f.end("ret i1 false")
    unit.add(f)


def position_in(unit: Unit, f: Function, slot: Value) -> Value:
    """The number of the position of the environment process in this slot; 0: none is there."""
    assert unit.machine.environment is not None
    layout = unit.machine.environment.layout
    first = layout.records[0].first_slot if layout.records else 0
    index = f.arithmetic("sub", f.widen(slot, 16), number(16, first))
    if layout.position_size == 2:
        index = f.arithmetic("shl", index, number(16, 1))
    at = f.offset(f.offset(B, layout.positions_offset), index)
    return f.load(f"i{8 * layout.position_size}", at, layout.position_size)


def channels_of(s: Scope, st: typed.New) -> tuple[int, int] | None:
    """The first and last number that a NEW of the environment may take: they follow the program's, whose channels are
    the same with and without it. None: a NEW of the program."""
    machine = s.unit.machine
    if machine.environment is None:
        return None
    own = modules_of_program(machine.program)
    initialises = s.body.process is None and not any(m.source is st.span.source for m in own)
    if s.body.domain != "environment" and not initialises:
        return None
    return machine.layout.max_channels + 1, machine.environment.layout.max_channels


# --- interrupts ------------------------------------------------------------------------------------------------


def own_bit(unit: Unit, interrupt: int) -> tuple[int, int] | None:
    """Of an interrupt that only the environment names: byte in the block, and bit. None: the program names it too."""
    if interrupt in unit.machine.layout.interrupts:
        return None
    assert unit.machine.environment is not None
    layout = unit.machine.environment.layout
    bit = layout.interrupts.index(interrupt)
    return layout.pending_offset + bit // 8, bit % 8


def set_pending(s: Scope, interrupt: int, pending: bool) -> None:
    f = s.f
    if pending and s.unit.target.notes_blocks:  # the checker counts it, whether the bit was there or not
        with f.instrument(Instrument.BLOCKS):
            f.call("void", "@lf_policy_raises", [s.b])
    own = own_bit(s.unit, interrupt)
    if own is None:
        bit = number(8, s.unit.layout.interrupts.index(interrupt))
        f.call("void", f"@lf_{'set' if pending else 'clear'}_pending", [s.b, bit])
        return
    at = f.offset(s.b, own[0])
    old = f.load("i8", at, 1)
    if pending:
        f.store(f.arithmetic("or", old, number(8, 1 << own[1])), at, 1)
    else:
        f.store(f.arithmetic("and", old, number(8, ~(1 << own[1]))), at, 1)


def seek_pending(s: Scope, meeting: Value, own_clause: Value, interrupt: int) -> None:
    f = s.f
    own = own_bit(s.unit, interrupt)
    if own is None:
        bit = number(8, s.unit.layout.interrupts.index(interrupt))
        f.call("void", "@lf_seek_pending", [s.b, meeting, own_clause, bit])
        return
    byte = f.load("i8", f.offset(s.b, own[0]), 1)
    there, sought = f.label_name("pending"), f.label_name("sought")
    held = f.arithmetic("and", byte, number(8, 1 << own[1]))
    f.branch_if(f.compare("ne", held, number(8, 0)), there, sought)
    f.label(there)
    f.call("void", "@lf_policy_alternative", [s.b, meeting, own_clause, s.unit.nobody, NONE, number(8, 0)])
    f.branch(sought)
    f.label(sought)
