"""The smallest deterministic weak automaton of a language that has one (an obligation).

After Dax, Eisinger and Klaedtke (2007) and Löding (2001): the subset construction, one cycle of each component
looked at to see whether it accepts, the smallest automaton with these answers, and a proof that the language is still
the same.
"""

from __future__ import annotations

from collections import deque

from lfc.mcheck.ltl.bdd import ALL, NOTHING, Diagrams, TooLarge
from lfc.mcheck.ltl.product import Lasso, accepts, disjoint
from lfc.mcheck.ltl.scc import Strength, components_of, strong_components, trim
from lfc.mcheck.ltl.simulation import merge_bisimilar
from lfc.mcheck.ltl.tgba import Edge, Graph

MOST_SUBSETS = 150
MOST_EDGES = 1_500
MOST_PRODUCT = 20_000


def minimal_weak(g: Graph, opposite: Graph) -> tuple[Graph, Graph] | None:
    """Of the language, and of its complement, which `opposite` accepts; both trimmed. None if there is none, or if it
    would be large."""
    try:
        subsets = _subset_construction(g)
        minimal = merge_bisimilar(_with_answers(subsets, g), state_based=True)
        flipped = minimal.with_edges([[Edge(a, 1 - m, t) for a, m, t in edges] for edges in minimal.out])
        if not disjoint(minimal, opposite, MOST_PRODUCT) or not disjoint(flipped, g, MOST_PRODUCT):
            return None
    except TooLarge:
        return None
    return trim(minimal), trim(flipped)


def is_safety(minimal: Graph) -> bool:
    """Of a trimmed result: whether a word that is not accepted has a prefix that tells."""
    return all(c.strength is not Strength.REJECTING for c in components_of(minimal).all)


def _subset_construction(g: Graph) -> Graph:
    """Deterministic and complete; the empty subset is a state. No marks."""
    number = {frozenset([g.initial]): 0}
    order = [frozenset([g.initial])]
    out: list[list[Edge]] = []
    edges = 0
    for subset in order:
        labels: dict[int, int] = {}
        for s in sorted(subset):
            for label, _, target in g.out[s]:
                labels[target] = g.diagrams.either(labels.get(target, NOTHING), label)
        here = []
        for label, targets in _cut(g.diagrams, labels):
            if targets not in number:
                number[targets] = len(order)
                order.append(targets)
            here.append(Edge(label, 0, number[targets]))
        out.append(here)
        edges += len(here)
        if len(order) > MOST_SUBSETS or edges > MOST_EDGES:
            raise TooLarge
    return Graph(g.diagrams, g.atoms, 0, out, 1)


def _cut(d: Diagrams, labels: dict[int, int]) -> list[tuple[int, frozenset[int]]]:
    """All valuations, by the targets that they lead to."""
    pieces: dict[int, frozenset[int]] = {ALL: frozenset()}
    for target, label in labels.items():
        cut: dict[int, frozenset[int]] = {}
        for piece, targets in pieces.items():
            inside, outside = d.both(piece, label), d.without(piece, label)
            if inside != NOTHING:
                cut[inside] = targets | {target}
            if outside != NOTHING:
                cut[outside] = targets
        pieces = cut
        if len(pieces) > MOST_EDGES:
            raise TooLarge
    return list(pieces.items())


def _with_answers(g: Graph, language: Graph) -> Graph:
    """Marks what leads away from accepting states, so that equivalent states agree in it (Löding): states without a
    cycle are ranked with what they lead to."""
    of = [0] * len(g.out)
    ranks: list[int] = []
    for number, states in enumerate(strong_components([[e.target for e in edges] for edges in g.out])):
        for s in states:
            of[s] = number
        after = [ranks[of[e.target]] for s in states for e in g.out[s] if of[e.target] != number]
        rank = max(after, default=0)
        if any(of[e.target] == number and e.target in states for s in states for e in g.out[s]):
            rejects = int(not accepts(language, _word_into(g, states)))
            rank += (rank + rejects) % 2
        ranks.append(rank)
    out = [[Edge(a, 1 - ranks[of[s]] % 2, t) for a, _, t in edges] for s, edges in enumerate(g.out)]
    return g.with_edges(out)


def _word_into(g: Graph, states: list[int]) -> Lasso:
    """A word that reaches the component and goes round in it."""
    prefix = _path(g, g.initial, states[0], set(range(len(g.out))), False)
    return prefix, _path(g, states[0], states[0], set(states), True)


def _path(g: Graph, source: int, target: int, within: set[int], proper: bool) -> list[int]:
    """The valuations along a shortest path; a `proper` one has a transition."""
    if source == target and not proper:
        return []
    came: dict[int, tuple[int, int]] = {}
    waiting = deque([source])
    while target not in came:
        s = waiting.popleft()
        for e in g.out[s]:
            if e.target in within and e.target not in came:
                came[e.target] = (s, _some_valuation(g.diagrams, e.label))
                waiting.append(e.target)
    word: list[int] = []
    at = target
    while True:
        at, valuation = came[at]
        word.append(valuation)
        if at == source:
            return word[::-1]


def _some_valuation(d: Diagrams, label: int) -> int:
    valuation = 0
    while label != ALL:
        if d.high[label] != NOTHING:
            valuation |= 1 << d.variable[label]
            label = d.high[label]
        else:
            label = d.low[label]
    return valuation
