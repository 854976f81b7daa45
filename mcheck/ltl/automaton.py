"""The automaton that the search for cycles takes: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from lfc.mcheck.ltl.bdd import Cube, TooLarge
from lfc.mcheck.ltl.scc import Strength, components_of
from lfc.mcheck.ltl.tgba import Graph

MOST_ATOMS = 64  # a valuation is one machine word


class Kind(Enum):
    """Where a language stands in the hierarchy of Manna and Pnueli, as far as it is known."""

    BOTH = "safety and guarantee"  # a bounded prefix decides
    SAFETY = "safety"  # what is not accepted has a prefix that tells
    GUARANTEE = "guarantee"  # what is accepted has a prefix that tells
    OBLIGATION = "obligation"  # a Boolean combination of these
    OTHER = "other"

    @property
    def opposite(self) -> Kind:
        return {Kind.SAFETY: Kind.GUARANTEE, Kind.GUARANTEE: Kind.SAFETY}.get(self, self)


@dataclass(frozen=True, slots=True)
class Transition:
    source: int
    target: int
    acceptance: int  # a mask of acceptance sets
    cubes: tuple[Cube, ...]  # it can be taken if, for one (positive, negative), the first are true and the second false


@dataclass(frozen=True, slots=True)
class Automaton:
    """A run is accepting if it passes transitions of each acceptance set infinitely often; with no sets, every run is.

    A word is accepted if it has an accepting run; a run that cannot go on is none. With `state_based` there is one set,
    and all transitions that leave a state are in it, or none.
    """

    atoms: tuple[str, ...]  # at most 64; atom i is bit i of the masks
    states: int
    initial: int
    transitions: tuple[Transition, ...]  # by source
    acceptance_sets: int
    state_based: bool
    component: tuple[int, ...]  # of each state; a component comes after those that it leads to
    strength: tuple[Strength, ...]  # of each component
    kind: Kind
    stutter_insensitive: bool  # as a language over the valuations of its atoms

    @property
    def accepting_states(self) -> frozenset[int]:
        """Of a state-based automaton."""
        return frozenset(t.source for t in self.transitions if t.acceptance)

    def first_transitions(self) -> list[int]:
        """For each state the index of its first transition, and at the end the number of all."""
        first = [0] * (self.states + 1)
        for t in self.transitions:
            first[t.source + 1] += 1
        for s in range(self.states):
            first[s + 1] += first[s]
        return first

    def cube_arrays(self) -> tuple[list[int], list[int], list[int]]:
        """For each transition the index of its first cube (and at the end the number of all), and of all cubes the
        masks of the atoms that must be true and false: three arrays for a C program."""
        first, positive, negative = [0], [], []
        for t in self.transitions:
            positive += [p for p, _ in t.cubes]
            negative += [n for _, n in t.cubes]
            first.append(len(positive))
        return first, positive, negative


def as_automaton(g: Graph, kind: Kind, stutter_insensitive: bool, *, state_based: bool = False) -> Automaton:
    """May raise `TooLarge`, for too many atoms."""
    if len(g.atoms) > MOST_ATOMS:
        raise TooLarge
    parts = components_of(g)
    transitions = tuple(
        Transition(source, e.target, e.marks, tuple(g.diagrams.cubes(e.label)))
        for source, edges in enumerate(g.out)
        for e in sorted(edges, key=lambda e: (e.target, e.marks))
    )
    return Automaton(
        tuple(g.atoms),
        len(g.out),
        g.initial,
        transitions,
        g.sets,
        state_based,
        tuple(parts.of),
        tuple(c.strength for c in parts.all),
        kind,
        stutter_insensitive,
    )
