"""The LLVM module of a program: constants that the kernel reads, bodies, and what the kernel calls.

Entry: `generate(machine, target, scheduler)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lfc.actions.model.machine import Machine, PropertyMachine
from lfc.codegen.bodies.body import ordinary_function, process_function
from lfc.codegen.bodies.functions import add_functions
from lfc.codegen.bodies.marking import mark_ports
from lfc.codegen.bodies.offers import NONE, Offer, make_offers
from lfc.codegen.dispatch import deep_at, function_of_slot, has_next, next_function, position_pointer, run_function
from lfc.codegen.expressions.atoms import atoms_function
from lfc.codegen.expressions.initial import initialise, initialise_variables
from lfc.codegen.instrument.environment import DECLARATIONS as ENVIRONMENT_DECLARATIONS
from lfc.codegen.instrument.environment import access_functions
from lfc.codegen.instrument.input_splitting import DECLARATIONS as SPLITTING_DECLARATIONS
from lfc.codegen.module.access_log import DECLARATIONS as TELLING_DECLARATIONS
from lfc.codegen.module.debug import module_metadata
from lfc.codegen.module.emit import Function, Value, number
from lfc.codegen.module.generated import Generated, Parts, PolicyLayout, PolicyNeeds
from lfc.codegen.module.line_table import LineTable
from lfc.codegen.module.policy_layout import lay_out_policies
from lfc.codegen.module.target import Target
from lfc.codegen.module.unit import Unit, meeting_offsets, roots_of
from lfc.codegen.monitors import watcher_functions
from lfc.semantics.model import typed

KERNEL = """
declare void @lf_fault(ptr, i8 zeroext, i16 zeroext, i32, i32) #1
declare zeroext i8 @lf_policy_in8(ptr, i32)
declare zeroext i16 @lf_policy_in16(ptr, i32)
declare i32 @lf_policy_in32(ptr, i32)
declare void @lf_policy_out8(ptr, i32, i8 zeroext)
declare void @lf_policy_out16(ptr, i32, i16 zeroext)
declare void @lf_policy_out32(ptr, i32, i32)
declare i32 @lf_policy_clock(ptr)
declare signext i16 @lf_policy_console_in(ptr)
declare void @lf_policy_console_out(ptr, i8 zeroext)
declare void @lf_policy_spin(ptr, i32)
declare zeroext i1 @lf_policy_meet(ptr, ptr)
declare zeroext i8 @lf_policy_choice(ptr, i8 zeroext)
declare void @lf_policy_sleeps(ptr, SLOT zeroext, i8 zeroext, i32)
declare void @lf_policy_waits(ptr, SLOT zeroext, i8 zeroext)
declare void @lf_policy_created(ptr, SLOT zeroext, i32)
declare void @lf_policy_channel(ptr)
declare void @lf_set_position(ptr, i16 zeroext, SLOT zeroext, i8 zeroext, i16 zeroext)
declare zeroext SLOT @lf_free_slot(ptr, i16 zeroext, SLOT zeroext, i8 zeroext, i16 zeroext)
declare void @lf_end(ptr, i16 zeroext, SLOT zeroext, i8 zeroext, SLOT zeroext, ptr, i16 zeroext)
declare void @lf_clear(ptr, i16 zeroext)
declare void @lf_mark(ptr, PORT zeroext)
declare zeroext PORT @lf_new_channel(ptr, ptr, i16 zeroext)
declare void @lf_count_call(ptr, ptr, i8 zeroext, i16 zeroext, i16 zeroext)
declare void @lf_uncount_call(ptr, i8 zeroext)
declare void @lf_meeting_begin(ptr)
declare void @lf_seek_receiver(ptr, ptr, i8 zeroext, PORT zeroext, ptr, ptr, SLOT zeroext)
declare void @lf_seek_receivers(ptr, ptr, i8 zeroext, PORT zeroext, ptr, ptr)
declare void @lf_seek_sender(ptr, ptr, i8 zeroext, PORT zeroext, ptr, i8 zeroext, CODE, ptr, SLOT zeroext)
declare void @lf_seek_senders(ptr, ptr, i8 zeroext, PORT zeroext, ptr, i8 zeroext, CODE, ptr)
declare zeroext i1 @lf_deliver(ptr, ptr, ptr, ptr)
declare zeroext i1 @lf_fetch(ptr, ptr, ptr, i8 zeroext, CODE, ptr)
declare zeroext i1 @lf_deliver_to(ptr, ptr, ptr, ptr, SLOT zeroext)
declare zeroext i1 @lf_fetch_from(ptr, ptr, ptr, i8 zeroext, CODE, ptr, SLOT zeroext)
declare void @lf_seek_receiver_at(ptr, ptr, i8 zeroext, PORT zeroext, ptr, ptr, SLOT zeroext, ptr, ptr)
declare void @lf_seek_sender_at(ptr, ptr, i8 zeroext, PORT zeroext, ptr, i8 zeroext, CODE, ptr, SLOT zeroext, ptr, ptr)
declare zeroext i1 @lf_deliver_at(ptr, ptr, ptr, ptr, SLOT zeroext, ptr, ptr)
declare zeroext i1 @lf_fetch_at(ptr, ptr, ptr, i8 zeroext, CODE, ptr, SLOT zeroext, ptr, ptr)
declare void @lf_seek_pending(ptr, ptr, i8 zeroext, i8 zeroext)
declare void @lf_clear_pending(ptr, i8 zeroext)
declare zeroext i1 @lf_is_pending(ptr, i8 zeroext)
declare zeroext SLOT @lf_first_waiting_in(ptr, ptr)
declare signext i8 @lf_compare_strings(ptr, i16 zeroext, ptr, i16 zeroext)
declare void @lf_assign_string(ptr, i16 zeroext, ptr, i16 zeroext)
"""
INTRINSICS = """
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
"""


def generate(
    machine: Machine,
    target: Target,
    scheduler: str = "rr",
    line_tables: bool = False,
    atoms: Sequence[typed.Expr] = (),
    watchers: Sequence[PropertyMachine] = (),
) -> Generated:
    """`atoms`: what formulas ask of a state, for the checker. `watchers`: property processes that are to run."""
    unit = Unit(target, machine, line_table=LineTable(machine.program.main.source) if line_tables else None)
    offers = make_offers(unit)
    for body in unit.bodies:
        if body.has_positions:
            process_function(unit, body, offers)
        elif body.process is None or not body.process.external:
            ordinary_function(unit, body, offers)
    needs = policy_needs(unit)
    policies = lay_out_policies(machine, target, scheduler == "edf", needs)
    first = len(unit.globals)
    unit.globals += constants(unit, policies)
    own_constants = range(first, len(unit.globals))
    run_function(unit)
    if has_next(unit, policies):
        next_function(unit, policies)
    access_functions(unit, {key: [o.symbol for o in found] for key, found in offers.items()})
    initialise_function(unit)
    mark_ports(unit)
    interrupt_functions(unit, offers)
    wake_function(unit, offers)
    console_functions(unit, offers)
    add_functions(unit)
    parts = Parts(unit, scheduler, needs, own_constants, len(unit.globals), len(unit.functions), len(unit.sites))
    if atoms:
        atoms_function(unit, atoms)
    if watchers:
        watcher_functions(unit, watchers)
    add_functions(unit)
    text = module_text(unit, unit.globals, [f.text() for f in unit.functions])
    return Generated(text, unit.sites, policies, machine, unit.properties_read_clock, parts)


def without_instruments(generated: Generated, target: Target) -> Generated:
    """The program alone, for a target that asks for less: not generated again if what is left out are lines of its own
    (of a program that reads inputs, the checker's text is another one)."""
    parts = generated.parts
    if parts is None:
        return generate(generated.machine, target)
    unit = parts.unit
    if not unit.derivable:
        return generate(generated.machine, target, parts.scheduler)
    less = replace(unit, target=target)
    without = unit.target.instruments - target.instruments
    functions = unit.functions[: parts.functions]
    policies = lay_out_policies(unit.machine, target, parts.scheduler == "edf", parts.needs)
    before, after = unit.globals[: parts.constants.start], unit.globals[parts.constants.stop : parts.globals]
    text = module_text(less, [*before, *constants(less, policies), *after], [f.text(without) for f in functions])
    return Generated(text, unit.sites[: parts.sites], policies, unit.machine, False, replace(parts, unit=less))


def policy_needs(unit: Unit) -> PolicyNeeds:
    shared: set[int] = set()
    for body in unit.bodies:
        if any(id(point) in unit.shared for point in body.points):
            for r in roots_of(unit.layout, body):
                shared.update(range(r.first_slot, r.first_slot + r.slots))
    return PolicyNeeds(any("@lf_policy_clock(" in line for f in unit.functions for line in f.lines), len(shared))


def module_text(unit: Unit, global_lines: list[str], functions: list[str]) -> str:
    t = unit.target
    word = "ptr"
    slot, port = f"i{unit.slot_bits}", f"i{unit.port_bits}"
    types = [
        f"%lf_offer = type {{ {', '.join(['i16'] * 12 + [slot] * 2 + ['i8'] * 8 + [t.code_pointer] * 2)} }}",
        f"%lf_meeting = type {{ {'i32' if unit.machine.wide else 'i16'}, i8, {slot}, i8, i8 }}",
        f"%lf_live = type {{ {word}, {word}, i16 }}",
    ]
    kernel = KERNEL.replace("CODE", t.code_pointer)
    if not t.bounded_actions:
        kernel += "declare void @lf_port_idle()\n"
    if unit.machine.environment is not None:
        kernel += ENVIRONMENT_DECLARATIONS
    if t.splits_inputs:
        kernel += SPLITTING_DECLARATIONS
    if t.tells_accesses:
        kernel += TELLING_DECLARATIONS
    kernel = kernel.replace("SLOT", slot).replace("PORT", port)
    if t.code_space:
        kernel = "\n".join(add_space(line, t) for line in kernel.splitlines())
    parts = [
        f'target datalayout = "{t.layout}"',
        f'target triple = "{t.triple}"',
        *types,
        kernel,
        INTRINSICS if not t.code_space else "\n".join(add_space(line, t) for line in INTRINSICS.splitlines()),
        intrinsics(t),
        *global_lines,
        *functions,
        "attributes #1 = { cold noreturn nounwind }",
        '!0 = !{!"branch_weights", i32 2000, i32 1}',
        *unit.metadata,
        *module_metadata(unit),
    ]
    return "\n".join(parts) + "\n"


def add_space(line: str, t: Target) -> str:
    """AVR: functions live in an address space of their own."""
    if not line.startswith("declare"):
        return line
    end = line.rindex(")")
    return f"{line[: end + 1]}{t.define_space}{line[end + 1 :]}"


def intrinsics(t: Target) -> str:
    lines = []
    for bits in (8, 16, 32):
        for op in ("sadd", "ssub", "smul"):
            lines.append(f"declare {{ i{bits}, i1 }} @llvm.{op}.with.overflow.i{bits}(i{bits}, i{bits})")
        lines.append(f"declare i{bits} @llvm.fshr.i{bits}(i{bits}, i{bits}, i{bits})")
    return "\n".join(add_space(line, t) for line in lines)


def has_readers(unit: Unit) -> bool:
    points = [p for body in unit.bodies for p in body.points]
    return any(isinstance(c.event, typed.ConsoleRead) for p in points for c in p.clauses)


def has_timed_selects(unit: Unit) -> bool:
    """Whether several clauses of some SELECT wait for time."""
    points = [p for body in unit.bodies for p in body.points]
    return any(sum(isinstance(c.event, typed.AfterEvent) for c in p.clauses) > 1 for p in points)


def constants(unit: Unit, policies: PolicyLayout) -> list[str]:
    made: list[str] = []
    layout = unit.layout
    own = unit.machine.layout
    theirs = None if unit.machine.environment is None else unit.machine.environment.layout
    numbers = {
        "lf_block_size": (32, layout.size),
        "lf_slots": (unit.slot_bits, sum(r.slots for r in layout.records)),
        "lf_wrap_to": (8, int(not unit.bodies[0].can_wait and sum(r.slots for r in layout.records) > 1)),
        "lf_wide_positions": (8, layout.position_size - 1),
        "lf_first_waiting": (16, layout.first_waiting),
        "lf_positions_at": (16, layout.positions_offset),
        "lf_pending_at": (16, layout.pending_offset),
        "lf_channels": (unit.port_bits, layout.max_channels),
        "lf_has_readers": (8, int(has_readers(unit))),
        "lf_interrupts": (16, len(layout.interrupts)),
        "lf_interrupts_from_outside": (16, 0 if theirs else len(layout.interrupts)),
        "lf_program_slots": (unit.slot_bits, sum(r.slots for r in own.records)),
        "lf_environment_wide_positions": (8, theirs.position_size - 1 if theirs else 0),
        "lf_environment_first_waiting": (16, theirs.first_waiting if theirs else 0),
        "lf_environment_positions_at": (16, theirs.positions_offset if theirs else 0),
        "lf_policy_size": (16, policies.size),
        "lf_policy_clock_at": (16, policies.clock_at),
        "lf_policy_deadlines_at": (16, policies.deadlines_at),
        "lf_policy_sleepers_at": (16, policies.sleepers_at),
        "lf_policy_cursor_at": (16, policies.cursor_at),
        "lf_policy_arrivals_at": (16, policies.arrivals_at),
        "lf_policy_taker_at": (16, policies.taker_at),
        "lf_takers_first": (8, int(bool(policies.takers))),
        "lf_has_deadlines": (8, int(policies.has_deadlines)),
        "lf_sleepers_room": (unit.slot_bits, policies.sleepers_room),
        "lf_runs_next": (8, int(has_next(unit, policies))),
        "lf_timed_selects": (8, int(has_timed_selects(unit))),
        "lf_rests": (8, int(deep_at(unit) is not None)),
        "lf_deep_at": (16, deep_at(unit) or 0),
    }
    for name, (bits, n) in numbers.items():
        made.append(f"@{name} = constant {number(bits, n)}, align {min(bits // 8, unit.target.max_align)}")
    if not unit.target.bounded_actions:  # a board: its memory is part of the program
        size = policies.size + layout.size
        made.append(f"@lf_memory = global [{size} x i8] zeroinitializer, align 4")
        if policies.sleepers_room:  # for a port that keeps the list itself
            for end, n in (("", 0), ("_end", 1 + 6 * policies.sleepers_room)):
                place = f"getelementptr (i8, ptr @lf_memory, i32 {policies.sleepers_at + n})"
                made.append(f"@lf_sleepers{end} = alias i8, ptr {place}")
        if layout.interrupts:  # what their routines say; see runtime/port.h
            made.append(f"@lf_port_came = global [{len(layout.interrupts)} x i8] zeroinitializer")
    listed = ", ".join(f"i8 {number(8, n).ref}" for n in layout.interrupts) or "i8 0"
    count = max(1, len(layout.interrupts))
    made.append(f"@lf_interrupt_numbers = constant [{count} x i8] [{listed}]")
    pool = layout.constant_pool or b"\0"
    text = "".join(chr(c) if 32 <= c < 127 and c not in (34, 92) else f"\\{c:02X}" for c in pool)
    space = f"addrspace({unit.target.code_space}) " if unit.target.code_space else ""
    name = "lf_pool_in_flash" if space else "lf_pool"
    made.append(f'@{name} = internal {space}constant [{len(pool)} x i8] c"{text}", align 4')
    if space:  # a pointer to it is passed as one to memory, with the flag beside it
        t = unit.target.code_space
        made.append(f"@lf_pool = internal alias i8, addrspacecast (ptr addrspace({t}) @lf_pool_in_flash to ptr)")
    return made


def initialise_function(unit: Unit) -> None:
    f, s = function_of_slot(unit, "void @lf_program_initialise(ptr %b)")
    layout = unit.layout
    own = unit.machine.layout
    for v, offset in layout.variables.items():
        initialise(s, f.offset(s.b, offset), v.type)
    r = layout.records[0]
    start = number(8 * layout.position_size, r.body.start.number)
    f.store(start, position_pointer(f, own, number(unit.slot_bits, 0)), layout.position_size)
    record = f.offset(s.b, r.offset)
    if r.frame_field_offset is not None:
        f.store(number(8 * r.frame_field_size, r.frame0), f.offset(record, r.frame_field_offset), r.frame_field_size)
    assert r.body.frame is not None
    initialise_variables(s, r.body, f.offset(record, r.frame0), list(r.body.frame.variables), zeroed=True)
    f.end("ret void")
    unit.add(f)


def offers_of(offers: dict[tuple[str, object], list[Offer]], kind: str) -> list[Offer]:
    return [o for (k, _), found in offers.items() if k == kind for o in found]


def interrupt_functions(unit: Unit, offers: dict[tuple[str, object], list[Offer]]) -> None:
    """Who waits for an interrupt; letting the chosen one go."""
    f, _ = function_of_slot(unit, "void @lf_program_interrupt(ptr %b, i8 zeroext %bit, ptr %m)")
    by_bit(unit, f, offers, "lf_seek_receivers")
    unit.add(f)
    f, _ = function_of_slot(unit, "void @lf_program_take(ptr %b, i8 zeroext %bit, ptr %m)")
    by_bit(unit, f, offers, "lf_deliver")
    unit.add(f)


def by_bit(unit: Unit, f: Function, offers: dict[tuple[str, object], list[Offer]], act: str) -> None:
    b, m = Value("ptr", "%b"), Value("ptr", "%m")
    numbers = unit.layout.interrupts
    labels = [f.label_name("bit") for _ in numbers]
    f.switch(Value("i8", "%bit"), list(enumerate(labels)), "nobody")
    for n, label in zip(numbers, labels, strict=True):
        f.label(label)
        for o in offers.get(("receive interrupt", n), []):
            where = Value("ptr", o.symbol)
            if act == "lf_deliver":
                f.call("i1", "@lf_deliver", [b, m, "ptr null", where])
            else:
                f.call("void", "@lf_seek_receivers", [b, m, number(8, NONE), unit.no_channel, "ptr null", where])
        f.branch("nobody")
    f.label("nobody")
    f.end("ret void")


def deliver_to(unit: Unit, f: Function, offers: list[Offer], theirs: Value, values: str) -> None:
    """The slot %slot, which waits in one of `offers` at clause `theirs`, gets values."""
    m = f.alloca("%lf_meeting", 2)
    f.call("void", "@lf_meeting_begin", [m])
    _, partner_at, theirs_at = meeting_offsets(unit)
    f.store(unit.own_slot, f.offset(m, partner_at), unit.slot_bits // 8)
    f.store(theirs, f.offset(m, theirs_at), 1)
    for o in offers:
        found, other = f.label_name("found"), f.label_name("other")
        moved = f.call("i1", "@lf_deliver", [Value("ptr", "%b"), m, values, Value("ptr", o.symbol)])
        f.branch_if(moved, found, other)
        f.label(found)
        f.end("ret void")
        f.label(other)
    f.end("ret void")


def wake_function(unit: Unit, offers: dict[tuple[str, object], list[Offer]]) -> None:
    f, _ = function_of_slot(
        unit, f"void @lf_program_wake(ptr %b, {unit.own_slot.type} zeroext %slot, i8 zeroext %clause)"
    )
    sleeps, selects = offers_of(offers, typed.Sleep.__name__), offers_of(offers, typed.AfterEvent.__name__)
    # A board wakes only who waits: if all of them sleep, there is no clause to look at. A record may be wrong.
    clause = Value("i8", "%clause") if selects or unit.target.bounded_actions else number(8, NONE)
    deliver_to(unit, f, sleeps + selects, clause, "ptr null")
    unit.add(f)


def console_functions(unit: Unit, offers: dict[tuple[str, object], list[Offer]]) -> None:
    readers = offers_of(offers, typed.ConsoleRead.__name__)
    f, _ = function_of_slot(
        unit, f"void @lf_program_console(ptr %b, {unit.own_slot.type} zeroext %slot, i8 zeroext %c)"
    )
    room = f.alloca("i8")
    f.store(Value("i8", "%c"), room, 1)
    deliver_to(unit, f, readers, number(8, NONE), f"ptr {room.ref}")
    unit.add(f)
    f, _ = function_of_slot(unit, f"zeroext {unit.own_slot.type} @lf_program_reader(ptr %b)")
    lowest = unit.nobody
    for o in readers:
        slot = f.call(unit.own_slot.type, "@lf_first_waiting_in", [Value("ptr", "%b"), Value("ptr", o.symbol)])
        lowest = f.select(f.compare("ult", slot, lowest), slot, lowest)
    f.end(f"ret {lowest}")
    unit.add(f)
