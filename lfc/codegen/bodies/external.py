"""Calls of EXTERNAL processes: how arguments reach C, and what is done with all that C has written.

What C writes is an input of the program: it is recorded, and a replay or the checker puts values in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lfc.actions.model.machine import Body
from lfc.base.source import Span
from lfc.codegen.expressions.arrays import assign_from, flagged_length
from lfc.codegen.expressions.designators import Place, is_scalar, length_of, place
from lfc.codegen.expressions.outside import MOST_VALUES, declare, input_value
from lfc.codegen.expressions.values import value
from lfc.codegen.module.emit import Value, number, pass_argument
from lfc.codegen.module.scope import EFFECT, RANGE, Scope, is_signed, stored_bits
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    OpenArrayType,
    RecordType,
    Type,
    record_layout,
    scalar_range,
    size_and_alignment,
)


@dataclass(slots=True)
class Written:
    """What C may write of one argument."""

    place: Place
    span: Span
    text: str
    nonatomic: bool  # C may write it at any time: each read of it is an input already


@dataclass(slots=True)
class Room:
    """How many combinations of values the checker still tries of one call. An array is tried whole or not at all."""

    left: int = MOST_VALUES

    def take(self, t: Type) -> bool:
        count = alternatives(t, self.left)
        if count:
            self.left //= count
        return count > 0


def call_external(s: Scope, st: typed.CallProcess, callee: Body) -> None:
    """The values that C may have written are looked at in the order of the parameters."""
    process = callee.process
    assert process is not None
    signature: list[str] = []
    arguments: list[str] = []
    written: list[Written] = []
    for a in st.arguments:
        for parameter in passed(s, a, written):
            arguments.append(parameter)
            signature.append(parameter.rpartition(" ")[0])
    s.unit.site(EFFECT, st.span, process.name)
    if s.unit.target.explores:
        s.unit.derivable = False
    else:
        run(s, process, signature, arguments, written, st.span)
    room = Room()
    for w in written:
        if not w.nonatomic:
            settle(s, w, w.place, room)


def passed(s: Scope, a: typed.Argument, written: list[Written]) -> Iterator[str]:
    """The arguments of the C function that stand for one of LF."""
    f = s.f
    v = a.formal
    if v.kind is not VariableKind.VAR and is_scalar(v.type):
        yield c_argument(value(s, a.value), v.type)
        return
    p = place(s, a.value)
    assert p.pointer is not None
    length = s.f.arithmetic("and", flagged_length(s, p), number(16, 0x7FFF)) if is_open(v.type) else None
    if v.kind is VariableKind.VAR:
        atomic = not (isinstance(a.value, typed.VariableRef) and a.value.variable.nonatomic)
        written.append(Written(p, a.value.span, v.name, not atomic))
    elif isinstance(a.value, typed.Constant) or p.flag is not None:
        p = in_memory(s, v, a.value, p)
    assert p.pointer is not None
    yield f"ptr {p.pointer.ref}"
    if length is not None:
        yield pass_argument(f.widen(length, 16))


def is_open(t: Type) -> bool:
    return isinstance(t, OpenArrayType)


def in_memory(s: Scope, formal: Variable, e: typed.Expr, p: Place) -> Place:
    """A text, which may lie in flash, copied to the stack."""
    if isinstance(formal.type, ArrayType):
        t = formal.type
    else:
        assert isinstance(e, typed.Constant) and isinstance(e.type, ArrayType)  # others are refused before
        t = e.type
    size, align = size_and_alignment(t)
    copied = Place(t, s.f.alloca(f"[{size} x i8]", align))
    assign_from(s, copied, e, p)
    return copied


def c_argument(v: Value, t: Type) -> str:
    """As C wants small integers: extended by their own sign."""
    extension = "" if v.type == "i32" else " signext" if is_signed(t) else " zeroext"
    return f"{v.type}{extension} {v.ref}"


def run(
    s: Scope, process: typed.Process, signature: list[str], arguments: list[str], written: list[Written], span: Span
) -> None:
    """The call itself. On this machine it is left out while a record is replayed, and it is watched: nothing else of
    the block may change."""
    f = s.f
    target = s.unit.target
    symbol = f'@"{process.symbol}"'
    declare(s, f"void {symbol}({', '.join(signature)})")
    call = f"call {target.call_space}void {symbol}({', '.join(arguments)})"
    if not target.bounded_actions:
        f.emit(call)
        return
    declare(s, "zeroext i1 @lf_external_before(ptr)")
    declare(s, "void @lf_external_wrote(ptr, ptr, i32)")
    declare(s, "i32 @lf_external_after(ptr)")
    now, done = f.label_name("c"), f.label_name("done")
    f.branch_if(f.call("i1", "@lf_external_before", [s.b]), now, done)
    f.label(now)
    f.emit(call)
    for w in written:
        assert w.place.pointer is not None
        f.call("void", "@lf_external_wrote", [s.b, w.place.pointer, bytes_of(s, w.place)])
    stray = f.call("i32", "@lf_external_after", [s.b])
    s.check(f.compare("slt", stray, number(32, 0)), EFFECT, span, process.name, (stray, True))
    f.branch(done)
    f.label(done)


def bytes_of(s: Scope, p: Place) -> Value:
    if not isinstance(p.type, OpenArrayType):
        return number(32, size_and_alignment(p.type)[0])
    size, _ = size_and_alignment(p.type.element)
    return s.f.arithmetic("mul", s.f.widen(length_of(s, p), 32), number(32, size))


# --- what C has written ----------------------------------------------------------------------------------------


def alternatives(t: Type, most: int) -> int:
    """How many values there are of a type; 0 if that is more than `most`, or not known."""
    count = 1
    for scalar in scalars(t):
        low, high = scalar_range(scalar)
        count *= high - low + 1
        if count > most:
            return 0
    return 0 if isinstance(t, OpenArrayType) else count


def scalars(t: Type) -> Iterator[Type]:
    if isinstance(t, ArrayType):
        for _ in range(t.length):
            yield from scalars(t.element)
    elif isinstance(t, RecordType):
        for f in t.fields:
            yield from scalars(f.type)
    elif not isinstance(t, OpenArrayType):
        yield t


def settle(s: Scope, w: Written, p: Place, room: Room, all_tried: bool | None = None) -> None:
    """Each scalar in turn: checked against its type, told to the policy, which may say that it is another."""
    assert p.pointer is not None
    t = p.type
    if isinstance(t, RecordType):
        for f, offset in zip(t.fields, record_layout(t)[0], strict=True):
            settle(s, w, Place(f.type, s.f.offset(p.pointer, offset)), room, all_tried)
    elif isinstance(t, ArrayType | OpenArrayType):
        each_element(s, w, p, t.element, room, room.take(t) if all_tried is None else all_tried)
    else:
        settle_scalar(s, w, p, room.take(t) if all_tried is None else all_tried)


def each_element(s: Scope, w: Written, p: Place, element: Type, room: Room, all_tried: bool) -> None:
    f = s.f
    assert p.pointer is not None
    size, _ = size_and_alignment(element)
    at = f.alloca("i16", 2)
    f.store(number(16, 0), at, 2)
    length = length_of(s, p)
    head, body, after = f.label_name("head"), f.label_name("element"), f.label_name("after")
    f.label(head)
    index = f.load("i16", at, 2)
    f.branch_if(f.compare("ult", index, length), body, after)
    f.label(body)
    where = f.offset(p.pointer, f.arithmetic("mul", index, number(16, size)))
    settle(s, w, Place(element, where), room, all_tried)
    f.store(f.arithmetic("add", index, number(16, 1)), at, 2)
    f.branch(head)
    f.label(after)


def settle_scalar(s: Scope, w: Written, p: Place, all_tried: bool) -> None:
    f = s.f
    assert p.pointer is not None
    bits = stored_bits(p.type)
    found = f.load(f"i{bits}", p.pointer, bits // 8)
    check_range(s, w, p.type, found, bits)  # in the checker too: sites have the same numbers there
    f.store(input_value(s, p.type, found, all_tried), p.pointer, bits // 8)


def check_range(s: Scope, w: Written, t: Type, found: Value, bits: int) -> None:
    """C can write what no variable of this type may hold."""
    low, high = scalar_range(t)
    if high - low + 1 >= 1 << bits:
        return
    signed = is_signed(t)
    lowest, highest = ("sge", "sle") if signed else ("uge", "ule")
    good = s.f.arithmetic(
        "and", s.f.compare(lowest, found, number(bits, low)), s.f.compare(highest, found, number(bits, high))
    )
    s.check(good, RANGE, w.span, f"value of {t.name}", (found, signed))
