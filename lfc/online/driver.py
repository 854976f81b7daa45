"""Drives a black box: chooses inputs, looks at what comes, and compares it with the specification.

An input is given when the specification has nothing to send, or after silence. What is on its way at that moment may
cross the input: an output is right if the specification could send it before the input or after it.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Protocol

from lfc.online.alphabet import NoMessage, Reading, as_bytes, is_input
from lfc.online.specification import SILENCE, Specification

LOOKED_AHEAD = 4  # events, up to what was not covered


class BoxEnded(Exception):
    """Nothing will come any more; says why."""


class Box(Protocol):
    def read(self, seconds: float) -> bytes:
        """What has come; nothing, if nothing comes for so long. Raises BoxEnded."""

    def write(self, data: bytes) -> None:
        """Raises BoxEnded."""


class Verdict(Enum):
    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(slots=True)
class Conduct:
    inputs: str = "random"  # or cover
    steps: int = 1000
    quiet: float = 0.2  # seconds without an output that count as silence
    seed: int = 1
    listens: float = 0.05  # how often it waits although it could give an input


@dataclass(slots=True)
class Run:
    verdict: Verdict = Verdict.PASS
    events: list[str] = field(default_factory=list)  # as they were seen
    reason: str = ""
    allowed: list[str] = field(default_factory=list)  # where it fails: what could have come
    covered: set[tuple[int, str]] = field(default_factory=set)
    left_out: int = 0  # inputs of a script that the specification does not take where they come


class Driver:
    def __init__(self, specification: Specification, box: Box, conduct: Conduct, bytes_only: bool) -> None:
        self.spec, self.box, self.conduct = specification, box, conduct
        self.random = Random(conduct.seed)
        self.reading = Reading(bytes_only)
        self.waiting: deque[bytes] = deque()  # messages that have come and were not looked at
        self.node = specification.first
        self.late: list[tuple[int, tuple[str, ...]]] = []  # sets that could send before these inputs were there
        self.given: Counter[tuple[int, str]] = Counter()
        self.run = Run()

    def go(self, script: Sequence[str] | None = None) -> Run:
        """`script`: events of an earlier run, whose inputs are given in this order, and whose silences are waited for;
        else inputs are chosen."""
        planned = None if script is None else deque(e for e in script if is_input(e) or e == SILENCE)
        try:
            while self.run.verdict is Verdict.PASS and len(self.run.events) < self.conduct.steps:
                if planned is not None and not planned and self.last() == SILENCE:
                    break
                self.step(planned)
        except BoxEnded as why:
            self.end(Verdict.INCONCLUSIVE, str(why))
        except NoMessage as why:
            self.fail(str(why))
        return self.run

    def step(self, planned: deque[str] | None) -> None:
        if self.spec.faults(self.node):
            self.end(Verdict.INCONCLUSIVE, "the specification has a fault here")
            return
        self.look()
        if self.waiting:
            self.take(self.waiting.popleft())
            return
        chosen = self.choose() if planned is None else self.next_of(planned)
        if chosen is None:
            self.observe()
        else:
            self.give(chosen)

    def next_of(self, planned: deque[str]) -> str | None:
        """None: wait."""
        if not planned or not self.is_settled():
            return None
        event = planned.popleft()
        if event in self.spec.inputs(self.node):
            return event
        self.run.left_out += event != SILENCE
        return None

    def is_settled(self) -> bool:
        """Nothing need be waited for."""
        return not self.spec.outputs(self.node) or self.last() == SILENCE

    # --- inputs ----------------------------------------------------------------------------------------------

    def choose(self) -> str | None:
        """None: wait for what comes."""
        inputs = self.spec.inputs(self.node)
        if not inputs or not self.is_settled():
            return None
        if self.last() != SILENCE and self.random.random() < self.conduct.listens:
            return None
        if self.conduct.inputs == "random":
            return self.random.choice(inputs)
        costs = [self.cost(self.node, i) for i in inputs]
        return self.random.choice([i for i, cost in zip(inputs, costs, strict=True) if cost == min(costs)])

    def cost(self, node: int, event: str) -> tuple[int, int]:
        """Steps up to an input that was not yet given there; then how often this one was."""
        return self.distance(node, event), self.given[node, event]

    def distance(self, node: int, event: str) -> int:
        if not self.given[node, event]:
            return 0
        seen, front = {node}, [self.spec.after(node, event)]
        for far in range(1, LOOKED_AHEAD + 1):
            following: list[int | None] = []
            for n in front:
                if n is None or n in seen:
                    continue
                seen.add(n)
                inputs, outputs = self.spec.inputs(n), self.spec.outputs(n)
                if any(not self.given[n, e] for e in inputs):
                    return far
                following += [self.spec.after(n, e) for e in (*inputs, *outputs)]
            front = following
        return LOOKED_AHEAD + 1

    def give(self, event: str) -> None:
        self.box.write(as_bytes(event))
        self.given[self.node, event] += 1
        self.late = [(n, (*given, event)) for n, given in [*self.late, (self.node, ())] if self.spec.outputs(n)]
        after = self.spec.after(self.node, event)
        assert after is not None
        self.seen(event, after)

    # --- outputs ---------------------------------------------------------------------------------------------

    def look(self) -> None:
        """At what is there without waiting."""
        data = self.box.read(0)
        if data:
            self.waiting.extend(self.reading.feed(data))

    def observe(self) -> None:
        """Waits for an output; without one it is silence."""
        left = self.conduct.quiet
        until = time.monotonic() + left
        while not self.waiting:
            data = self.box.read(left)
            self.waiting.extend(self.reading.feed(data))
            left = max(0.0, until - time.monotonic())
            if not data and not left:
                break
        if self.waiting:
            self.take(self.waiting.popleft())
            return
        if self.reading.rest:
            raise NoMessage(f"an unfinished line, {self.reading.rest.decode(errors='replace')!r}")
        after = self.spec.after(self.node, SILENCE)
        if after is None:
            self.fail(SILENCE)
        else:
            self.late = []
            self.seen(SILENCE, after)

    def take(self, text: bytes) -> None:
        """The states after an output that was sent now, or before inputs that it has crossed."""
        found: set[int] = set()
        event, late = self.spec.output_of(self.node, text), []
        if event is not None:
            found |= self.states_after(self.node, (event,))
        for node, given in self.late:
            sent = self.spec.output_of(node, text)
            if sent is not None:
                after = self.spec.after(node, sent)
                assert after is not None
                late.append((after, given))
                found |= self.states_after(after, given)
                event = event or sent
        self.late = [(n, given) for n, given in late if self.spec.outputs(n)]
        if event is None or not found:
            self.fail(repr(text.decode(errors="replace").rstrip("\n")))
        else:
            self.seen(event, self.spec.form.node_of(found))

    def states_after(self, node: int | None, events: Sequence[str]) -> frozenset[int]:
        for event in events:
            node = None if node is None else self.spec.after(node, event)
        return frozenset() if node is None else self.spec.form.nodes[node].states

    # --- the run ---------------------------------------------------------------------------------------------

    def seen(self, event: str, node: int) -> None:
        self.run.events.append(event)
        self.run.covered.add((self.node, event))
        self.node = node

    def last(self) -> str:
        return self.run.events[-1] if self.run.events else ""

    def fail(self, what: str) -> None:
        self.run.allowed = [
            *self.spec.outputs(self.node),
            *([SILENCE] if self.spec.after_silence(self.node) is not None else []),
        ]
        self.end(Verdict.FAIL, what)

    def end(self, verdict: Verdict, reason: str) -> None:
        self.run.verdict, self.run.reason = verdict, reason
