"""Beyond the first states of a large program: random walks for what they have not shown.

A walk begins in the initial state and goes on until nothing can happen, or it has got long. Where it looks, it takes
what shows something new. What it did up to its last new goal becomes a part of the graph. In every second walk some
processes are quicker than others for a while, so that one gets far ahead. With the same program it is always the same
graph.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate
from lfc.hil.coverage import Covered, CoveredEdge, Goal, explored, goals_of
from lfc.run.events import Event, actions_of, possible_items, ready_slots
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.trace.items import Item, decode, encode

LENGTHS = (100, 300, 1000)  # steps of a walk, at most
IN_VAIN = 50_000  # events looked at since there was something new, after which there are no more walks
FEW = 32  # ways of one action that are looked at; of one with more, some by chance
MOST_LOOKED_AT = 200_000  # events of all walks
MOST_WALKS = 1000

CHANGES = 0.1  # of a step: that a process gets another haste


def graph_to_cover(machine: Machine, cover: str, most_states: int, seed: int = 1) -> Covered:
    """All states of the program, or as many as may be and what walks add to them."""
    covered = explored(machine, cover, most_states)
    if covered.complete:
        return covered
    first = len(covered.blocks)
    walker = _Walker(covered, cover, random.Random(seed))
    walks = last_new = 0
    while walker.looked_at - last_new < IN_VAIN and walker.looked_at < MOST_LOOKED_AT and walks < MOST_WALKS:
        if walker.walk(fair=walks % 2 == 0):
            last_new = walker.looked_at
        walks += 1
    covered.walked = len(covered.blocks) - first
    return covered


class _Walker:
    def __init__(self, covered: Covered, cover: str, rng: random.Random) -> None:
        self.covered, self.cover, self.rng = covered, cover, rng
        self.run = HostRun(generate(covered.machine, host_target()), 1)
        self.numbers = {block: number for number, block in enumerate(covered.blocks)}
        self.bits = {goal: bit for bit, goal in enumerate(covered.goals)}
        self.looked_at = 0
        self.haste: dict[int | Item, float] | None = None  # of a slot, or of what comes from outside

    def walk(self, fair: bool) -> bool:
        """Whether it has shown anything new."""
        self.haste = None if fair else {}
        block, number = self.covered.blocks[0], 0
        done: list[tuple[bytes, Event, set[Goal]]] = []
        useful = 0
        known = set(self.bits)
        longest = self.rng.choice(LENGTHS)
        while len(done) < longest:
            event, goals = self._next(block, known)
            if event is None:
                break
            done.append((block, event, goals))
            if goals - known:
                known |= goals
                useful = len(done)
            if event.fault is not None:
                break
            block = event.block
        for _, event, goals in done[:useful]:
            number = self._add(number, event, goals)
        return useful > 0

    def _next(self, block: bytes, known: set[Goal]) -> tuple[Event | None, set[Goal]]:
        """What one process can do, or one thing from outside: chance says whose, and what is new comes first."""
        sources: list[int | Item] = [*ready_slots(self.covered.machine, block)]
        sources += possible_items(self.covered.machine, block)
        if not sources:
            return None, set()
        if self.haste is None:
            self.rng.shuffle(sources)
        else:
            if self.rng.random() < CHANGES:
                self.haste.pop(self.rng.choice(sources), None)
            sources.sort(key=self._haste_of)
        for source in sources:
            events = [*self._events_of(block, source)]
            self.looked_at += len(events)
            if not events:
                continue  # it does not fit the state
            after = [(e, set(self._goals(block, e))) for e in events]
            new = [(e, goals) for e, goals in after if goals - known]
            return self.rng.choice(new or after)
        return None, set()

    def _haste_of(self, source: int | Item) -> float:
        assert self.haste is not None
        return self.haste.setdefault(source, self.rng.random())

    def _events_of(self, block: bytes, source: int | Item) -> Iterator[Event]:
        if isinstance(source, int):
            ways = [*islice(actions_of(self.run, block, source), FEW + 1)]
            yield from ways if len(ways) <= FEW else (self._by_chance(block, source) for _ in range(FEW))
            return
        self.run.block = block
        self.run.follow(encode([source]))
        status = self.run.step()
        if status in (Status.RAN, Status.FAULT):
            yield Event(
                list(decode(self.run.items)), self.run.block, self.run.fault if status is Status.FAULT else None
            )

    def _by_chance(self, block: bytes, slot: int) -> Event:
        script: list[int] = []
        while True:
            self.run.block = block
            status, alternatives = self.run.run_slot(slot, script)
            if len(alternatives) <= len(script):
                fault = self.run.fault if status is Status.FAULT else None
                return Event(list(decode(self.run.items)), self.run.block, fault)
            script.append(self.rng.randrange(alternatives[len(script)]))

    def _goals(self, block: bytes, event: Event) -> Iterator[Goal]:
        after = event.block if event.fault is None else None
        return goals_of(self.covered.machine, self.cover, block, event.items, after)

    def _add(self, source: int, event: Event, goals: set[Goal]) -> int:
        """The number of the state after it; of a fault -1."""
        target = None if event.fault is not None else self._number(event.block)
        bits = 0
        for goal in goals:
            bit = self.bits.setdefault(goal, len(self.bits))
            if bit == len(self.covered.goals):
                self.covered.goals.append(goal)
            bits |= 1 << bit
        edges = self.covered.edges[source]
        if all((e.target, e.goals) != (target, bits) for e in edges):
            edges.append(CoveredEdge(source, target, event.items, bits))
        return -1 if target is None else target

    def _number(self, block: bytes) -> int:
        number = self.numbers.setdefault(block, len(self.numbers))
        if number == len(self.covered.blocks):
            self.covered.blocks.append(block)
            self.covered.edges.append([])
        return number
