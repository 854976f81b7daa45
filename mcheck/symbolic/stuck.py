"""Partial deadlocks among symbolic states: who waits for a partner and is let go by no continuation.

A state is *fine* for a slot if each of its valuations has a step that lets the slot go, or leads to what is fine; a
slot is stuck for certain where it waits and no way leads to where it does not. In between nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lfc.mcheck.symbolic import boxes
from lfc.mcheck.symbolic.events import Event
from lfc.mcheck.symbolic.explore import Edge, Exploration, State


@dataclass(slots=True)
class Stuck:
    """`state`: one in which these slots are stuck for certain; None: there is none. `unknown`: there may be others."""

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
    before: dict[State, list[Edge]] = {}
    for edge, states in targets.items():
        for s in states:
            before.setdefault(s, []).append(edge)
    certain: dict[State, list[int]] = {}
    unknown = False
    for slot in slots:
        waits = [s for s in found.states if slot in waiting[s]]
        fine = fine_for(waits, targets, before)
        left = [s for s in waits if s not in fine]
        if left:
            free = reaching(left, set(waits), before, targets)
            for s in left:
                if s in free:
                    unknown = True
                else:
                    certain.setdefault(s, []).append(slot)
    if not certain:
        return Stuck(None, [], unknown)
    state = min(certain, key=lambda s: (-len(certain[s]), s.depth))
    return Stuck(state, certain[state], unknown)


def waiting_slots(found: Exploration, s: State) -> set[int]:
    program = found.program
    at = program.at(s.shape)
    return {slot for slot, position in enumerate(at) if position and program.waits_for_partner(s.shape, slot, position)}


def fine_for(waits: Iterable[State], targets: dict[Edge, list[State]], before: dict[State, list[Edge]]) -> set[State]:
    """The least set: of those in which a slot waits, from which each valuation comes to one in which it does not."""
    open_states = set(waits)
    work = list(open_states)
    fine: set[State] = set()
    while work:
        s = work.pop()
        if s in fine:
            continue
        good = {edge for edge in s.edges if all(t not in open_states or t in fine for t in targets[edge])}
        if good and is_proved(s, good):
            fine.add(s)
            work += [edge.before for edge in before.get(s, ()) if edge.before in open_states]
    return fine


def is_proved(s: State, good: set[Edge]) -> bool:
    """Each valuation has one of these steps: all of an event, or such as are certain where they begin."""
    by_event: dict[Event, list[Edge]] = {}
    for edge in s.edges:
        by_event.setdefault(edge.event, []).append(edge)
    if any(all(edge in good for edge in edges) for edges in by_event.values()):
        return True
    certain = (edge for edge in s.edges if edge in good and not edge.to.path.wide and asks_nothing_new(edge))
    return boxes.is_covered(s.box, [edge.of for edge in certain])


def asks_nothing_new(edge: Edge) -> bool:
    """Its box says in which valuations it begins: it depends on no further condition."""
    return edge.to.path.known.keys() <= edge.before.shape.known(edge.before.box).keys()


def reaching(
    left: Iterable[State], waits: set[State], before: dict[State, list[Edge]], targets: dict[Edge, list[State]]
) -> set[State]:
    """Those of `left` from which some way may lead to a state in which the slot does not wait."""
    free = {s for s in waits if any(t not in waits for edge in s.edges for t in targets[edge])}
    work = list(free)
    while work:
        s = work.pop()
        for edge in before.get(s, ()):
            if edge.before in waits and edge.before not in free:
                free.add(edge.before)
                work.append(edge.before)
    return free & set(left)
