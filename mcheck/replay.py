"""From a way of blocks to the decisions and inputs that lead along it: found, then replayed, with what `lfc run` runs.

May import: `lfc.host`, `lfc.trace`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from lfc.actions.model import Machine
from lfc.codegen.program import generate
from lfc.host.events import actions_of, other_events, positions, ready_slots
from lfc.host.native import host_target
from lfc.host.running import Fault, HostRun, Mode, Status
from lfc.trace.items import Item, encode

MOST_WAITED = 100_000  # milliseconds that an environment waits before a step that faults


class CannotReplay(Exception):
    """The way that the search reports cannot be gone: an error in the checker itself."""


class Replayer:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.generated = generate(machine, host_target())
        self.run = HostRun(self.generated, 1)

    def items_along(
        self, blocks: list[bytes], slots: Sequence[int] = (), clocks: Sequence[int] = ()
    ) -> list[list[Item]]:
        """The items of each step; gone once more from the start before they are returned. `slots`: whose each step is,
        where steps of several lead to the same block. `clocks`: what the clock reads in each state, if it is known."""
        ways = zip_longest(zip(blocks, blocks[1:], strict=False), slots, clocks[1:])
        steps = []
        for (before, after), slot, clock in ways:
            self.run.host.now = clock or 0
            steps.append(self._step(before, after, slot))
        self._confirm(blocks, steps)
        return steps

    def faulting_step(
        self, blocks: list[bytes], slot: int, kind: int, site: int, clocks: Sequence[int] = ()
    ) -> tuple[list[Item], Fault]:
        """The step from the last block that ends in this fault. Time may pass before it, if it is the environment's."""
        since = clocks[-1] if clocks else 0
        for now in range(since, since + (MOST_WAITED if clocks else 1)):
            self.run.host.now = now
            for event in actions_of(self.run, blocks[-1], slot):
                if event.fault is not None and (event.fault.kind, event.fault.site) == (kind, site):
                    return event.items, event.fault
        raise CannotReplay(f"fault {kind} at site {site} does not come")

    def _step(self, before: bytes, after: bytes, whose: int | None) -> list[Item]:
        changed = [
            s
            for s, (p, q) in enumerate(
                zip(positions(self.machine, before), positions(self.machine, after), strict=True)
            )
            if p != q
        ]
        ready = ready_slots(self.machine, before)
        for slot in sorted(ready, key=lambda s: (s != whose, s not in changed)):
            for event in actions_of(self.run, before, slot):
                if event.fault is None and event.block == after:
                    return event.items
        for event in other_events(self.run, before):
            if event.fault is None and event.block == after:
                return event.items
        raise CannotReplay("no event leads from one block to the next")

    def _confirm(self, blocks: list[bytes], steps: list[list[Item]]) -> None:
        run = HostRun(self.generated, 1, Mode.FOLLOW)
        if run.block != blocks[0]:
            raise CannotReplay("the initial blocks differ")
        for number, (step, block) in enumerate(zip(steps, blocks[1:], strict=True)):
            run.follow(encode(step))
            if run.step() is not Status.RAN or run.block != block:
                raise CannotReplay(f"step {number + 1} does something else when it is replayed")
