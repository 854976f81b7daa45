"""A transition-based generalised Büchi automaton while it is being worked on.

A run is accepting if it passes, for each acceptance set, transitions of that set infinitely often.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lfc.mcheck.ltl.bdd import NOTHING, Diagrams


class Edge(NamedTuple):
    label: int  # a diagram: the valuations that it can be taken with
    marks: int  # a mask of the acceptance sets that it is in
    target: int


@dataclass(slots=True)
class Graph:
    """States are the indices of `out`. `names` say what a state stands for, if that is known."""

    diagrams: Diagrams
    atoms: list[str]  # atom i is variable i of the labels
    initial: int
    out: list[list[Edge]]
    sets: int
    names: list[str] = field(default_factory=list)

    @property
    def full(self) -> int:
        return (1 << self.sets) - 1

    @property
    def size(self) -> tuple[int, int]:
        """States and transitions."""
        return len(self.out), sum(map(len, self.out))

    def with_edges(self, out: list[list[Edge]]) -> Graph:
        """The same states with other transitions."""
        return Graph(self.diagrams, self.atoms, self.initial, out, self.sets, self.names)

    def merged(self) -> Graph:
        """Transitions between the same states with the same marks are one, and what another one of these offers with
        more marks is offered once. States that cannot be reached are gone."""
        return self.with_edges([self._merged_edges(edges) for edges in self.out]).reachable()

    def _merged_edges(self, edges: list[Edge]) -> list[Edge]:
        d = self.diagrams
        labels: dict[tuple[int, int], int] = {}
        by_target: dict[int, list[int]] = {}
        for label, marks, target in edges:
            key = (target, marks)
            if key not in labels:
                by_target.setdefault(target, []).append(marks)
                labels[key] = label
            else:
                labels[key] = d.either(labels[key], label)
        for target, all_marks in by_target.items():
            for fewer in all_marks:
                for more in all_marks:
                    if fewer != more and fewer & more == fewer:
                        labels[target, fewer] = d.without(labels[target, fewer], labels[target, more])
        return [Edge(label, marks, target) for (target, marks), label in labels.items() if label != NOTHING]

    def reachable(self) -> Graph:
        """Without the states that cannot be reached; numbered in the order of a breadth-first search."""
        number = {self.initial: 0}
        order = [self.initial]
        for state in order:
            for edge in self.out[state]:
                if edge.target not in number:
                    number[edge.target] = len(order)
                    order.append(edge.target)
        out = [[Edge(e.label, e.marks, number[e.target]) for e in self.out[state]] for state in order]
        names = [self.names[state] for state in order] if self.names else []
        return Graph(self.diagrams, self.atoms, 0, out, self.sets, names)
