"""Values of scalar expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lfc.codegen.expressions import arithmetic
from lfc.codegen.expressions.arrays import compare_strings, flagged_length, pointer_to_whole
from lfc.codegen.expressions.designators import is_scalar, known_channel, known_on_board, length_of, load, place
from lfc.codegen.expressions.outside import read_while_written
from lfc.codegen.instrument.clock import clock_beside_state
from lfc.codegen.instrument.environment import port_in
from lfc.codegen.instrument.input_splitting import split_binary, split_membership, split_odd, split_relation
from lfc.codegen.module.emit import FALSE, TRUE, Value, bits_of, number
from lfc.codegen.module.scope import OVERFLOW, Scope, is_signed, stored_bits, value_type
from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, CountedType, OpenArrayType, SetType, Type, is_port


def value(s: Scope, e: typed.Expr) -> Value:
    return HANDLERS[type(e)](s, e)


def constant(s: Scope, e: typed.Constant) -> Value:
    assert isinstance(e.value, int), "a string has no scalar value"
    return number(bits_of(value_type(e.type)), e.value)


def designator(s: Scope, e: typed.Expr) -> Value:
    channel = known_channel(s, e)
    if channel is not None:
        return number(s.unit.port_bits, channel)
    known = known_on_board(s, e) if isinstance(e, typed.VariableRef) and not is_port(e.type) else None
    return load(s, place(s, e)) if known is None else number(bits_of(value_type(e.type)), known)


def unary(s: Scope, e: typed.Unary) -> Value:
    v = value(s, e.operand)
    if e.op == "~":
        return s.f.arithmetic("xor", v, TRUE)
    return arithmetic.negate(s, e.type, v, e.span)


def binary(s: Scope, e: typed.Binary) -> Value:
    split = split_binary(s, e, value)
    if split is not None:
        return split
    left = value(s, e.left)
    return arithmetic.binary(s, e.op, e.type, left, value(s, e.right), e.span)


def relation(s: Scope, e: typed.Relation) -> Value:
    if isinstance(e.left.type, ArrayType | OpenArrayType):
        return compare_strings(s, e)
    split = split_relation(s, e, value)
    if split is not None:
        return split
    left = value(s, e.left)
    return arithmetic.relation(s, e.op, e.left.type, left, value(s, e.right))


def membership(s: Scope, e: typed.Membership) -> Value:
    f = s.f
    split = split_membership(s, e, value)
    if split is not None:
        return split
    element = value(s, e.element)
    mask = value(s, e.set)
    bits = bits_of(mask.type)
    wide = f.widen(element, 32, is_signed(e.element.type))
    inside = f.compare("ult", wide, number(32, bits))
    n = f.widen(f.select(inside, wide, number(32, 0)), bits)
    there = f.op("i1", f"trunc {f.arithmetic('lshr', mask, n)} to i1")
    return f.select(inside, there, FALSE)


def logical(s: Scope, e: typed.Logical) -> Value:
    """The right operand only if it is needed."""
    f = s.f
    left = value(s, e.left)
    more, done = f.label_name("more"), f.label_name("done")
    at_left = f.label_name("left")
    f.branch(at_left)
    f.label(at_left)
    if e.op == "&":
        f.branch_if(left, more, done)
    else:
        f.branch_if(left, done, more)
    if left.ref in ("true", "false"):  # decided: the other way has no edge
        decided = (left.ref == "true") == (e.op == "OR")
        f.label(done if decided else more)
        return left if decided else value(s, e.right)
    f.label(more)
    right = value(s, e.right)
    at_right = f.label_name("right")
    f.branch(at_right)
    f.label(at_right)
    f.branch(done)
    f.label(done)
    short = "false" if e.op == "&" else "true"
    return f.op("i1", f"phi i1 [ {short}, %{at_left} ], [ {right.ref}, %{at_right} ]")


def overlapped(s: Scope, e: typed.Overlapped) -> Value:
    """Where nothing else runs while a write is under way, whoever asks finds what is stored."""
    f = s.f
    found = load(s, place(s, e.value))
    busy = f.compare("ne", value(s, e.writing), number(8, 0))
    torn, done, before = f.label_name("torn"), f.label_name("done"), f.label_name("before")
    f.branch(before)
    f.label(before)
    f.branch_if(busy, torn, done)
    f.label(torn)
    any_value = read_while_written(s, e.type, found)
    after = f.label_name("after")
    f.branch(after)
    f.label(after)
    f.branch(done)
    f.label(done)
    return f.op(found.type, f"phi {found.type} [ {found.ref}, %{before} ], [ {any_value.ref}, %{after} ]")


def convert(s: Scope, e: typed.Convert) -> Value:
    if isinstance(e.operand.type, CountedType) and isinstance(e.operand, typed.Binary):
        left, right = (narrow(s, x, e.type) for x in (e.operand.left, e.operand.right))
        return arithmetic.without_wrap(s, e.operand.op, e.type, left, right, e.span)
    return arithmetic.convert(s, value(s, e.operand), e.operand.type, e.type, e.checked, e.span)


def narrow(s: Scope, e: typed.Expr, t: Type) -> Value:
    """An operand of what is counted, in the type that the result is to have."""
    if isinstance(e, typed.Convert):
        return value(s, e.operand)
    assert isinstance(e, typed.Constant) and isinstance(e.value, int)
    return number(stored_bits(t), e.value)


def reinterpret(s: Scope, e: typed.Reinterpret) -> Value:
    return arithmetic.reinterpret(s, value(s, e.operand), e.operand.type, e.type)


def set_constructor(s: Scope, e: typed.SetConstructor) -> Value:
    f = s.f
    assert isinstance(e.type, SetType)
    bits = e.type.bits
    mask = number(bits, 0)
    for low, high in e.elements:
        v = value(s, low)
        if high is None:
            part = arithmetic.element_bit(s, v, low.type, bits, low.span)
        else:
            w = value(s, high)
            part = arithmetic.element_range(s, v, w, low.type, high.type, bits, low.span.to(high.span))
        mask = f.arithmetic("or", mask, part)
    return mask


def function_call(s: Scope, e: typed.FunctionCall) -> Value:
    f = s.f
    if e.name == "LEN":
        return f.widen(length_of(s, place(s, e.arguments[0])), bits_of(value_type(e.type)))
    if e.name == "Clock.Now":
        if s.of_property:
            return clock_beside_state(s)
        return f.call("i32", "@lf_policy_clock", [s.b])
    split = split_odd(s, e.arguments[0], value) if e.name == "ODD" else None
    if split is not None:
        return split
    values = [value(s, a) for a in e.arguments]
    if e.name == "ABS":
        t = e.type
        if not is_signed(t):
            return values[0]
        zero = number(bits_of(values[0].type), 0)
        lowest = number(bits_of(values[0].type), 1 << (bits_of(values[0].type) - 1))
        good = f.compare("ne", values[0], lowest)
        s.check(good, OVERFLOW, e.span, "overflow", (values[0], True), (zero, True))
        negative = f.compare("slt", values[0], zero)
        return f.select(negative, f.arithmetic("sub", zero, values[0]), values[0])
    if e.name == "ODD":
        return f.op("i1", f"trunc {values[0]} to i1")
    if e.name in ("LSL", "ASR", "ROR"):
        return arithmetic.shift(s, e.name, e.type, values[0], values[1], e.arguments[1].type, e.span)
    if e.name in ("MIN", "MAX"):
        op = "<" if e.name == "MIN" else ">"
        first = arithmetic.relation(s, op, e.type, values[0], values[1])
        return f.select(first, values[0], values[1])
    if e.name in ("PORTIN", "PORTIN16", "PORTIN32"):
        bits = {"PORTIN": 8, "PORTIN16": 16, "PORTIN32": 32}[e.name]
        address = f.widen(values[0], 32, is_signed(e.arguments[0].type))
        return port_in(s, bits, address, e.span)
    raise AssertionError(f"unknown function {e.name}")


def call_function(s: Scope, e: typed.CallFunction) -> Value:
    """Of a PROCEDURE without an effect."""
    f = s.f
    arguments: list[Value | str] = [s.b]
    for a in e.arguments:
        if isinstance(a.formal.type, OpenArrayType):
            p = place(s, a.value)
            assert p.pointer is not None
            arguments += [p.pointer, flagged_length(s, p)]
        elif is_scalar(a.formal.type):
            arguments.append(value(s, a.value))
        else:
            arguments.append(pointer_to_whole(s, a.formal.type, a.value))
    result = value_type(e.type)
    symbol = s.unit.function_symbol(e.process, s.tries)
    if not s.tries:
        return f.call(result, symbol, arguments)
    fault = f.alloca("i32", 4)
    f.store(number(32, 0), fault, 4)
    found = f.call(result, symbol, [*arguments, fault])
    told = f.load("i32", fault, 4)
    good, bad = f.label_name("good"), f.label_name("bad")
    f.branch_if(f.compare("eq", told, number(32, 0)), good, bad)
    f.label(bad)
    s.pass_on(told)
    f.label(good)
    return found


def status_atom(s: Scope, e: typed.StatusAtom) -> Value:
    from lfc.codegen.expressions.atoms import status  # atoms are expressions, which have operands

    return status(s, e)


def taken_atom(s: Scope, e: typed.TakenAtom) -> Value:
    from lfc.codegen.expressions.atoms import taken

    return taken(s, e)


HANDLERS: dict[type[typed.Expr], Callable[[Scope, Any], Value]] = {
    typed.Constant: constant,
    typed.VariableRef: designator,
    typed.FieldRef: designator,
    typed.IndexRef: designator,
    typed.Unary: unary,
    typed.Binary: binary,
    typed.Relation: relation,
    typed.Membership: membership,
    typed.Logical: logical,
    typed.Convert: convert,
    typed.Reinterpret: reinterpret,
    typed.SetConstructor: set_constructor,
    typed.FunctionCall: function_call,
    typed.CallFunction: call_function,
    typed.Overlapped: overlapped,
    typed.SlotVariable: designator,
    typed.StatusAtom: status_atom,
    typed.TakenAtom: taken_atom,
    typed.TimerAtom: lambda s, e: number(1, 0),
}
