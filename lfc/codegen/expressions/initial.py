"""Initial values: zero, or the low bound of a subrange."""

from __future__ import annotations

from lfc.actions.model.machine import Body
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import Scope, stored_bits
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import (
    ArrayType,
    OpenArrayType,
    RecordType,
    Type,
    initial_value,
    record_layout,
    size_and_alignment,
)


def starts_at_zero(t: Type) -> bool:
    if isinstance(t, ArrayType):
        return starts_at_zero(t.element)
    if isinstance(t, RecordType):
        return all(starts_at_zero(f.type) for f in t.fields)
    return isinstance(t, OpenArrayType) or initial_value(t) == 0


def initialise(s: Scope, at: Value, t: Type) -> None:
    """Sets what does not start at zero; the bytes are zero already."""
    f = s.f
    if starts_at_zero(t):
        return
    if isinstance(t, RecordType):
        offsets, _, _ = record_layout(t)
        for field, offset in zip(t.fields, offsets, strict=True):
            initialise(s, f.offset(at, offset), field.type)
    elif isinstance(t, ArrayType):
        size, _ = size_and_alignment(t.element)
        loop, done = f.label_name("fill"), f.label_name("filled")
        start = f.label_name("start")
        f.branch(start)
        f.label(start)
        f.branch(loop)
        f.label(loop)
        i, following = f.name("i"), f.name("n")
        back = f.label_name("back")
        f.emit(f"{i} = phi i16 [ 0, %{start} ], [ {following}, %{back} ]")
        initialise(s, f.offset(at, f.arithmetic("mul", Value("i16", i), number(16, size))), t.element)
        f.branch(back)
        f.label(back)
        f.emit(f"{following} = add i16 {i}, 1")
        f.branch_if(f.compare("ult", Value("i16", following), number(16, t.length)), loop, done)
        f.label(done)
    else:
        bits = stored_bits(t)
        f.store(number(bits, initial_value(t)), at, bits // 8)


def initialise_variables(s: Scope, body: Body, frame: Value, variables: list[Variable], zeroed: bool) -> None:
    assert body.frame is not None and zeroed
    for v in variables:
        if not starts_at_zero(v.type):
            initialise(s, s.f.offset(frame, body.frame.variables[v]), v.type)
