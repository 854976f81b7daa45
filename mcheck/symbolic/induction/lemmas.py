"""IC3, with one set of lemmas for each location: errors are kept out of what is reached within more and more steps,
until that is the same as within one more.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

from lfc.mcheck.symbolic.induction.literals import Vocabulary, is_bound
from lfc.mcheck.symbolic.induction.oracle import GivenUp, Oracle
from lfc.mcheck.symbolic.induction.system import Cube, Literal, Location, System, Transition
from lfc.mcheck.symbolic.values.solver import Solver
from lfc.mcheck.symbolic.values.terms import evaluate, symbol

MOST_FRAMES = 60
MOST_WIDER = 4  # attempts to widen a bound


@dataclass(frozen=True, slots=True)
class Lemma:
    """No reachable block at the location lies in the cube."""

    location: int
    cube: Cube


@dataclass(slots=True)
class Obligation:
    """To be kept out of what is reached within some steps. `model`: one of its valuations."""

    location: Location
    cube: Cube
    model: dict[int, int]


class Refuted(Exception):
    """A run leads to an error."""


class Strengthening:
    def __init__(self, system: System, solver: Solver, thresholds: Sequence[int], is_over: Callable[[], bool]) -> None:
        self.system = system
        self.oracle = Oracle(system, solver, is_over)
        self.words = Vocabulary(system, thresholds)
        self.frames: list[list[Lemma]] = [[], []]  # each lemma at the last of its frames
        self._order = count()

    def lemmas(self) -> list[Lemma] | None:
        """With which no step from anywhere leads to an error; None: there was no end. Raises Refuted, GivenUp."""
        while len(self.frames) <= MOST_FRAMES:
            last = len(self.frames) - 1
            for t in self.system.errors:
                while (found := self._before_error(t, last)) is not None:
                    if not self._kept_out(found, last):
                        raise Refuted
            self.frames.append([])
            for i in range(1, last + 1):
                self._push(i)
                if not self.frames[i]:
                    return [lemma for frame in self.frames[i + 1 :] for lemma in frame]
        return None

    def _push(self, i: int) -> None:
        for lemma in list(self.frames[i]):
            if self._is_kept_out(self._place(lemma.location), lemma.cube, i + 1):
                self.frames[i].remove(lemma)
                self._enter(lemma, i + 1)

    def _place(self, number: int) -> Location:
        return next(x for x in self.system.locations.values() if x.number == number)

    def _enter(self, lemma: Lemma, level: int) -> None:
        """Those that say less are not needed any more."""
        for frame in self.frames[: level + 1]:
            frame[:] = [x for x in frame if x.location != lemma.location or not set(lemma.cube) <= set(x.cube)]
        self.frames[level].append(lemma)

    # --- what a frame says -----------------------------------------------------------------------------------------

    def _assumed(self, location: Location, level: int) -> list[object] | None:
        """Of a location, in the frame; None: nothing is there."""
        if level == 0:
            if location is not self.system.initial:
                return None
            pairs = zip(location.cells, self.system.values, strict=True)
            return [self.oracle.literal((cell, v)) for cell, v in pairs]
        cubes = [x.cube for frame in self.frames[level:] for x in frame if x.location == location.number]
        return [self.oracle.negation(self.oracle.cube(c)) for c in cubes]

    def _holds_initially(self, location: Location, cube: Cube) -> bool:
        values = dict(enumerate(self.system.values))
        return location is self.system.initial and all(evaluate(t, values) == answer for t, answer in cube)

    def _before_error(self, t: Transition, level: int) -> Obligation | None:
        assumed = self._assumed(t.source, level)
        question = self.oracle.of_step(t)
        if assumed is None or not self.oracle.is_possible(question, assumed):
            return None
        return self._described(t, self.oracle.model(question, t.widths), [])

    # --- keeping out -----------------------------------------------------------------------------------------------

    def _kept_out(self, first: Obligation, level: int) -> bool:
        """False: the initial block leads there."""
        work = [(level, next(self._order), first)]
        last = len(self.frames) - 1
        while work:
            level, _, o = heapq.heappop(work)
            if level == 0 or self._holds_initially(o.location, o.cube):
                return False
            if self._is_known(o, level):
                continue
            before = self._before(o, level)
            if before is not None:
                heapq.heappush(work, (level - 1, next(self._order), before))
                heapq.heappush(work, (level, next(self._order), o))
                continue
            lemma = self._larger(o, level)
            while level < last and self._is_kept_out(o.location, lemma.cube, level + 1):
                level += 1
            self._enter(lemma, level)
            if level < last:
                heapq.heappush(work, (level + 1, next(self._order), o))
        return True

    def _is_known(self, o: Obligation, level: int) -> bool:
        own = set(o.cube)
        return any(
            x.location == o.location.number and set(x.cube) <= own for frame in self.frames[level:] for x in frame
        )

    def _assumptions(self, t: Transition, cube: Cube, level: int) -> tuple[list[object], int] | None:
        """That the step leads from the frame before, and not from the cube, into the cube; where the latter begins."""
        assumed = self._assumed(t.source, level - 1)
        if assumed is None:
            return None
        if t.source is t.target and level > 1:
            assumed.append(self.oracle.negation(self.oracle.cube(cube)))
        return assumed + [self.oracle.behind(t, x) for x in cube], len(assumed)

    def _before(self, o: Obligation, level: int) -> Obligation | None:
        for t in self.system.into.get(o.location.number, ()):
            found = self._assumptions(t, o.cube, level)
            question = self.oracle.of_step(t)
            if found is not None and self.oracle.is_possible(question, found[0]):
                return self._described(t, self.oracle.model(question, t.widths), list(o.cube))
        return None

    def _is_kept_out(self, location: Location, cube: Cube, level: int) -> bool:
        if self._holds_initially(location, cube):
            return False
        return self._needed(location, cube, level) is not None

    def _needed(self, location: Location, cube: Cube, level: int) -> set[int] | None:
        """Which literals it takes to keep it out; None: it is not kept out."""
        used: set[int] = set()
        for t in self.system.into.get(location.number, ()):
            found = self._assumptions(t, cube, level)
            if found is None:
                continue
            assumed, begin = found
            question = self.oracle.of_step(t)
            if self.oracle.is_possible(question, assumed):
                return None
            used |= {i - begin for i in self.oracle.needed(question, assumed) if i >= begin}
        return used

    # --- cubes -----------------------------------------------------------------------------------------------------

    def _described(self, t: Transition, model: dict[int, int], cube: list[Literal]) -> Obligation:
        """All valuations with these literals go the step with these inputs, into the cube."""
        location = t.source
        own = {n: model[n] for n in range(len(location.box))}
        relations, bounds = self.words.of(location, own)
        there = self.oracle.conjunction([self.oracle.guard(t), *(self.oracle.behind(t, x) for x in cube)])
        read = [self.oracle.literal((symbol(n, t.widths[n]), model[n])) for n in t.inputs]
        goal = [*read, self.oracle.negation(there)]
        question = self.oracle.backwards(t)
        exact = [(cell, own[i]) for i, cell in enumerate(location.cells)]
        for literals in (relations, [*relations, *bounds], [*relations, *bounds, *exact]):
            formulas = [self.oracle.literal(x) for x in literals]
            if self.oracle.is_possible(question, [*goal, *formulas]):
                continue
            kept = [literals[i - len(goal)] for i in self.oracle.needed(question, [*goal, *formulas]) if i >= len(goal)]
            return Obligation(location, self._fewer(kept, lambda c: not self._goes_astray(question, goal, c)), own)
        raise GivenUp  # its sets have more intervals than the solver was told

    def _goes_astray(self, question: object, goal: list[object], cube: Sequence[Literal]) -> bool:
        return self.oracle.is_possible(question, [*goal, *map(self.oracle.literal, cube)])

    def _fewer(self, literals: list[Literal], enough: Callable[[Sequence[Literal]], bool]) -> Cube:
        """Without those that it does not take: bounds first, of these those of cells; what stays is widened."""
        left = list(literals)
        for x in [x for x in literals[::-1] if is_bound(x)] + [x for x in literals[::-1] if not is_bound(x)]:
            less = [y for y in left if y is not x]
            if enough(less):
                left = less
        for x in [x for x in left if is_bound(x)]:
            left = self._widened(left, x, enough)
        return tuple(left)

    def _widened(self, left: list[Literal], x: Literal, enough: Callable[[Sequence[Literal]], bool]) -> list[Literal]:
        """The bound at the furthest of some numbers with which it is enough."""
        ways = self.words.wider(x)
        low, high = 0, len(ways)
        for _ in range(MOST_WIDER):
            if low >= high:
                break
            middle = (low + high) // 2
            other = [ways[middle] if y is x else y for y in left]
            if enough(other):
                left, x, high = other, ways[middle], middle
            else:
                low = middle + 1
        return left

    def _larger(self, o: Obligation, level: int) -> Lemma:
        """That is kept out likewise."""
        relations, _ = self.words.of(o.location, o.model)
        place = self.oracle.of_place(o.location)
        own = [self.oracle.literal(x) for x in o.cube]
        implied = [
            x
            for x in relations
            if x not in o.cube
            and not self.oracle.is_possible(place, [*own, self.oracle.negation(self.oracle.literal(x))])
        ]
        literals = [*implied, *o.cube]

        def enough(cube: Sequence[Literal]) -> bool:
            return self._is_kept_out(o.location, tuple(cube), level)

        used = self._needed(o.location, tuple(literals), level)
        if used is not None:
            fewer = [x for i, x in enumerate(literals) if i in used]
            if fewer and enough(fewer):
                literals = fewer
        return Lemma(o.location.number, self._fewer(literals, enough))
