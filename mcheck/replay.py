"""From a way of blocks to the decisions and inputs that lead along it: found, then replayed, with what `lfc run` runs.

May import: `lfc.host`, `lfc.trace`, `reference`.
"""

from __future__ import annotations

from collections.abc import Iterator

from lfc.actions.model import Machine
from lfc.codegen.program import generate
from lfc.host.native import host_target
from lfc.host.running import Fault, HostRun, Mode, Status
from lfc.mcheck.reference import next_script, positions, ready_slots
from lfc.semantics import typed
from lfc.trace.items import Item, decode, encode


class CannotReplay(Exception):
    """The way that the search reports cannot be gone: an error in the checker itself."""


class Replayer:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.generated = generate(machine, host_target())
        self.run = HostRun(self.generated, 1)

    def items_along(self, blocks: list[bytes]) -> list[list[Item]]:
        """The items of each step; gone once more from the start before they are returned."""
        steps = [self._step(before, after) for before, after in zip(blocks, blocks[1:], strict=False)]
        self._confirm(blocks, steps)
        return steps

    def faulting_step(self, blocks: list[bytes], slot: int, kind: int, site: int) -> tuple[list[Item], Fault]:
        """The step from the last block that ends in this fault."""
        for status, items, _ in self._actions(blocks[-1], slot):
            fault = self.run.fault
            if status is Status.FAULT and (fault.kind, fault.site) == (kind, site):
                return items, fault
        raise CannotReplay(f"fault {kind} at site {site} does not come")

    def _step(self, before: bytes, after: bytes) -> list[Item]:
        changed = [
            s
            for s, (p, q) in enumerate(
                zip(positions(self.machine, before), positions(self.machine, after), strict=True)
            )
            if p != q
        ]
        ready = ready_slots(self.machine, before)
        for slot in sorted(ready, key=lambda s: s not in changed):
            for status, items, block in self._actions(before, slot):
                if status is Status.RAN and block == after:
                    return items
        for event in self._other_events(before):
            self.run.block = before
            self.run.follow(encode([event]))
            if self.run.step() is Status.RAN and self.run.block == after:
                return list(decode(self.run.items))
        raise CannotReplay("no event leads from one block to the next")

    def _actions(self, before: bytes, slot: int) -> Iterator[tuple[Status, list[Item], bytes]]:
        script: list[int] | None = []
        while script is not None:
            self.run.block = before
            status, alternatives = self.run.run_slot(slot, script)
            yield status, list(decode(self.run.items)), self.run.block
            script = next_script(script, alternatives)

    def _other_events(self, block: bytes) -> Iterator[Item]:
        for slot, number in enumerate(positions(self.machine, block)):
            if number < self.machine.layout.first_waiting:
                continue
            point = self.machine.positions[number - 1].point
            assert point is not None
            for clause in point.clauses:
                if isinstance(clause.event, typed.Sleep):
                    yield Item("wake", (slot, None))
                elif isinstance(clause.event, typed.AfterEvent):
                    yield Item("wake", (slot, clause.index))
        slots = sum(r.slots for r in self.machine.layout.records)
        for n in self.machine.layout.interrupts:
            for taker in [None, *range(slots)]:
                yield Item("interrupt", (n, taker))

    def _confirm(self, blocks: list[bytes], steps: list[list[Item]]) -> None:
        run = HostRun(self.generated, 1, Mode.FOLLOW)
        if run.block != blocks[0]:
            raise CannotReplay("the initial blocks differ")
        for number, (step, block) in enumerate(zip(steps, blocks[1:], strict=True)):
            run.follow(encode(step))
            if run.step() is not Status.RAN or run.block != block:
                raise CannotReplay(f"step {number + 1} does something else when it is replayed")
