"""The naive explorer with time: a state has beside it how many whole milliseconds each wait still goes, and the clock
if it is asked for. What is outside of the program acts after any whole number of milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lfc.semantics.model import typed
from tests.naive.evaluator import step
from tests.naive.explorer import (
    Conventions,
    Enumerate,
    events_to_explore,
    following_script,
    is_server,
    nothing_can_come,
)
from tests.naive.policies import Item
from tests.naive.state import Fault, State, events_of
from tests.naive.stuck import let_go_later

ALL = 1 << 32
Left = tuple[tuple[int, int, int], ...]  # slot, clause, milliseconds


@dataclass(slots=True)
class Node:
    state: State
    left: Left
    clock: int


@dataclass(slots=True, repr=False)
class Timed:
    nodes: list[Node] = field(default_factory=list)
    transitions: int = 0
    faults: list[Fault] = field(default_factory=list)
    deadlocks: int = 0
    ends: int = 0
    stuck: list[tuple[int, frozenset[int]]] = field(default_factory=list)  # node, slots of no servers
    complete: bool = True


def program_is_ready(state: State, program_slots: int) -> bool:
    return any(a is not None and a.ready for a in state.slots[:program_slots])


def moments(left: Left, wrap: int | None) -> Iterator[int]:
    """How many milliseconds may pass before something outside acts."""
    if left:
        most = min(ms for _, _, ms in left)
        yield from range(most + 1 if wrap is None else min(most + 1, wrap))
    else:
        yield from range(1 if wrap is None else wrap)


def delays(node: Node, event: Item, program_slots: int, wrap: int | None) -> Iterator[int]:
    """After how long the event can come; nothing if others come first."""
    busy = program_is_ready(node.state, program_slots)
    if event[0] == "wake":
        clause = 0 if event[2] is None else event[2]
        own = next(ms for slot, c, ms in node.left if (slot, c) == (event[1], clause))
        if own == (0 if busy else min(ms for _, _, ms in node.left)):
            yield own
        return
    outside = event[0] != "run" or (isinstance(event[1], int) and event[1] >= program_slots)
    if outside and not busy:
        yield from moments(node.left, wrap)
    else:
        yield 0


def left_after(left: Left, after: State, before: State) -> Left:
    """What goes on waiting, and what has begun to."""
    found: list[tuple[int, int, int]] = []
    for slot, a in enumerate(after.slots):
        if a is None or a.wait is None:
            continue
        old = before.slots[slot]
        if any(ms is not None for ms in a.began):
            found += [(slot, c, ms) for c, ms in enumerate(a.began) if ms is not None]
        elif old is not None and not a.began and old.wait is a.wait:
            found += [x for x in left if x[0] == slot]
    return tuple(sorted(found))


def waits_for_time(state: State, slot: int) -> bool:
    a = state.slots[slot]
    assert a is not None and a.wait is not None
    events = events_of(a.frames[-1].at.statement)
    return any(
        isinstance(e, typed.Sleep | typed.AfterEvent) and not w.closed for e, w in zip(events, a.wait, strict=True)
    )


def aged(state: State, clock: int, most: int) -> State:
    """With how old stamps are, at most so old, instead of stamps: the variables whose names begin with `t`."""
    found = state.copy()
    holders = [found.modules, *(f.variables for a in found.slots if a is not None for f in a.frames)]
    for holder in holders:
        for v, x in holder.items():
            if not v.name.startswith("t"):
                continue
            if isinstance(x, list):
                holder[v] = [min((clock - y) % ALL, most) for y in x if isinstance(y, int)]
            elif isinstance(x, int):
                holder[v] = min((clock - x) % ALL, most)
    return found


def explore_timed(
    start: State, conventions: Conventions, program_slots: int, wrap: int | None = None, ages: int | None = None
) -> Timed:
    """`wrap`: there is a clock, which wraps there. `ages`: of states in which all is as old, up to so
    old, one is kept."""
    found = Timed([Node(start, (), 0)])

    def key_of(state: State, left: Left, clock: int) -> object:
        if ages is None:
            return state.key(), left, clock
        return aged(state, clock, ages).key(), left, min(clock, ages)

    numbers: dict[object, int] = {key_of(start, (), 0): 0}
    edges: list[list[tuple[int | None, int]]] = []
    at = 0
    while at < len(found.nodes):
        node = found.nodes[at]
        edges.append([])
        for event in events_to_explore(node.state, conventions):
            for passed in delays(node, event, program_slots, wrap):
                left = tuple((slot, c, ms - passed) for slot, c, ms in node.left)
                clock = 0 if wrap is None else (node.clock + passed) % (wrap if ages is None else ALL)
                for after in outcomes(node.state, event, replace(conventions, clock=(clock,))):
                    found.transitions += 1
                    if after.fault is not None:
                        found.faults.append(after.fault)
                        edges[at].append((None, 0))
                        continue
                    then = left_after(left, after, node.state)
                    key = key_of(after, then, clock)
                    if key not in numbers:
                        if len(numbers) >= conventions.most_states:
                            found.complete = False
                            return found
                        numbers[key] = len(numbers)
                        found.nodes.append(Node(after, then, clock))
                    edges[at].append((numbers[key], released(node.state, after)))
        at += 1
    judge(found, edges)
    return found


def outcomes(state: State, event: Item, conventions: Conventions) -> Iterator[State]:
    script: list[int] | None = []
    while script is not None:
        policy = Enumerate(event, script, conventions)
        follower = state.copy()
        step(follower, policy, conventions.rounds)
        yield follower
        script = following_script(script, policy.widths)


def released(before: State, after: State) -> int:
    return sum(
        1 << slot
        for slot, (x, y) in enumerate(zip(before.slots, after.slots, strict=True))
        if x is not None and x.wait is not None and (y is None or y.wait is None or y.wait is not x.wait)
    )


def judge(found: Timed, edges: list[list[tuple[int | None, int]]]) -> None:
    """Who waits for time is not stuck, even where others never stop so that no time passes."""
    let_go = let_go_later(edges, everything=(1 << len(found.nodes[0].state.slots)) - 1)
    for number, node in enumerate(found.nodes):
        state = node.state
        found.ends += all(a is None for a in state.slots)
        stuck = frozenset(
            slot
            for slot, a in enumerate(state.slots)
            if a is not None
            and a.wait is not None
            and not let_go[number] >> slot & 1
            and not waits_for_time(state, slot)
            and not is_server(state, slot)
        )
        if stuck:
            found.stuck.append((number, stuck))
            found.deadlocks += nothing_can_come(state)
