"""Whether an exact search can come to its end soon: it cannot where a variable counts on, and the next number that it
is compared with is very far.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from lfc.mcheck.symbolic.execution.decode import Function, IrInstruction, Module
from lfc.mcheck.symbolic.normal_form import Box, Shape
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL
from lfc.mcheck.symbolic.widening import ASKS, FEW, neighbours, numbers_of

LOOK_AHEAD = 16  # visits of a shape
FAR, LEAST_GONE = 200, 64  # times what a variable has gone, which counts as at least so much

Limits = dict[int, list[int]]  # by the offset of a variable in the block
Hulls = list[tuple[int, int]]  # of each symbol the least and the greatest number


class Places:
    """Variables at fixed places of the block, in classes: two of one have been compared with each other, or one was
    assigned to the other. By class, the numbers that they are compared with."""

    def __init__(self, module: Module) -> None:
        self.leads_to: dict[int, int] = {}
        self.numbers: defaultdict[int, set[int]] = defaultdict(set)
        for f in module.functions.values():
            self._read(f)

    def limits(self) -> Limits:
        """Of places that are compared with numbers."""
        of_class: defaultdict[int, set[int]] = defaultdict(set)
        for at, numbers in self.numbers.items():
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
            self.numbers[of[0]] |= numbers_of(f, i)
        if i.dest >= 0 and i.op != "icmp":
            held[i.dest] = of[0]

    def _join(self, places: Sequence[int]) -> None:
        for at in places:
            self.leads_to[self.class_of(at)] = self.class_of(places[0])


class Foresight:
    def __init__(self, module: Module, numbers: list[int]) -> None:
        """`numbers`: that anything is compared with."""
        self.module, self.numbers = module, numbers
        self._limits: Limits | None = None

    def refuse_if_far(self, before: Hulls, known: Sequence[Box], shape: Shape) -> Hulls:
        """The hulls now. Raises TooMany where one has grown since `before`, and the next number that the variable is
        compared with is very far."""
        if self._limits is None:
            self._limits = Places(self.module).limits()
        hulls = [(min(s[0][0] for s in own), max(s[-1][1] for s in own)) for own in zip(*known, strict=True)]
        of = {t.args[0]: self._limits[at] for at, _, t in shape.runs if t.op == SYMBOL and at in self._limits}
        for n, ((low, high), (old_low, old_high), w) in enumerate(zip(hulls, before, shape.widths, strict=False)):
            gone, limits = high - low + 1, of.get(n, self.numbers)
            at = bisect_left(limits, high)
            most = min(limits[at] if at < len(limits) else 1 << w, 1 << w)
            if high > old_high and low == old_low and gone > FEW and most - high > FAR * max(gone, LEAST_GONE):
                raise TooMany("a variable counts on, and has very far to go")
        return hulls
