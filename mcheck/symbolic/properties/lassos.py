"""Cycles of numbers within pieces of symbolic states: the search value by value, with few values for each input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lfc.mcheck.properties.emptiness import ExplicitGraph, How, Lasso, Verdict, search_explicit
from lfc.mcheck.symbolic.counterexamples import holds
from lfc.mcheck.symbolic.explore import Edge, State
from lfc.mcheck.symbolic.properties.cycles import CyclePiece, Marks, marks_on
from lfc.mcheck.symbolic.properties.product import Product
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import evaluate
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_NODES = 4_000
MOST_STARTS = 24
Values = tuple[int, ...]


@dataclass(slots=True)
class Cycle:
    """From a state with these values: edges, and all values of their paths."""

    state: State
    values: Values
    edges: list[Edge]
    valuations: list[dict[int, int]]


@dataclass(slots=True)
class Concrete:
    product: Product
    marks: Marks
    within: dict[State, list[CyclePiece]]
    nodes: dict[tuple[State, Values], int] = field(default_factory=dict)
    steps: list[list[tuple[int, int, Edge, dict[int, int]]]] = field(default_factory=list)  # target, marks
    work: list[tuple[State, Values]] = field(default_factory=list)

    def number(self, state: State, values: Values) -> int | None:
        """None: there are too many."""
        found = self.nodes.get((state, values))
        if found is None and len(self.nodes) < MOST_NODES:
            found = self.nodes[state, values] = len(self.nodes)
            self.steps.append([])
            self.work.append((state, values))
        return found

    def explore(self) -> None:
        while self.work:
            state, values = self.work.pop(0)
            here = self.nodes[state, values]
            enabled = self.enabled(state, values)
            for edge in state.edges:
                if not holds(edge.of, values):
                    continue
                steps = self.product.fair_steps(edge)
                for valuation in inputs_for(edge, values):
                    if any(evaluate(t, valuation) != answer for t, answer in edge.to.path.known.items()):
                        continue
                    after = tuple(evaluate(t, valuation) for t in edge.to.was)
                    target = self.state_with(edge, after)
                    to = None if target is None else self.number(target, after)
                    if to is not None:
                        self.steps[here].append((to, self.marks.of(marks_on(edge), steps, enabled), edge, valuation))

    def state_with(self, edge: Edge, after: Values) -> State | None:
        for state in self.product.targets(edge):
            if state in self.within and state not in self.product.unsure and holds(state.box, after):
                return state
        return None

    def enabled(self, state: State, values: Values) -> int:
        found = 0
        for e in self.product.enabled.get(state, ()):
            if holds(e.box, values):
                found |= e.fair
        return found


def concrete_cycle(product: Product, marks: Marks, pieces: Iterable[CyclePiece]) -> Cycle | None:
    """One that is fair and accepting; None: none was found."""
    within: dict[State, list[CyclePiece]] = {}
    for p in pieces:
        within.setdefault(p.state, []).append(p)
    c = Concrete(product, marks, within)
    starts = [(p.state, values) for own in within.values() for p in own for values in some_of(p.box, p.state)]
    starts = [s for s in starts if s[0] not in product.unsure]
    starts = [s for s in starts if not s[0].wide] or starts  # a way to these is certain
    chosen = starts[:: max(1, len(starts) // MOST_STARTS)]
    first = [n for state, values in chosen if (n := c.number(state, values)) is not None]
    c.explore()
    root = len(c.steps)
    edges = [[(to, m) for to, m, _, _ in own] for own in c.steps] + [[(n, 0) for n in first]]
    enabled = [0] * (root + 1)
    for (state, values), n in c.nodes.items():
        enabled[n] = marks.strongly(c.enabled(state, values))
    graph = ExplicitGraph(edges, enabled, marks.all, marks.taken, len(marks.strong))
    found = search_explicit(graph, How.COMPONENTS, root)
    if found.verdict is not Verdict.FOUND or found.lasso is None:
        return None
    return told(c, found.lasso)


def told(c: Concrete, lasso: Lasso) -> Cycle:
    names = {n: key for key, n in c.nodes.items()}
    on = [c.steps[n][ordinal] for n, _, ordinal in lasso.steps[lasso.prefix :]]
    state, values = names[lasso.steps[lasso.prefix][0]]
    return Cycle(state, values, [edge for _, _, edge, _ in on], [valuation for *_, valuation in on])


def some_of(box: tuple[ValueSet, ...], state: State) -> Iterator[Values]:
    widths = state.shape.widths
    seen = dict.fromkeys(
        (
            tuple(sets.pleasant(s, w) for s, w in zip(box, widths, strict=True)),
            tuple(s[0][0] for s in box),
            tuple(s[-1][1] for s in box),
        )
    )
    yield from seen


def inputs_for(edge: Edge, values: Values) -> Iterator[dict[int, int]]:
    """All values of a path that begins with these: few for what is read."""
    path, count = edge.to.path, len(values)
    own = dict(enumerate(values))
    read = [n for n in path.box if n >= count]
    ways = [
        {n: sets.pleasant(path.box[n], path.widths[n]) for n in read},
        {n: path.box[n][0][0] for n in read},
        {n: path.box[n][-1][1] for n in read},
    ]
    for way in {tuple(w.items()): w for w in ways}.values():
        yield own | way
