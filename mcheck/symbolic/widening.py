"""Widening: where the boxes of a shape grow again and again, they become intervals between numbers that the program
compares with (Cousot and Cousot 1977; thresholds: Blanchet et al. 2003).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from lfc.mcheck.symbolic.execution.decode import Function, IrInstruction, Module
from lfc.mcheck.symbolic.normal_form import Box, Shape
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.ranges import signed_bounds
from lfc.mcheck.symbolic.values.terms import SYMBOL, signed
from lfc.mcheck.symbolic.values.value_sets import ValueSet

HEAVY = 64  # nodes
MANY = 8  # conditions
WIDTHS = (1, 8, 16, 32, 64)
FEW = 8  # values: what has no more is never widened, and tells boxes apart
FEWEST = 2  # likewise, in a coarse search, and not of elements of arrays


ASKS = ("icmp", "select", "switch")
CHANGES = ("add", "sub", "call")


def thresholds(module: Module, ops: tuple[str, ...] = ASKS + CHANGES, least: int = 1) -> list[int]:
    """With a sign: the numbers that are compared with, or added, and their neighbours. `least`: bits of what is."""
    found = {0}
    for f in module.functions.values():
        for i in (i for block in f.blocks for i in block):
            if (i.of or i.width) < least:
                continue
            if i.op in ops:
                found |= numbers_of(f, i)
    return neighbours(found)


def numbers_of(f: Function, i: IrInstruction) -> set[int]:
    """With a sign and without, those that an instruction has."""
    found, width = set[int](), i.of or i.width
    for c in (f.registers[r] for r in i.args if r >= f.parameters):
        if isinstance(c, int) and width:
            found |= {c, signed(c % (1 << width), width)}
    if i.op == "switch":
        cases, _ = i.more
        found |= {signed(c, i.width) for c in cases} | set(cases)
    return found


def neighbours(numbers: Iterable[int]) -> list[int]:
    return sorted({n + d for n in numbers for d in (-1, 0, 1)})


def limits_by_width(module: Module) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """For variables of so many bits: what is compared or added, and what is compared alone. What bytes are asked for
    is no limit of a wider counter, which would stop at each such number on its way."""
    every = {bits: thresholds(module, least=bits) for bits in WIDTHS}
    return every, {bits: thresholds(module, ASKS, bits) for bits in WIDTHS}


def by_widths(widths: Sequence[int], limits: Mapping[int, list[int]]) -> list[list[int]]:
    return [limits.get(w, limits[1]) for w in widths]


def widened(
    box: Box,
    known: Sequence[Box],
    widths: Sequence[int],
    limits: Sequence[Sequence[int]],
    joined: Collection[int] | None = None,
) -> Box:
    """The hull of the box and what is known with the same small sets; further where the box sticks out. `limits`: of
    each symbol; `joined`: of a coarse search the symbols that never tell boxes apart."""
    count = len(box)
    few, joined = (FEW, ()) if joined is None else (FEWEST, joined)
    small = [i not in joined and is_small(i, box, known, few) for i in range(count)]
    same = [k for k in known if all(sets.is_subset(box[i], k[i]) for i in range(count) if small[i])]
    if not same:
        return box
    found: list[ValueSet] = []
    for i, own in enumerate(box):
        if small[i]:
            found.append(own)
            continue
        before = sets.normal(bounds for k in same for bounds in k[i])
        found.append(
            before if sets.is_subset(own, before) else outwards(sets.union(before, own), before, widths[i], limits[i])
        )
    return tuple(found)


def is_small(i: int, box: Box, known: Sequence[Box], few: int) -> bool:
    return sets.size(sets.normal(bounds for k in (box, *known) for bounds in k[i])) <= few


def outwards(s: ValueSet, before: ValueSet, w: int, limits: Sequence[int]) -> ValueSet:
    """An interval whose ends are limits where it has grown."""
    half = 1 << w - 1
    plain, with_sign = (s[0][0], s[-1][1]), signed_bounds(s, w)
    if plain[1] - plain[0] <= with_sign[1] - with_sign[0]:
        old = before[0][0], before[-1][1]
        low, high = grown(plain, old, limits, 0, 2 * half - 1)
        return ((low, high),)
    low, high = grown(with_sign, signed_bounds(before, w), limits, -half, half - 1)
    return sets.shifted(((low + half, high + half),), half, w)


def grown(new: tuple[int, int], old: tuple[int, int], limits: Sequence[int], least: int, most: int) -> tuple[int, int]:
    low, high = new
    if low < old[0]:
        at = bisect_right(limits, low) - 1
        low = max(least, limits[at]) if at >= 0 else least
    if high > old[1]:
        at = bisect_left(limits, high)
        high = min(most, limits[at]) if at < len(limits) else most
    return low, high


# --- whether an exact search can come to its end soon ----------------------------------------------------------------

LOOK_AHEAD = 16  # visits of a shape
FAR, LEAST_GONE = 200, 64  # times what a variable has gone, which counts as at least so much

Limits = dict[int, list[int]]  # by the offset of a variable in the block
Hulls = list[tuple[int, int]]  # of each symbol the least and the greatest number


class Places:
    """Variables at fixed places of the block, in classes: two of one have been compared with each other, or one was
    assigned to the other. By class, the numbers that they are compared with."""

    def __init__(self, module: Module) -> None:
        self.leads_to: dict[int, int] = {}
        self.asked: defaultdict[int, set[int]] = defaultdict(set)
        self.added: defaultdict[int, set[int]] = defaultdict(set)
        for f in module.functions.values():
            self._read(f)

    def limits(self) -> Limits:
        """Of places that are compared with numbers; with those that are added, as `thresholds` has them."""
        of_class: defaultdict[int, set[int]] = defaultdict(lambda: {0})
        for at, numbers in self.asked.items():
            of_class[self.class_of(at)] |= numbers
        for at, numbers in self.added.items():
            if self.class_of(at) in of_class:
                of_class[self.class_of(at)] |= numbers
        return {at: neighbours(of_class[self.class_of(at)]) for at in self.leads_to if self.class_of(at) in of_class}

    def class_of(self, at: int) -> int:
        while self.leads_to.setdefault(at, at) != at:
            at = self.leads_to[at]
        return at

    def _read(self, f: Function) -> None:
        pointers: dict[int, int] = {0: 0}  # by register, the offset that it points to
        held: dict[int, int] = {}  # by register, a place whose value it has, or has been computed from
        for i in (i for block in f.blocks for i in block):
            if i.op == "getelementptr" and i.args[0] in pointers and len(i.args) == 1:
                pointers[i.dest] = pointers[i.args[0]] + i.more[0]
            elif i.op == "load" and i.args[0] in pointers:
                held[i.dest] = pointers[i.args[0]]
            elif i.op == "store" and i.args[1] in pointers:
                self._join([pointers[i.args[1]], *(held[r] for r in i.args[:1] if r in held)])
            else:
                self._compute(f, i, held)

    def _compute(self, f: Function, i: IrInstruction, held: dict[int, int]) -> None:
        of = [held[r] for r in i.args if r in held]
        if not of:
            return
        self._join(of)
        if i.op in ASKS:
            self.asked[of[0]] |= numbers_of(f, i)
        elif i.op in CHANGES:
            self.added[of[0]] |= numbers_of(f, i)
        if i.dest >= 0 and i.op != "icmp":
            held[i.dest] = of[0]

    def _join(self, places: Sequence[int]) -> None:
        for at in places:
            self.leads_to[self.class_of(at)] = self.class_of(places[0])


class Foresight:
    def __init__(self, module: Module, by_width: Mapping[int, list[int]]) -> None:
        """`by_width`: numbers that anything as wide is compared with."""
        self.module, self.by_width = module, by_width
        self._limits: Limits | None = None

    def limits_of(self, shape: Shape) -> list[list[int]]:
        """Of each symbol the numbers that its variable is compared with, or anything as wide."""
        return self._own_limits(shape, by_widths(shape.widths, self.by_width))

    def _own_limits(self, shape: Shape, found: list[list[int]]) -> list[list[int]]:
        """Where they are known; else what was there before."""
        if self._limits is None:
            self._limits = Places(self.module).limits()
        for at, _, t in shape.runs:
            if t.op == SYMBOL and at in self._limits:
                found[t.args[0]] = self._limits[at]  # type: ignore[index]
        return found

    def refuse_if_far(self, before: Hulls, known: Sequence[Box], shape: Shape) -> Hulls:
        """The hulls now. Raises TooMany where one has grown since `before`, and the next number that the variable is
        compared with is very far."""
        hulls = [(min(s[0][0] for s in own), max(s[-1][1] for s in own)) for own in zip(*known, strict=True)]
        own_limits = self._own_limits(shape, [self.by_width[1]] * len(shape.widths))
        of_each = zip(hulls, before, shape.widths, own_limits, strict=False)
        for (low, high), (old_low, old_high), w, limits in of_each:
            gone, at = high - low + 1, bisect_left(limits, high)
            most = min(limits[at] if at < len(limits) else 1 << w, 1 << w)
            if high > old_high and low == old_low and gone > FEW and most - high > FAR * max(gone, LEAST_GONE):
                raise TooMany("a variable counts on, and has very far to go")
        return hulls


def refuse_if_heavy(shape: Shape) -> None:
    """Raises TooMany where terms are much larger than a sum of all variables, or conditions pile up."""
    heaviest = max((t.weight for _, _, t in shape.runs), default=0)
    if heaviest > HEAVY + 4 * len(shape.runs) or len(shape.conditions) >= MANY:
        raise TooMany("values depend on more and more others")
