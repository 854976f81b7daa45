"""Ranges: values that a term may have, and more. For searches that may be too wide, where exact sets are out of reach.

Numbers count as with a sign or without, whichever makes the narrower interval.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import product
from operator import itemgetter

from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import (
    MOST_PERIODS,
    TURNED,
    TooMany,
    _compared,
    _sum,
    image,
    preimage,
)
from lfc.mcheck.symbolic.values.terms import COMPARISONS, OVERFLOWS, SELECT, SYMBOL, Term, nodes, operand_width, signed
from lfc.mcheck.symbolic.values.value_sets import EMPTY, ValueSet

Box = Mapping[int, ValueSet]
FEW = 64  # intervals
FLIPPED = {"eq": "ne", "ne": "eq", "ult": "uge", "uge": "ult", "ule": "ugt", "ugt": "ule",
           "slt": "sge", "sge": "slt", "sle": "sgt", "sgt": "sle"}  # fmt: skip


def signed_bounds(s: ValueSet, w: int) -> tuple[int, int]:
    half, whole = 1 << w - 1, 1 << w
    i = bisect_left(s, half, key=itemgetter(1))  # the first that reaches the numbers below zero
    if i == len(s):
        return s[0][0], s[-1][1]
    low = s[i][0]
    high = half - 1 if low < half else s[i - 1][1] if i else s[-1][1] - whole
    return max(low, half) - whole, high


def from_signed(low: int, high: int, w: int) -> ValueSet:
    """All, if it does not fit."""
    half = 1 << w - 1
    if low < -half or high >= half:
        return sets.full(w)
    return sets.shifted(((low + half, high + half),), half, w)


def hull(s: ValueSet, w: int) -> ValueSet:
    """One interval, of numbers with a sign or without."""
    plain = ((s[0][0], s[-1][1]),)
    other = from_signed(*signed_bounds(s, w), w)
    return plain if sets.size(plain) <= sets.size(other) else other


class Impossible(Exception):
    """There are no values of which all is true that is known."""


Facts = Mapping[Term, ValueSet]  # values that terms have, beside what boxes say


def facts_of(known: Mapping[Term, int]) -> dict[Term, ValueSet]:
    """Of answers: what comparisons with numbers say of the terms that were compared."""
    found: dict[Term, ValueSet] = {}
    for condition, answer in known.items():
        while condition.op == "xor" and condition.args[1] == 1 and isinstance(condition.args[0], Term):
            condition, answer = condition.args[0], 1 - answer
        subject = condition.args[0]
        if condition.op in COMPARISONS and isinstance(condition.args[1], int) and isinstance(subject, Term):
            values = _compared(condition.op, condition.args[1], subject.width, bool(answer))
            found[subject] = sets.intersection(found.get(subject, values), values)
    return found


NO_FACTS: Facts = {}


def range_of(t: int | Term, box: Box, facts: Facts = NO_FACTS) -> ValueSet:
    """All values that it has are in it. Raises Impossible."""
    if isinstance(t, int):
        return sets.single(t)
    known: dict[Term, ValueSet] = {}
    for node in nodes(t):
        if node.op == SYMBOL:
            found = box[node.args[0]]  # type: ignore[index]
        else:
            found = _exact(node, box) or _of_node(node, known)
        if node in facts:
            found = sets.intersection(found, facts[node])
            if not found:
                raise Impossible
        known[node] = found if len(found) <= FEW else hull(found, node.width)
    return known[t]


def _exact(t: Term, box: Box) -> ValueSet | None:
    if t.weight > 12 or len(t.symbols) > 1:
        return None
    (number,) = t.symbols
    if sets.size(box[number]) > 1024:
        return None
    try:
        return image(t, box)
    except TooMany:
        return None


def _of_node(t: Term, known: Mapping[Term, ValueSet]) -> ValueSet:
    """Of its operands' ranges, as if these were independent."""

    def of(a: int | Term) -> ValueSet:
        return sets.single(a) if isinstance(a, int) else known[a]

    w, op = t.width, t.op
    args = [of(a) for a in t.args]
    if op == SELECT:
        return _of_choice(t, args)
    if op == "zext":
        return args[0]
    if op in ("sext", "trunc"):
        inner = t.args[0]
        assert isinstance(inner, Term)
        low, high = signed_bounds(args[0], inner.width)
        if op == "sext" or -(1 << w - 1) <= low and high < 1 << w - 1:
            return from_signed(low, high, w)
        plain = args[0][0][0], args[0][-1][1]
        return (plain,) if plain[1] < 1 << w else sets.full(w)
    if op in ("add", "sub") and len(args[0]) * len(args[1]) <= MOST_PERIODS:
        second = args[1]
        if op == "sub":
            second = sets.normal(s for a, b in second for s in sets.shifted(((0, b - a),), -b, w))
        return _sum(args[0], second, w)
    if op == "mul":
        return _product(args[0], args[1], w)
    if op in ("smin", "smax", "umin", "umax"):
        return _limit(op, args[0], args[1], w)
    if op == "usub.sat":
        x, y = args
        return ((max(0, x[0][0] - y[-1][1]), max(0, x[-1][1] - y[0][0])),)
    if op in ("sdiv", "udiv") and isinstance(t.args[1], int) and signed(t.args[1], w) > 0:
        return _quotients(op, args[0], t.args[1], w)
    if op == "ashr" and isinstance(t.args[1], int):
        low, high = signed_bounds(args[0], w)
        return from_signed(low >> t.args[1], high >> t.args[1], w)
    if op == "lshr" and isinstance(t.args[1], int):
        return sets.normal((a >> t.args[1], b >> t.args[1]) for a, b in args[0]) if t.args[1] < w else sets.single(0)
    if op in ("urem", "and") and isinstance(t.args[1], int):
        most = t.args[1] - 1 if op == "urem" else t.args[1]
        return sets.interval(0, min(most, args[0][-1][1])) if most >= 0 else sets.full(w)
    if op == "srem" and isinstance(t.args[1], int) and t.args[1]:
        most = abs(signed(t.args[1], w)) - 1
        low, high = signed_bounds(args[0], w)
        return from_signed(max(low, -most) if low < 0 else 0, min(high, most) if high > 0 else 0, w)
    if op in COMPARISONS:
        return _truths(op, args[0], args[1], operand_width(t))
    if op in OVERFLOWS and op[0] == "s":
        return _overflows(op, args[0], args[1], operand_width(t))
    if op == "xor" and w == 1 and t.args[1] == 1:
        return sets.of_values(1 - v for v in sets.values(args[0]))
    if op == "or":
        return sets.interval(0, (1 << max(a[-1][1] for a in args).bit_length()) - 1)
    return sets.full(w)


