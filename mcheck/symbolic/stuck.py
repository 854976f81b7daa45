"""Partial deadlocks among symbolic states: who waits for a partner and is let go by no continuation.

Values of a state are *fine* for a slot if they have a step that lets the slot go, or leads to what is fine. They are
found backwards, as boxes. What is left is stuck for certain where each step could be gone back exactly, or where no way
leads to where the slot does not wait. In between nobody knows.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lfc.mcheck.symbolic import boxes
from lfc.mcheck.symbolic.events import Event
from lfc.mcheck.symbolic.explore import Edge, Exploration, State
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.preimage import before, is_exact

MOST_BOXES = 20_000
SECONDS = 10.0  # for one slot


@dataclass(slots=True)
class Stuck:
    """`state`: one in which these slots are stuck for certain, cut to such values; None: there is none. `unknown`:
    there may be others."""

    state: State | None
    slots: list[int]
    unknown: bool


def find_stuck(found: Exploration) -> Stuck:
    """After a complete search without errors."""
    waiting = {s: waiting_slots(found, s) for s in found.states}
    slots = sorted({slot for own in waiting.values() for slot in own})
    if not slots:
        return Stuck(None, [], False)
    targets: dict[Edge, list[State]] = {}
    for s in found.states:
        if found.is_over():
            return Stuck(None, [], True)
        targets |= {edge: list(found.targets(edge)) for edge in s.edges}
    into: dict[State, list[Edge]] = {}
    for edge, states in targets.items():
        for s in states:
            into.setdefault(s, []).append(edge)
    certain: dict[State, dict[int, list[Box]]] = {}
    unknown = False
    for slot in slots:
        fine = Fine({s: [] for s in found.states if slot in waiting[s]}, targets, into)
        fine.find()
        left = {s: rest for s in fine.regions if (rest := fine.left(s))}
        free = set() if fine.exact else reaching(left, set(fine.regions), into, targets)
        unknown |= bool(free)
        for s, rest in left.items():
            if s not in free:
                certain.setdefault(s, {})[slot] = rest
    if not certain:
        return Stuck(None, [], unknown)
    state = min(certain, key=lambda s: (-len(certain[s]), s.depth))
    box, slots = together(certain[state])
    return Stuck(replace(state, box=box), slots, unknown)


def together(left: dict[int, list[Box]]) -> tuple[Box, list[int]]:
    """Values with which these slots are stuck, as many as there are with the first."""
    (first, own), *others = left.items()
    box, slots = own[0], [first]
    for slot, rest in others:
        common = next((c for b in rest if (c := boxes.common(box, b)) is not None), None)
        if common is not None:
            box = common
            slots.append(slot)
    return box, slots


def waiting_slots(found: Exploration, s: State) -> set[int]:
    program = found.program
    at = program.at(s.shape)
    return {slot for slot, position in enumerate(at) if position and program.waits_for_partner(s.shape, slot, position)}


@dataclass(slots=True)
class Fine:
    """By state in which the slot waits, the values that are fine, as boxes that do not overlap: the least such sets."""

    regions: dict[State, list[Box]]
    targets: dict[Edge, list[State]]
    into: dict[State, list[Edge]]
    exact: bool = True  # each step was gone back exactly
    boxes: int = 0
    whole: set[State] = field(default_factory=set)

    def find(self) -> None:
        until = time.monotonic() + SECONDS
        work = dict.fromkeys(self.regions)
        while work:
            s = next(iter(work))
            del work[s]
            if self.boxes > MOST_BOXES or time.monotonic() > until:
                self.exact = False
                return
            if s not in self.whole and self._grows(s):
                work |= dict.fromkeys(e.before for e in self.into.get(s, ()) if e.before in self.regions)

    def left(self, s: State) -> list[Box]:
        return [] if s in self.whole else subtracted([s.box], self.regions[s])

    def _grows(self, s: State) -> bool:
        grown = False
        for edge in s.edges:
            for region in list(self._fine_before(edge)):
                new = subtracted([b] if (b := boxes.common(s.box, region)) else [], self.regions[s])
                self.regions[s] += new
                self.boxes += len(new)
                grown |= bool(new)
        if self._by_event(s) or (grown and not self.left(s)):
            self.whole.add(s)
            self.regions[s] = [s.box]
            return True
        return grown

    def _fine_before(self, edge: Edge) -> Iterable[Box]:
        """Values for which the step certainly can lead to what is fine."""
        if not is_exact(edge):
            self.exact = False
            return
        for t in self.targets[edge]:
            if t not in self.regions:
                yield edge.of
                return
            for region in self.regions[t]:
                found = before(edge, region)
                if found is not None and found.exact:
                    yield found.box
                elif found is not None:
                    self.exact = False

    def _by_event(self, s: State) -> bool:
        """Whether all paths of some event lead to what is fine: some path of each event can be taken."""
        by_event: dict[Event, list[Edge]] = {}
        for edge in s.edges:
            by_event.setdefault(edge.event, []).append(edge)
        return any(
            all(t not in self.regions or t in self.whole for edge in edges for t in self.targets[edge])
            for edges in by_event.values()
        )


def subtracted(left: list[Box], taken: Iterable[Box]) -> list[Box]:
    for other in taken:
        left = [piece for b in left for piece in boxes.without(b, other)]
    return left


def reaching(
    left: Iterable[State], waits: set[State], into: dict[State, list[Edge]], targets: dict[Edge, list[State]]
) -> set[State]:
    """Those of `left` from which some way may lead to a state in which the slot does not wait."""
    free = {s for s in waits if any(t not in waits for edge in s.edges for t in targets[edge])}
    work = list(free)
    while work:
        s = work.pop()
        for edge in into.get(s, ()):
            if edge.before in waits and edge.before not in free:
                free.add(edge.before)
                work.append(edge.before)
    return free & set(left)
