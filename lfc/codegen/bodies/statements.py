"""Simple statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lfc.codegen.bodies.calls import call_function, create_process
from lfc.codegen.expressions import arithmetic
from lfc.codegen.expressions.arrays import assign_whole
from lfc.codegen.expressions.designators import is_scalar, load, place, store
from lfc.codegen.expressions.values import value
from lfc.codegen.instrument import environment
from lfc.codegen.instrument.input_splitting import ask_for, assign_part, part_of
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import ASSERT, RANGE, Scope, is_signed, stored_bits
from lfc.codegen.module.target import Instrument
from lfc.semantics.model import typed
from lfc.semantics.model.types import CountedType, IntegerType, SetType, scalar_range


def statement(s: Scope, st: typed.Statement) -> None:
    HANDLERS[type(st)](s, st)


def assign(s: Scope, st: typed.Assign) -> None:
    if assign_part(s, st.target, st.value, value):
        return
    target = place(s, st.target)
    if target.address is not None and s.unit.target.splits_inputs:
        s.unit.derivable = False
        read_only(s, st.value)
    elif is_scalar(target.type):
        store(s, target, value(s, st.value))
    else:
        assign_whole(s, target, st.value)


def step(s: Scope, st: typed.Step) -> None:
    """INC and DEC: in the target's own type if that is an integer, else as INTEGER, then checked."""
    f = s.f
    target = place(s, st.target)
    t = target.type
    op = "-" if st.down else "+"
    amount = value(s, st.amount)
    amount_signed = is_signed(st.amount.type)
    old = load(s, target)
    if isinstance(t, IntegerType):
        amount = f.widen(amount, 8 * t.size, amount_signed)
        if isinstance(st.amount.type, CountedType):
            store(s, target, arithmetic.without_wrap(s, op, t, old, amount, st.span))
            return
        store(s, target, arithmetic.binary(s, op, t, old, amount, st.span))
        return
    wide = f.widen(old, 32, is_signed(t))
    instruction = "sub" if st.down else "add"
    result = arithmetic.with_overflow(s, instruction, wide, f.widen(amount, 32, amount_signed), st.span)
    low, high = scalar_range(t)
    good = f.arithmetic("and", f.compare("sge", result, number(32, low)), f.compare("sle", result, number(32, high)))
    s.check(good, RANGE, st.span, f"value of {t.name}", (result, True))
    store(s, target, f.widen(result, stored_bits(t)))


def include(s: Scope, st: typed.Include) -> None:
    f = s.f
    target = place(s, st.set)
    bits = stored_bits(target.type)
    element = value(s, st.element)
    mask = arithmetic.element_bit(s, element, st.element.type, bits, st.element.span)
    if target.address is not None and s.unit.target.splits_inputs:
        s.unit.derivable = False
        read_only(s, st.set)
        return
    old = load(s, target)
    if st.exclude:
        store(s, target, f.arithmetic("and", old, f.arithmetic("xor", mask, number(bits, -1))))
    else:
        store(s, target, f.arithmetic("or", old, mask))


def new(s: Scope, st: typed.New) -> None:
    target = place(s, st.port)
    bits = s.unit.port_bits
    known = known_number(s, st)
    if known is not None:
        store(s, target, known)
        return
    site = s.unit.site(9, st.span, "NEW")
    live = s.live or Value("ptr", "null")
    numbers = environment.channels_of(s, st)
    if s.unit.target.explores:
        with s.f.instrument(Instrument.CHANNELS):
            s.f.call("void", "@lf_policy_channel", [s.b])
    if numbers is None:
        channel = s.f.call(f"i{bits}", "@lf_new_channel", [s.b, live, number(16, site)])
    else:
        first, last = (number(16, n) for n in numbers)
        channel = s.f.call(f"i{bits}", "@lf_new_channel_among", [s.b, live, number(16, site), first, last])
    store(s, target, channel)


def known_number(s: Scope, st: typed.New) -> Value | None:
    """Of the channel that it makes."""
    bits, machine = s.unit.port_bits, s.unit.machine
    if isinstance(st.port, typed.VariableRef) and st.port.variable in machine.constant_ports:
        return number(bits, machine.constant_ports[st.port.variable])
    known = machine.known_news.get(st)
    if known is None:
        return None
    if known.scale == 0:
        return number(bits, known.offset)
    assert isinstance(st.port, typed.IndexRef)
    index = s.f.widen(value(s, st.port.index), bits)
    return s.f.arithmetic("add", s.f.arithmetic("mul", index, number(bits, known.scale)), number(bits, known.offset))


def assertion(s: Scope, st: typed.Assert) -> None:
    s.check(value(s, st.condition), ASSERT, st.span, "assertion")


def port_out(s: Scope, st: typed.PortOut) -> None:
    f = s.f
    address = f.widen(value(s, st.address), 32, is_signed(st.address.type))
    if s.unit.target.splits_inputs:
        s.unit.derivable = False
        read_only(s, st.value)
        return
    v = f.widen(value(s, st.value), st.width, is_signed(st.value.type))
    environment.port_out(s, st.width, address, v, st.span)


def read_only(s: Scope, e: typed.Expr) -> None:
    """Of what is written to a device: reads and checks what the expression reads and checks. What it comes to is part
    of no state, so where it cannot fault no input is asked for its value."""
    part = part_of(s, e)
    if part is not None:
        ask_for(s, part, value)
        return
    match e:
        case typed.Binary() if isinstance(e.type, SetType):
            read_only(s, e.left)
            read_only(s, e.right)
        case typed.Reinterpret():
            read_only(s, e.operand)
        case typed.Convert() if not e.checked:
            read_only(s, e.operand)
        case _:
            value(s, e)


def console_write(s: Scope, st: typed.ConsoleWrite) -> None:
    s.f.call("void", "@lf_policy_console_out", [s.b, value(s, st.value)])


def spin(s: Scope, st: typed.Spin) -> None:
    s.f.call("void", "@lf_policy_spin", [s.b, value(s, st.microseconds)])


def send_value(s: Scope, st: typed.Send) -> None:
    """What an environment answers to a read: the only sending that is no scheduling point."""
    environment.answer(s, st, s.f.widen(value(s, st.values[0]), 32, is_signed(st.values[0].type)))


HANDLERS: dict[type[typed.Statement], Callable[[Scope, Any], None]] = {
    typed.Assign: assign,
    typed.Step: step,
    typed.Include: include,
    typed.New: new,
    typed.Assert: assertion,
    typed.PortOut: port_out,
    typed.ConsoleWrite: console_write,
    typed.Spin: spin,
    typed.CallProcess: call_function,
    typed.CreateProcess: create_process,
    typed.Send: send_value,
}
