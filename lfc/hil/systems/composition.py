"""The states of the composition that fit what the boards have shown so far: a set, made deterministic on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice

from lfc.actions.model.machine import Machine
from lfc.codegen.module.generated import Generated
from lfc.codegen.program import generate
from lfc.hil.systems.views import Seen, View
from lfc.run.events import Event, actions_of, other_events, ready_slots
from lfc.run.native import host_target
from lfc.run.running import Fault, HostRun

MOST_WAYS = 70_000  # of one process in one state
Place = tuple[int, str, int, int]  # of a fault: its kind, and where it is in which text
INITIAL = 0  # the slot of the initialisation


class CannotFollow(Exception):
    """Says why the composition cannot be gone along."""


class Composition:
    """States and sets of them have numbers. A set has all states that invisible steps lead to."""

    def __init__(self, machine: Machine, views: Mapping[str, View], most: int) -> None:
        self.machine, self.views, self.most = machine, views, most
        self.run = HostRun(generate(machine, host_target()), 1)
        self.blocks: list[bytes] = []
        self.shown: list[tuple[Seen, ...]] = []  # of each state, board by board
        self.numbers: dict[bytes, int] = {}
        self.steps: dict[int, tuple[int, ...]] = {}
        self.faults: dict[int, set[Place]] = {}  # with which a step from there ends
        self.sets: list[frozenset[int]] = []
        self.of_set: dict[frozenset[int], int] = {}
        self.known: dict[tuple[int, str, Seen], int | None] = {}
        self.places = {name: n for n, name in enumerate(views)}
        self.first = self.closed({self.number(b) for b in self._initialised(self.run.block)})

    def _initialised(self, block: bytes) -> list[bytes]:
        """All modules, in one action: each board does its own part at a time of its own."""
        if self.machine.position_at(block, INITIAL) is None:
            return [block]
        found = [e.block for e in self.events_of(block, INITIAL) if e.fault is None]
        if any(self.machine.position_at(b, INITIAL) is not None for b in found):
            raise CannotFollow("the initialisation of a board waits, so boards do not begin at once in the composition")
        return found

    def number(self, block: bytes) -> int:
        found = self.numbers.get(block)
        if found is None:
            found = self.numbers[block] = len(self.blocks)
            if found >= self.most:
                raise CannotFollow(f"more than {self.most} states of the composition are needed (--states)")
            self.blocks.append(block)
            self.shown.append(tuple(view.seen(block) for view in self.views.values()))
        return found

    def after(self, here: int, board: str, seen: Seen) -> int | None:
        """The set in which this board shows this, and the others what they showed. None: there is none."""
        key = here, board, seen
        if key not in self.known:
            at = self.places[board]
            new = [s for s in self._targets(here) if self.shown[s][at] == seen]
            old = self.shown[next(iter(self.sets[here]))]
            fits = {s for s in new if self.shown[s][:at] + self.shown[s][at + 1 :] == old[:at] + old[at + 1 :]}
            self.known[key] = self.closed(fits) if fits else None
        return self.known[key]

    def shows(self, here: int, board: str) -> Seen:
        return self.shown[next(iter(self.sets[here]))][self.places[board]]

    def allowed(self, here: int, board: str) -> list[Seen]:
        """What the board may show next."""
        now, at = self.shows(here, board), self.places[board]
        return list({self.shown[s][at]: None for s in sorted(self._targets(here)) if self.shown[s][at] != now})

    def may_fault(self, here: int, place: Place) -> bool:
        self._targets(here)
        return any(place in self.faults[s] for s in self.sets[here])

    def place_of(self, fault: Fault) -> Place:
        return place_of(fault, self.run.generated)

    def _targets(self, here: int) -> set[int]:
        return {t for s in self.sets[here] for t in self._next(s)}

    def closed(self, states: set[int]) -> int:
        found, work = set(states), list(states)
        while work:
            state = work.pop()
            for target in self._next(state):
                if target not in found and self.shown[target] == self.shown[state]:
                    found.add(target)
                    work.append(target)
        whole = frozenset(found)
        number = self.of_set.setdefault(whole, len(self.sets))
        if number == len(self.sets):
            self.sets.append(whole)
        return number

    def _next(self, state: int) -> tuple[int, ...]:
        if state not in self.steps:
            block = self.blocks[state]
            events = [e for slot in ready_slots(self.machine, block) for e in self.events_of(block, slot)]
            events += other_events(self.run, block)
            self.faults[state] = {self.place_of(e.fault) for e in events if e.fault is not None}
            self.steps[state] = tuple({self.number(e.block): None for e in events if e.fault is None})
        return self.steps[state]

    def events_of(self, block: bytes, slot: int) -> Iterable[Event]:
        left_out = self.run.host.one_value
        found = list(islice(actions_of(self.run, block, slot), MOST_WAYS + 1))
        if len(found) > MOST_WAYS or self.run.host.one_value != left_out:
            position = self.machine.position_at(block, slot)
            line = position.span.line if position is not None else 0
            raise CannotFollow(f"what is read in line {line} has too many values to try all")
        return found


def place_of(fault: Fault, generated: Generated) -> Place:
    """The same in each program that has the module."""
    span = generated.sites[fault.site].span
    return fault.kind, span.source.path, span.start, span.end