def _of_choice(t: Term, args: list[ValueSet]) -> ValueSet:
    """A comparison that decides says something of what it chooses."""
    condition, a, b = t.args
    chosen, other = args[1], args[2]
    if isinstance(condition, Term) and condition.op in COMPARISONS and isinstance(condition.args[1], int):
        subject, w = condition.args[0], operand_width(condition)
        for truth, branch in ((True, a), (False, b)):
            if branch is subject:
                kept = _compared(condition.op, condition.args[1], w, truth)
                if truth:
                    chosen = sets.intersection(chosen, kept)
                else:
                    other = sets.intersection(other, kept)
    possible = args[0]
    found = chosen if sets.contains(possible, 1) else EMPTY
    return sets.union(found, other) if sets.contains(possible, 0) else found


def _product(x: ValueSet, y: ValueSet, w: int) -> ValueSet:
    (a, b), (c, d) = signed_bounds(x, w), signed_bounds(y, w)
    corners = [p * q for p, q in product((a, b), (c, d))]
    found = from_signed(min(corners), max(corners), w)
    if found == sets.full(w) and x[-1][1] * y[-1][1] < 1 << w:
        return ((x[0][0] * y[0][0], x[-1][1] * y[-1][1]),)
    return found


def _limit(op: str, x: ValueSet, y: ValueSet, w: int) -> ValueSet:
    choose = min if op.endswith("min") else max
    if op[0] == "s":
        (a, b), (c, d) = signed_bounds(x, w), signed_bounds(y, w)
        return from_signed(choose(a, c), choose(b, d), w)
    return ((choose(x[0][0], y[0][0]), choose(x[-1][1], y[-1][1])),)


