"""Sums of terms as whole numbers: what is added and taken away again is gone, and bounds are those of the sum.

Of each term a sum `c + k1*a1 + ... + kn*an` is known to which it is equal modulo its width; the `ai` are terms that are
no sums. Where the bounds of the sum say how often it wraps it goes through conversions and comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass

from lfc.mcheck.symbolic.values.preimages import Box, bounds_with
from lfc.mcheck.symbolic.values.terms import (
    COMPARISONS,
    OVERFLOWS,
    SYMBOL,
    Term,
    nodes,
    operand_width,
    operation,
    remade,
    signed,
)

MOST_SUMMANDS = 64
Range = tuple[int, int]


@dataclass(slots=True)
class Sum:
    """Least and greatest value; of the whole number, without wrapping."""

    constant: int
    parts: dict[Term, int]
    low: int
    high: int

    def plus(self, other: Sum, times: int) -> Sum:
        parts = dict(self.parts)
        for t, k in other.parts.items():
            parts[t] = parts.get(t, 0) + times * k
        return Sum(self.constant + times * other.constant, {t: k for t, k in parts.items() if k}, 0, 0)

    def times(self, factor: int) -> Sum:
        return Sum(0, {}, 0, 0).plus(self, factor)


def number(value: int) -> Sum:
    return Sum(value, {}, value, value)


class Canonical:
    """Of terms under one box."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self._sums: dict[Term, Sum] = {}
        self._bounds: dict[Term, Range] = {}  # of what stands in sums

    def of(self, t: int | Term) -> int | Term:
        """Equal under all valuations of the box."""
        if isinstance(t, int):
            return t
        for node in nodes(t):
            if node not in self._sums:
                self._sums[node] = self._of(node)
        return written(self._sums[t], t.width)

    def bounds(self, t: Term) -> Range:
        """As a number without a sign."""
        self.of(t)
        found = unsigned(self._sums[t], t.width)
        return (0, (1 << t.width) - 1) if found is None else (found.low, found.high)

    def _sum_of(self, a: int | Term, w: int) -> Sum:
        return number(signed(a, w) if a >> w - 1 else a) if isinstance(a, int) else self._sums[a]

    def _bounded(self, s: Sum) -> Sum:
        s.low = s.high = s.constant
        for t, k in s.parts.items():
            low, high = self._bounds[t]
            s.low += min(k * low, k * high)
            s.high += max(k * low, k * high)
        return s

    def _of(self, t: Term) -> Sum:
        w, op, of = t.width, t.op, operand_width(t)
        if op == SYMBOL:
            return self._alone(t)
        args = t.args
        if op in ("add", "sub"):
            found = self._sum_of(args[0], w).plus(self._sum_of(args[1], w), 1 if op == "add" else -1)
            return self._bounded(found) if len(found.parts) <= MOST_SUMMANDS else self._apart(t)
        if op == "mul" and isinstance(args[1], int):
            return self._bounded(self._sum_of(args[0], w).times(signed(args[1], w)))
        if op == "shl" and isinstance(args[1], int) and args[1] < w:
            return self._bounded(self._sum_of(args[0], w).times(1 << args[1]))
        if op == "trunc":
            return self._sum_of(args[0], of)
        known = self._kept(t, of)
        return self._apart(t) if known is None else known

    def _kept(self, t: Term, of: int) -> Sum | None:
        """Where the operation does not change the number, or its answer is known."""
        op, args = t.op, t.args
        first = args[0]
        if isinstance(first, int):
            return None
        if op == "zext":
            return unsigned(self._sums[first], of)
        if op == "sext":
            return with_sign(self._sums[first], first.width)
        if len(args) == 2 and isinstance(args[1], int) and op in ("and", "urem"):
            own = unsigned(self._sums[first], of)
            last = args[1] if op == "and" and args[1] & args[1] + 1 == 0 else args[1] - 1 if op == "urem" else -1
            return own if own is not None and own.high <= last else None
        if op in COMPARISONS:
            return self._compared(t, of)
        if op in OVERFLOWS:
            return self._overflows(t, of)
        return None

    def _compared(self, t: Term, w: int) -> Sum | None:
        read = with_sign if t.op[0] == "s" else unsigned
        a, b = (read(self._sum_of(x, w), w) for x in t.args)
        if a is None or b is None:
            return None
        d = self._bounded(a.plus(b, -1))
        if t.op in ("eq", "ne"):
            if d.low > 0 or d.high < 0:
                return number(int(t.op == "ne"))
            return number(int(t.op == "eq")) if d.low == d.high == 0 else None
        low, high = (d.low, d.high) if t.op[1] == "l" else (-d.high, -d.low)  # a - b < 0
        limit = 0 if t.op[2] == "t" else 1
        return number(1) if high < limit else number(0) if low >= limit else None

    def _overflows(self, t: Term, w: int) -> Sum | None:
        has_sign = t.op[0] == "s"
        a, b = ((with_sign if has_sign else unsigned)(self._sum_of(x, w), w) for x in t.args)
        if a is None or b is None:
            return None
        kind = t.op[1:4]
        if kind == "mul":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            low, high = min(corners), max(corners)
        else:
            s = self._bounded(a.plus(b, 1 if kind == "add" else -1))
            low, high = s.low, s.high
        least, most = (-(1 << w - 1), (1 << w - 1) - 1) if has_sign else (0, (1 << w) - 1)
        if least <= low and high <= most:
            return number(0)
        return number(1) if high < least or low > most else None

    def _apart(self, t: Term) -> Sum:
        """No sum: with its operands as they are now."""
        ranges: dict[int | Term, Range] = {}
        args: list[int | Term] = []
        for a in t.args:
            if isinstance(a, int):
                args.append(a)
                continue
            new = written(self._sums[a], a.width)
            own = unsigned(self._sums[a], a.width)
            ranges[a] = (0, (1 << a.width) - 1) if own is None else (own.low, own.high)
            args.append(new)
        new = remade(t, args)
        if isinstance(new, int):
            return number(new)
        self._bounds[new] = bounds_with(t, self.box, ranges)
        return self._bounded(Sum(0, {new: 1}, 0, 0))

    def _alone(self, t: Term) -> Sum:
        values = self.box[t.args[0]]  # type: ignore[index]
        self._bounds[t] = values[0][0], values[-1][1]
        return Sum(0, {t: 1}, *self._bounds[t])


def unsigned(s: Sum, w: int) -> Sum | None:
    """The same number modulo the width, between 0 and the limit; None: it may wrap or not."""
    return within(s, 0, w)


def with_sign(s: Sum, w: int) -> Sum | None:
    return within(s, -(1 << w - 1), w)


def within(s: Sum, least: int, w: int) -> Sum | None:
    rounds = s.low - least >> w
    if s.high - least >> w != rounds:
        return None
    by = rounds << w
    return Sum(s.constant - by, s.parts, s.low - by, s.high - by) if by else s


def written(s: Sum, w: int) -> int | Term:
    """As a term."""
    mask = (1 << w) - 1
    found: int | Term = 0
    for t in sorted(s.parts, key=lambda t: (sorted(t.symbols), t.op, t.weight, t.serial)):
        factor = s.parts[t] & mask
        if not factor:
            continue
        part: int | Term = t
        if t.width != w:
            part = operation("zext" if t.width < w else "trunc", w, t.width, t)
        found = operation("add", w, w, operation("mul", w, w, part, factor), found)
    return operation("add", w, w, found, s.constant & mask)


def canonical(t: int | Term, box: Box) -> int | Term:
    return Canonical(box).of(t)
