"""Literals, operators and sets."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Fix, Note
from lfc.semantics.expressions.bits import SETS, as_bits
from lfc.semantics.expressions.conversions import (
    any_integer,
    as_set,
    boolean,
    certain_fault,
    character_constant,
    computed,
    convert,
    integer_constant,
    is_integer,
    operand_type,
    settled,
    string_expression,
)
from lfc.semantics.expressions.relations import no_common_type, relation
from lfc.semantics.model import folding, typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import subexpressions
from lfc.semantics.names.context import DEEPEST, Context, expression_rule, text_of
from lfc.syntax.grammar import tree

RELATIONS = frozenset({"=", "#", "<", "<=", ">", ">="})
ARITHMETIC = frozenset({"+", "-", "*", "/", "DIV", "MOD"})
SAYS_NOW = ("IMPLIES", "IFF")  # operators of formulas that do not look ahead
MOST_MILLISECONDS = 1_000_000_000
TEMPORAL = frozenset({"UNTIL", "WEAKUNTIL", "RELEASE", "IMPLIES", "IFF"})


@expression_rule(tree.IntLit)
def integer_literal(ctx: Context, node: tree.IntLit, expected: ty.Type | None) -> typed.Expr:
    if node.value > ty.UINT32.high:
        return ctx.error("LF0501", node.span, f"{text_of(node.span)} does not fit 32 bits")
    return integer_constant(node.span, node.value)


@expression_rule(tree.DecimalLit)
def decimal_literal(ctx: Context, node: tree.DecimalLit, expected: ty.Type | None) -> typed.Expr:
    from lfc.semantics.expressions import fixed  # needed rarely

    return fixed.literal(node)


@expression_rule(tree.CharLit)
def character_literal(ctx: Context, node: tree.CharLit, expected: ty.Type | None) -> typed.Expr:
    return typed.Constant(node.span, ty.CHAR, node.value & 0xFF)


@expression_rule(tree.StringLit)
def string_literal(ctx: Context, node: tree.StringLit, expected: ty.Type | None) -> typed.Expr:
    return string_expression(node.span, node.value.encode("utf-8", errors="replace"))


@expression_rule(tree.ErrorExpr)
def error_expression(ctx: Context, node: tree.ErrorExpr, expected: ty.Type | None) -> typed.Expr:
    return typed.Constant(node.span, ty.ERROR, 0)


@expression_rule(tree.Paren)
def parenthesized(ctx: Context, node: tree.Paren, expected: ty.Type | None) -> typed.Expr:
    return ctx.expression(node.inner, expected)


# --- one operand -----------------------------------------------------------------------------------------------


@expression_rule(tree.Unary)
def unary(ctx: Context, node: tree.Unary, expected: ty.Type | None) -> typed.Expr:
    op = node.op
    if op == "~":
        return _negation(ctx, node)
    if op not in "+-":
        return _temporal(ctx, node.span, op, ctx.expression(node.operand), None)
    operand = computed(ctx.expression(node.operand, expected))
    t = operand.type
    if t is ty.ERROR:
        return operand
    if isinstance(t, ty.SetType) and op == "-":
        return _complement(node.span, operand, t)
    if isinstance(t, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        return fixed.negated(ctx, node, operand) if op == "-" else operand
    if not isinstance(t, ty.IntegerType):
        hint = Note("the negation of a BOOLEAN is `~`") if t is ty.BOOLEAN else None
        message = f"`{op}` needs a number, but `{text_of(operand.span)}` has type {t}"
        return ctx.error("LF0403", node.span, message, *([hint] if hint else []))
    if op == "+":
        return operand
    if isinstance(operand, typed.Constant) and isinstance(operand.value, int):
        if operand.free:
            return _free_result(ctx, node.span, "-", operand, None, -operand.value, expected)
        result = folding.in_type(-operand.value, t)
        if isinstance(result, int):
            return typed.Constant(node.span, t, result)
        if certain_fault(ctx, "LF0505", node.span, result.reason):
            return typed.Constant(node.span, ty.ERROR, 0)
    return typed.Unary(node.span, t, "-", settled(operand))


def _negation(ctx: Context, node: tree.Unary) -> typed.Expr:
    operand = ctx.expression(node.operand)
    if operand.type is ty.ERROR:
        return operand
    if operand.type is not ty.BOOLEAN:
        fix = None
        if is_integer(operand.type) or isinstance(operand.type, ty.SetType):
            fix = Fix(Span(node.span.source, node.span.start, node.span.start + 1), "-", "use `-`")
        message = f"`~` needs a BOOLEAN, but `{text_of(operand.span)}` has type {operand.type}"
        return ctx.error("LF0403", node.span, message, fix=fix)
    if isinstance(operand, typed.Constant) and isinstance(operand.value, int):
        return typed.Constant(node.span, ty.BOOLEAN, 1 - operand.value)
    return typed.Unary(node.span, ty.BOOLEAN, "~", operand)


def _complement(span: Span, operand: typed.Expr, t: ty.SetType) -> typed.Expr:
    if isinstance(operand, typed.Constant) and isinstance(operand.value, int):
        return typed.Constant(span, t, ~operand.value & ((1 << t.bits) - 1), free=operand.free)
    return typed.Unary(span, t, "-", operand)


# --- two operands ----------------------------------------------------------------------------------------------


@expression_rule(tree.Binary)
def binary(ctx: Context, node: tree.Binary, expected: ty.Type | None) -> typed.Expr:
    """Operators of one level group to the left: such a chain is walked from its first operand, without recursion."""
    chain: list[tuple[tree.Binary, ty.Type | None]] = []
    at: tree.Expr = node
    while isinstance(at, tree.Binary):
        chain.append((at, expected))
        if at.op in RELATIONS:
            ctx.beside_relation.update(id(side) for side in (at.left, at.right))
        if at.op not in ARITHMETIC:
            expected = None
        at = at.left
    if len(chain) + ctx.depth > DEEPEST:
        return ctx.error("LF0207", node.span, f"this expression has {len(chain)} operators in a row")
    left = ctx.expression(at, expected)
    for item, hint in reversed(chain):
        left = _combine(ctx, item, left, hint)
    return left


def _combine(ctx: Context, node: tree.Binary, left: typed.Expr, expected: ty.Type | None) -> typed.Expr:
    op = node.op
    if op in ARITHMETIC:
        hint = expected
        if hint is None and not (isinstance(left, typed.Constant) and left.free):
            hint = left.type
        right = ctx.expression(node.right, hint)
        return _arithmetic(ctx, node, left, right, expected)
    if op in RELATIONS:
        right = ctx.expression(node.right, None if isinstance(left, typed.Constant) and left.free else left.type)
        if _adapts_to_set(left, right.type):
            left = ctx.expression(node.left, right.type)
        return relation(ctx, node, left, right)
    right = ctx.expression(node.right)
    if op == "IN":
        return _membership(ctx, node, left, right)
    if op in TEMPORAL:
        return _temporal(ctx, node.span, op, left, right)
    return _logical(ctx, node, left, right)


def _logical(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    what = f"an operand of `{node.op}`"
    notes = []
    if id(node) in ctx.beside_relation:
        notes.append(Note(f"`{node.op}` binds more strongly than relations: write `(a = b) {node.op} (c = d)`"))
    left, right = boolean(ctx, left, what, *notes), boolean(ctx, right, what, *notes)
    if left.type is ty.ERROR or right.type is ty.ERROR:
        return typed.Constant(node.span, ty.ERROR, 0)
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant):
        both = (left.value, right.value)
        return typed.Constant(node.span, ty.BOOLEAN, int(1 in both if node.op == "OR" else 0 not in both))
    return typed.Logical(node.span, ty.BOOLEAN, node.op, left, right)


def _membership(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    left = any_integer(ctx, left, "an element of a set")
    if left.type is ty.ERROR or right.type is ty.ERROR:
        return typed.Constant(node.span, ty.ERROR, 0)
    if right.type in SETS and not (isinstance(right, typed.Constant) and right.free):
        right = as_bits(right)
    if not isinstance(right.type, ty.SetType):
        message = f"`IN` needs a set on its right, but `{text_of(right.span)}` has type {right.type}"
        return ctx.error("LF0403", node.span, message)
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant):
        assert isinstance(left.value, int) and isinstance(right.value, int)
        held = 0 <= left.value < right.type.bits and right.value >> left.value & 1
        return typed.Constant(node.span, ty.BOOLEAN, int(held))
    return typed.Membership(node.span, ty.BOOLEAN, settled(left), settled(right))


def _temporal(ctx: Context, span: Span, op: str, left: typed.Expr, right: typed.Expr | None) -> typed.Expr:
    if not ctx.formula:
        return ctx.error("LF0804", span, f"`{op}` belongs into the formula of a PROPERTY")
    left = boolean(ctx, left, f"an operand of `{op}`")
    if right is not None:
        right = boolean(ctx, right, f"an operand of `{op}`")
    if left.type is ty.ERROR or (right is not None and right.type is ty.ERROR):
        return typed.Constant(span, ty.ERROR, 0)
    return typed.Temporal(span, ty.BOOLEAN, op, left, right)


@expression_rule(tree.TimedFormula)
def timed_formula(ctx: Context, node: tree.TimedFormula, expected: ty.Type | None) -> typed.Expr:
    word = "WITHIN" if node.op == "EVENTUALLY" else "FOR"
    if not ctx.formula:
        return ctx.error("LF0804", node.span, f"`{node.op} ... {word}` belongs into the formula of a PROPERTY")
    operand = boolean(ctx, ctx.expression(node.operand), f"the operand of `{node.op} ... {word}`")
    bound = ctx.expression(node.bound, ty.UINT32)
    wrong = typed.Constant(node.span, ty.ERROR, 0)
    if node.unit.name != "MS":
        return ctx.error("LF0811", node.unit.span, f"the unit of time is `MS`, milliseconds, not `{node.unit.name}`")
    if operand.type is ty.ERROR or bound.type is ty.ERROR:
        return wrong
    inner = next((x for x in subexpressions(operand) if isinstance(x, typed.Temporal) and x.op not in SAYS_NOW), None)
    if inner is not None:
        note = Note("for example `ALWAYS (pressed IMPLIES EVENTUALLY lit WITHIN 20 MS)`")
        text = f"the operand of `{node.op} ... {word}` speaks of one state, it cannot contain `{inner.op}`"
        return ctx.error("LF0811", inner.span, text, note)
    if not isinstance(bound, typed.Constant) or not isinstance(bound.value, int):
        return ctx.error("LF0811", bound.span, f"the time of `{node.op} ... {word}` must be a constant number")
    if not 0 <= bound.value <= MOST_MILLISECONDS:
        text = f"the time of `{node.op} ... {word}` must lie between 0 and {MOST_MILLISECONDS} ms, not {bound.value}"
        return ctx.error("LF0811", bound.span, text)
    return typed.Temporal(node.span, ty.BOOLEAN, word, operand, None, bound.value)


def _adapts_to_set(e: typed.Expr, t: ty.Type) -> bool:
    """Whether a constant set, or a set constructor, has the type SET only because no other was asked for."""
    if not isinstance(t, ty.SetType) or e.type is t or not isinstance(e.type, ty.SetType):
        return False
    while isinstance(e, typed.Unary | typed.Binary):
        e = e.left if isinstance(e, typed.Binary) else e.operand
    return isinstance(e, typed.SetConstructor) or (isinstance(e, typed.Constant) and e.free)


def _arithmetic(
    ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr, expected: ty.Type | None
) -> typed.Expr:
    left, right = computed(left), computed(right)
    if left.type is ty.ERROR or right.type is ty.ERROR:
        return typed.Constant(node.span, ty.ERROR, 0)
    if isinstance(left.type, ty.FixedType) or isinstance(right.type, ty.FixedType):
        from lfc.semantics.expressions import fixed  # needed rarely

        return fixed.combined(ctx, node, left, right)
    if is_integer(left.type) and is_integer(right.type) and node.op != "/":
        return _integer_arithmetic(ctx, node, left, right, expected)
    if isinstance(left.type, ty.SetType) and isinstance(right.type, ty.SetType) and node.op not in ("DIV", "MOD"):
        return _set_arithmetic(ctx, node, left, right)
    return _no_such_operation(ctx, node, left, right)


def _no_such_operation(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    op = node.op
    if op == "/" and is_integer(left.type) and is_integer(right.type):
        fix = operator_fix(node, "DIV", "use DIV")
        return ctx.error("LF0403", node.span, "numbers are divided with DIV; `/` is for sets", fix=fix)
    notes = []
    if character_constant(left) is not None or isinstance(left.type, ty.ArrayType):
        notes.append(Note("arrays and strings are not computed with"))
    elif ty.CHAR in (left.type, right.type) or isinstance(left.type, ty.EnumerationType):
        notes.append(Note("ORD(x) is the number of a character or an enumeration value"))
    elif ty.BOOLEAN in (left.type, right.type):
        notes.append(Note("the operators of BOOLEAN are `&`, `OR` and `~`"))
    message = f"`{op}` does not go with {left.type} and {right.type}"
    return ctx.error("LF0403", node.span, message, *notes)


def operator_fix(node: tree.Binary, replacement: str, message: str) -> Fix | None:
    """Replaces the operator between two operands."""
    source, begin, end = node.span.source, node.left.span.end, node.right.span.start
    at = source.text.find(node.op, begin, end)
    if at < 0 or source.text[begin:at].strip(" \t)"):
        return None
    return Fix(Span(source, at, at + len(node.op)), replacement, message)


def _integer_arithmetic(
    ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr, expected: ty.Type | None
) -> typed.Expr:
    op, span = node.op, node.span
    t = operand_type(left, right)
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant) and (t or (left.free and right.free)):
        assert isinstance(left.value, int) and isinstance(right.value, int)
        exact = folding.arithmetic(op, left.value, right.value)
        if left.free and right.free and isinstance(exact, int):
            return _free_result(ctx, span, op, left, right, exact, expected)
        result = folding.in_type(exact, t) if isinstance(exact, int) and isinstance(t, ty.IntegerType) else exact
        if isinstance(result, int):
            return typed.Constant(span, t or ty.INTEGER, result)
        if certain_fault(ctx, "LF0505", span, result.reason):
            return typed.Constant(span, ty.ERROR, 0)
    elif op in ("DIV", "MOD") and isinstance(right, typed.Constant) and right.value == 0:
        certain_fault(ctx, "LF0505", span, "division by zero")
    if t is None:
        return no_common_type(ctx, node, left, right)
    return typed.Binary(span, t, op, convert(left, t), convert(right, t))


def _free_result(
    ctx: Context,
    span: Span,
    op: str,
    left: typed.Constant,
    right: typed.Constant | None,
    exact: int,
    expected: ty.Type | None,
) -> typed.Expr:
    """The result of constants that no type was asked for."""
    operands = [c.value for c in (left, right) if c is not None and isinstance(c.value, int)]
    t = folding.type_of_result(exact, *operands, expected=expected)
    if t is not None:
        return typed.Constant(span, t, exact, free=True)
    if right is None or expected is ty.UINT32 or any(o > ty.INTEGER.high for o in operands):
        return ctx.error("LF0501", span, f"the result, {exact}, does not fit 32 bits")
    if certain_fault(ctx, "LF0505", span, f"the result, {exact}, does not fit INTEGER"):
        return typed.Constant(span, ty.ERROR, 0)
    return typed.Binary(span, ty.INTEGER, op, convert(left, ty.INTEGER), convert(right, ty.INTEGER))


def _set_arithmetic(ctx: Context, node: tree.Binary, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    if _adapts_to_set(left, right.type) and not _adapts_to_set(right, left.type):
        left = _set_operand(ctx, node.left, right.type)
    elif _adapts_to_set(right, left.type):
        right = _set_operand(ctx, node.right, left.type)
    if ty.ERROR in (left.type, right.type):
        return typed.Constant(node.span, ty.ERROR, 0)
    t = left.type
    if t is not right.type:
        return ctx.error("LF0404", node.span, f"`{node.op}` needs sets of one type, not {t} and {right.type}")
    if isinstance(left, typed.Constant) and isinstance(right, typed.Constant):
        assert isinstance(left.value, int) and isinstance(right.value, int)
        value = folding.set_operation(node.op, left.value, right.value)
        return typed.Constant(node.span, t, value, free=left.free and right.free)
    return typed.Binary(node.span, t, node.op, settled(left), settled(right))


def _set_operand(ctx: Context, node: tree.Expr, t: ty.Type) -> typed.Expr:
    """Once more, now that the other operand has said which sets are meant."""
    e = ctx.expression(node, t)
    if e.type is not t and isinstance(t, ty.SetType):
        return as_set(ctx, e, t) or e
    return e


# --- sets ------------------------------------------------------------------------------------------------------


@expression_rule(tree.SetLit)
def set_constructor(ctx: Context, node: tree.SetLit, expected: ty.Type | None) -> typed.Expr:
    t = expected if isinstance(expected, ty.SetType) else ty.SET
    elements: list[tuple[typed.Expr, typed.Expr | None]] = []
    mask: int | None = 0
    before = len(ctx.diagnostics.items)
    for element in node.elements:
        low = any_integer(ctx, ctx.expression(element.low), "an element of a set")
        high = None
        if element.high is not None:
            high = any_integer(ctx, ctx.expression(element.high), "an element of a set")
        if low.type is ty.ERROR or (high is not None and high.type is ty.ERROR):
            return typed.Constant(node.span, ty.ERROR, 0)
        added = _constant_elements(ctx, low, high, t)
        mask = None if mask is None or added is None else mask | added
        elements.append((settled(low), None if high is None else settled(high)))
    if mask is None and ctx.constant and len(ctx.diagnostics.items) != before:
        return typed.Constant(node.span, ty.ERROR, 0)
    if mask is not None:
        return typed.Constant(node.span, t, mask, free=t is ty.SET and not isinstance(expected, ty.SetType))
    return typed.SetConstructor(node.span, t, elements)


def _constant_elements(ctx: Context, low: typed.Expr, high: typed.Expr | None, t: ty.SetType) -> int | None:
    """The mask of one element or range; None if it is not constant, or certain to fault."""
    first = low.value if isinstance(low, typed.Constant) else None
    last = first if high is None else high.value if isinstance(high, typed.Constant) else None
    for e, value in ((low, first), (high, last)):
        if e is not None and isinstance(value, int) and not 0 <= value < t.bits:
            certain_fault(ctx, "LF0506", e.span, f"{t} has the elements 0 to {t.bits - 1}, not {value}")
            return None
    if not isinstance(first, int) or not isinstance(last, int):
        return None
    if first > last:
        return 0
    return (1 << (last + 1)) - (1 << first)
