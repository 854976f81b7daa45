"""For which values of its symbols a term has which values: exact, by intervals where its operations keep them, else by
a table of all values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.columns import fitting, values_of
from lfc.mcheck.symbolic.values.terms import (
    BYTE,
    COMPARISONS,
    CONCAT,
    OVERFLOWS,
    SELECT,
    SYMBOL,
    Term,
    compiled,
    made,
    nodes,
    operand_width,
    signed,
    symbol,
)
from lfc.mcheck.symbolic.values.value_sets import EMPTY, ValueSet

MOST_IN_TABLE = 1 << 16  # values of one symbol, or combinations of several
MOST_PERIODS = 1 << 12
MOST_CHOSEN_IN = 60  # nodes of a choice whose sides are looked at apart

Box = Mapping[int, ValueSet]  # by symbol


class TooMany(Exception):
    """What is asked has too many answers to be enumerated, and is no matter of intervals. Says what it is."""


def true_for(condition: Term, box: Box) -> ValueSet:
    """The values of its only symbol for which it is true, within the box."""
    (number,) = condition.symbols
    return sets.intersection(box[number], preimage(condition, sets.single(1), box))


def preimage(t: Term, wanted: ValueSet, box: Box) -> ValueSet:
    """Of a term with one symbol: the symbol's values for which it is one of `wanted`. They need not lie in the box, but
    of those in the box it is exact."""
    (number,) = t.symbols
    if isinstance(t.solved, dict) and wanted in t.solved:
        found: ValueSet = t.solved[wanted]
        return found
    root = symbol_of(t)
    try:
        answer = _back(t, wanted)
    except TooMany:
        whole = root.width <= 16
        domain = sets.full(root.width) if whole else box[number]
        if sets.size(domain) > MOST_IN_TABLE:
            raise
        answer = fitting(t, domain, wanted)
        if not whole:
            return answer
    if not isinstance(t.solved, dict):
        t.solved = {}
    t.solved[wanted] = answer
    return answer


def symbol_of(t: Term) -> Term:
    while t.op != SYMBOL:
        t = next(a for a in t.args if isinstance(a, Term))
    return t


def _back(t: Term, wanted: ValueSet) -> ValueSet:
    """Raises TooMany where an operation does not keep intervals."""
    wanted = sets.intersection(wanted, sets.full(t.width))
    if t.op == SYMBOL:
        return wanted
    if not wanted:
        return EMPTY
    if wanted == sets.full(t.width):
        return sets.full(symbol_of(t).width)
    if t.op == SELECT:
        return _back_select(t, wanted)
    parts = [a for a in t.args if isinstance(a, Term)]
    if len(parts) == 1:
        return _back(parts[0], _step(t, parts[0], wanted))
    if t.width == 1 and t.op in ("and", "or", "xor"):
        one = _back_truth(t.op, parts[0], parts[1])
        everything = sets.full(symbol_of(t).width)
        return one if sets.contains(wanted, 1) else sets.difference(everything, one)
    raise TooMany(f"`{t.op}` of two terms with one unknown")


def _back_truth(op: str, a: Term, b: Term) -> ValueSet:
    x, y = _back(a, sets.single(1)), _back(b, sets.single(1))
    if op == "and":
        return sets.intersection(x, y)
    if op == "or":
        return sets.union(x, y)
    return sets.union(sets.difference(x, y), sets.difference(y, x))


def _back_select(t: Term, wanted: ValueSet) -> ValueSet:
    everything = sets.full(symbol_of(t).width)

    def of(a: int | Term) -> ValueSet:
        if isinstance(a, int):
            return everything if sets.contains(wanted, a) else EMPTY
        return _back(a, wanted)

    condition, a, b = t.args
    if isinstance(condition, int):
        return of(a if condition else b)
    chosen = _back(condition, sets.single(1))
    return sets.union(sets.intersection(chosen, of(a)), sets.difference(of(b), chosen))


def _step(t: Term, part: Term, wanted: ValueSet) -> ValueSet:
    """The values of the only operand that is no number, for which one operation gives one of `wanted`."""
    w = part.width
    of = operand_width(t)
    known = [a for a in t.args if isinstance(a, int)]
    first = t.args[0] is part
    if t.op == "zext":
        return sets.intersection(wanted, sets.full(w))
    if t.op == "sext":
        half, top = 1 << w - 1, 1 << t.width
        low = sets.intersection(wanted, sets.interval(0, half - 1))
        high = sets.intersection(wanted, sets.interval(top - half, top - 1))
        return sets.union(low, sets.shifted(high, (1 << w) - top, t.width))
    if t.op == "trunc":
        return _repeated(wanted, 1 << t.width, w)
    if t.op == BYTE and isinstance(t.args[1], int):
        return _repeated(tuple((a << 8 * t.args[1], (b + 1 << 8 * t.args[1]) - 1) for a, b in wanted),
                         1 << 8 * (t.args[1] + 1), w)  # fmt: skip
    if t.op == "add":
        return sets.shifted(wanted, -known[0], w)
    if t.op == "sub" and not first:  # number - part
        return _reflected(wanted, known[0], w)
    if t.op == "xor" and known[0] == (1 << w) - 1:
        return sets.normal(((1 << w) - 1 - b, (1 << w) - 1 - a) for a, b in wanted)
    if t.op == "xor" and known[0] == 1 << w - 1:
        return sets.shifted(wanted, known[0], w)
    if t.op == "and" and known[0] & known[0] + 1 == 0:  # the low bits
        return _repeated(sets.intersection(wanted, sets.interval(0, known[0])), known[0] + 1, w)
    if t.op == "lshr" and first:
        by = known[0]
        if by < w:
            most = (1 << w - by) - 1
            cut = sets.intersection(wanted, sets.interval(0, most))
            return sets.normal((a << by, (b + 1 << by) - 1) for a, b in cut)
    if t.op == "urem" and first and known[0]:
        return _repeated(sets.intersection(wanted, sets.interval(0, known[0] - 1)), known[0], w)
    if t.op == "udiv" and first and known[0]:
        return sets.intersection(
            sets.normal((a * known[0], b * known[0] + known[0] - 1) for a, b in wanted), sets.full(w)
        )
    if t.op in COMPARISONS:
        return _compared(t.op if first else TURNED[t.op], known[0], of, sets.contains(wanted, 1))
    if t.op in OVERFLOWS and t.op[0] == "s":
        return _overflowing(t.op, known[0], of, first, sets.contains(wanted, 1))
    if t.op in OVERFLOWS:
        return _overflowing_unsigned(t.op, known[0], of, first, sets.contains(wanted, 1))
    if w <= 16 and w <= symbol_of(part).width:
        return fitting(alone(t, part), sets.full(w), wanted)
    raise TooMany(f"`{t.op}` of {w} bits")


def alone(t: Term, part: Term) -> Term:
    """One operation, of a symbol in place of the only operand that is no number."""
    return made(t.op, t.width, *(symbol(0, part.width) if a is part else a for a in t.args))


TURNED = {"eq": "eq", "ne": "ne", "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
          "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle"}  # fmt: skip


def _reflected(wanted: ValueSet, number: int, w: int) -> ValueSet:
    """x with number - x in `wanted`."""
    negated = sets.normal(((1 << w) - 1 - b, (1 << w) - 1 - a) for a, b in wanted)  # -v - 1
    return sets.shifted(negated, number + 1, w)


def _repeated(wanted: ValueSet, period: int, w: int) -> ValueSet:
    """Again and again, within so many bits."""
    if not wanted:
        return EMPTY
    rounds = -(-(1 << w) // period)
    if rounds * len(wanted) > MOST_PERIODS:
        raise TooMany(f"a remainder of {w} bits")
    every = sets.normal((a + i * period, b + i * period) for i in range(rounds) for a, b in wanted)
    return sets.intersection(every, sets.full(w))


def _compared(op: str, number: int, w: int, truth: bool) -> ValueSet:
    """x with `x op number`."""
    everything = sets.full(w)
    if op in ("eq", "ne"):
        found = sets.single(number)
        return found if (op == "eq") == truth else sets.difference(everything, found)
    if op[0] == "s":  # order as numbers without a sign, once the half is added
        half = 1 << w - 1
        return sets.shifted(_compared("u" + op[1:], (number + half) % (1 << w), w, truth), half, w)
    below = sets.interval(0, number - 1) if op in ("ult", "uge") else sets.interval(0, number)
    return below if truth == (op in ("ult", "ule")) else sets.difference(everything, below)


def _of_signed(low: int, high: int, w: int) -> ValueSet:
    """The numbers with a sign from `low` to `high`, as they are stored."""
    low, high = max(low, -(1 << w - 1)), min(high, (1 << w - 1) - 1)
    return sets.shifted(sets.interval(low + (1 << w - 1), high + (1 << w - 1)), 1 << w - 1, w) if low <= high else EMPTY


def _overflowing(op: str, number: int, w: int, first: bool, truth: bool) -> ValueSet:
    c, least, most = signed(number, w), -(1 << w - 1), (1 << w - 1) - 1
    if op == "sadd.overflows":
        fine = _of_signed(least - c, most - c, w)
    elif op == "ssub.overflows":
        fine = _of_signed(least + c, most + c, w) if first else _of_signed(c - most, c - least, w)
    elif c == 0:
        fine = sets.full(w)
    else:
        low, high = (least, most) if c > 0 else (-most, -least)
        fine = _of_signed(-(-low // abs(c)), high // abs(c), w)
    return sets.difference(sets.full(w), fine) if truth else fine


def _overflowing_unsigned(op: str, number: int, w: int, first: bool, truth: bool) -> ValueSet:
    most = (1 << w) - 1
    if op == "uadd.overflows":
        fine = sets.interval(0, most - number)
    elif op == "usub.overflows":
        fine = sets.interval(number, most) if first else sets.interval(0, number)
    else:
        fine = sets.interval(0, most // number) if number else sets.full(w)
    return sets.difference(sets.full(w), fine) if truth else fine


# --- images ----------------------------------------------------------------------------------------------------------


def image(t: Term, box: Box) -> ValueSet:
    """The values that a term has. Raises TooMany."""
    if t.op == SYMBOL:
        return box[t.args[0]]  # type: ignore[index]
    if t.width == 1 and len(t.symbols) == 1:
        (number,) = t.symbols
        true = true_for(t, box)
        return sets.of_values([1] * bool(true) + [0] * (sets.size(true) < sets.size(box[number])))
    parts = [a for a in t.args if isinstance(a, Term)]
    if len(parts) == 1 and t.op != SELECT:
        return _forward(t, parts[0], image(parts[0], box))
    if len(parts) == 2 and t.op in ("add", "sub") and not parts[0].symbols & parts[1].symbols:
        x, y = image(parts[0], box), image(parts[1], box)
        if len(x) * len(y) <= MOST_PERIODS:
            return _sum(x, y if t.op == "add" else _reflected(y, 0, t.width), t.width)
    if t.op == SELECT and _is_too_large(t, box) and t.weight <= MOST_CHOSEN_IN and _has_one_symbol(t.args[0]):
        return _chosen(t, box)
    return _enumerated(t, box)


def _has_one_symbol(t: int | Term) -> bool:
    return isinstance(t, Term) and len(t.symbols) == 1


def _chosen(t: Term, box: Box) -> ValueSet:
    """What either side is where it is chosen."""
    condition, *sides = t.args
    assert isinstance(condition, Term)
    (number,) = condition.symbols
    true = true_for(condition, box)
    found = EMPTY
    for side, where in zip(sides, (true, sets.difference(box[number], true)), strict=True):
        if where:
            own = image(side, {**box, number: where}) if isinstance(side, Term) else sets.single(side)
            found = sets.union(found, own)
    return found


def _sum(x: ValueSet, y: ValueSet, w: int) -> ValueSet:
    found: list[tuple[int, int]] = []
    for a, b in x:
        for c, d in y:
            if b + d - a - c >= 1 << w:
                return sets.full(w)
            found += sets.shifted(((0, b + d - a - c),), a + c, w)
    return sets.normal(found)


def _forward(t: Term, part: Term, values: ValueSet) -> ValueSet:
    known = [a for a in t.args if isinstance(a, int)]
    first = t.args[0] is part
    if t.op == "zext":
        return values
    if t.op == "sext":
        half = 1 << part.width - 1
        low = sets.intersection(values, sets.interval(0, half - 1))
        high = sets.difference(values, low)
        return sets.union(low, sets.shifted(high, -(1 << part.width), t.width))
    if t.op == "add":
        return sets.shifted(values, known[0], t.width)
    if t.op == "sub" and not first:
        return _reflected(values, known[0], t.width)
    if t.op in ("trunc", "and") and (t.op == "trunc" or known[0] & known[0] + 1 == 0):
        period = 1 << t.width if t.op == "trunc" else known[0] + 1
        return _modulo(values, period)
    if t.op == "urem" and first and known[0]:
        return _modulo(values, known[0])
    if t.op == "lshr" and first and known[0] < t.width:
        return sets.normal((a >> known[0], b >> known[0]) for a, b in values)
    if t.op == "udiv" and first and known[0]:
        return sets.normal((a // known[0], b // known[0]) for a, b in values)
    if t.op in COMPARISONS or t.op in OVERFLOWS:
        true = sets.intersection(values, _step(t, part, sets.single(1)))
        return sets.of_values([1] * bool(true) + [0] * (sets.size(true) < sets.size(values)))
    if sets.size(values) > MOST_IN_TABLE:
        raise TooMany(f"the values of `{t.op}`")
    return values_of(alone(t, part), values)


def _modulo(values: ValueSet, period: int) -> ValueSet:
    found: list[tuple[int, int]] = []
    for low, high in values:
        if high - low + 1 >= period:
            return sets.interval(0, period - 1)
        a, b = low % period, high % period
        found += [(a, b)] if a <= b else [(a, period - 1), (0, b)]
    return sets.normal(found)


def _is_too_large(t: Term, box: Box) -> bool:
    """For a table."""
    return prod(sets.size(box[n]) for n in t.symbols) > MOST_IN_TABLE


def _enumerated(t: Term, box: Box) -> ValueSet:
    numbers = sorted(t.symbols)
    if _is_too_large(t, box):
        raise TooMany(f"the values of `{t.op}` with {len(numbers)} unknown{'s' * (len(numbers) > 1)}")
    if len(numbers) == 1:
        return values_of(t, box[numbers[0]])
    rows = compiled([t], numbers)(*(list(sets.values(box[n])) for n in numbers))
    return sets.of_values(v for (v,) in rows)


# --- bounds ----------------------------------------------------------------------------------------------------------


def bounds(t: int | Term, box: Box) -> tuple[int, int]:
    """Between which its values lie, as numbers without a sign: perhaps too wide."""
    if isinstance(t, int):
        return t, t
    known: dict[Term, tuple[int, int]] = {}
    for node in nodes(t):
        known[node] = _bounds_of(node, box, lambda a: (a, a) if isinstance(a, int) else known[a])
    return known[t]


def bounds_with(t: Term, box: Box, known: Mapping[int | Term, tuple[int, int]]) -> tuple[int, int]:
    """Where its operands have these."""
    return _bounds_of(t, box, lambda a: (a, a) if isinstance(a, int) else known[a])


def _bounds_of(t: Term, box: Box, of: Callable[[int | Term], tuple[int, int]]) -> tuple[int, int]:
    most = (1 << t.width) - 1
    if t.op == SYMBOL:
        values = box[t.args[0]]  # type: ignore[index]
        return values[0][0], values[-1][1]
    low, high = 0, most
    if t.op == SELECT:
        (a, b), (c, d) = of(t.args[1]), of(t.args[2])
        return min(a, c), max(b, d)
    if t.op == "zext":
        return of(t.args[0])
    if t.op in ("add", "mul"):
        (a, b), (c, d) = of(t.args[0]), of(t.args[1])
        low, high = (a + c, b + d) if t.op == "add" else (a * c, b * d)
    elif t.op in ("udiv", "lshr") and isinstance(t.args[1], int):
        a, b = of(t.args[0])
        by = t.args[1] if t.op == "udiv" else 1 << t.args[1]
        low, high = (a // by, b // by) if by else (0, most)
    elif t.op in ("and", "umin"):
        high = min(of(t.args[0])[1], of(t.args[1])[1])
    elif t.op == "urem" and isinstance(t.args[1], int) and t.args[1]:
        high = min(of(t.args[0])[1], t.args[1] - 1)
    elif t.op in COMPARISONS:
        x, y, half = of(t.args[0]), of(t.args[1]), 1 << operand_width(t) - 1
        if t.op[0] == "s" and (x[1] >= half or y[1] >= half):
            return 0, 1
        return _bounds_of_comparison("u" + t.op[1:] if t.op[0] == "s" else t.op, x, y)
    elif t.op in OVERFLOWS:
        return _bounds_of_overflow(t, of(t.args[0]), of(t.args[1]))
    elif t.op == CONCAT:
        return sum(of(a)[0] << 8 * i for i, a in enumerate(t.args)), sum(
            of(a)[1] << 8 * i for i, a in enumerate(t.args)
        )
    return (low, high) if high <= most else (0, most)


def _bounds_of_overflow(t: Term, x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
    """0 where it is certain."""
    limit = 1 << operand_width(t) - (t.op[0] == "s")
    if max(x[1], y[1]) >= limit:
        return 0, 1
    kind = t.op[1:4]
    fine = (
        x[1] + y[1] < limit
        if kind == "add"
        else x[1] * y[1] < limit
        if kind == "mul"
        else x[0] >= y[1] or t.op[0] == "s"
    )
    return 0, int(not fine)


def _bounds_of_comparison(op: str, x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
    if op in ("ugt", "uge"):
        x, y, op = y, x, "ult" if op == "ugt" else "ule"
    if op in ("ult", "ule"):
        always = x[1] < y[0] if op == "ult" else x[1] <= y[0]
        never = x[0] >= y[1] if op == "ult" else x[0] > y[1]
    else:
        apart = x[1] < y[0] or y[1] < x[0]
        same = x[0] == x[1] == y[0] == y[1]
        always, never = (same, apart) if op == "eq" else (apart, same)
    return int(always), int(not never)
