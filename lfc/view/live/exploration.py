"""The states that are known so far: found breadth-first, or by whoever goes there; what can happen in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lfc.actions.as_data import program_digest
from lfc.actions.model.machine import Machine
from lfc.base.breadth_first import Found
from lfc.codegen.program import generate
from lfc.mcheck.explore.debugger import told_event
from lfc.run import report
from lfc.run.events import Event, all_events, different
from lfc.run.names import values
from lfc.run.native import host_target
from lfc.run.port_reads import PortReads
from lfc.run.running import HostRun
from lfc.trace.files import Trace
from lfc.trace.items import Item
from lfc.view.live.layers import Place, layered
from lfc.view.story import Sources, places

MOST_EVENTS = 20_000  # looked at in one state
MOST_STATES = 50_000


class NoSuchState(LookupError):
    """Says which."""


@dataclass(frozen=True, slots=True)
class Choice:
    items: list[Item]
    target: int | None  # None: a fault


class Exploration:
    """Numbers of states are in the order in which they were found; that of the initial state is 0."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.run = HostRun(generate(machine, host_target()), 1)
        self.sites, self.reads = self.run.generated.sites, PortReads(machine)
        self.found: Found[bytes] = Found(self.run.block)
        self.choices: dict[int, list[Choice]] = {}  # of the states that were looked at
        self.came: list[tuple[int, int]] = [(0, 0)]  # from which state, by which choice; of the initial one nothing
        self.depths = [0]
        self.next = 0  # all states before it were looked at
        self.sources = Sources()
        self.sources.number(machine.program.main.source)

    # --- growth ----------------------------------------------------------------------------------------------------

    def grow(self, most: int) -> None:
        """Breadth-first, until so many states are known or there are no more."""
        while self.next < len(self.found.nodes) < min(most, MOST_STATES):
            self.look_at(self.next)
            self._go_on()

    def _go_on(self) -> None:
        while self.next in self.choices:
            self.next += 1

    @property
    def complete(self) -> bool:
        return len(self.choices) == len(self.found.nodes)

    def look_at(self, state: int) -> list[Choice]:
        """What can happen there. What it leads to is known from now on."""
        if state not in self.choices:
            found: list[Choice] = []
            for event in self.events(state):
                target = None if event.fault is not None else self._known(event.block, state, len(found))
                found.append(Choice(event.items, target))
            self.choices[state] = found
            self._go_on()
        return self.choices[state]

    def events(self, state: int) -> list[Event]:
        return different(islice(all_events(self.run, self.block(state)), MOST_EVENTS))

    def block(self, state: int) -> bytes:
        if not 0 <= state < len(self.found.nodes):
            raise NoSuchState(f"no state {state} is known")
        return self.found.nodes[state]

    def _known(self, block: bytes, source: int, choice: int) -> int:
        number = self.found.number(block)
        assert number is not None
        if number == len(self.came):
            self.came.append((source, choice))
            self.depths.append(self.depths[source] + 1)
        return number

    # --- ways ------------------------------------------------------------------------------------------------------

    def way_to(self, state: int) -> list[int]:
        """The choices that lead from the initial state to this one, as it was found."""
        self.block(state)
        found: list[int] = []
        while state:
            state, choice = self.came[state]
            found.append(choice)
        return found[::-1]

    def along(self, choices: Sequence[int]) -> Iterator[tuple[int, Choice]]:
        """State and choice, one after the other."""
        state = 0
        for number in choices:
            known = self.look_at(state)
            if not 0 <= number < len(known):
                raise NoSuchState(f"state {state} has no choice {number + 1}")
            yield state, known[number]
            target = known[number].target
            if target is None:
                return
            state = target

    def choices_of_trace(self, steps: Sequence[Sequence[Item]]) -> list[int]:
        """As far as it goes: what comes behind a fault, or is not possible, is left out."""
        state, found = 0, list[int]()
        for step in steps:
            wanted = [i for i in step if not i.is_output]
            known = self.look_at(state)
            same = [n for n, c in enumerate(known) if [i for i in c.items if not i.is_output] == wanted]
            if not same:  # of many inputs that lead to the same state only one is listed
                break
            found.append(same[0])
            target = known[same[0]].target
            if target is None:
                break
            state = target
        return found

    def trace(self, file: str, choices: Sequence[int]) -> str:
        """As `lfc run --schedule` reads it."""
        steps = [choice.items for _, choice in self.along(choices)]
        return Trace(program_digest(self.machine)[:16].hex(), file, steps, self.machine.wide).to_json()

    # --- as data ---------------------------------------------------------------------------------------------------

    def state_as_data(self, state: int) -> dict[str, Any]:
        block, machine = self.block(state), self.machine
        choices = self.look_at(state)
        told = [told_event(machine, block, e, self.sites, self.reads) for e in self.events(state)]
        lines = report.who_waits(machine, block).lines() if not choices else []
        at = places(machine, block, self.sources)
        return {
            "state": state,
            "depth": self.depths[state],
            "kind": self.kind(state),
            "at": at,
            "values": values(machine, block),
            "choices": [{"text": text, "target": c.target} for text, c in zip(told, choices, strict=True)],
            "said": lines,
            "known": len(self.found.nodes),
            "sources": self.sources.as_data(),
        }

    def kind(self, state: int) -> str:
        """Empty: it has successors, or was not looked at yet (`new`)."""
        known = self.choices.get(state)
        if known is None:
            return "new"
        if not known:
            return "deadlock" if report.is_deadlock(self.machine, self.block(state)) else "end"
        return "fault" if any(c.target is None for c in known) else ""

    def graph_as_data(self, most: int) -> dict[str, Any]:
        self.grow(most)
        edges = sorted({(s, c.target) for s, known in self.choices.items() for c in known if c.target is not None})
        at: list[Place] = layered(self.depths, edges)
        return {
            "complete": self.complete,
            "nodes": [[x, y, self.kind(n)] for n, (x, y) in enumerate(at)],
            "edges": [list(e) for e in edges],
        }
