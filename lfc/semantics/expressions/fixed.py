"""Fixed point: numbers that are whole numbers of steps.

A sum, difference or product is exact: it has a step and bounds of its own, which follow from those of its operands,
and is computed in the smallest of EXACT_TYPES that has room for all its values. So nothing is lost before a value goes
into a type that the text states: by itself if the type has every digit, else by ROUND, FLOOR or SATURATE. A quotient
may have no last digit: by what is no constant, it stands in one of these.

Later stages meet whole numbers only, of steps: additions, multiplications, DIV and shifts. docs/theory/fixed-point.md
says why they compute this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.semantics.expressions.constants import constant
from lfc.semantics.expressions.conversions import base_type, certain_fault, computed
from lfc.semantics.model import folding, typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.context import Context, code_of, text_of
from lfc.syntax.grammar import tree

ONE = Fraction(1)
WIDEST = ty.EXACT_TYPES[-1]


@dataclass(frozen=True, slots=True)
class Exact:
    """An exact value: so many steps. `steps` is a number, or an expression of an integer type."""

    span: Span
    steps: int | typed.Expr
    low: int
    high: int
    step: Fraction

    def scaled(self, factor: int, span: Span | None = None) -> Exact:
        return self if factor == 1 else _operation(span or self.span, "*", self, _number(self.span, factor), self.step)


class TooWide(Exception):
    """No type of EXACT_TYPES has room."""


def _number(span: Span, value: int, step: Fraction = ONE) -> Exact:
    return Exact(span, value, value, value, step)


# --- types and literals ----------------------------------------------------------------------------------------


def type_of(ctx: Context, node: tree.FixedType, name: str | None) -> ty.Type:
    """`low .. high BY step`"""
    bounds = [_constant_value(ctx, e) for e in (node.low, node.high, node.step)]
    low, high, step = bounds
    if low is None or high is None or step is None:
        return ty.ERROR
    if step <= 0 or not _is_decimal(step):
        why = "must be above 0" if step <= 0 else "must have a last decimal digit"
        ctx.report("LF0429", node.step.span, f"the step of a fixed-point type {why}, as `0.01` or `1.0 / 256`")
        return ty.ERROR
    for bound, value in ((node.low, low), (node.high, high)):
        if (value / step).denominator != 1:
            below = value // step * step
            note = Note(f"the nearest are {_decimal(below)} and {_decimal(below + step)}")
            text = f"{_decimal(value)} is no multiple of the step, {_decimal(step)}"
            ctx.report("LF0429", bound.span, text, note)
            return ty.ERROR
        if not ty.INTEGER.low <= value / step <= ty.INTEGER.high:
            text = f"{_decimal(value)} is {value / step} steps; there is room for {ty.INTEGER.low} to {ty.INTEGER.high}"
            ctx.report("LF0429", bound.span, text, Note("take a larger step"))
            return ty.ERROR
    if low > high:
        ctx.report("LF0429", node.span, "this type is empty: its first value is larger than its last")
        return ty.ERROR
    shown = f"{_decimal(low)} .. {_decimal(high)} BY {_decimal(step)}"
    return ty.FixedType(
        name or shown, ty.INTEGER, int(low / step), int(high / step), step.numerator, step.denominator, stated=True
    )


def _constant_value(ctx: Context, node: tree.Expr) -> Fraction | None:
    """Of a number, with a point or without; None after a report."""
    c = constant(ctx, node)
    e = _exact(c)
    if e is not None and isinstance(e.steps, int):
        return e.steps * e.step
    if c.type is not ty.ERROR:
        text = f"a fixed-point type has bounds and a step that are numbers, but `{text_of(c.span)}` has type {c.type}"
        ctx.report("LF0429", c.span, text)
    return None


def literal(node: tree.DecimalLit) -> typed.Expr:
    return _value(_number(node.span, node.digits, Fraction(1, 10**node.places)))


def _is_decimal(x: Fraction) -> bool:
    rest = x.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def _decimal(x: Fraction) -> str:
    return ty.steps_text(ty.FixedType("", ty.INTEGER, 0, 0, 1, x.denominator), x.numerator)


# --- exact values ----------------------------------------------------------------------------------------------


def _step_of(t: ty.FixedType) -> Fraction:
    return Fraction(t.numerator, t.denominator)


def _exact(e: typed.Expr) -> Exact | None:
    """A fixed-point expression, or a constant number."""
    t = e.type
    if isinstance(t, ty.FixedType):
        if isinstance(e, typed.Constant):
            assert isinstance(e.value, int)
            return _number(e.span, e.value, _step_of(t))
        inner = e.operand if isinstance(e, typed.Convert) and not t.stated else e
        return Exact(e.span, inner, t.low, t.high, _step_of(t))
    if isinstance(e, typed.Constant) and isinstance(base_type(t), ty.IntegerType) and isinstance(e.value, int):
        return _number(e.span, e.value)
    return None


def _exact_number(e: typed.Expr) -> Exact | None:
    """Of an integer, too."""
    found = _exact(e)
    if found is not None or not isinstance(base_type(e.type), ty.IntegerType):
        return found
    return Exact(e.span, computed(e), *ty.scalar_range(e.type), ONE)


def _value(e: Exact) -> typed.Expr:
    """As an expression for the typing."""
    if isinstance(e.steps, typed.Expr) and isinstance(e.steps.type, ty.FixedType):
        if _step_of(e.steps.type) == e.step:
            return e.steps
    t = ty.FixedType(
        "a decimal number" if isinstance(e.steps, int) else f"a number in steps of {_decimal(e.step)}",
        ty.INTEGER,
        e.low,
        e.high,
        e.step.numerator,
        e.step.denominator,
    )
    if isinstance(e.steps, int):
        return typed.Constant(e.span, t, e.steps)
    return typed.Convert(e.span, t, e.steps, checked=False)


def _room(*bounds: int) -> ty.IntegerType:
    for t in ty.EXACT_TYPES:
        if t.low <= min(bounds) and max(bounds) <= t.high:
            return t
    raise TooWide


def _as(e: Exact, t: ty.IntegerType) -> typed.Expr:
    """The steps, in a type that has room for them."""
    if isinstance(e.steps, int):
        return typed.Constant(e.span, t, e.steps)
    return e.steps if e.steps.type is t else typed.Convert(e.span, t, e.steps, checked=False)


def _operation(span: Span, op: str, a: Exact, b: Exact, step: Fraction) -> Exact:
    """+ - * of numbers of steps."""
    if op == "*":
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        low, high = min(corners), max(corners)
    else:
        low, high = (a.low + b.low, a.high + b.high) if op == "+" else (a.low - b.high, a.high - b.low)
    if isinstance(a.steps, int) and isinstance(b.steps, int):
        return Exact(span, low, low, high, step)
    t = _room(low, high, a.low, a.high, b.low, b.high)
    return Exact(span, typed.Binary(span, t, op, _as(a, t), _as(b, t)), low, high, step)


def _with_step(e: Exact, step: Fraction) -> Exact:
    """With a step of which its own is a multiple."""
    factor = e.step / step
    assert factor.denominator == 1
    return replace(e.scaled(factor.numerator), step=step)


def _common(a: Exact, b: Exact) -> tuple[Exact, Exact]:
    """With the largest step of which both steps are multiples."""
    x, y = a.step, b.step
    step = Fraction(gcd(x.numerator * y.denominator, y.numerator * x.denominator), x.denominator * y.denominator)
    return _with_step(a, step), _with_step(b, step)


def _too_wide(ctx: Context, span: Span) -> typed.Constant:
    note = Note("round a part of it: `ROUND(T, ...)` of a type T with a larger step or tighter bounds")
    return ctx.error("LF0430", span, "the exact result may need more than 64 bits", note)


# --- operators -------------------------------------------------------------------------------------------------


def negated(ctx: Context, node: tree.Unary, operand: typed.Expr) -> typed.Expr:
    e = _exact(operand)
    assert e is not None
    try:
        return _value(_operation(node.span, "-", _number(node.span, 0, e.step), e, e.step))
    except TooWide:
        return _too_wide(ctx, node.span)


def combined(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    a, b = _exact_number(left), _exact_number(right)
    if a is None or b is None:
        return _not_both(ctx, node, left, right)
    if node.op in ("DIV", "MOD"):
        note = Note("`FLOOR(INTEGER, x / y)` is the whole quotient")
        return ctx.error("LF0403", node.span, f"`{node.op}` is for whole numbers", note)
    if node.op == "/" and not isinstance(b.steps, int):
        note = Note(f"say where it ends: `ROUND(T, {code_of(node.span)})`, or FLOOR or SATURATE")
        return ctx.error("LF0430", node.span, "a quotient by what is no constant may have no last digit", note)
    if node.op == "/" and b.steps == 0:
        certain_fault(ctx, "LF0505", node.span, "division by zero")
        return typed.Constant(node.span, ty.ERROR, 0) if ctx.constant else _faulting(ctx, node.span, a)
    try:
        if node.op == "/":
            assert isinstance(b.steps, int)
            return _value(_times(node.span, a, 1 / (b.steps * b.step)))
        for one, other in ((a, b), (b, a)):
            if node.op == "*" and isinstance(one.steps, int):
                return _value(_times(node.span, other, one.steps * one.step))
        if node.op == "*":
            return _value(_operation(node.span, "*", a, b, a.step * b.step))
        a, b = _common(a, b)
        return _value(_operation(node.span, node.op, a, b, a.step))
    except TooWide:
        return _too_wide(ctx, node.span)


def _not_both(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    return ctx.error("LF0403", node.span, f"`{node.op}` does not go with {left.type} and {right.type}")


def _times(span: Span, e: Exact, factor: Fraction) -> Exact:
    """By a constant: as many steps, each so much larger."""
    if factor == 0:
        return _number(span, 0)
    larger = replace(e, span=span, step=e.step * abs(factor))
    return larger if factor > 0 else _operation(span, "-", _number(span, 0, larger.step), larger, larger.step)


def _faulting(ctx: Context, span: Span, e: Exact) -> typed.Expr:
    """Division by zero, when it is executed."""
    one, zero = (typed.Constant(span, WIDEST, n) for n in (1, 0))
    return _value(replace(e, span=span, steps=typed.Binary(span, WIDEST, "DIV", one, zero)))


def compared(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    a, b = _exact_number(left), _exact_number(right)
    if a is None or b is None:
        return _not_both(ctx, node, left, right)
    try:
        a, b = _common(a, b)
        if isinstance(a.steps, int) and isinstance(b.steps, int):
            return typed.Constant(node.span, ty.BOOLEAN, int(folding.relation(node.op, a.steps, b.steps)))
        t = _room(a.low, a.high, b.low, b.high)
        return typed.Relation(node.span, ty.BOOLEAN, node.op, _as(a, t), _as(b, t))
    except TooWide:
        return _too_wide(ctx, node.span)


def absolute(ctx: Context, node: tree.Call, argument: typed.Expr) -> typed.Expr:
    e = _exact(argument)
    assert e is not None
    if isinstance(e.steps, int):
        return _value(_number(node.span, abs(e.steps), e.step))
    low = 0 if e.low <= 0 <= e.high else min(abs(e.low), abs(e.high))
    high = max(abs(e.low), abs(e.high))
    try:
        t = _room(-high, high)
    except TooWide:
        return _too_wide(ctx, node.span)
    return _value(Exact(node.span, typed.FunctionCall(node.span, t, "ABS", [_as(e, t)]), low, high, e.step))


def choose(ctx: Context, node: tree.Call, name: str, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    """MIN and MAX of two."""
    if left.type is ty.ERROR or right.type is ty.ERROR:
        return typed.Constant(node.span, ty.ERROR, 0)
    a, b = _exact_number(left), _exact_number(right)
    if a is None or b is None:
        message = f"{name} does not go with {left.type} and {right.type}"
        return ctx.error("LF0404", node.span, message, Note("convert one of them"))
    try:
        a, b = _common(a, b)
        return _value(_chosen(node.span, name, a, b))
    except TooWide:
        return _too_wide(ctx, node.span)


def _chosen(span: Span, name: str, a: Exact, b: Exact) -> Exact:
    best = min if name == "MIN" else max
    low, high = best(a.low, b.low), best(a.high, b.high)
    if isinstance(a.steps, int) and isinstance(b.steps, int):
        return Exact(span, low, low, high, a.step)
    t = _room(a.low, a.high, b.low, b.high)
    return Exact(span, typed.FunctionCall(span, t, name, [_as(a, t), _as(b, t)]), low, high, a.step)


# --- into a type -----------------------------------------------------------------------------------------------


def assigned(ctx: Context, e: typed.Expr, target: ty.FixedType) -> typed.Expr | None:
    """By itself: only if `target` has every digit. None: it is of another kind."""
    exact = _exact_number(e)
    return None if exact is None else _exactly(ctx, exact, target, e)


def converted(ctx: Context, node: tree.Call, e: typed.Expr, target: ty.Type) -> typed.Expr:
    """T(x): where T has every digit."""
    exact = _exact_number(e)
    if exact is None or not isinstance(base_type(target), ty.FixedType | ty.IntegerType):
        return ctx.error("LF0415", node.span, f"`{text_of(e.span)}` of type {e.type} does not convert to {target}")
    return _exactly(ctx, replace(exact, span=node.span), target, e)


def _step(t: ty.Type) -> Fraction:
    return _step_of(t) if isinstance(t, ty.FixedType) else ONE


def _exactly(ctx: Context, exact: Exact, target: ty.Type, e: typed.Expr) -> typed.Expr:
    if e.type is target and not isinstance(e, typed.Constant):
        return e
    step = _step(target)
    if isinstance(exact.steps, int):
        value = exact.steps * exact.step
        if (value / step).denominator != 1:
            below = value // step * step
            note = Note(f"the nearest are {_decimal(below)} and {_decimal(below + step)}")
            text = f"{target} counts in steps of {_decimal(step)}, which {_decimal(value)} is no multiple of"
            return ctx.error("LF0430", e.span, text, note)
        return _within(ctx, _number(exact.span, int(value / step), step), target)
    if (exact.step / step).denominator != 1:
        name = target.name if ".." not in target.name else "T"
        fix = Fix(e.span, f"ROUND({name}, {code_of(e.span)})", "round it: ROUND, FLOOR or SATURATE")
        text = f"{target} counts in steps of {_decimal(step)}, and this value in steps of {_decimal(exact.step)}"
        return ctx.error("LF0430", e.span, text, fix=fix if name != "T" else None)
    try:
        return _within(ctx, _with_step(exact, step), target)
    except TooWide:
        return _too_wide(ctx, e.span)


def _within(ctx: Context, e: Exact, target: ty.Type) -> typed.Expr:
    """As a value of the type; what lies beyond it is a fault."""
    low, high = ty.scalar_range(target)
    if isinstance(e.steps, int):
        if low <= e.steps <= high:
            return typed.Constant(e.span, target, e.steps)
        value = _decimal(e.steps * e.step)
        if certain_fault(ctx, "LF0506", e.span, f"{value} is no value of {target}"):
            return typed.Constant(e.span, ty.ERROR, 0)
        return typed.Convert(e.span, target, _as(e, _room(e.steps)), checked=True)
    t = _room(e.low, e.high)
    return typed.Convert(e.span, target, _as(e, t), checked=not (low <= e.low and e.high <= high))


def rounded(ctx: Context, node: tree.Call, target: ty.Type, name: str) -> typed.Expr:
    """ROUND, FLOOR and SATURATE"""
    argument = node.arguments[1]
    inner, negative = _inside(argument)
    wrong = typed.Constant(node.span, ty.ERROR, 0)
    operands = [argument]
    if isinstance(inner, tree.Binary) and inner.op == "/":
        operands = [inner.left, inner.right]
    parts = []
    for operand in operands:
        e = ctx.expression(operand)
        if e.type is ty.ERROR:
            return wrong
        exact = _exact_number(e)
        if exact is None:
            message = f"{name} is for numbers, but `{text_of(e.span)}` has type {e.type}"
            return ctx.error("LF0421", e.span, message)
        parts.append(exact)
    if not isinstance(base_type(target), ty.FixedType | ty.IntegerType):
        return ctx.error("LF0421", node.arguments[0].span, f"{name} makes a number, not a value of {target}")
    up = name != "FLOOR"
    try:
        if len(parts) == 1:
            found = _rounded(node.span, parts[0], _step(target), up)
        else:
            dividend = parts[0]
            if negative:
                zero = _number(node.span, 0, dividend.step)
                dividend = _operation(node.span, "-", zero, dividend, dividend.step)
            if parts[1].steps == 0:
                certain_fault(ctx, "LF0505", node.span, "division by zero")
                if ctx.constant:
                    return wrong
            found = _quotient(node.span, dividend, parts[1], _step(target), up)
        if name == "SATURATE":
            low, high = ty.scalar_range(target)
            found = _limited(node.span, found, low, high)
        return _within(ctx, found, target)
    except TooWide:
        return _too_wide(ctx, node.span)


def _inside(e: tree.Expr) -> tuple[tree.Expr, bool]:
    """Without parentheses and signs; whether it is negated: `-a / b` is -(a / b)."""
    negative = False
    while isinstance(e, tree.Paren) or (isinstance(e, tree.Unary) and e.op in "+-"):
        negative ^= isinstance(e, tree.Unary) and e.op == "-"
        e = e.inner if isinstance(e, tree.Paren) else e.operand
    return e, negative


def _limited(span: Span, e: Exact, low: int, high: int) -> Exact:
    if e.low < low:
        e = _chosen(span, "MAX", e, _number(span, low, e.step))
    return _chosen(span, "MIN", e, _number(span, high, e.step)) if e.high > high else e


def _rounded(span: Span, e: Exact, step: Fraction, up: bool) -> Exact:
    """In whole steps: the nearest number of them (halves go up), or the highest that is not above.

    n / q rounds to (n + q DIV 2) DIV q."""
    ratio = e.step / step
    scaled = e.scaled(ratio.numerator, span)
    q = ratio.denominator
    if q == 1:
        return replace(scaled, span=span, step=step)
    if up:
        scaled = _operation(span, "+", scaled, _number(span, q // 2), step)
    return _divided(span, scaled, _number(span, q), step)


def _divided(span: Span, a: Exact, b: Exact, step: Fraction) -> Exact:
    """a DIV b; a shift where b is a constant power of two."""
    if isinstance(a.steps, int) and isinstance(b.steps, int) and b.steps:
        return _number(span, a.steps // b.steps, step)
    low, high = _bounds_of_quotient(a, b)
    t = _room(low, high, a.low, a.high, b.low, b.high)
    if isinstance(b.steps, int) and b.steps > 0 and b.steps & b.steps - 1 == 0:
        count = typed.Constant(span, ty.INTEGER, b.steps.bit_length() - 1)
        return Exact(span, typed.FunctionCall(span, t, "ASR", [_as(a, t), count]), low, high, step)
    return Exact(span, typed.Binary(span, t, "DIV", _as(a, t), _as(b, t)), low, high, step)


def _bounds_of_quotient(a: Exact, b: Exact) -> tuple[int, int]:
    """By the divisors next to zero and at the ends; zero itself is a fault."""
    by = {x for x in (b.low, b.high, -1, 1) if b.low <= x <= b.high and x}
    corners = [x // y for x in (a.low, a.high) for y in by] or [0]
    return min(corners), max(corners)


def _quotient(span: Span, a: Exact, b: Exact, step: Fraction, up: bool) -> Exact:
    """The divisor is evaluated once: n / d rounds to (2n DIV d + 1) DIV 2. A constant makes the step smaller."""
    if isinstance(b.steps, int) and b.steps:
        return _rounded(span, _times(span, a, 1 / (b.steps * b.step)), step, up)
    ratio = a.step / (b.step * step)
    n, d = a.scaled(ratio.numerator), b.scaled(ratio.denominator)
    if not up:
        return _divided(span, n, d, step)
    twice = _divided(span, n.scaled(2), d, step)
    return _divided(span, _operation(span, "+", twice, _number(span, 1), step), _number(span, 2), step)


# --- steps as they are -----------------------------------------------------------------------------------------


def of_steps(span: Span, e: typed.Expr, target: ty.FixedType) -> typed.Expr:
    """SYSTEM.VAL(T, x): the low bits are the number of steps. A number that T does not have is a fault: so much holds
    of every fixed-point value."""
    size, signed = ty.size_and_signedness(target)
    plain = next(t for t in ty.INTEGER_TYPES if (t.size, t.signed) == (size, signed))
    return typed.Convert(span, target, typed.Reinterpret(span, plain, e), checked=True)
