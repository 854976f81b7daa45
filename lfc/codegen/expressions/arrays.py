"""Strings and whole arrays."""

from __future__ import annotations

from lfc.codegen.expressions.designators import Place, copy_from_flash, length_of, place
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import Scope
from lfc.semantics.model import typed
from lfc.semantics.model.types import CHAR, ArrayType, Type, size_and_alignment

PREDICATES = {"=": "eq", "#": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


def flagged_length(s: Scope, p: Place) -> Value:
    """How C is told where an array lies and how long it is."""
    if p.length is not None:
        return p.length
    length = length_of(s, p)
    if p.flag is None:
        return length
    f = s.f  # a part of what may lie in flash
    return f.select(p.flag, f.arithmetic("or", length, number(16, 0x8000)), length)


def compare_strings(s: Scope, e: typed.Relation) -> Value:
    f = s.f
    left, right = place(s, e.left), place(s, e.right)
    assert left.pointer is not None and right.pointer is not None
    order = f.call(
        "i8",
        "@lf_compare_strings",
        [left.pointer, flagged_length(s, left), right.pointer, flagged_length(s, right)],
    )
    return f.compare(PREDICATES[e.op], order, number(8, 0))


def pointer_to_whole(s: Scope, t: Type, e: typed.Expr) -> Value:
    """What a function copies a parameter from. What may lie in flash, or is a shorter string, is copied here first."""
    p = place(s, e)
    assert p.pointer is not None
    if not isinstance(e, typed.Constant) and p.flag is None:
        return p.pointer
    room = s.f.alloca(f"[{size_and_alignment(t)[0]} x i8]")
    assign_from(s, Place(t, room), e, p)
    return room


def assign_whole(s: Scope, target: Place, source: typed.Expr) -> None:
    """`:=` of arrays and records; a string has been filled up with 0X to the length of its target."""
    assign_from(s, target, source, place(s, source))


def assign_from(s: Scope, target: Place, source: typed.Expr, p: Place) -> None:
    """The same, where the place of `source` is known: evaluating it once more could read an input once more."""
    assert target.pointer is not None and p.pointer is not None
    in_pool = isinstance(source, typed.Constant) or p.flag is not None
    if in_pool and isinstance(target.type, ArrayType) and target.type.element is CHAR:
        s.f.call(
            "void",
            "@lf_assign_string",
            [target.pointer, number(16, target.type.length), p.pointer, flagged_length(s, p)],
        )
    else:
        copy_from_flash(s, target.pointer, p, target.type)
