"""From a way of blocks to the decisions and inputs that lead along it: found, then replayed, with what `lfc run`
runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine
from lfc.mcheck.search.search import Search
from lfc.run.events import Event, action_of, actions_of, other_events, positions, ready_slots
from lfc.run.running import Fault, HostRun, Mode, Status
from lfc.trace.items import Item, encode

if TYPE_CHECKING:
    from lfc.mcheck.model.ages_in_blocks import StampsInBlocks

CLOCK_WRAPS = 1 << 32  # of a board, in milliseconds
MOST_WAITED = 100_000  # milliseconds that an environment waits before a step that faults


def at_time(items: list[Item], time: int) -> list[Item]:
    """With what a board's clock reads then."""
    return [replace(i, operands=(time % CLOCK_WRAPS,)) if i.name == "clock" else i for i in items]


class CannotReplay(Exception):
    """The way that the search reports cannot be gone: an error in the checker itself."""


class Replayer:
    def __init__(self, machine: Machine, search: Search | None = None) -> None:
        """`search`: who knows which inputs lead from one block to another. Else all values are tried."""
        self.machine, self.search = machine, search
        if search is not None and search.machine is machine:
            self.generated = search.model.plain()
        else:
            from lfc.codegen.program import generate
            from lfc.run.native import host_target

            self.generated = generate(machine, host_target())
        self.run = HostRun(self.generated, 1)
        self.stamps = None if search is None else search.stamps

    def items_along(
        self, blocks: list[bytes], slots: Sequence[int] = (), clocks: Sequence[int] = ()
    ) -> list[list[Item]]:
        """The items of each step; gone once more from the start before they are returned. `slots`: whose each step is,
        where steps of several lead to the same block. `clocks`: what the clock reads in each state, if it is known.
        Where the search resets dead variables or keeps ages, `blocks` become what they are without that."""
        if self.search is not None and self.search.resets:
            first = HostRun(self.generated, 1, Mode.FOLLOW).block
            if self._kept(first) != blocks[0]:
                raise CannotReplay("the initial blocks differ")
            blocks[0] = first
        steps = []
        for number, slot, clock in zip_longest(range(len(blocks) - 1), slots, clocks[1:]):
            before = blocks[number]
            if self.stamps is not None:
                before = self.stamps.older(before, clocks[number], (clock or 0) - clocks[number])
            event = self._step(before, blocks[number + 1], slot, self._reads(clock or 0))
            blocks[number + 1] = event.block
            steps.append(event.items if self.stamps is None else at_time(event.items, clock or 0))
        if self.stamps is not None:
            blocks[:] = self._real_blocks(blocks, steps, self.stamps)
        self.confirm(blocks, steps)
        return steps

    def _reads(self, time: int) -> int:
        """The clock in a state, so long after the start."""
        return time if self.stamps is None else self.stamps.clock(time)

    def _real_blocks(self, kept: list[bytes], steps: list[list[Item]], stamps: StampsInBlocks) -> list[bytes]:
        """What the stamps hold if they hold times. Raises CannotReplay."""
        run = HostRun(self.generated, 1, Mode.FOLLOW)
        found = [run.block]
        for number, (step, block) in enumerate(zip(steps, kept[1:], strict=True)):
            run.follow(encode(step, run.wide))
            if run.step() is not Status.RAN or stamps.without(run.block) != stamps.without(block):
                raise CannotReplay(f"step {number + 1} does something else when its times are real")
            found.append(run.block)
        return found

    def _kept(self, block: bytes) -> bytes:
        """As the search has it in its states."""
        return block if self.search is None else self.search.kept(block)

    def faulting_step(
        self, blocks: list[bytes], slot: int, kind: int, site: int, clocks: Sequence[int] = ()
    ) -> tuple[list[Item], Fault]:
        """The step from the last block that ends in this fault. Time may pass before it, if it is the environment's."""
        own_site = self._own_site(site)
        since = clocks[-1] if clocks else 0
        for now in range(since, since + (MOST_WAITED if clocks else 1)):
            for event in self._events(blocks[-1], None, slot, now, (kind, site)):
                if event.fault is not None and (event.fault.kind, event.fault.site) == (kind, own_site):
                    return event.items, event.fault
        raise CannotReplay(f"fault {kind} at site {site} does not come")

    def _own_site(self, site: int) -> int:
        """Of a site of the search: its code may check in another order."""
        if self.search is None:
            return site
        wanted = self.search.generated.sites[site]
        key = (wanted.kind, wanted.span)
        return next(n for n, x in enumerate(self.generated.sites) if (x.kind, x.span) == key)

    def _events(
        self, before: bytes, after: bytes | None, slot: int, clock: int, fault: tuple[int, int] = (0, 0)
    ) -> Iterator[Event]:
        """Those of a slot's action among which the step is, if it is one."""
        self.run.host.now = clock
        if self.search is None:
            yield from actions_of(self.run, before, slot)
            return
        way = self.search.inputs_of(before, after, slot, clock, fault)
        if way is not None:
            inputs, script = way
            yield from filter(self._may_be_typed, [action_of(self.run, before, slot, script, inputs)])
            yield from filter(self._may_be_typed, actions_of(self.run, before, slot, inputs))

    def _may_be_typed(self, event: Event) -> bool:
        """Whether the console gives what it reads, as far as that is assumed."""
        characters = None if self.search is None else self.search.model.assume.characters
        return characters is None or all(i.operands[0] in characters for i in event.items if i.name == "read")

    def _step(self, before: bytes, after: bytes, whose: int | None, clock: int) -> Event:
        changed = [
            s
            for s, (p, q) in enumerate(
                zip(positions(self.machine, before), positions(self.machine, after), strict=True)
            )
            if p != q
        ]
        ready = ready_slots(self.machine, before)
        for slot in sorted(ready, key=lambda s: (s != whose, s not in changed)):
            for event in self._events(before, after, slot, clock):
                if event.fault is None and self._kept(event.block) == after:
                    return event
        for event in other_events(self.run, before):
            if event.fault is None and self._kept(event.block) == after:
                return event
        raise CannotReplay("no event leads from one block to the next")

    def confirm(self, blocks: list[bytes], steps: list[list[Item]]) -> None:
        """Goes the way from the start. Raises CannotReplay."""
        run = HostRun(self.generated, 1, Mode.FOLLOW)
        if run.block != blocks[0]:
            raise CannotReplay("the initial blocks differ")
        for number, (step, block) in enumerate(zip(steps, blocks[1:], strict=True)):
            run.follow(encode(step, run.wide))
            if run.step() is not Status.RAN or run.block != block:
                raise CannotReplay(f"step {number + 1} does something else when it is replayed")
