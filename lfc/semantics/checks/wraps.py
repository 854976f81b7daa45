"""LF0726: unsigned arithmetic that may wrap in a narrow type, though its result is then taken as a wider one.

A difference is meant to wrap (the time since then), and so is what goes on as MOD of a power of two; a small constant
that is added is an offset (of an index, of an address). None of them is reported, nor is what is written as a wrap:
SYSTEM.VAL, BAND.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.ranges import SHIFT, Ranges
from lfc.semantics.model import typed
from lfc.semantics.model.types import INTEGER, UINT32, ExactType, IntegerType, SubrangeType, Type, scalar_range
from lfc.semantics.model.visit import constant_of, subexpressions


def check_wraps(facts: Facts, diagnostics: Diagnostics) -> None:
    ranges = Ranges(facts)
    for body in facts.bodies.values():
        for statement in body.statements:
            seen: set[int] = set()
            for whole in expressions_of(statement):
                for e in subexpressions(whole):
                    if isinstance(e, typed.Binary) and e.op == "MOD" and isinstance(e.left, typed.Convert):
                        if divides(constant_of(e.right), e.left.operand.type):
                            seen.update(id(part) for part in subexpressions(e.left))
                    if isinstance(e, typed.Convert) and id(e) not in seen:
                        _check_widening(e, ranges, seen, facts, diagnostics)


def _check_widening(e: typed.Convert, ranges: Ranges, seen: set[int], facts: Facts, diagnostics: Diagnostics) -> None:
    narrow, wide = e.operand.type, base_of(e.type)
    if not isinstance(narrow, IntegerType) or narrow.low < 0 or not isinstance(wide, IntegerType):
        return
    if scalar_range(e.type)[1] <= narrow.high:
        return
    for wrapping in wraps_in(e.operand, narrow, ranges):
        if id(wrapping) in seen:
            continue
        seen.add(id(wrapping))
        first = operand_to_convert(wrapping)
        text = first.span.source.text[first.span.start : first.span.end]
        if isinstance(wide, ExactType):
            wide = INTEGER if narrow.size < INTEGER.size else UINT32
        highest = int(ranges.exactly(wrapping)[1])
        facts.report(
            diagnostics,
            "LF0726",
            wrapping.span,
            f"this is computed as {narrow} and wraps above {narrow.high}, before it becomes {e.type}",
            Note(
                f"it may come to {highest}; where it is meant to wrap, say so: `SYSTEM.VAL({narrow}, ...)`, `... MOD n`"
            ),
            fix=Fix(first.span, f"{wide}({text})", f"compute as {wide}: `{wide}({text})`"),
        )


def base_of(t: Type) -> Type:
    return t.base if isinstance(t, SubrangeType) else t


def wraps_in(e: typed.Expr, narrow: IntegerType, ranges: Ranges) -> Iterator[typed.Expr]:
    """What may wrap in this type, and is seen in the value of `e`."""
    if isinstance(e, typed.FunctionCall):
        if e.name in ("MIN", "MAX"):
            for argument in e.arguments:
                yield from wraps_in(argument, narrow, ranges)
        elif e.name == SHIFT and ranges.exactly(e)[1] > narrow.high:
            yield e
    elif isinstance(e, typed.Binary) and e.type is narrow:
        if e.op == "MOD" and divides(constant_of(e.right), narrow):
            return
        inside = list(wraps_in(e.left, narrow, ranges))
        if e.op not in ("DIV", "MOD"):
            inside += wraps_in(e.right, narrow, ranges)
        yield from inside
        adds = e.op in ("+", "*") and not is_offset(e, narrow)
        if adds and not inside and ranges.exactly(e)[1] > narrow.high:
            yield e


def is_offset(e: typed.Binary, t: IntegerType) -> bool:
    constants = [c for c in (constant_of(e.left), constant_of(e.right)) if c is not None]
    return e.op == "+" and bool(constants) and max(constants) <= t.high // 4


def divides(modulus: int | None, t: Type) -> bool:
    """Whether what wrapped in this type is still the same modulo this."""
    return modulus is not None and modulus > 0 and isinstance(t, IntegerType) and (t.high + 1) % modulus == 0


def operand_to_convert(e: typed.Expr) -> typed.Expr:
    """That which makes the operation one of the wider type: any but a constant."""
    if isinstance(e, typed.FunctionCall):
        return e.arguments[0]
    assert isinstance(e, typed.Binary)
    return e.right if constant_of(e.left) is not None else e.left


def expressions_of(statement: object) -> Iterator[typed.Expr]:
    """Those of one statement, not of the statements inside."""
    assert is_dataclass(statement)
    for f in fields(statement):
        if f.name not in ("span", "formal", "process", "variable", "message"):
            yield from _expressions_in(getattr(statement, f.name))


def _expressions_in(value: object) -> Iterator[typed.Expr]:
    if isinstance(value, typed.Expr):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            if not isinstance(item, typed.Statement):
                yield from _expressions_in(item)
    elif isinstance(
        value, typed.Argument | typed.Clause | typed.Send | typed.Receive | typed.AfterEvent | typed.Target
    ):
        yield from expressions_of(value)
