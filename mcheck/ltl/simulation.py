"""Merges states that can do the same, and drops transitions that another one makes superfluous.

A state simulates another if it can answer each transition, valuation by valuation, with one that has at least the same
marks and leads to a state that simulates the other target. Backwards the same holds for the transitions that lead to a
state (and whoever answers for the initial state must be initial): of two states where one backwards simulates the
other, whatever run reaches the one reaches the other.
"""

from __future__ import annotations

from lfc.mcheck.ltl.bdd import NOTHING, Diagrams
from lfc.mcheck.ltl.scc import trim
from lfc.mcheck.ltl.tgba import Edge, Graph

MOST_STATES = 250  # more are only merged where they are bisimilar
MOST_EDGES = 6_000


def reduce(g: Graph, *, state_based: bool = False) -> Graph:
    """Forwards and backwards in turn, until nothing gets smaller. `state_based`: marks are those of the transition's
    source (one set), and stay so."""
    g = _trimmed(g, state_based, False)
    leaving = False
    unchanged = 0
    while unchanged < 2:
        before = g.size
        g = merge_bisimilar(g, state_based=state_based)
        if len(g.out) <= MOST_STATES and g.size[1] <= MOST_EDGES:
            g = _trimmed(reduce_forwards(g), state_based, leaving)
            g = _trimmed(reduce_backwards(g, state_based=state_based), state_based, leaving)
        unchanged = unchanged + 1 if g.size == before else 0
        leaving = not leaving
    return _trimmed(g, state_based, False)


def _trimmed(g: Graph, state_based: bool, leaving: bool) -> Graph:
    return g.merged() if state_based else trim(g, leaving=leaving)


def merge_bisimilar(g: Graph, *, state_based: bool = False) -> Graph:
    """Partition refinement: states whose transitions agree, target class by target class, are one."""
    d = g.diagrams
    block = [0] * len(g.out)
    if state_based:
        block = [int(bool(edges and edges[0].marks)) for edges in g.out]
    count = len(set(block))
    while True:
        number: dict[tuple[int, frozenset[tuple[int, int, int]]], int] = {}
        refined = []
        for s, edges in enumerate(g.out):
            labels: dict[tuple[int, int], int] = {}
            for label, marks, target in edges:
                key = (marks, block[target])
                labels[key] = d.either(labels.get(key, NOTHING), label)
            signature = (block[s], frozenset((m, b, label) for (m, b), label in labels.items()))
            refined.append(number.setdefault(signature, len(number)))
        block = refined
        if len(number) == count:
            return _quotient(g, block)
        count = len(number)


def _quotient(g: Graph, block: list[int]) -> Graph:
    """One state for each block, with the transitions of its first state."""
    first: dict[int, int] = {}
    for s, b in enumerate(block):
        first.setdefault(b, s)
    position = {b: i for i, b in enumerate(first)}
    out = [[Edge(e.label, e.marks, position[block[e.target]]) for e in g.out[s]] for s in first.values()]
    names = [g.names[s] for s in first.values()] if g.names else []
    return Graph(g.diagrams, g.atoms, position[block[g.initial]], out, g.sets, names).merged()


def simulation(d: Diagrams, out: list[list[Edge]], above: list[int]) -> list[int]:
    """For each state a mask of the states that simulate it. At first `above` are candidates."""
    above = list(above)
    predecessors: list[set[int]] = [set() for _ in out]
    for s, edges in enumerate(out):
        for e in edges:
            predecessors[e.target].add(s)
    waiting = set(range(len(out)))
    while waiting:
        s = min(waiting)
        waiting.discard(s)
        kept = above[s]
        for t in range(len(out)):
            if t != s and kept >> t & 1 and not _answers(d, out[s], out[t], above):
                kept &= ~(1 << t)
        if kept != above[s]:
            above[s] = kept
            # What simulated a predecessor may have done so by answering with a state that is no longer above s.
            waiting |= predecessors[s]
    return above


def _answers(d: Diagrams, asked: list[Edge], offered: list[Edge], above: list[int]) -> bool:
    for label, marks, target in asked:
        for label_2, marks_2, target_2 in offered:
            if marks & ~marks_2 == 0 and above[target] >> target_2 & 1:
                label = d.without(label, label_2)
                if label == NOTHING:
                    break
        else:
            return False
    return True


def reduce_forwards(g: Graph) -> Graph:
    everything = (1 << len(g.out)) - 1
    above = simulation(g.diagrams, g.out, [everything] * len(g.out))
    block = _equivalent(above)
    g = g.with_edges([_without_inferior(g.diagrams, edges, above, block) for edges in g.out])
    return _quotient(g, block)


def reduce_backwards(g: Graph, *, state_based: bool = False) -> Graph:
    n = len(g.out)
    into: list[list[Edge]] = [[] for _ in g.out]
    for s, edges in enumerate(g.out):
        for e in edges:
            into[e.target].append(Edge(e.label, e.marks, s))
    everything = (1 << n) - 1
    start = [everything] * n
    start[g.initial] = 1 << g.initial
    if state_based:
        accepting = sum(1 << s for s, edges in enumerate(g.out) if edges and edges[0].marks)
        start = [mask & (accepting if accepting >> s & 1 else everything & ~accepting) for s, mask in enumerate(start)]
    above = simulation(g.diagrams, into, start)
    block = _equivalent(above)
    into = [_without_inferior(g.diagrams, edges, above, block) for edges in into]
    # Of a block the first state stands for what leads to it, and all its states for what leads away.
    first: dict[int, int] = {}
    for s, b in enumerate(block):
        first.setdefault(b, s)
    out: list[list[Edge]] = [[] for _ in g.out]
    for target, edges in enumerate(into):
        if first[block[target]] == target:
            for e in edges:
                out[first[block[e.target]]].append(Edge(e.label, e.marks, target))
    # `into` of the first state has all sources; sources of merged states were redirected to their first state.
    merged = g.with_edges(out)
    merged.initial = first[block[g.initial]]
    return merged.merged()


def _equivalent(above: list[int]) -> list[int]:
    """Blocks of states that simulate each other, each numbered by its first state."""
    block = []
    for s, mask in enumerate(above):
        block.append(next((t for t in range(s) if mask >> t & 1 and above[t] >> s & 1), s))
    return block


def _without_inferior(d: Diagrams, edges: list[Edge], above: list[int], block: list[int]) -> list[Edge]:
    """Each transition only with the valuations for which no other one has as many marks and as good a target; of equals
    the first stays."""
    kept = []
    for i, (label, marks, target) in enumerate(edges):
        for j, other in enumerate(edges):
            if i == j or marks & ~other.marks or not above[target] >> other.target & 1:
                continue
            equal = marks == other.marks and block[target] == block[other.target]
            if not equal or j < i:
                label = d.without(label, other.label)
        if label != NOTHING:
            kept.append(Edge(label, marks, target))
    return kept
