"""Where a designator lies: in the block, on the stack, in the constant pool or in a device."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.actions.analysis.known_partners import channel_of_element, known_formal
from lfc.base.source import Span
from lfc.codegen.expressions.outside import load_nonatomic, store_nonatomic
from lfc.codegen.instrument.environment import port_in, port_out
from lfc.codegen.instrument.input_splitting import settle
from lfc.codegen.module.access_log import ToldVariable
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import INDEX, Scope, is_signed, stored_bits
from lfc.codegen.module.target import Instrument
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    BooleanType,
    OpenArrayType,
    RecordType,
    Type,
    is_port,
    record_layout,
    size_and_alignment,
)


@dataclass(slots=True)
class Place:
    """Where a value lies. Memory has a pointer; a device register an address; an open array a length too, whose top
    bit says that it lies in the constant pool."""

    type: Type
    pointer: Value | None = None
    address: int | None = None
    length: Value | None = None  # of an open array or a string: i16, with the flag
    flag: Value | None = None  # i1: in the constant pool; None: certainly not
    span: Span | None = None  # of a device register: where it is accessed
    nonatomic: bool = False  # something outside of the program may change it at any time


def known_channel(s: Scope, e: typed.Expr) -> int | None:
    """Of a module port that is set once, before any process but the initialisation runs; on a board, where channels are
    never renamed, also of an element of an array of such ports."""
    if s.body.process is None:
        return None
    machine = s.unit.machine
    if isinstance(e, typed.VariableRef):
        found = machine.constant_ports.get(e.variable)
        return known_on_board(s, e) if found is None and is_port(e.type) else found
    if s.unit.target.bounded_actions or not isinstance(e, typed.IndexRef) or not is_port(e.type):
        return None
    root = e.base.variable if isinstance(e.base, typed.VariableRef) else None
    return None if root in machine.unset_arrays else channel_of_element(machine, e)


def known_on_board(s: Scope, e: typed.VariableRef) -> int | None:
    """Of a formal that has the same value in every process that is created."""
    return None if s.unit.target.bounded_actions else known_formal(s.unit.machine, s.body, e.variable)


def place(s: Scope, e: typed.Expr) -> Place:
    if isinstance(e, typed.VariableRef):
        tell_all(s, e.variable)
        found = place_of_variable(s, e.variable)
        found.span = e.span
        return found
    if isinstance(e, typed.FieldRef):
        base = place(s, e.base)
        assert base.pointer is not None and isinstance(base.type, RecordType)
        offsets, _, _ = record_layout(base.type)
        at = s.f.offset(base.pointer, offsets[base.type.fields.index(e.field)])
        return Place(e.field.type, at, flag=base.flag)
    if isinstance(e, typed.IndexRef):
        return place_of_element(s, e)
    if isinstance(e, typed.Constant) and isinstance(e.value, bytes):
        return place_of_string(s, e)
    if isinstance(e, typed.SlotVariable):
        from lfc.codegen.expressions.atoms import place_of_slot_variable  # its slot is an expression

        return place_of_slot_variable(s, e)
    raise AssertionError(f"not a designator: {type(e).__name__}")


def told(s: Scope, v: Variable) -> ToldVariable | None:
    return s.unit.told.get(s.body.hidden.get(v, v))


def tell_all(s: Scope, v: Variable) -> None:
    """The checker is told of an access to any part of the variable."""
    t = told(s, v)
    if t is None:
        return
    with s.f.instrument(Instrument.ACCESSES):
        if t.parts == 1:
            s.f.call("void", "@lf_policy_tell", [s.b, number(16, t.first)])
        else:
            s.f.call("void", "@lf_policy_tell_all", [s.b, number(16, t.first), number(16, t.parts)])


def tell_element(s: Scope, e: typed.IndexRef, index: Value) -> None:
    """The checker is told of an access to one element, if it has not been told of the whole array."""
    t = told(s, e.base.variable) if isinstance(e.base, typed.VariableRef) else None
    if t is None:
        return
    f = s.f
    with f.instrument(Instrument.ACCESSES):
        part = f.widen(index, 16)
        if t.elements > 1:
            part = f.arithmetic("udiv", part, number(16, t.elements))
        f.call("void", "@lf_policy_tell", [s.b, f.arithmetic("add", part, number(16, t.first))])


def place_of_variable(s: Scope, v: Variable) -> Place:
    v = s.body.hidden.get(v, v)
    f = s.f
    if v.kind is VariableKind.MODULE or v in s.unit.layout.variables:
        if v.address is not None:
            return Place(v.type, address=v.address, nonatomic=v.nonatomic)
        return Place(v.type, f.offset(s.b, s.unit.layout.variables[v]), nonatomic=v.nonatomic)
    if v in s.places:
        settle(s, v)
        return open_place(s, v, s.places[v], s.lengths.get(v))
    assert s.body.frame is not None, v.name
    at = f.offset(s.frame, s.body.frame.variables[v])
    if isinstance(v.type, OpenArrayType):
        offset = f.load("i16", at, 2)
        length = f.load("i16", f.offset(at, 2), 2)
        in_pool = f.compare("slt", length, number(16, 0))
        pointer = f.select(in_pool, f.offset(Value("ptr", "@lf_pool"), offset), f.offset(s.b, offset))
        return Place(v.type, pointer, length=length, flag=in_pool)
    if v.kind is VariableKind.VAR:
        return Place(v.type, f.offset(s.b, f.load("i16", at, 2)))
    return Place(v.type, at)


def open_place(s: Scope, v: Variable, pointer: Value, length: Value | None) -> Place:
    if length is None:
        return Place(v.type, pointer)
    return Place(v.type, pointer, length=length, flag=s.f.compare("slt", length, number(16, 0)))


def place_of_string(s: Scope, e: typed.Constant) -> Place:
    assert isinstance(e.value, bytes)
    offset = s.unit.layout.constant_offsets.get(e.value)
    if offset is None:
        pointer = s.unit.string_of_properties(e.value)
    else:
        pointer = s.f.offset(Value("ptr", "@lf_pool"), offset)
    assert isinstance(e.type, ArrayType | RecordType)
    flagged = number(16, (e.type.length if isinstance(e.type, ArrayType) else 0) | 0x8000)
    return Place(e.type, pointer, length=flagged, flag=Value("i1", "true"))


def length_of(s: Scope, p: Place) -> Value:
    """The number of elements, i16, without the flag."""
    if isinstance(p.type, ArrayType):
        return number(16, p.type.length)
    assert p.length is not None
    return s.f.arithmetic("and", p.length, number(16, 0x7FFF))


def place_of_element(s: Scope, e: typed.IndexRef) -> Place:
    from lfc.codegen.expressions.values import value  # an index is an expression, whose operands may be designators

    f = s.f
    if isinstance(e.base, typed.VariableRef):
        base = place_of_variable(s, e.base.variable)  # only the element is accessed
        base.span = e.base.span
    else:
        base = place(s, e.base)
    assert isinstance(base.type, ArrayType | OpenArrayType) and base.pointer is not None
    element = base.type.element
    size, _ = size_and_alignment(element)
    if isinstance(e.index, typed.Constant) and isinstance(base.type, ArrayType):
        assert isinstance(e.index.value, int)
        if 0 <= e.index.value < base.type.length:
            tell_element(s, e, number(16, e.index.value))
            return Place(element, f.offset(base.pointer, size * e.index.value), flag=base.flag)
    index = value(s, e.index)
    signed = is_signed(e.index.type)
    wide = f.widen(index, 32, signed)
    length = f.widen(length_of(s, base), 32)
    good = f.compare("ult", wide, length)
    s.check(good, INDEX, e.span, "index", (wide, signed), (length, False))
    tell_element(s, e, wide)
    scaled = f.arithmetic("mul", f.widen(wide, 16), number(16, size)) if size != 1 else f.widen(wide, 16)
    return Place(element, f.offset(base.pointer, scaled), flag=base.flag)


def load(s: Scope, p: Place) -> Value:
    """The value of a scalar."""
    f = s.f
    bits = stored_bits(p.type)
    if p.address is not None:
        assert p.span is not None
        v = port_in(s, bits, number(32, p.address), p.span, torn=p.nonatomic and bits > 8)
    elif p.nonatomic:
        assert p.pointer is not None
        v = load_nonatomic(s, p.type, p.pointer)
    elif p.flag is not None and s.unit.target.code_space:
        v = load_flagged(s, p, bits)
    else:
        assert p.pointer is not None
        v = f.load(f"i{bits}", p.pointer, bits // 8)
    return f.op("i1", f"trunc {v} to i1") if isinstance(p.type, BooleanType) else v


def load_flagged(s: Scope, p: Place, bits: int) -> Value:
    """From flash or RAM, where these are different memories."""
    f = s.f
    assert p.pointer is not None and p.flag is not None
    space = f"ptr addrspace({s.unit.target.code_space})"
    flash, ram, both = f.label_name("flash"), f.label_name("ram"), f.label_name("both")
    f.branch_if(p.flag, flash, ram)
    f.label(flash)
    address = f.op("i16", f"ptrtoint {p.pointer} to i16")
    there = f.op(space, f"inttoptr {address} to {space}")
    a = f.op(f"i{bits}", f"load i{bits}, {there}, align 1")
    f.branch(both)
    f.label(ram)
    c = f.load(f"i{bits}", p.pointer, bits // 8)
    f.branch(both)
    f.label(both)
    return f.op(f"i{bits}", f"phi i{bits} [ {a.ref}, %{flash} ], [ {c.ref}, %{ram} ]")


def store(s: Scope, p: Place, v: Value) -> None:
    """Stores a scalar."""
    f = s.f
    bits = stored_bits(p.type)
    if v.type == "i1":
        v = f.widen(v, bits)
    if p.address is not None:
        assert p.span is not None
        port_out(s, bits, number(32, p.address), v, p.span)
        return
    assert p.pointer is not None
    if p.nonatomic:
        store_nonatomic(s, v, p.pointer)
    else:
        f.store(v, p.pointer, bits // 8)


def copy(s: Scope, target: Value, source: Value, t: Type) -> None:
    """Whole arrays and records. They may be the same variable."""
    size, _ = size_and_alignment(t)
    s.f.call("void", "@llvm.memmove.p0.p0.i32", [f"ptr {target.ref}", f"ptr {source.ref}", f"i32 {size}", "i1 false"])


def copy_from_flash(s: Scope, target: Value, source: Place, t: Type) -> None:
    """The same from a place that may lie in flash, where that is another memory: byte by byte."""
    assert source.pointer is not None
    if source.flag is None or not s.unit.target.code_space:
        copy(s, target, source.pointer, t)
        return
    f = s.f
    size, _ = size_and_alignment(t)
    counter = f.alloca("i16")
    f.store(number(16, 0), counter, 2)
    again, done = f.label_name("again"), f.label_name("copied")
    f.label(again)
    at = f.load("i16", counter, 2)
    byte = load_flagged(s, Place(t, f.offset(source.pointer, at), flag=source.flag), 8)
    f.store(byte, f.offset(target, at), 1)
    following = f.arithmetic("add", at, number(16, 1))
    f.store(following, counter, 2)
    f.branch_if(f.compare("ult", following, number(16, size)), again, done)
    f.label(done)


def is_scalar(t: Type) -> bool:
    return not isinstance(t, ArrayType | OpenArrayType | RecordType)
