"""Is a language insensitive to stuttering: does it not matter how often in a row a valuation stands in a word?

Some atoms are momentary: true in one letter, if at all, and false when nothing is done (`TAKEN`). Then a letter may
be followed by any number of its silent ones: the same with these atoms false. Without momentary atoms that is
stuttering. After Michaud and Duret-Lutz (2015).
"""

from __future__ import annotations

from lfc.mcheck.ltl.bdd import ALL, NOTHING, TooLarge
from lfc.mcheck.ltl.product import disjoint
from lfc.mcheck.ltl.scc import components_of
from lfc.mcheck.ltl.simulation import simulation
from lfc.mcheck.ltl.tgba import Edge, Graph

MOST_EDGES = 20_000
MOST_PRODUCT = 50_000
MOST_ATOMS_ALONE = 6  # of an automaton whose complement is not there: each valuation is looked at


def stutter_insensitive(g: Graph, opposite: Graph, momentary: int = 0) -> bool:
    """`opposite` accepts the complement; `momentary` is a mask of atoms. Also False where it would take too long."""
    try:
        # With silent letters taken out, a word of the language stays in it, and one of the complement in that.
        shorter = disjoint(contracted(g, momentary), opposite, MOST_PRODUCT)
        return shorter and disjoint(contracted(opposite, momentary), g, MOST_PRODUCT)
    except TooLarge:
        return False


def contracted(g: Graph, momentary: int = 0) -> Graph:
    """Accepts the words of the language, also with silent letters taken out behind the letter that they repeat."""
    d = g.diagrams
    out: list[list[Edge]] = []
    count = 0
    for edges in g.out:
        # Where two steps can be taken with a letter and its silent one, it can be one step.
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
                both = d.both(new, d.when_false(e.label, momentary))
                if both != NOTHING:
                    waiting.append(Edge(both, marks | e.marks, e.target))
        out.append([Edge(label, marks, target) for (marks, target), label in labels.items()])
        count += len(out[-1])
        if count > MOST_EDGES:
            raise TooLarge
    return g.with_edges(out).reachable()


def insensitive_alone(g: Graph, momentary: int = 0) -> bool:
    """For an automaton whose complement is not there. True is certain; False says that it could not be shown: an
    automaton for the shorter words, and one for the longer ones, must be simulated by this one."""
    if len(g.atoms) > MOST_ATOMS_ALONE:
        return False
    g = with_a_set(g)
    try:
        if not simulated(contracted(g, momentary), g):
            return False
        return simulated(expanded(g, momentary), g) or (not momentary and simulated(expanded_late(g), g))
    except TooLarge:
        return False


def simulated(a: Graph, b: Graph) -> bool:
    """Whether b can follow each step of a, with as many marks; then it accepts all that a does. They share their
    diagrams and sets. Marks on steps that no cycle has do not matter: there, a needs none, and b has all."""
    shift = len(a.out)
    inside_a, inside_b = components_of(a).inside, components_of(b).inside
    out = [
        [Edge(label, marks if inside_a(s, target) else 0, target) for label, marks, target in edges]
        for s, edges in enumerate(a.out)
    ]
    out += [
        [Edge(label, marks if inside_b(s, target) else b.full, target + shift) for label, marks, target in edges]
        for s, edges in enumerate(b.out)
    ]
    above = simulation(a.diagrams, out, [(1 << len(out)) - 1] * len(out))
    return bool(above[a.initial] >> (b.initial + shift) & 1)


def with_a_set(g: Graph) -> Graph:
    """Where every run accepts, a set that all transitions are in: so one can be made that is not."""
    if g.sets:
        return g
    out = [[Edge(label, 1, target) for label, _, target in edges] for edges in g.out]
    return Graph(g.diagrams, g.atoms, g.initial, out, 1)


def expanded(g: Graph, momentary: int = 0) -> Graph:
    """Accepts the words of the language, also with silent letters put in: behind a step it can wait, and remembers for
    which letter."""
    g = with_a_set(g)
    made = _Expansion(g)
    for s, edges in enumerate(g.out):
        for label, marks, target in edges:
            for valuation in made.valuations(label):
                waits = made.waiting(target, valuation & ~momentary)
                made.out[s].append(Edge(g.diagrams.letter(valuation, len(g.atoms)), marks, waits))
    for (s, valuation), n in list(made.number.items()):
        made.out[n] = [Edge(g.diagrams.letter(valuation, len(g.atoms)), 0, n), *made.out[s]]
    return made.graph()


def expanded_late(g: Graph) -> Graph:
    """The same without momentary atoms, but it waits before the step: of several letters in a row the automaton reads
    the last one. So one can be simulated that guesses when something has been the last time."""
    g = with_a_set(g)
    made = _Expansion(g)
    for s in range(len(g.out)):
        for valuation in made.valuations(ALL):
            one = g.diagrams.letter(valuation, len(g.atoms))
            n = made.waiting(s, valuation)
            made.out[s].append(Edge(one, 0, n))
            taken = [Edge(g.diagrams.both(label, one), marks, target) for label, marks, target in g.out[s]]
            made.out[n] = [Edge(one, 0, n), *(e for e in taken if e.label != NOTHING)]
    return made.graph()


class _Expansion:
    """The states of an automaton, and those that wait: `number` of (state, valuation)."""

    def __init__(self, g: Graph) -> None:
        self.g = g
        self.out = [list(edges) for edges in g.out]
        self.number: dict[tuple[int, int], int] = {}

    def waiting(self, state: int, valuation: int) -> int:
        n = self.number.get((state, valuation))
        if n is None:
            n = self.number[state, valuation] = len(self.out)
            self.out.append([])
            if n > MOST_EDGES:
                raise TooLarge
        return n

    def valuations(self, label: int) -> list[int]:
        return [v for v in range(1 << len(self.g.atoms)) if self.g.diagrams.holds(label, v)]

    def graph(self) -> Graph:
        g = self.g
        return Graph(g.diagrams, g.atoms, g.initial, self.out, g.sets).reachable()