def _quotients(op: str, x: ValueSet, by: int, w: int) -> ValueSet:
    if op == "udiv":
        return sets.normal((a // by, b // by) for a, b in x)
    low, high = signed_bounds(x, w)
    return from_signed(-(-low // by) if low < 0 else low // by, -(-high // by) if high < 0 else high // by, w)


def _truths(op: str, x: ValueSet, y: ValueSet, w: int) -> ValueSet:
    if op in ("eq", "ne"):
        common = sets.intersection(x, y)
        same = len(x) == 1 and x == y and sets.only_value(x) is not None
        found = {1} if same else {0} if not common else {0, 1}
        return sets.of_values(found if op == "eq" else {1 - v for v in found})
    a, b = ((s[0][0], s[-1][1]) if op[0] == "u" else signed_bounds(s, w) for s in (x, y))
    if op[1:] in ("gt", "ge"):
        a, b = b, a
    strict = op[1:] in ("lt", "gt")
    always = a[1] < b[0] if strict else a[1] <= b[0]
    never = a[0] >= b[1] if strict else a[0] > b[1]
    return sets.single(1) if always else sets.single(0) if never else ((0, 1),)


def _overflows(op: str, x: ValueSet, y: ValueSet, w: int) -> ValueSet:
    (a, b), (c, d) = signed_bounds(x, w), signed_bounds(y, w)
    if op.startswith("sadd"):
        low, high = a + c, b + d
    elif op.startswith("ssub"):
        low, high = a - d, b - c
    else:
        corners = [p * q for p, q in product((a, b), (c, d))]
        low, high = min(corners), max(corners)
    fits = -(1 << w - 1) <= low and high < 1 << w - 1
    return sets.single(0) if fits else ((0, 1),)


# --- what an answer says of the unknowns -----------------------------------------------------------------------------


def narrowed(condition: Term, truth: bool, box: Box, facts: Facts = NO_FACTS) -> dict[int, ValueSet] | None:
    """What is left of some symbols, where the condition has this answer: perhaps too much. None: it cannot have it."""
    if condition.op == "xor" and condition.args[1] == 1 and isinstance(condition.args[0], Term):
        return narrowed(condition.args[0], not truth, box, facts)
    if (condition.op, truth) in (("and", True), ("or", False)) and condition.width == 1:
        found: dict[int, ValueSet] = {}
        for part in condition.args:
            if isinstance(part, Term):
                more = narrowed(part, truth, {**box, **found}, facts)
                if more is None:
                    return None
                found |= more
        return found
    if not sets.contains(range_of(condition, box, facts), int(truth)):
        return None
    if condition.op not in COMPARISONS:
        return {}
    op = condition.op if truth else FLIPPED[condition.op]
    a, b = condition.args
    found = {}
    for side, other, own in ((a, b, op), (b, a, TURNED[op])):
        if isinstance(side, Term) and len(side.symbols) == 1:
            (number,) = side.symbols
            allowed = _allowed(own, range_of(other, box, facts), operand_width(condition))
            try:
                left = sets.intersection(found.get(number, box[number]), preimage(side, allowed, box))
            except TooMany:
                continue
            if not left:
                return None
            found[number] = left
    return found


def _allowed(op: str, other: ValueSet, w: int) -> ValueSet:
    """x with `x op y` for some y of `other`."""
    if op == "eq":
        return other
    if op == "ne":
        only = sets.only_value(other)
        return sets.full(w) if only is None else sets.difference(sets.full(w), sets.single(only))
    low, high = (other[0][0], other[-1][1]) if op[0] == "u" else signed_bounds(other, w)
    limit = high if op[1:] in ("lt", "le") else low
    return _compared(op, limit % (1 << w), w, True)
