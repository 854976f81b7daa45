"""Strongly connected components: which accept, and what of the automaton they make superfluous."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from lfc.base.scc import components
from lfc.mcheck.ltl.bdd import ALL, NOTHING
from lfc.mcheck.ltl.tgba import Edge, Graph


class Strength(Enum):
    """What runs that stay in a component are worth."""

    TRANSIENT = "transient"  # no cycle: no run stays
    REJECTING = "rejecting"  # none is accepting
    STRONG = "strong"  # some are
    WEAK = "weak"  # all are
    TERMINAL = "terminal"  # all are, and every word has one: what was read before has decided


@dataclass(slots=True)
class Component:
    states: list[int]
    strength: Strength
    sets: int = 0  # a mask of the acceptance sets that some cycle misses: the others ask for nothing here


@dataclass(slots=True)
class Components:
    of: list[int]  # of each state
    all: list[Component]  # a component comes after those that it leads to

    def inside(self, source: int, target: int) -> bool:
        return self.of[source] == self.of[target]


def strong_components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """A component comes after all that it leads to."""
    return components(range(len(successors)), successors.__getitem__)


def has_cycle(states: list[int], out: list[list[Edge]], missing: int) -> bool:
    """Whether the states have a cycle that is never in the acceptance set(s) `missing`."""
    members = {s: i for i, s in enumerate(states)}
    inner = [[members[e.target] for e in out[s] if e.target in members and not e.marks & missing] for s in states]
    if any(i in targets for i, targets in enumerate(inner)):
        return True
    return len(strong_components(inner)) < len(states)


def components_of(g: Graph) -> Components:
    of = [0] * len(g.out)
    found: list[Component] = []
    for number, states in enumerate(strong_components([[e.target for e in edges] for edges in g.out])):
        for s in states:
            of[s] = number
        found.append(_component(g, states, of, number))
    _find_terminal(g, found, of)
    return Components(of, found)


def _component(g: Graph, states: list[int], of: list[int], number: int) -> Component:
    inside = [e.marks for s in states for e in g.out[s] if of[e.target] == number and e.target in states]
    if not inside:
        return Component(states, Strength.TRANSIENT)
    union = 0
    for marks in inside:
        union |= marks
    if union != g.full:
        return Component(states, Strength.REJECTING)
    missed = sum(1 << i for i in range(g.sets) if has_cycle(states, g.out, 1 << i))
    return Component(states, Strength.STRONG if missed else Strength.WEAK, missed)


def _find_terminal(g: Graph, found: list[Component], of: list[int]) -> None:
    d = g.diagrams
    for component in found:
        if component.strength is not Strength.WEAK:
            continue
        for s in component.states:
            offered = NOTHING
            for e in g.out[s]:
                if of[e.target] == of[s] or found[of[e.target]].strength is Strength.TERMINAL:
                    offered = d.either(offered, e.label)
            if offered != ALL:
                break
        else:
            component.strength = Strength.TERMINAL


def trim(g: Graph, *, leaving: bool = False) -> Graph:
    """Without states from which no run is accepting, and with only the marks that matter.

    Transitions between components, and in components that do not accept, are in no set (`leaving`: between components
    in all, which is as good), those of a component in all sets that ask for nothing there. Sets that another set says
    as much as are gone everywhere.
    """
    g = g.reachable()
    parts = components_of(g)
    useful = [False] * len(parts.all)
    for number, component in enumerate(parts.all):
        useful[number] = component.strength in (Strength.STRONG, Strength.WEAK, Strength.TERMINAL) or any(
            useful[parts.of[e.target]] for s in component.states for e in g.out[s]
        )
    if not useful[parts.of[g.initial]]:
        return Graph(g.diagrams, g.atoms, 0, [[]], 0, g.names[:1])
    rejecting = any(useful[i] and c.strength is Strength.REJECTING for i, c in enumerate(parts.all))
    needed = 0
    for i, component in enumerate(parts.all):
        if useful[i]:
            needed |= component.sets
    kept = [i for i in range(g.sets) if needed >> i & 1]
    kept = _without_implied_sets(g, parts, kept)
    sets = len(kept) or int(rejecting)
    full = (1 << sets) - 1
    outside = full if leaving else 0
    out: list[list[Edge]] = []
    for s, edges in enumerate(g.out):
        component = parts.all[parts.of[s]]
        here: list[Edge] = []
        for label, marks, target in edges:
            if not useful[parts.of[target]] or label == NOTHING:
                continue
            if parts.of[target] != parts.of[s]:
                marks = outside
            elif component.strength is Strength.REJECTING:
                marks = 0
            elif not component.sets:
                marks = full
            else:
                marks |= ~component.sets
                marks = sum(1 << new for new, old in enumerate(kept) if marks >> old & 1)
            here.append(Edge(label, marks, target))
        out.append(here)
    return Graph(g.diagrams, g.atoms, g.initial, out, sets, g.names).merged()


def _without_implied_sets(g: Graph, parts: Components, kept: list[int]) -> list[int]:
    """A set is superfluous if another one is within it, wherever it asks for something."""
    needed = list(kept)
    for i in kept:
        for j in needed:
            if i != j and _asks_less(g, parts, i, j):
                needed.remove(i)
                break
    return needed


def _asks_less(g: Graph, parts: Components, i: int, j: int) -> bool:
    """Whether in each component that i matters in, j matters as well and is within i."""
    for number, component in enumerate(parts.all):
        if not component.sets >> i & 1:
            continue
        if not component.sets >> j & 1:
            return False
        for s in component.states:
            for e in g.out[s]:
                if parts.of[e.target] == number and e.marks >> j & 1 and not e.marks >> i & 1:
                    return False
    return True


def compact_sets(g: Graph) -> Graph:
    """Numbers the acceptance sets in each component by themselves: as many as the component with most asks for."""
    parts = components_of(g)
    own: list[list[int]] = []
    for number, component in enumerate(parts.all):
        mine = [i for i in range(g.sets) if component.sets >> i & 1]
        for i in list(mine):
            if any(j != i and _within_here(g, parts, number, j, i) for j in mine):
                mine.remove(i)
        own.append(mine)
    rejecting = any(c.strength is Strength.REJECTING for c in parts.all)
    sets = max(max(map(len, own), default=0), int(rejecting))
    full = (1 << sets) - 1
    out: list[list[Edge]] = []
    for s, edges in enumerate(g.out):
        number = parts.of[s]
        component = parts.all[number]
        here = []
        for label, marks, target in edges:
            if parts.of[target] != number or component.strength is Strength.REJECTING:
                marks = 0
            else:
                own_marks = sum(1 << new for new, old in enumerate(own[number]) if marks >> old & 1)
                marks = own_marks | (full & ~((1 << len(own[number])) - 1))
            here.append(Edge(label, marks, target))
        out.append(here)
    return Graph(g.diagrams, g.atoms, g.initial, out, sets, g.names).merged()


def _within_here(g: Graph, parts: Components, number: int, j: int, i: int) -> bool:
    """Whether, in a component, each transition of set j is in set i."""
    return all(
        e.marks >> i & 1
        for s in parts.all[number].states
        for e in g.out[s]
        if parts.of[e.target] == number and e.marks >> j & 1
    )
