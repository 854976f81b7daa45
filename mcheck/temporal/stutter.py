"""Is a language insensitive to stuttering: does it not matter how often in a row a valuation stands in a word?

May import: `diagrams`, `graph`, `product`. After Michaud and Duret-Lutz (2015).
"""

from __future__ import annotations

from lfc.mcheck.temporal.diagrams import NOTHING, TooLarge
from lfc.mcheck.temporal.graph import Edge, Graph
from lfc.mcheck.temporal.product import disjoint

MOST_EDGES = 20_000
MOST_PRODUCT = 50_000


def stutter_insensitive(g: Graph, opposite: Graph) -> bool:
    """`opposite` accepts the complement. Also False where it would take too long to know."""
    try:
        # With repetitions taken out, a word of the language stays in it; and one of the complement in the complement.
        shorter = disjoint(contracted(g), opposite, MOST_PRODUCT)
        return shorter and disjoint(contracted(opposite), g, MOST_PRODUCT)
    except TooLarge:
        return False


def contracted(g: Graph) -> Graph:
    """Accepts the words of the language, also with valuations in a row taken out but for one of them."""
    d = g.diagrams
    out: list[list[Edge]] = []
    count = 0
    for edges in g.out:
        # Where two steps can be taken with one valuation, it can be one step.
        labels: dict[tuple[int, int], int] = {}
        waiting: list[Edge] = list(edges)
        while waiting:
            label, marks, target = waiting.pop()
            known = labels.get((marks, target), NOTHING)
            new = d.without(label, known)
            if new == NOTHING:
                continue
            labels[marks, target] = d.either(known, new)
            for e in g.out[target]:
                both = d.both(new, e.label)
                if both != NOTHING:
                    waiting.append(Edge(both, marks | e.marks, e.target))
        out.append([Edge(label, marks, target) for (marks, target), label in labels.items()])
        count += len(out[-1])
        if count > MOST_EDGES:
            raise TooLarge
    return g.with_edges(out).reachable()
