"""Whether a product of symbolic states has a fair accepting cycle: on pieces of its boxes, cut until none is left or
one is made concrete. docs/theory/data.md has the argument.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lfc.base.scc import components
from lfc.mcheck.properties.emptiness import ExplicitGraph, How, Verdict, search_explicit
from lfc.mcheck.symbolic import boxes
from lfc.mcheck.symbolic.explore import Edge, State
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.preimage import before
from lfc.mcheck.symbolic.properties.product import Moved, Product
from lfc.mcheck.symbolic.properties.ranking import without_ranked

MOST_PIECES = 2_000
MOST_MARKS = 63


class TooManyPieces(Exception):
    """It is not decided."""


@dataclass(slots=True, eq=False)
class CyclePiece:
    """`enabled`: for whom who is treated fairly each of its values has a step, as bits."""

    state: State
    box: Box
    enabled: int


@dataclass(slots=True, eq=False)
class Link:
    edge: Edge
    to: CyclePiece
    begins: Box  # a part of the piece that it leaves: only from there it can be taken


@dataclass(slots=True)
class Marks:
    """Bits of edges: the automaton's sets, then weak fairness; then strong fairness that is satisfied."""

    sets: int
    weak: list[int]  # places among those who are treated fairly
    strong: list[int]

    @property
    def all(self) -> int:
        return (1 << self.taken) - 1

    @property
    def taken(self) -> int:
        return self.sets + len(self.weak)

    def of(self, marks: int, steps: int, enabled: int) -> int:
        """Of a step that is one of `steps`, from where `enabled` are."""
        for i, place in enumerate(self.weak):
            marks |= (steps >> place & 1 or not enabled >> place & 1) << self.sets + i
        for i, place in enumerate(self.strong):
            marks |= (steps >> place & 1) << self.taken + i
        return marks

    def strongly(self, enabled: int) -> int:
        return sum((enabled >> place & 1) << i for i, place in enumerate(self.strong))


def marks_of(product: Product) -> Marks:
    strong = [i for i, f in enumerate(product.fair) if f.strong]
    weak = [i for i, f in enumerate(product.fair) if not f.strong]
    return Marks(product.automaton.acceptance_sets, weak, strong)


@dataclass(slots=True)
class Cycles:
    """The pieces that may lie on a fair accepting cycle, and the links between them."""

    product: Product
    marks: Marks
    until: float
    pieces: list[CyclePiece] = field(default_factory=list)
    out: dict[CyclePiece, list[Link]] = field(default_factory=dict)

    def decide(self, concrete: Callable[[Iterable[CyclePiece]], bool]) -> bool | None:
        """Whether there is such a cycle. None: nobody knows. `concrete`: whether among these pieces one could be shown;
        asked again when they have become twice as many."""
        self.pieces = [p for s in self.product.states for p in self._cut(s)]
        asked = 0
        while True:
            self._link()
            self._drop()
            if not self.pieces or not self._accepts():
                return False
            if len(self.pieces) >= 2 * asked:
                asked = len(self.pieces)
                if concrete(self.pieces):
                    return True
            if not self._refine():
                return None
            if len(self.pieces) > MOST_PIECES or time.monotonic() > self.until:
                return None

    def _cut(self, state: State) -> list[CyclePiece]:
        """By each condition of enabledness that is asked for."""
        pieces = [CyclePiece(state, state.box, 0)]
        can = self.product.enabled.get(state, ())
        for i in range(len(self.product.fair)):
            regions = [e.box for e in can if e.fair >> i & 1]
            if not regions:
                continue
            found: list[CyclePiece] = []
            for p in pieces:
                rest = [p.box]
                for region in regions:
                    found += [CyclePiece(state, b, p.enabled | 1 << i) for b in map_common(rest, region)]
                    rest = [r for b in rest for r in boxes.without(b, region)]
                found += [CyclePiece(state, b, p.enabled) for b in rest]
            pieces = found
        return pieces

    def _link(self) -> None:
        by_state: dict[State, list[CyclePiece]] = {}
        for p in self.pieces:
            by_state.setdefault(p.state, []).append(p)
        self.out = {p: [] for p in self.pieces}
        for state, own in by_state.items():
            for edge in state.edges:
                starts = [p for p in own if boxes.meets(p.box, edge.of)]
                if not starts:
                    continue
                targets = [t for s in self.product.targets(edge) for t in by_state.get(s, ())]
                for t in targets:
                    found = before(edge, t.box)
                    for p in starts if found is not None else ():
                        common = boxes.common(p.box, found.box)  # type: ignore[union-attr]
                        if common is not None:
                            self.out[p].append(Link(edge, t, common))

    def _drop(self) -> None:
        """What lies on no cycle, and links that are not taken for ever."""
        left = self.pieces
        while True:
            out = self.out
            found = components(left, lambda p: [link.to for link in out[p]])  # noqa: B023
            number = {p: n for n, c in enumerate(found) for p in c}
            inner = {p: [link for link in self.out[p] if number[link.to] == number[p]] for p in left}
            count = sum(map(len, inner.values()))
            for c in found:
                without_ranked(c, inner)
            self.out = inner
            left = [p for c in found if len(c) > 1 or inner[c[0]] for p in c]
            if count == sum(map(len, inner.values())):
                break
        self.pieces = left

    def _accepts(self) -> bool:
        """Keeps the pieces of components with a fair accepting cycle."""
        found = components(self.pieces, lambda p: [link.to for link in self.out[p]])
        kept = [p for c in found if self._has_cycle(c) for p in c]
        self.pieces = kept
        return bool(kept)

    def _has_cycle(self, component: Sequence[CyclePiece]) -> bool:
        number = {p: n for n, p in enumerate(component)}
        edges = [
            [
                (number[x.to], self.marks.of(marks_on(x.edge), self.product.fair_steps(x.edge), p.enabled))
                for x in self.out[p]
            ]
            for p in component
        ]
        enabled = [self.marks.strongly(p.enabled) for p in component]
        graph = ExplicitGraph(edges, enabled, self.marks.all, self.marks.taken, len(self.marks.strong))
        return search_explicit(graph, How.COMPONENTS).verdict is Verdict.FOUND

    def _refine(self) -> bool:
        """Cuts pieces by where links begin. False: there is nothing to cut."""
        kept = set(self.pieces)
        found: list[CyclePiece] = []
        for p in self.pieces:
            begins = next((x.begins for x in self.out[p] if x.to in kept and x.begins != p.box), None)
            if begins is None:
                found.append(p)
            else:
                found += [CyclePiece(p.state, b, p.enabled) for b in (begins, *boxes.without(p.box, begins))]
        changed = len(found) > len(self.pieces)
        self.pieces = found
        return changed


def map_common(own: Iterable[Box], region: Box) -> list[Box]:
    return [c for b in own if (c := boxes.common(b, region)) is not None]


def marks_on(edge: Edge) -> int:
    assert isinstance(edge.to, Moved)
    return edge.to.marks
