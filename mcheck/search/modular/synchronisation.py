"""What the modules of a program do with each other: they meet, or one begins to wait for another that is not there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lfc.mcheck.model.description import Description
from lfc.mcheck.search.modular.local_graph import NOBODY, Actions, LocalGraph, LocalStep, Outcome, Values
from lfc.mcheck.search.modular.partition import Modules

Parts = tuple[int, ...]


@dataclass(slots=True)
class Meeting:
    """A step between modules: where the modules that take part (or must be somewhere) are before and after it."""

    before: dict[int, int]  # module -> local state
    after: dict[int, int]
    step: LocalStep | None  # None: the modules only go there by themselves


@dataclass(slots=True)
class Pair:
    """What one module does with another one, each from a part of its local graph on."""

    meetings: list[tuple[Meeting, Outcome]] = field(default_factory=list)
    blocked: dict[tuple[int, int, int], set[int]] = field(
        default_factory=dict
    )  # state, slot, path: where it meets somebody


class Meetings:
    def __init__(self, local_graphs: Sequence[LocalGraph], modules: Modules, d: Description, actions: Actions) -> None:
        self.locals, self.modules, self._d, self._actions = local_graphs, modules, d, actions
        self._of_slot = modules.of_slot()
        self._pairs: dict[tuple[int, int, int, int], Pair] = {}
        self._met: dict[tuple[int, int, Values, Values], list[Outcome]] = {}

    def can_meet(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        (m, n), (k, b) = one, other
        theirs = self.locals[k].nodes[b].at
        return any(
            self._outcomes((m, n, slot), (k, b, partner))
            for slot, position, _ in self.locals[m].nodes[n].outward
            for partner in self.modules.partners[slot, position]
            if self._of_slot[partner] == k and theirs.get(partner) in self._d.may_meet[position]
        )

    def of(self, parts: Parts) -> Iterator[tuple[Meeting, Outcome]]:
        """All steps in which a module has to do with another one."""
        for m, (graph, part) in enumerate(zip(self.locals, parts, strict=True)):
            outward = graph.closure(part).outward
            if not outward:
                continue
            pairs = {k: self._pair(m, part, k, other) for k, other in enumerate(parts) if k != m}
            for pair in pairs.values():
                yield from pair.meetings
            for n in outward:
                for slot, _, waits in graph.nodes[n].outward:
                    for index, o in waits:
                        blocked = {k: b for k, p in pairs.items() if (b := p.blocked.get((n, slot, o.path)))}
                        yield from self._wait(parts, m, n, slot, index, o, blocked)

    def _pair(self, m: int, part: int, k: int, other: int) -> Pair:
        """What module `m` does with module `k`, from these parts on. Of ways to the same parts one is enough."""
        key = m, part, k, other
        if key not in self._pairs:
            found = self._pairs[key] = Pair()
            for (slot, position), ours in self._attempting(m, part).items():
                for partner in self.modules.partners[slot, position]:
                    if self._of_slot[partner] == k:
                        for one in ours.values():
                            for theirs in self._waiting(k, other, partner, position).values():
                                self._meet(found, (m, one, slot), (k, theirs, partner))
        return self._pairs[key]

    def _attempting(self, m: int, part: int) -> dict[tuple[int, int], dict[Values, list[int]]]:
        """Where a slot attempts at a position: local states by what the attempt can depend on."""
        graph = self.locals[m]
        found: dict[tuple[int, int], dict[Values, list[int]]] = {}
        for n in graph.closure(part).outward:
            for slot, position, _ in graph.nodes[n].outward:
                found.setdefault((slot, position), {}).setdefault(graph.seen_by(n, slot), []).append(n)
        return found

    def _waiting(self, k: int, part: int, partner: int, position: int) -> dict[Values, list[int]]:
        graph = self.locals[k]
        found: dict[Values, list[int]] = {}
        for b in graph.closure(part).waiting.get(partner, ()):
            if graph.nodes[b].at[partner] in self._d.may_meet[position]:
                found.setdefault(graph.seen_by(b, partner), []).append(b)
        return found

    def _meet(self, found: Pair, one: tuple[int, list[int], int], other: tuple[int, list[int], int]) -> None:
        (m, ours, slot), (k, theirs, partner) = one, other
        # Whether a slot waits if nobody outside is there depends on who of its own module is: on each local state.
        waiting = [n for n in ours if any(s == slot and w for s, _, w in self.locals[m].nodes[n].outward)]
        for o in self._outcomes((m, ours[0], slot), (k, theirs[0], partner)):
            step = LocalStep(slot, partner, o.changes)
            for n in waiting:
                found.blocked.setdefault((n, slot, o.path), set()).update(theirs)
            if o.fault is not None:
                found.meetings.append((Meeting({m: ours[0], k: theirs[0]}, {}, step), o))
                continue
            to, there = self._after_each(m, ours, o), self._after_each(k, theirs, o)
            for n, after in to:
                for b, after_b in there:
                    found.meetings.append((Meeting({m: n, k: b}, {m: after, k: after_b}, step), o))

    def _outcomes(self, one: tuple[int, int, int], other: tuple[int, int, int]) -> list[Outcome]:
        (m, n, slot), (k, b, partner) = one, other
        key = slot, partner, self.locals[m].seen_by(n, slot), self.locals[k].seen_by(b, partner)
        if key not in self._met:
            self._put((m, n), (k, b))
            self._met[key] = self._actions.outcomes(slot, partner)
            for i, o in enumerate(self._met[key]):
                self._actions.note(slot, partner, i, o)
        return self._met[key]

    def _after_each(self, m: int, nodes: list[int], o: Outcome) -> list[tuple[int, int]]:
        """One local state for each part that it leads to, and where it leads."""
        graph = self.locals[m]
        found: dict[int, tuple[int, int]] = {}
        for n in nodes:
            after = graph.number(graph.after(n, o.changes))
            found.setdefault(graph.nodes[after].part, (n, after))
        return list(found.values())

    def _put(self, *where: tuple[int, int]) -> None:
        for m, n in where:
            self._actions.put(self.locals[m].components, self.locals[m].nodes[n].values)

    def _wait(
        self, parts: Parts, m: int, n: int, slot: int, index: int, o: Outcome, blocked: dict[int, set[int]]
    ) -> Iterator[tuple[Meeting, Outcome]]:
        """Nobody is there: the other modules must be where nobody can be met."""
        graph = self.locals[m]
        choices = [[(k, b) for b in self._free_entries(k, parts[k], there)] for k, there in blocked.items()]
        for chosen in itertools.product(*choices):
            self._put((m, n))
            self._actions.note(slot, NOBODY, index, o)
            there = dict(chosen)
            after = {m: graph.number(graph.after(n, o.changes)), **there} if o.fault is None else {}
            yield Meeting({m: n, **there}, after, LocalStep(slot, NOBODY, o.changes)), o

    def _free_entries(self, k: int, part: int, blocked: set[int]) -> list[int]:
        """Local states, one of each part, from which all are reached in which nobody can be met without passing one in
        which somebody can: where the module is now, and where it is after such a state."""
        graph = self.locals[k]
        found: dict[int, int] = {}
        for n in graph.closure(part).nodes:
            if n in blocked:
                for to, _ in graph.nodes[n].steps:
                    if to not in blocked:
                        found.setdefault(graph.nodes[to].part, to)
            elif graph.nodes[n].part == part:
                found.setdefault(part, n)
        return list(found.values())
