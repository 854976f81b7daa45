"""Sets of valuations as reduced ordered decision diagrams: the labels of automata.

A diagram is a number, 0 for the empty set and 1 for all; equal sets have equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

NOTHING = 0
ALL = 1
_LAST = 1 << 60  # the variable of the two constants: below all others

MOST_NODES = 300_000  # about a hundred megabytes

Cube = tuple[int, int]  # masks of the variables that must be true, and of those that must be false


class TooLarge(Exception):
    """An automaton, or something on the way to it, is larger than is reasonable."""


class Diagrams:
    """Variables are 0, 1, 2, ... in the order in which the diagrams ask for them."""

    def __init__(self) -> None:
        self.variable = [_LAST, _LAST]
        self.low = [0, 1]
        self.high = [0, 1]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._and: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {0: 1, 1: 0}
        self._cubes: dict[int, list[Cube]] = {}

    def node(self, variable: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (variable, low, high)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = len(self.variable)
            if found > MOST_NODES:
                raise TooLarge
            self.variable.append(variable)
            self.low.append(low)
            self.high.append(high)
        return found

    def is_true(self, variable: int) -> int:
        """All valuations in which the variable is true."""
        return self.node(variable, NOTHING, ALL)

    def letter(self, valuation: int, variables: int) -> int:
        """This valuation of the first variables (a mask of the true ones) alone."""
        label = ALL
        for v in reversed(range(variables)):
            label = self.node(v, NOTHING, label) if valuation >> v & 1 else self.node(v, label, NOTHING)
        return label

    def complement(self, a: int) -> int:
        found = self._not.get(a)
        if found is None:
            found = self.node(self.variable[a], self.complement(self.low[a]), self.complement(self.high[a]))
            self._not[a] = found
            self._not[found] = a
        return found

    def both(self, a: int, b: int) -> int:
        if a == b or b == ALL:
            return a
        if a == ALL:
            return b
        if a == NOTHING or b == NOTHING:
            return NOTHING
        key = (a, b) if a < b else (b, a)
        found = self._and.get(key)
        if found is None:
            va, vb = self.variable[a], self.variable[b]
            v = min(va, vb)
            al, ah = (self.low[a], self.high[a]) if va == v else (a, a)
            bl, bh = (self.low[b], self.high[b]) if vb == v else (b, b)
            found = self._and[key] = self.node(v, self.both(al, bl), self.both(ah, bh))
        return found

    def either(self, a: int, b: int) -> int:
        if a == b or b == NOTHING:
            return a
        if a == NOTHING:
            return b
        if a == ALL or b == ALL:
            return ALL
        return self.complement(self.both(self.complement(a), self.complement(b)))

    def without(self, a: int, b: int) -> int:
        """What is in a but not in b."""
        return a if b == NOTHING else self.both(a, self.complement(b))

    def within(self, a: int, b: int) -> bool:
        return a == b or self.both(a, self.complement(b)) == NOTHING

    def holds(self, a: int, valuation: int) -> bool:
        """Whether the valuation (a mask of the true variables) is in the set."""
        while a > ALL:
            a = self.high[a] if valuation >> self.variable[a] & 1 else self.low[a]
        return a == ALL

    def when_false(self, a: int, variables: int) -> int:
        """The valuations that are in the set once these variables (a mask) are made false in them."""
        if a <= ALL or not variables:
            return a
        low = self.when_false(self.low[a], variables)
        if variables >> self.variable[a] & 1:
            return low
        return self.node(self.variable[a], low, self.when_false(self.high[a], variables))

    def split(self, a: int, variables: int) -> Iterator[tuple[int, int]]:
        """Pairs of a set over the first variables, and what `a` is over the others there. The sets are disjoint, and
        they are all where it is not empty."""
        for lower, label in self._lower(a, variables, {}).items():
            if lower != NOTHING:
                yield label, lower

    def _lower(self, a: int, variables: int, known: dict[int, dict[int, int]]) -> dict[int, int]:
        """What `a` can become once the first variables are chosen, and by which choices."""
        if self.variable[a] >= variables:
            return {a: ALL}
        found = known.get(a)
        if found is None:
            low = self._lower(self.low[a], variables, known)
            high = self._lower(self.high[a], variables, known)
            found = known[a] = {
                lower: self.node(self.variable[a], low.get(lower, NOTHING), high.get(lower, NOTHING))
                for lower in {**high, **low}
            }
        return found

    def cubes(self, a: int) -> list[Cube]:
        """The set as a union of cubes of which none can be left out (Minato and Morreale)."""
        found = self._cubes.get(a)
        if found is None:
            found = self._cubes[a] = self._cover(a, a, {})[0]
        return found

    def _cover(
        self, lower: int, upper: int, known: dict[tuple[int, int], tuple[list[Cube], int]]
    ) -> tuple[list[Cube], int]:
        """Cubes that contain `lower` and stay within `upper`, and their union."""
        if lower == NOTHING:
            return [], NOTHING
        if upper == ALL:
            return [(0, 0)], ALL
        found = known.get((lower, upper))
        if found is not None:
            return found
        v = min(self.variable[lower], self.variable[upper])
        ll, lh = (self.low[lower], self.high[lower]) if self.variable[lower] == v else (lower, lower)
        ul, uh = (self.low[upper], self.high[upper]) if self.variable[upper] == v else (upper, upper)
        false_cubes, false_set = self._cover(self.without(ll, uh), ul, known)
        true_cubes, true_set = self._cover(self.without(lh, ul), uh, known)
        rest = self.either(self.without(ll, false_set), self.without(lh, true_set))
        free_cubes, free_set = self._cover(rest, self.both(ul, uh), known)
        bit = 1 << v
        cubes = [(p, n | bit) for p, n in false_cubes] + [(p | bit, n) for p, n in true_cubes] + free_cubes
        union = self.either(self.node(v, false_set, true_set), free_set)
        found = known[lower, upper] = (cubes, union)
        return found
