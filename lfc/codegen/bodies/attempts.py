"""The attempt of a scheduling point: evaluate, seek partners, meet one or wait."""

from __future__ import annotations

from lfc.actions.layout.frames import message_layout
from lfc.actions.model.machine import Point, PointClause
from lfc.codegen.bodies.calls import block_offset
from lfc.codegen.bodies.frames import leave_at
from lfc.codegen.bodies.offers import NONE, Offer, is_receive, own_number, wait_size
from lfc.codegen.bodies.partners import Known, Offers, Whereabouts, is_surely_set, possible_partners, whereabouts
from lfc.codegen.bodies.receiving import accept_function, complete_function, kept_targets, may_be_outside, targets_of
from lfc.codegen.expressions.arrays import assign_whole
from lfc.codegen.expressions.designators import Place, is_scalar, known_channel, place, store
from lfc.codegen.expressions.values import value
from lfc.codegen.instrument.environment import seek_pending, set_pending
from lfc.codegen.module.debug import enter_glue
from lfc.codegen.module.emit import FALSE, Function, Value, number, pass_argument
from lfc.codegen.module.scope import PORT, Scope
from lfc.codegen.module.unit import meeting_offsets
from lfc.semantics.model import typed
from lfc.semantics.model.types import CHAR

MOST_WRITTEN_LATE = 2
SEEKS_RECEIVER = {
    Known.NOBODY: "@lf_seek_receivers",
    Known.INDEX: "@lf_seek_receiver",
    Known.PLACE: "@lf_seek_receiver_at",
}
SEEKS_SENDER = {Known.NOBODY: "@lf_seek_senders", Known.INDEX: "@lf_seek_sender", Known.PLACE: "@lf_seek_sender_at"}
DELIVERS = {Known.NOBODY: "@lf_deliver", Known.INDEX: "@lf_deliver_to", Known.PLACE: "@lf_deliver_at"}
FETCHES = {Known.NOBODY: "@lf_fetch", Known.INDEX: "@lf_fetch_from", Known.PLACE: "@lf_fetch_at"}


class Prepared:
    """What an attempt has evaluated of one clause."""

    def __init__(self) -> None:
        self.channel: Value | None = None
        self.values: Value | None = None  # pointer
        self.closed: Value = FALSE  # i1
        self.milliseconds: Value | None = None
        self.receiver = Value("ptr", "%frame")  # what `accept` and `complete` are given
        self.unwritten: list[tuple[Place, Value]] | None = None  # what only who waits writes into the wait area


def attempt(s: Scope, point: Point, offers: Offers) -> None:
    f = s.f
    prepared = [prepare(s, point, c) for c in point.clauses]
    if point.closed_offset is not None:
        store_closed(s, point, prepared)
    if point.waiting is None and point.otherwise is not None and not point.clauses:
        leave_at(s, point.otherwise)
        return
    meeting = f.alloca("%lf_meeting", 2)
    f.call("void", "@lf_meeting_begin", [meeting])
    for clause, p in zip(point.clauses, prepared, strict=True):
        seek(s, point, clause, p, meeting, offers)
    found = f.call("i1", "@lf_policy_meet", [s.b, meeting])
    met, alone = f.label_name("met"), f.label_name("alone")
    f.branch_if(found, met, alone)
    f.label(met)
    take(s, point, prepared, meeting, offers)
    f.label(alone)
    if point.waiting is None:
        assert point.otherwise is not None
        clear_own(s, point)
        leave_at(s, point.otherwise)
    else:
        wait(s, point, prepared, offers)


def console_read(s: Scope, point: Point, clause: PointClause) -> None:
    """The attempt of SYSTEM.READ: a byte may be there already."""
    f = s.f
    c = f.call("i16", "@lf_policy_console_in", [s.b])
    there, not_there = f.label_name("byte"), f.label_name("nothing")
    f.branch_if(f.compare("sge", c, number(16, 0)), there, not_there)
    f.label(there)
    room = f.alloca("i8")
    f.store(f.widen(c, 8), room, 1)
    complete = complete_function(s.unit, point, clause)
    assert complete is not None
    f.call("void", complete, [s.b, s.frame, room])
    clear_own(s, point)
    leave_at(s, clause.resume)
    f.label(not_there)


