"""How many rounds and calls an action of the slice may have, so that the one of the program has no more than the bound.
docs/theory/slicing.md has the argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lfc.actions.analysis.may_fault import Ranges
from lfc.mcheck.reduction.slicing.dependence import Kept
from lfc.semantics.model import typed
from lfc.semantics.model.counted_loops import changed_by_others, is_counted
from lfc.semantics.model.visit import bodies, expressions_of, subexpressions

UNKNOWN = 1 << 40


def rounds_in_slice(kept: Kept, most: int) -> int:
    """`most`: of an action of the program. Less than 0: what left may have more by itself."""
    left_out = LeftOut(kept)
    texts = [m.body for m in kept.program.modules] + [p.body for p in kept.reached]
    between = sum(map(left_out.of_owner, texts))
    return (most + 1) // (between + 1) - 1


class LeftOut:
    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.ranges = Ranges(within_types=False)
        self.by_others = changed_by_others([*kept.program.modules, *kept.reached])
        self.known: dict[typed.Process, int] = {}
        self.blank = {id(s) for s, _ in [*kept.blank_values, *kept.blank_arguments]}

    def of_owner(self, body: Sequence[typed.Statement]) -> int:
        """Of what left, once each."""
        found = 0
        for s in body:
            if id(s) not in self.kept.statements or id(s) in self.kept.passing or id(s) in self.kept.merged:
                found += self.whole(s)
            else:
                found += sum(self.of_owner(inner) for inner in bodies(s))
                if id(s) in self.blank or isinstance(s, typed.Select):  # values that are sent stand in its clauses
                    found += self.functions(s)
        return found

    def whole(self, s: typed.Statement) -> int:
        inside = sum(self.whole(x) for body in bodies(s) for x in body)
        found = self.functions(s)
        match s:
            case typed.For():
                return found + self.times(s) * (1 + inside)
            case typed.While() | typed.Repeat() | typed.Loop():
                return UNKNOWN
            case typed.CallProcess():
                return found + self.call(s.process)
        return found + inside

    def times(self, s: typed.For) -> int:
        low, high = self.ranges.interval(s.low), self.ranges.interval(s.high)
        if low is None or high is None or not is_counted(s, self.by_others):
            return UNKNOWN
        far = high[1] - low[0] if s.by > 0 else low[1] - high[0]
        return max(0, far // abs(s.by) + 1)

    def functions(self, s: typed.Statement) -> int:
        return sum(self.call(process) for process in called_in(s))

    def call(self, process: typed.Process) -> int:
        """With all that it does."""
        if process not in self.known:
            self.known[process] = UNKNOWN  # if it calls itself
            self.known[process] = 1 + sum(self.whole(s) for s in process.body)
        return self.known[process]


def called_in(s: typed.Statement) -> Iterator[typed.Process]:
    """By expressions of its own."""
    for e in expressions_of(s):
        for x in subexpressions(e):
            if isinstance(x, typed.CallFunction):
                yield x.process
