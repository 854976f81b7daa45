"""A path of a test beside all runs of the program: which of its expectations some run meets, which some run misses.

A state is the program's, with the bytes that were sent and are not read yet, the expectation that the test waits for,
and what it has heard since the last one. The test sends as soon as it can: who reads may be late.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate
from lfc.lint.script import ENCODING, EXPECT, EXPECT_FAULT, SEND, Step
from lfc.run.events import Event, actions_of, other_events, ready_slots
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.semantics.model import typed
from lfc.trace.items import Item, decode, encode

HEARD = 200  # characters that are kept for a regular expression
SHOWN = 60

State = tuple[bytes, bytes, int, str]  # block, sent and not read, step, heard


@dataclass(slots=True)
class Outcome:
    """Of one step of the path that expects something."""

    step: Step
    met: bool = False
    missed: str = ""  # a run that never meets it: what was heard, and how it ends
    nearest: str = ""  # heard where nothing meets it


@dataclass(slots=True)
class Compared:
    outcomes: list[Outcome]
    complete: bool
    states: int
    unread: bool = False  # in no run all that was sent is read


@dataclass(slots=True)
class _Node:
    state: State
    before: int
    after: list[int] = field(default_factory=list)
    end: str = ""  # nothing comes after it, and why


class Product:
    def __init__(self, machine: Machine, steps: list[Step], most: int) -> None:
        self.machine, self.steps, self.most = machine, steps, most
        self.run = HostRun(generate(machine, host_target()), 1)
        self.nodes: list[_Node] = []
        self.numbers: dict[State, int] = {}
        self.met: set[int] = set()  # steps
        self.complete = True

    def explore(self) -> None:
        self._number(self._advance((self.run.block, b"", 0, "")), -1)
        queue = deque([0])
        while queue:
            here = queue.popleft()
            block, sent, step, heard = self.nodes[here].state
            if step == len(self.steps):
                continue
            moved = False
            for event, rest in self._events(block, sent):
                moved = True
                said = "".join(chr(i.operands[0] or 0) for i in event.items if i.name == "write")
                following = self._advance((event.block, rest, step, heard + said))
                if event.fault is not None:
                    self._fault(here, following[2])
                    continue
                known = len(self.nodes)
                if following not in self.numbers and known >= self.most:
                    self.complete = False
                    continue
                number = self._number(following, here)
                self.nodes[here].after.append(number)
                if number == known:
                    queue.append(number)
            if not moved:
                self.nodes[here].end = "all processes have ended or wait"

    def _number(self, state: State, before: int) -> int:
        if state not in self.numbers:
            self.numbers[state] = len(self.nodes)
            self.nodes.append(_Node(state, before))
        return self.numbers[state]

    def _fault(self, here: int, step: int) -> None:
        """In an action at the end of which the test is at this step."""
        if step == len(self.steps) or self.steps[step].kind == EXPECT_FAULT:
            self.met |= {step} if step < len(self.steps) else set()
            last = self._number((b"", b"", len(self.steps), ""), here)
            self.nodes[here].after.append(last)
        else:
            self.nodes[here].end = "the program meets a fault"

    def _advance(self, state: State) -> State:
        """The test goes on as far as it can."""
        block, sent, step, heard = state
        while step < len(self.steps):
            now = self.steps[step]
            if now.kind == SEND:
                assert isinstance(now.what, bytes)
                sent += now.what
            elif now.kind == EXPECT:
                pattern = now.what if isinstance(now.what, re.Pattern) else re.compile(re.escape(str(now.what)))
                found = pattern.search(heard)
                if found is None:
                    keep = HEARD if isinstance(now.what, re.Pattern) else max(0, len(str(now.what)) - 1)
                    return block, sent, step, heard[len(heard) - keep :] if keep < len(heard) else heard
                self.met.add(step)
                heard = heard[found.end() :]
            elif now.kind == EXPECT_FAULT:
                return block, sent, step, ""
            step += 1
        return block, b"", step, ""

    # --- the program -----------------------------------------------------------------------------------------------

    def _events(self, block: bytes, sent: bytes) -> Iterator[tuple[Event, bytes]]:
        """What can happen next, and what is then left of what was sent. A read of the console waits for a byte."""
        for slot in ready_slots(self.machine, block):
            waits = False
            for event in actions_of(self.run, block, slot):
                at = next((i for i, item in enumerate(event.items) if item.name == "read"), None)
                if at is None:
                    yield event, sent
                elif not waits or event.items[at].operands[0] == 0:
                    waits = True
                    yield self._followed(block, [i for i in event.items[:at] if not i.is_output]), sent
        for event in other_events(self.run, block):
            yield event, sent
        for slot in range(self.machine.slots) if sent else ():
            position = self.machine.position_at(block, slot)
            if position is not None and not position.ready and position.point is not None:
                if any(isinstance(c.event, typed.ConsoleRead) for c in position.point.clauses):
                    yield self._followed(block, [Item("console", (slot, sent[0]))]), sent[1:]

    def _followed(self, block: bytes, items: list[Item]) -> Event:
        self.run.block = block
        self.run.follow(encode(items, self.run.wide))
        status = self.run.step()
        assert status in (Status.RAN, Status.FAULT), status
        fault = self.run.fault if status is Status.FAULT else None
        return Event(list(decode(self.run.items, self.run.wide)), self.run.block, fault)

    # --- what is told ------------------------------------------------------------------------------------------------

    def outcomes(self) -> list[Outcome]:
        found = []
        for at, step in enumerate(self.steps):
            if step.kind not in (EXPECT, EXPECT_FAULT):
                continue
            here = [n for n, node in enumerate(self.nodes) if node.state[2] == at]
            outcome = Outcome(step, at in self.met)
            if not outcome.met and here:
                outcome.nearest = self.heard(here[-1])
                found.append(outcome)
                break  # the test does not come further
            missed = self._missed(here, at)
            if outcome.met and missed is not None and self.complete:
                node = self.nodes[missed]
                why = node.end or "it is not printed any more, whatever runs next"
                outcome.missed = f"heard {self.heard(missed)}; {why}"
            found.append(outcome)
        return found

    def _missed(self, here: list[int], at: int) -> int | None:
        """The nearest state from which the expectation is met no more."""
        before: dict[int, list[int]] = {}
        good: set[int] = set()
        for n in here:
            for m in self.nodes[n].after:
                before.setdefault(m, []).append(n)
                if self.nodes[m].state[2] > at:
                    good.add(n)
        work = list(good)
        while work:
            for n in before.get(work.pop(), ()):
                if n not in good:
                    good.add(n)
                    work.append(n)
        return next((n for n in here if n not in good or self.nodes[n].end), None)

    def heard(self, node: int) -> str:
        """All that the run to this state has printed, or its end."""
        way = []
        while node >= 0:
            way.append(node)
            node = self.nodes[node].before
        text = ""
        for a, b in zip(way[::-1], way[-2::-1], strict=False):
            text += self._said(a, b)
        shown = text[-SHOWN:].encode(ENCODING, "replace").decode(ENCODING)
        return repr(shown) if shown else "nothing"

    def _said(self, here: int, there: int) -> str:
        block, sent, step, heard = self.nodes[here].state
        for event, rest in self._events(block, sent):
            said = "".join(chr(i.operands[0] or 0) for i in event.items if i.name == "write")
            if (
                event.fault is None
                and self._advance((event.block, rest, step, heard + said)) == self.nodes[there].state
            ):
                return said
        return ""


def compare(machine: Machine, steps: list[Step], most: int) -> Compared:
    product = Product(machine, steps, most)
    product.explore()
    return Compared(product.outcomes(), product.complete, len(product.nodes))
