"""From several acceptance sets on transitions to accepting states: an ordinary Büchi automaton.

A state is copied for each number of acceptance sets that were passed, one after the other, since the last time that all
were. Counting starts anew in each component, only for sets that matter in it, and leaps over sets that come together.
"""

from __future__ import annotations

from itertools import islice, permutations

from lfc.mcheck.ltl.scc import Component, Strength, components_of, has_cycle, strong_components
from lfc.mcheck.ltl.simulation import reduce
from lfc.mcheck.ltl.tgba import Edge, Graph

MOST_ORDERS = 24
MOST_STATES = 60  # larger automata are tried with one order only


def degeneralize(g: Graph) -> Graph:
    """State-based: one acceptance set, and transitions are in it as their sources say. The smallest that is found."""
    orders = list(islice(permutations(range(g.sets)), MOST_ORDERS if len(g.out) <= MOST_STATES else 1))
    found: list[Graph] = []
    for order in orders:
        plain = _in_order(g, order)
        for passing in (False, True):
            found.append(reduce(_settled(plain, passing), state_based=True))
    return min(found, key=lambda a: a.size)


def _in_order(g: Graph, order: tuple[int, ...]) -> Graph:
    parts = components_of(g)

    def top(component: Component) -> int:
        """The level of accepting states, which then count as level 0."""
        return component.sets.bit_count() if component.strength is Strength.STRONG else 0

    asked = {number: [i for i in order if c.sets >> i & 1] for number, c in enumerate(parts.all)}
    entry: dict[int, int] = {}  # the level at which a state is entered from other components

    def build() -> tuple[Graph, list[tuple[int, int]]]:
        start = (g.initial, entry.get(g.initial, 0))
        number = {start: 0}
        states = [start]
        out: list[list[Edge]] = []
        for s, level in states:
            component = parts.all[parts.of[s]]
            accepting = component.strength in (Strength.WEAK, Strength.TERMINAL)
            if component.strength is Strength.STRONG:
                accepting = level == top(component)
            here = []
            for label, marks, target in g.out[s]:
                reached = entry.get(target, 0)
                if parts.inside(s, target):
                    reached = _level(asked[parts.of[s]], marks, level) if top(component) else 0
                if (target, reached) not in number:
                    number[target, reached] = len(states)
                    states.append((target, reached))
                here.append(Edge(label, int(accepting), number[target, reached]))
            out.append(here)
        return Graph(g.diagrams, g.atoms, 0, out, 1), states

    first, states = build()
    # Enter each component where its copies never lead away from: other copies would only be passed through.
    inner = [
        [e.target for e in edges if parts.inside(states[i][0], states[e.target][0])]
        for i, edges in enumerate(first.out)
    ]
    for copies in strong_components(inner):
        members = set(copies)
        if any(target not in members for i in copies for target in inner[i]):
            continue
        for i in sorted(copies, key=lambda i: states[i][1]):
            entry.setdefault(states[i][0], states[i][1])
    return build()[0].merged()


def _level(asked: list[int], marks: int, level: int) -> int:
    reached = 0 if level == len(asked) else level
    while reached < len(asked) and marks >> asked[reached] & 1:
        reached += 1
    return reached


def _settled(g: Graph, passing: bool) -> Graph:
    """The same language, with acceptance as even as it can be: all states of a component in which every cycle accepts
    accept, those without a cycle as `passing` says."""
    out = list(g.out)
    for states in strong_components([[e.target for e in edges] for edges in g.out]):
        if not has_cycle(states, g.out, 0):
            mark = int(passing)
        elif not has_cycle(states, g.out, 1):
            mark = 1
        else:
            continue
        for s in states:
            out[s] = [Edge(e.label, mark, e.target) for e in out[s]]
    return g.with_edges(out)