def prepare(s: Scope, point: Point, clause: PointClause) -> Prepared:
    """Port, guard of a send, values or targets: once, in this order; kept in the wait area if the process can wait."""
    f = s.f
    event = clause.event
    p = Prepared()
    if isinstance(event, typed.Send | typed.Receive) and not isinstance(event.port, typed.SYSTEM_PORTS):
        p.channel = value(s, event.port)
        if known_channel(s, event.port) is None and not is_surely_set(s.unit, point, clause):
            s.check(f.compare("ne", p.channel, s.unit.no_channel), PORT, event.port.span, "port")
        elif not is_constant_port(s, event.port):
            s.reserve(PORT, event.port.span, "port")  # it is known on boards only
    skipped = None
    if clause.guard is not None and not is_receive(clause):
        holds = value(s, clause.guard)
        p.closed = f.arithmetic("xor", holds, number(1, 1))
        open_label, skipped = f.label_name("open"), f.label_name("prepared")
        f.branch_if(holds, open_label, skipped)
        f.label(open_label)
    if writes_late(s, point, clause):
        p.unwritten = []
    if p.channel is not None and clause.port_offset is not None and p.unwritten is None:
        f.store(p.channel, f.offset(s.frame, clause.port_offset), s.unit.port_bits // 8)
    if isinstance(event, typed.Send):
        prepare_values(s, clause, event, p)
    elif isinstance(event, typed.AfterEvent | typed.Sleep):
        ms = f.alloca("i32", 4)
        f.store(f.widen(value(s, event.milliseconds), 32), ms, 4)
        p.milliseconds = ms
    elif isinstance(event, typed.Receive | typed.ConsoleRead):
        kept = kept_targets(point, clause)
        if kept:
            p.receiver = f.alloca(f"[{2 + 2 * len(kept)} x i8]", 2)
            f.store(block_offset(s, Place(CHAR, s.frame)), p.receiver, 2)
        for i, t in enumerate(targets_of(clause)):
            if t.target.designator is None:
                continue
            if i in kept:
                offset = block_offset(s, place(s, t.target.designator))
                f.store(offset, f.offset(p.receiver, kept[i]), 2)
            elif t.offset is not None:
                offset = block_offset(s, place(s, t.target.designator))
                f.store(offset, f.offset(s.frame, t.offset), 2)
            elif point.waiting is None or may_be_outside(t.target.designator):
                place(s, t.target.designator)  # for its faults
    if skipped is not None:
        f.label(skipped)
    return p


def is_constant_port(s: Scope, port: typed.Expr) -> bool:
    """On every target."""
    return isinstance(port, typed.VariableRef) and port.variable in s.unit.machine.constant_ports


def prepare_values(s: Scope, clause: PointClause, event: typed.Send, p: Prepared) -> None:
    f = s.f
    if not event.values:
        return
    offsets, size, align = message_layout(event.message.types)
    if clause.value_offsets and p.unwritten is None:  # `values_of` computes it again where clauses have joined
        base = f.offset(s.frame, clause.value_offsets[0])
    else:
        base = p.values = f.alloca(f"[{size} x i8]", align)
    for e, type_, offset in zip(event.values, event.message.types, offsets, strict=True):
        to = Place(type_, f.offset(base, offset))
        if is_scalar(type_):
            sent = value(s, e)
            store(s, to, sent)
            if p.unwritten is not None:
                p.unwritten.append((Place(type_, f.offset(s.frame, clause.value_offsets[0] + offset)), sent))
        else:
            assign_whole(s, to, e)


def writes_late(s: Scope, point: Point, clause: PointClause) -> bool:
    """On a board, of a plain send of a few numbers: its wait area is written when nobody was there to receive them, so
    that a meeting need not clear it again."""
    event = clause.event
    if s.unit.target.bounded_actions or point.is_select or point.waiting is None or clause.guard is not None:
        return False
    if not isinstance(event, typed.Send) or isinstance(event.port, typed.SYSTEM_PORTS):
        return False
    return all(map(is_scalar, event.message.types)) and len(event.values) <= MOST_WRITTEN_LATE


def values_of(s: Scope, clause: PointClause, p: Prepared) -> Value:
    if clause.value_offsets and p.unwritten is None:
        return s.f.offset(s.frame, clause.value_offsets[0])
    return p.values or Value("ptr", "null")


def store_closed(s: Scope, point: Point, prepared: list[Prepared]) -> None:
    f = s.f
    assert point.closed_offset is not None
    bits = 8 * point.closed_size
    mask = number(bits, 0)
    for clause, p in zip(point.clauses, prepared, strict=True):
        if p.closed is not FALSE:
            bit = f.arithmetic("shl", f.widen(p.closed, bits), number(bits, clause.index))
            mask = f.arithmetic("or", mask, bit)
    f.store(mask, f.offset(s.frame, point.closed_offset), point.closed_size)


def seek(s: Scope, point: Point, clause: PointClause, p: Prepared, meeting: Value, offers: Offers) -> None:
    f = s.f
    own = number(8, own_number(clause, point))
    event = clause.event
    if isinstance(event, typed.AfterEvent | typed.Sleep | typed.ConsoleRead):
        return
    sought = None
    if p.closed is not FALSE:
        open_label, sought = f.label_name("seek"), f.label_name("sought")
        f.branch_if(p.closed, sought, open_label)
        f.label(open_label)
    if isinstance(event.port, typed.InterruptPort):
        if isinstance(event, typed.Send):
            seek_takers(s, point, meeting, own, event.port.number, offers)
        else:
            seek_interrupt(s, point, clause, meeting, own, event.port.number)
    elif not isinstance(event.port, typed.IoPort):
        assert p.channel is not None
        accept = accept_function(s.unit, point, clause) if is_receive(clause) else None
        for o in possible_partners(s.unit, point, clause, offers):
            there = whereabouts(s, point, clause, p.channel, o)
            over = only_if_it_can_be(s, there)
            where: list[Value | str] = [Value("ptr", o.symbol), *there.place]
            if isinstance(event, typed.Send):
                values = values_of(s, clause, p)
                act = SEEKS_RECEIVER[there.known]
                of_one(s, o, "void", act, [s.b, meeting, own, p.channel, values], where)
            else:
                function = f"{s.unit.target.code_pointer} {accept or 'null'}"
                given: list[Value | str] = [number(8, int(accept is not None)), function, *where]
                of_one(s, o, "void", SEEKS_SENDER[there.known], [s.b, meeting, own, p.channel, p.receiver], given)
            if over is not None:
                f.label(over)
    if sought is not None:
        f.label(sought)


def only_if_it_can_be(s: Scope, there: Whereabouts) -> str | None:
    """What follows is done if there is a slot; else it goes on at this label. None: there always is one."""
    if there.can_be is None:
        return None
    here, other = s.f.label_name("partner"), s.f.label_name("other")
    s.f.branch_if(there.can_be, here, other)
    s.f.label(here)
    return other


def of_one(s: Scope, o: Offer, result: str, act: str, given: list[Value], constant: list[Value | str]) -> Value:
    """What the kernel does about one offer. On a board, where it goes through several slots it is a function of its
    own, so that the optimiser decides how often it stands in the image."""
    f, t = s.f, s.unit.target
    if (
        t.bounded_actions
        or o.record.slots == 1
        or any(isinstance(c, Value) and c.ref.startswith("%") for c in constant)
    ):
        return f.call(result, act, [*given, *constant])
    key = "|".join(map(str, constant))
    names = s.unit.apart.setdefault(act, {})
    name = names.setdefault(key, f'@"{act[4:]}.{len(names)}"')
    formals = [Value(v.type, f"%x{i}") for i, v in enumerate(given)]

    def make() -> None:
        marked = ", ".join(pass_argument(v) for v in formals)
        zero = "zeroext " if result != "void" else ""
        apart = Function(t, f"internal {zero}{result} {name}({marked})")
        enter_glue(s.unit, apart, name[2:-1])
        done = apart.call(result, act, [*formals, *constant])
        apart.end("ret void" if result == "void" else f"ret {done}")
        s.unit.add(apart)

    s.unit.once(name, make)
    return f.call(result, name, list(given))


def seek_interrupt(s: Scope, point: Point, clause: PointClause, meeting: Value, own: Value, number_: int) -> None:
    f = s.f
    accept = accept_function(s.unit, point, clause)
    passed = None
    if accept is not None:
        yes, passed = f.label_name("guarded"), f.label_name("passed")
        f.branch_if(f.call("i1", accept, [s.b, s.frame, "ptr null"]), yes, passed)
        f.label(yes)
    seek_pending(s, meeting, own, number_)
    listen(s, number_)
    if passed is not None:
        f.label(passed)


def seek_takers(s: Scope, point: Point, meeting: Value, own: Value, number_: int, offers: Offers) -> None:
    """An environment raises an interrupt: each process that waits for it may take it. A clause of a SELECT can always
    go; who takes the interrupt is found when it goes."""
    f = s.f
    if point.is_select:
        none = number(8, NONE)
        f.call("void", "@lf_policy_alternative", [s.b, meeting, own, s.unit.nobody, none, number(8, 0)])
        return
    for o in offers.get(("receive interrupt", number_), []):
        where = Value("ptr", o.symbol)
        f.call("void", "@lf_seek_receivers", [s.b, meeting, own, s.unit.no_channel, "ptr null", where])


def raise_interrupt(s: Scope, point: Point, number_: int, meeting: Value, offers: Offers) -> None:
    """Whoever was chosen takes it; of a clause of a SELECT the choice is now, and it may be pending."""
    f = s.f
    takers = offers.get(("receive interrupt", number_), [])
    raised = f.label_name("raised")
    if point.is_select:
        f.call("void", "@lf_meeting_begin", [meeting])
        for o in takers:
            where = Value("ptr", o.symbol)
            none = number(8, NONE)
            f.call("void", "@lf_seek_receivers", [s.b, meeting, none, s.unit.no_channel, "ptr null", where])
        taken, untaken = f.label_name("taken"), f.label_name("untaken")
        f.branch_if(f.call("i1", "@lf_policy_meet", [s.b, meeting]), taken, untaken)
        f.label(untaken)
        set_pending(s, number_, True)
        f.branch(raised)
        f.label(taken)
    for o in takers:
        other = f.label_name("other")
        moved = f.call("i1", "@lf_deliver", [s.b, meeting, "ptr null", Value("ptr", o.symbol)])
        f.branch_if(moved, raised, other)
        f.label(other)
    f.branch(raised)
    f.label(raised)


def listen(s: Scope, number_: int) -> None:
    """On a board: the source of an interrupt that is not pending may interrupt again."""
    if s.unit.target.bounded_actions:
        return
    bit = number(8, s.unit.layout.interrupts.index(number_))
    f = s.f
    function = f"@lf_port_listen_{number_}"
    s.unit.once(function, lambda: s.unit.globals.append(f"declare void {function}(){s.unit.target.define_space}"))
    quiet, listened = f.label_name("quiet"), f.label_name("listened")
    f.branch_if(f.call("i1", "@lf_is_pending", [s.b, bit]), listened, quiet)
    f.label(quiet)
    f.call("void", function, [])
    f.label(listened)


def take(s: Scope, point: Point, prepared: list[Prepared], meeting: Value, offers: Offers) -> None:
    """The alternative that the policy chose: the values move, both are ready."""
    f = s.f
    communications = [
        (c, p)
        for c, p in zip(point.clauses, prepared, strict=True)
        if isinstance(c.event, typed.Send | typed.Receive) and not isinstance(c.event.port, typed.IoPort)
    ]
    if not communications:
        f.end("unreachable")
        return
    labels = [f.label_name("take") for _ in communications]
    if len(communications) == 1:
        f.branch(labels[0])
    else:
        own = f.load("i8", f.offset(meeting, meeting_offsets(s.unit)[0]), 1)
        f.switch(
            own, [(c.index, label) for (c, _), label in zip(communications[1:], labels[1:], strict=True)], labels[0]
        )
    for (clause, p), label in zip(communications, labels, strict=True):
        f.label(label)
        take_clause(s, point, clause, p, meeting, offers)


def take_clause(s: Scope, point: Point, clause: PointClause, p: Prepared, meeting: Value, offers: Offers) -> None:
    f = s.f
    event = clause.event
    done = f.label_name("moved")
    assert isinstance(event, typed.Send | typed.Receive)
    complete = complete_function(s.unit, point, clause) if is_receive(clause) else None
    if isinstance(event, typed.Send) and isinstance(event.port, typed.InterruptPort):
        raise_interrupt(s, point, event.port.number, meeting, offers)
        f.branch(done)
    elif isinstance(event.port, typed.InterruptPort):
        set_pending(s, event.port.number, False)
        if complete is not None:
            f.call("void", complete, [s.b, s.frame, "ptr null"])
        f.branch(done)
    else:
        possible = possible_partners(s.unit, point, clause, offers)
        assert p.channel is not None
        for i, o in enumerate(possible):
            there = whereabouts(s, point, clause, p.channel, o)
            other = only_if_it_can_be(s, there)
            where: list[Value | str] = [Value("ptr", o.symbol), *there.place]
            if isinstance(event, typed.Send):
                moved = of_one(s, o, "i1", DELIVERS[there.known], [s.b, meeting, values_of(s, clause, p)], where)
            else:
                function = f"{s.unit.target.code_pointer} {complete or 'null'}"
                given: list[Value | str] = [number(8, int(complete is not None)), function, *where]
                moved = of_one(s, o, "i1", FETCHES[there.known], [s.b, meeting, p.receiver], given)
            if i + 1 < len(possible):
                other = other or f.label_name("other")
                f.branch_if(moved, done, other)
            else:
                f.branch(done)
            if other is not None:
                f.label(other)
        if not f.terminated:  # one of them is it
            f.end("unreachable")
        if not possible:
            return
    f.label(done)
    if p.unwritten is None:
        clear_own(s, point)
    leave_at(s, clause.resume)


def clear_own(s: Scope, point: Point) -> None:
    f = s.f
    assert s.body.frame is not None
    if wait_size(point):
        at = f.offset(s.frame, s.body.frame.wait_offset)
        f.call("void", "@lf_clear", [at, number(16, wait_size(point))])


def write_late(s: Scope, clause: PointClause, p: Prepared) -> None:
    f = s.f
    if clause.port_offset is not None:
        assert p.channel is not None
        f.store(p.channel, f.offset(s.frame, clause.port_offset), s.unit.port_bits // 8)
    for to, sent in p.unwritten or ():
        store(s, to, sent)


def wait(s: Scope, point: Point, prepared: list[Prepared], offers: Offers) -> None:
    f = s.f
    slot = s.unit.own_slot
    assert point.waiting is not None
    for clause, p in zip(point.clauses, prepared, strict=True):
        if p.unwritten is not None:
            write_late(s, clause, p)
        if p.milliseconds is None:
            if isinstance(clause.event, typed.ConsoleRead):
                console_read(s, point, clause)
            continue
        skipped = None
        if p.closed is not FALSE:
            timed, skipped = f.label_name("timed"), f.label_name("untimed")
            f.branch_if(p.closed, skipped, timed)
            f.label(timed)
        own = number(8, clause.index if point.is_select else NONE)
        f.call("void", "@lf_policy_sleeps", [s.b, slot, own, f.load("i32", p.milliseconds, 4)])
        if skipped is not None:
            f.label(skipped)
    raised = point.clauses[0] if not point.is_select else None
    if (
        raised is not None
        and isinstance(raised.event, typed.Send)
        and isinstance(raised.event.port, typed.InterruptPort)
    ):
        set_pending(s, raised.event.port.number, True)  # nobody waits for it; this never waits
        clear_own(s, point)
        leave_at(s, raised.resume)
        return
    shares = number(8, int(id(point) in s.unit.shared))
    f.call("void", "@lf_policy_waits", [s.b, slot, shares])
    leave_at(s, point.waiting)
