"""Refinement by its definitions, over the naive explorer: a second opinion that shares nothing with the first past the
typed program.

Both programs are explored in full. What a program does is a graph; the states that it can be in after a visible trace
are a set, and the sets of both programs are followed side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.description import CLOSING
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions, successors
from tests.naive.meeting import Meeting
from tests.naive.state import State

FAULT = "fault"


class TooLarge(Exception):
    pass


@dataclass(slots=True)
class Graph:
    edges: list[set[tuple[str | None, int]]] = field(default_factory=list)
    ends: set[int] = field(default_factory=set)  # behind a fault


@contextmanager
def noting(found: list[tuple[int, str, tuple[object, ...], int]]) -> Iterator[None]:
    """Each transfer of values: channel, message, values, receiver."""
    real = Meeting.transfer

    def transfer(self, slot, event, guard, wait, values):  # type: ignore[no-untyped-def]
        found.append((wait.channel, event.message.name, values, slot))
        return real(self, slot, event, guard, wait, values)

    Meeting.transfer = transfer  # type: ignore[method-assign]
    try:
        yield
    finally:
        Meeting.transfer = real  # type: ignore[method-assign]


def graph_of(machine: Machine, ports: tuple[str, ...], most: int, conventions: Conventions) -> Graph:
    """`ports`: of the module; with all their messages."""
    start = State.initial(machine.program, bounds_of(machine))
    variables = {v: v.name for m in machine.program.modules for v in m.variables if v.name in ports}
    is_closing = machine.program.main.name == CLOSING
    outside = {
        slot
        for r in machine.records
        for slot in range(r.first_slot, r.first_slot + r.slots)
        if is_closing and r.body.process is not None and r.body.process.module is machine.program.main
    }
    graph = Graph([set()])
    numbers: dict[object, int] = {start.key(): 0}
    left: list[State] = [start]

    def number(key: object) -> int:
        if key not in numbers:
            if len(numbers) >= most:
                raise TooLarge
            numbers[key] = len(numbers)
            graph.edges.append(set())
        return numbers[key]

    for state in left:
        here = numbers[state.key()]
        by_slot: dict[tuple[object, object], list[tuple[tuple[object, ...], str | None, int, State]]] = {}
        for follower, items, met in followers(state, conventions):
            slot = items[0][1]
            if slot in outside and waits(follower, slot):
                continue
            label = label_of(state, variables, met, slot, outside)  # type: ignore[arg-type]
            own = tuple(tuple(i) for i in items[1:] if i[0] not in ("meet", "take", "out", "write"))
            if follower.fault is not None:
                label, target = FAULT, number(("fault", here, repr(items)))
                graph.ends.add(target)
            else:
                new = len(numbers)
                target = number(follower.key())
                if target == new:
                    left.append(follower)
            by_slot.setdefault((items[0][0], slot), []).append((own, label, target, follower))
        for (event, slot), outcomes in by_slot.items():
            decisions = {own for own, _, _, _ in outcomes}
            seen = any(label not in (None, FAULT) for _, label, _, _ in outcomes)
            for own, label, target, _ in outcomes:  # type: ignore[assignment]
                source = here
                if event == "run" and slot not in outside and seen and len(decisions) > 1:
                    source = number(("decided", here, repr((slot, own))))
                    graph.edges[here].add((None, source))
                graph.edges[source].add((label, target))
    return graph


def followers(
    state: State, conventions: Conventions
) -> Iterator[tuple[State, list[list[object]], list[tuple[int, str, tuple[object, ...], int]]]]:
    met: list[tuple[int, str, tuple[object, ...], int]] = []
    with noting(met):
        for follower, items in successors(state, conventions):
            yield follower, items, list(met)
            met.clear()


def waits(state: State, slot: int) -> bool:
    activation = state.slots[slot]
    return activation is not None and not activation.ready


def label_of(
    state: State,
    variables: dict[object, str],
    met: list[tuple[int, str, tuple[object, ...], int]],
    slot: int,
    outside: set[int],
) -> str | None:
    for channel, message, values, receiver in met:
        for variable, name in variables.items():
            if state.modules[variable] == channel != 0:  # type: ignore[index]
                sign = "!" if receiver in outside else "?" if slot in outside else "."
                return f"{name}{sign}{message}" + (f"({', '.join(map(str, values))})" if values else "")
    return None


# --- the models ------------------------------------------------------------------------------------------------------


def closure(graph: Graph, states: frozenset[int]) -> frozenset[int]:
    found = set(states)
    while True:
        more = {t for s in found for label, t in graph.edges[s] if label is None} - found
        if not more:
            return frozenset(found)
        found |= more


def divergent(graph: Graph) -> set[int]:
    """The greatest set from each of whose states an invisible step stays within it."""
    found = set(range(len(graph.edges)))
    while True:
        kept = {s for s in found if any(label is None and t in found for label, t in graph.edges[s])}
        if kept == found:
            return found
        found = kept


def failures(graph: Graph, states: frozenset[int]) -> set[frozenset[str]]:
    """What the stable ones of these states offer: they refuse all else."""
    found = set()
    for s in states - graph.ends:
        labels = {label for label, _ in graph.edges[s]}
        if None not in labels:
            found.add(frozenset(x for x in labels if x is not None))
    return found


def refines(specification: Graph, implementation: Graph, model: str) -> bool:
    wild, wild_here = divergent(specification), divergent(implementation)
    first = (closure(specification, frozenset({0})), closure(implementation, frozenset({0})))
    seen, left = {first}, [first]
    for there, here in left:
        if model == "fd" and there & wild:
            continue
        if (model == "fd" and here & wild_here) or (
            model != "traces" and refuses(specification, implementation, there, here)
        ):
            return False
        for event in {label for s in here for label, _ in implementation.edges[s] if label is not None}:
            pair = (after(specification, there, event), after(implementation, here, event))
            if not pair[0]:
                return False
            if pair not in seen:
                seen.add(pair)
                left.append(pair)
    return True


def refuses(specification: Graph, implementation: Graph, there: frozenset[int], here: frozenset[int]) -> bool:
    """The implementation something that the specification cannot."""
    allowed = failures(specification, there)
    return any(not any(a <= offers for a in allowed) for offers in failures(implementation, here))


def after(graph: Graph, states: frozenset[int], event: str) -> frozenset[int]:
    return closure(graph, frozenset(t for s in states for label, t in graph.edges[s] if label == event))
