"""The specification, made deterministic while it is asked for (Roscoe 1994): a node is the set of states that it can be
in after a visible trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lfc.mcheck.refinement.behaviour import Behaviour


@dataclass(slots=True)
class Node:
    states: frozenset[int]
    follows: dict[str, frozenset[int]]  # visible event -> states, before invisible steps
    acceptances: list[frozenset[str]]  # what stable states offer, the least sets only
    diverges: bool


class NormalForm:
    def __init__(self, behaviour: Behaviour, with_divergence: bool) -> None:
        self.behaviour = behaviour
        self.with_divergence = with_divergence
        self.nodes: list[Node] = []
        self.numbers: dict[frozenset[int], int] = {}
        self.next: dict[tuple[int, str], int] = {}
        self.first = self.node_of([0])

    def after(self, node: int, event: str) -> int | None:
        """None: the specification cannot do this."""
        found = self.next.get((node, event))
        if found is None:
            starts = self.nodes[node].follows.get(event)
            if starts is None:
                return None
            found = self.next[node, event] = self.node_of(starts)
        return found

    def node_of(self, starts: Iterable[int]) -> int:
        states = frozenset(self.closure(starts))
        if states not in self.numbers:
            self.numbers[states] = len(self.nodes)
            self.nodes.append(self.made(states))
        return self.numbers[states]

    def closure(self, starts: Iterable[int]) -> set[int]:
        found = set(starts)
        left = list(found)
        while left:
            for target in self.behaviour.invisible(left.pop()):
                if target not in found:
                    found.add(target)
                    left.append(target)
        return found

    def made(self, states: frozenset[int]) -> Node:
        b = self.behaviour
        follows: dict[str, set[int]] = {}
        for state in states:
            for step in b.steps(state):
                if step.label is not None:
                    follows.setdefault(step.label, set()).add(step.target)
        offers = {b.offers(s) for s in states if b.is_stable(s)}
        least = [a for a in offers if not any(other < a for other in offers)]
        diverges = self.with_divergence and any(b.diverges(s) for s in states)
        return Node(states, {e: frozenset(t) for e, t in follows.items()}, sorted(least, key=sorted), diverges)
