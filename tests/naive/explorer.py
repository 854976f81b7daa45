"""All states and transitions of a program, one by one, by the conventions of the language reference, section 7."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lfc.semantics.model import typed
from tests.naive.evaluator import ROUNDS, possible_events, step
from tests.naive.expressions import ASSERTION
from tests.naive.policies import Item
from tests.naive.program import Tables
from tests.naive.state import Fault, State, events_of
from tests.naive.stuck import let_go_later


@dataclass(frozen=True, slots=True)
class Conventions:
    """What section 7 leaves to an option, and where a bound keeps a test small."""

    fifo: bool = False  # the order of arrival in queues is part of a state (any partner may still be taken)
    clock: tuple[int, ...] = (0,)  # what Clock.Now may read
    console: tuple[int, ...] = tuple(range(256))  # what the console may give
    port_values: tuple[int, ...] | None = None  # what a port read may give; None: every value of its type
    interrupt_while_pending: bool = False  # an interrupt may come again before it is taken (its bit stays set)
    rounds: int = ROUNDS
    most_states: int = 200_000


@dataclass(slots=True)
class Transition:
    source: int
    target: int | None  # None: a fault
    items: list[Item]
    fault: Fault | None
    let_go: frozenset[int]  # slots that waited and wait no more


@dataclass(slots=True, repr=False)
class Exploration:
    states: list[State] = field(default_factory=list)  # in the order of a breadth-first search; 0 is the initial one
    transitions: list[Transition] = field(default_factory=list)
    complete: bool = True  # False: there are more states than the bound allows
    deadlocks: list[int] = field(default_factory=list)
    partial_deadlocks: list[int] = field(default_factory=list)
    stuck: dict[int, frozenset[int]] = field(default_factory=dict)  # state -> slots stuck in it, servers included
    ends: list[int] = field(default_factory=list)  # states in which no process lives

    def __repr__(self) -> str:
        return f"<{len(self.states)} states, {len(self.transitions)} transitions, {self.kinds or 'holds'}>"

    @property
    def faults(self) -> list[Transition]:
        return [t for t in self.transitions if t.fault is not None and t.fault.kind != ASSERTION]

    @property
    def assertions(self) -> list[Transition]:
        return [t for t in self.transitions if t.fault is not None and t.fault.kind == ASSERTION]

    @property
    def kinds(self) -> set[str]:
        """Every kind of error that is met somewhere. Which one is the verdict depends on the order of the search."""
        met = {
            "assertion": self.assertions,
            "fault": self.faults,
            "deadlock": self.deadlocks,
            "partial-deadlock": self.partial_deadlocks,
        }
        return {kind for kind, found in met.items() if found}


class Enumerate:
    """A policy that answers as a script says and notes, past its end, how many answers there were."""

    def __init__(self, event: Item, script: list[int], conventions: Conventions) -> None:
        self.event = event
        self.script = script
        self.widths: list[int] = []
        self.conventions = conventions

    def _answer(self, width: int) -> int:
        at = len(self.widths)
        self.widths.append(width)
        return self.script[at] if at < len(self.script) else 0

    def pick(self, events: list[Item]) -> Item:
        return self.event

    def meet(self, alternatives: list[Item]) -> Item:
        return alternatives[self._answer(len(alternatives))]

    def choice(self, branches: int) -> int:
        return self._answer(branches)

    def port_in(self, width: int, address: int) -> int:
        values = self.conventions.port_values
        if values is not None:
            return values[self._answer(len(values))]
        return self._answer(1 << width)

    def any_value(self, width: int, low: int, high: int) -> int:
        return low + self._answer(high - low + 1)

    def clock(self) -> int:
        return self.conventions.clock[self._answer(len(self.conventions.clock))]

    def console_in(self) -> int | None:
        return self.conventions.console[self._answer(len(self.conventions.console))]


def events_to_explore(state: State, conventions: Conventions) -> Iterator[Item]:
    if all(activation is None for activation in state.slots):
        return  # ended: there is nothing between whose actions an interrupt could come
    for event in possible_events(state):
        if event[0] == "interrupt" and event[1] in state.pending and not conventions.interrupt_while_pending:
            continue
        if event[0] == "console":
            for byte in conventions.console:
                yield ["console", event[1], byte]
        else:
            yield event


def successors(state: State, conventions: Conventions) -> Iterator[tuple[State, list[Item]]]:
    """Every alternative of every event, also where two lead to the same state."""
    for event in events_to_explore(state, conventions):
        script: list[int] | None = []
        while script is not None:
            policy = Enumerate(event, script, conventions)
            follower = state.copy()
            items = step(follower, policy, conventions.rounds)
            yield follower, items
            script = following_script(script, policy.widths)


def following_script(script: list[int], widths: list[int]) -> list[int] | None:
    """The next one in the order of an odometer whose wheels have these widths; None after the last."""
    full = (script + [0] * len(widths))[: len(widths)]
    while full:
        last = full.pop()
        if last + 1 < widths[len(full)]:
            return [*full, last + 1]
    return None


def explore(program: typed.Program, conventions: Conventions | None = None, start: State | None = None) -> Exploration:
    conventions = conventions or Conventions()
    start = start or State.initial(program, tables=Tables(program))
    found = Exploration([start])
    numbers = {start.key(conventions.fifo): 0}
    at = 0
    while at < len(found.states):
        source = found.states[at]
        for follower, items in successors(source, conventions):
            let_go = frozenset(
                slot
                for slot, (before, after) in enumerate(zip(source.slots, follower.slots, strict=True))
                if before is not None and before.wait is not None and (after is None or after.wait is None)
            )
            if follower.fault is not None:
                found.transitions.append(Transition(at, None, items, follower.fault, frozenset()))
                continue
            key = follower.key(conventions.fifo)
            if key not in numbers:
                if len(found.states) >= conventions.most_states:
                    found.complete = False
                    return found
                numbers[key] = len(found.states)
                found.states.append(follower)
            found.transitions.append(Transition(at, numbers[key], items, None, let_go))
        at += 1
    judge(found)
    return found


def judge(found: Exploration) -> None:
    """Ends, deadlocks and partial deadlocks, as section 6 defines stuck."""
    edges: list[list[tuple[int | None, int]]] = [[] for _ in found.states]
    for t in found.transitions:
        edges[t.source].append((t.target, sum(1 << slot for slot in t.let_go)))
    let_go = let_go_later(edges, everything=(1 << len(found.states[0].slots)) - 1)
    for number, state in enumerate(found.states):
        if all(a is None for a in state.slots):
            found.ends.append(number)
        stuck = frozenset(
            slot
            for slot, a in enumerate(state.slots)
            if a is not None and a.wait is not None and not let_go[number] >> slot & 1
        )
        if stuck:
            found.stuck[number] = stuck
        if any(not is_server(state, slot) for slot in stuck):
            (found.deadlocks if nothing_can_come(state) else found.partial_deadlocks).append(number)


def is_server(state: State, slot: int) -> bool:
    activation = state.slots[slot]
    assert activation is not None
    created = activation.frames[0].process
    if any(isinstance(getattr(e, "port", None), typed.IoPort) for e in events_of(activation.frames[-1].at.statement)):
        return True  # a device waits to be accessed
    return created is not None and created.server


def nothing_can_come(state: State) -> bool:
    """No process is ready, and none waits for time or an interrupt; a closed clause is no part of a wait."""
    for activation in state.slots:
        if activation is None:
            continue
        if activation.ready:
            return False
        assert activation.wait is not None
        for event, wait in zip(events_of(activation.frames[-1].at.statement), activation.wait, strict=True):
            if isinstance(event, typed.Sleep | typed.AfterEvent | typed.ConsoleRead) and not wait.closed:
                return False
            if isinstance(event, typed.Receive) and isinstance(event.port, typed.InterruptPort):
                if not state.tables.environment:  # an environment raises it, and is a process like any other
                    return False
    return True
