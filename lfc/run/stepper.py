"""One program that is stepped forwards and backwards, action by action, on this machine.

What has been done is a list of steps (their items) with the moments between them. Backwards is a snapshot, or the
nearest one before and the steps from there once more. Steps that are known already (a trace that was opened, or what
was undone) are done again as they were; behind them the scheduler decides, or whoever chooses.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lfc.run.events import Event, all_events, different
from lfc.run.running import Fault, HostRun, Status
from lfc.trace.items import BY_NAME, Item, decode, encode

KEPT = 4096  # moments behind the newest step that are all kept
EVERY = 64  # of those before, every so many
MOST_EVENTS = 20_000  # looked at for the choices of one moment
RUN = BY_NAME["run"].tag


@dataclass(frozen=True, slots=True)
class Moment:
    """All that what comes next depends on."""

    block: bytes
    policies: bytes
    random: int
    now: int
    read: int  # bytes of the console's input


class Stepper:
    def __init__(self, run: HostRun, known: Sequence[Sequence[Item]] = ()) -> None:
        """`run` stands at its start, and is nobody else's. `known`: the steps of a trace."""
        self.run, self.generated, self.machine = run, run.generated, run.generated.machine
        self.mode = run.host.mode  # how the scheduler decides
        self.at = 0  # how many steps have been done
        self.told = 0  # the furthest that it ever was: of what comes before, the output is known
        self.steps = [encode(step, self.machine.wide) for step in known if any(i.is_event for i in step)]
        self._clocks = array("L")  # of each moment up to `told`: what is not in the items
        self._randoms = array("Q")
        self._read = array("L")
        self.trace_end = len(self.steps)  # where the trace that was opened ends; 0: there is none, or it was left
        self.interrupted: Callable[[], bool] = lambda: False  # asked while it waits for somebody else
        self.fault: Fault | None = None  # of the step that was tried last
        self.faulting: list[Item] = []  # its items
        self._input = b""
        self._near: dict[int, Moment] = {}  # made again for a look backwards
        self.moment = self._now(0)
        self._moments: dict[int, Moment] = {}
        self._keep(0)

    @property
    def block(self) -> bytes:
        return self.moment.block

    def block_at(self, number: int) -> bytes:
        return self._moment(number).block

    def items_at(self, number: int) -> list[Item]:
        """Of a step, counted from 0."""
        return list(decode(self.steps[number], self.machine.wide))

    def feed(self, data: bytes) -> None:
        """More console input."""
        self._input += data
        self.go_to(self.at)

    # --- forwards --------------------------------------------------------------------------------------------------

    def forward(self) -> tuple[Status, bytes]:
        """One step, and what it has written. Any status but RAN: nothing has happened; of FAULT, `fault` is set."""
        if self.at < len(self.steps):
            return self._done(self._follow(self.steps[self.at]))
        self.run.host.mode = self.mode
        read = self.run.host.in_at
        status = self.run.step()
        if status is Status.WAITING and (wake := self.run.next_wake()) is not None:
            self.run.host.now = wake
            self.run.host.mode = self.mode
            status = self.run.step()
        return self._done(status, self.run.host.in_at - read)

    def take(self, event: Event) -> tuple[Status, bytes]:
        """What somebody has chosen. What was known to come is forgotten."""
        self.forget()
        decided = encode((i for i in event.items if not i.is_output), self.machine.wide)
        return self._done(self._follow(decided))

    def forget(self) -> None:
        """What is known to come; a trace is left."""
        if self.at < len(self.steps):
            del self.steps[self.at :]
            for of_moments in (self._clocks, self._randoms, self._read):
                del of_moments[self.at + 1 :]
            self._moments = {n: m for n, m in self._moments.items() if n <= self.at}
            self._near.clear()
            self.told = min(self.told, self.at)
        if self.at < self.trace_end:
            self.trace_end = 0
        self.fault = None

    def _follow(self, items: bytes) -> Status:
        self.run.follow(items)
        status = self.run.step()
        if status is Status.RAN and items[0] == RUN:
            self._moved_on(self._slot_of(items))
        return status

    def _slot_of(self, items: bytes) -> int:
        return int.from_bytes(items[1 : 3 if self.machine.wide else 2], "little")

    def _moved_on(self, slot: int) -> None:
        """The round robin goes on behind whose turn it was, as if it had chosen that one: a followed step leaves its
        cursor alone (lf_pick_round_robin in runtime/policies). The initialisation has one turn, if it never waits."""
        layout, policies = self.machine.layout, self.generated.policies
        slots = sum(r.slots for r in layout.records)
        if slot == 0 and slots > 1 and not layout.records[0].body.can_wait:
            slot = slots - 1
        if slot < slots:
            at, content = policies.cursor_at, self.run.policy_block
            size = policies.slot_size
            self.run.policy_block = content[:at] + slot.to_bytes(size, "little") + content[at + size :]

    def _done(self, status: Status, read: int = 0) -> tuple[Status, bytes]:
        """`read`: bytes of our own input that the step took. One that was chosen, or is a trace's, has its own."""
        output = self.run.take_output()
        if status is Status.RAN:
            return status, self._recorded(output, read)
        new = self.fault is None
        self.fault = self.run.fault if status is Status.FAULT else None
        self.faulting = list(decode(self.run.items, self.machine.wide)) if self.fault is not None else []
        self._restore(self.moment)
        return status, output if status is Status.FAULT and new else b""

    def _recorded(self, output: bytes, read: int) -> bytes:
        items = self.run.items
        if self.at == len(self.steps):
            self.steps.append(items)
        self.at += 1
        known = self._moments.get(self.at) or self._near.get(self.at)
        if known is not None:
            self._restore(known)
        else:
            self._put_back(self.at)
            self.moment = self._now(self._read_until(self.at, self.moment.read + read))
            self._keep(self.at)
        new = self.at > self.told
        self.told = max(self.told, self.at)
        return output if new else b""

    # --- backwards -------------------------------------------------------------------------------------------------

    def back(self) -> bool:
        """One step; False: this is the start."""
        if self.fault is not None:  # the step that faults is not done: back is to where it starts
            self.fault = None
            return True
        if self.at == 0:
            return False
        self.go_to(self.at - 1)
        return True

    def go_to(self, number: int) -> None:
        """A moment that has been."""
        moment = self._moment(number)
        self.at, self.fault = number, None
        self._restore(moment)

    def settle(self) -> None:
        """Whoever does the steps beside this machine comes to where the program stands: here nobody."""

    def close(self) -> None:
        """Of whoever does the steps beside this machine."""

    def _moment(self, number: int) -> Moment:
        found = self._moments.get(number) or self._near.get(number)
        return found if found is not None else self._again(number)

    def _again(self, number: int) -> Moment:
        """From the nearest moment before it."""
        here = self.moment
        start = max(n for n in range(number - number % EVERY, number + 1, EVERY) if n in self._moments)
        moment = self._moments[start]
        self._near = {start: moment}
        self._restore(moment)
        for n in range(start, number):
            self._follow(self.steps[n])
            self.run.take_output()
            self._put_back(n + 1)
            moment = self._now(self._read_until(n + 1, moment.read))
            self._near[n + 1] = moment
        self._restore(here)
        return moment

    def _put_back(self, number: int) -> None:
        """After a step that was done before: what its items do not say."""
        if number < len(self._clocks):
            self.run.host.now, self.run.host.random = self._clocks[number], self._randoms[number]

    def _keep(self, number: int) -> None:
        """The moment that is now."""
        self._moments[number] = self.moment
        if number == len(self._clocks):
            self._clocks.append(self.moment.now)
            self._randoms.append(self.moment.random)
            self._read.append(self.moment.read)
        old = number - KEPT
        if old > 0 and old % EVERY:
            self._moments.pop(old, None)

    def _read_until(self, number: int, otherwise: int) -> int:
        return self._read[number] if number < len(self._read) else otherwise

    def _now(self, read: int) -> Moment:
        run = self.run
        return Moment(run.block, run.policy_block, run.host.random, run.host.now, read)

    def _restore(self, moment: Moment) -> None:
        run, self.moment = self.run, moment
        run.block = moment.block
        run.policy_block = moment.policies
        run.host.random, run.host.now = moment.random, moment.now
        run.set_input(self._input[moment.read :])

    # --- what can happen -------------------------------------------------------------------------------------------

    def choices(self, most: int = MOST_EVENTS) -> list[Event]:
        """One for each different outcome: of many inputs that lead to the same block, the first."""
        return different(self.events(self.block, most))

    def events(self, block: bytes, most: int = MOST_EVENTS) -> Iterator[Event]:
        """What can happen in a block, at the time that it is now. Until all is read, nothing else may be done."""
        moment = self.moment
        self.run.host.now = moment.now
        try:
            yield from islice(all_events(self.run, block), most)
        finally:
            self.run.take_output()
            self.run.host.given = None
            self._restore(moment)
