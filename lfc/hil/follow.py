"""The board does what a trace says, step by step, and the host does the same beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lfc.boards.emulators.line import LineEnded
from lfc.boards.emulators.quiet import positions_of
from lfc.codegen.module.generated import FaultSite
from lfc.hil.host_side import Difference, HostSide, items_text
from lfc.hil.session import (
    FOLLOW,
    FREE,
    MOST_ITEMS,
    PATIENCE,
    BoardSession,
    BoardStep,
    CannotFollow,
    Event,
    Faulted,
    Idle,
    SessionError,
    Wants,
)
from lfc.run.running import Fault
from lfc.trace.items import BY_TAG, Item


@dataclass(slots=True)
class Replay:
    """`verdict`: followed, diverged, differs, lost, silent, restarted. `end`: as `_left_alone` has it, or fault.

    The first block and the last one that was reached by the trace are compared byte by byte."""

    verdict: str
    end: str
    steps: int  # done
    of: int  # in the trace
    difference: Difference | None = None
    reason: str = ""
    fault: Fault | None = None
    trace: list[list[Item]] = field(default_factory=list)  # what the board did, with its digests


def replay(
    session: BoardSession,
    host: HostSide,
    sites: list[FaultSite],
    steps: list[list[Item]],
    on_step: Callable[[list[Item], bytes], None] | None = None,
    on_output: Callable[[bytes], None] | None = None,
) -> Replay:
    """After the handshake."""
    run = _Replay(session, host, sites, [s for s in steps if any(not i.is_output for i in s)], on_step, on_output)
    try:
        return run.go()
    except (SessionError, LineEnded) as error:
        kind = error.kind if isinstance(error, SessionError) else "lost"
        return run.result(kind, "", reason=str(error))


class _Replay:
    def __init__(
        self,
        session: BoardSession,
        host: HostSide,
        sites: list[FaultSite],
        steps: list[list[Item]],
        on_step: Callable[[list[Item], bytes], None] | None,
        on_output: Callable[[bytes], None] | None,
    ) -> None:
        self.session, self.host, self.sites, self.steps = session, host, sites, steps
        self.on_step, self.on_output = on_step, on_output
        self.done: list[list[Item]] = []

    def go(self) -> Replay:
        self.session.set_mode(FOLLOW)
        found = self._whole_block("before the first step")
        if found is not None:
            return self.result("differs", "", difference=found)
        for items in self.steps:
            wanted = [i for i in items if not i.is_output]
            event = self._one_step(wanted)
            if isinstance(event, CannotFollow):
                return self.result("diverged", "", reason=self._refusal(event, wanted))
            if isinstance(event, Faulted):
                return self._take_fault(event, items)
            before = self.host.block
            self._show(event.items)
            done = [*event.items, Item("digest", (event.digest,))]
            self.done.append(done)
            found = self.host.take_step(event.items, event.digest, self._board_block)
            if found is None:
                found = self._compare(before, items, done)
            if found is not None:
                return self.result("differs", "", difference=found)
            if self.on_step is not None:
                self.on_step(list(event.items), self.host.block)
        found = self._whole_block("after the last step")
        if found is not None:
            return self.result("differs", "", difference=found)
        return self.result("followed", self._left_alone())

    def _compare(self, before: bytes, recorded: list[Item], done: list[Item]) -> Difference | None:
        """A step of the trace with what the board did: decisions and inputs, and each kind of output that the trace
        has in this step."""
        told = {i.name for i in recorded if i.is_output}
        wanted = [i for i in recorded if i.name != "idle"]
        found = [i for i in done if not i.is_output or i.name in told]
        if wanted == found:
            return None
        who, line = self.host.who(before, tuple(recorded))
        used = [i for i in wanted if not i.is_output] == [i for i in found if not i.is_output]
        message = "the output differs from the trace" if used else "the board did not use every item of the step"
        details = [f"trace: {items_text(tuple(wanted))}", f"board: {items_text(tuple(found))}"]
        return Difference("output" if used else "step", self.host.steps, who, line, message, details)

    def _one_step(self, wanted: list[Item]) -> BoardStep | Faulted | CannotFollow:
        chunks = [*chunks_of(wanted), b""]  # the last one says that there are no more
        while True:
            event = self._next()
            if isinstance(event, Wants):
                if not chunks:
                    raise SessionError("lost", "the board asks for more and more of a step")
                self.session.give_items(chunks.pop(0))
            elif isinstance(event, BoardStep | Faulted | CannotFollow):
                return event
            else:
                raise SessionError("lost", "the board is idle, although it was given a step")

    def _next(self) -> Event:
        event = self.session.next_event(PATIENCE)
        if event is None:
            raise SessionError("silent", f"the board is silent for {PATIENCE:.0f} seconds")
        return event

    def _left_alone(self) -> str:
        """The trace is used up: now the board may do as it likes."""
        if not isinstance(self._next(), Wants):
            raise SessionError("lost", "the board did a step that was not requested")
        self.session.set_mode(FREE)
        event = self.session.next_event(PATIENCE)
        if event is None:
            return f"says nothing for {PATIENCE:.0f} seconds"
        if isinstance(event, Faulted):
            return "faults"
        if not isinstance(event, Idle):
            return "goes on"
        quiet = positions_of(self.host.machine, 0).is_quiet(self.host.block, input_ended=True)
        return "stands still" if quiet else "waits for time or an interrupt"

    def _take_fault(self, event: Faulted, recorded: list[Item]) -> Replay:
        before = self.host.block
        self._show(event.items)
        site = self.sites[event.site] if event.site < len(self.sites) else None
        fault = Fault(event.kind, event.site, event.first, event.second)
        done = [*event.items, Item("fault", (event.kind, event.site, event.first, event.second))]
        self.done.append(done)
        found = self.host.take_fault(event.items, site, fault)
        if found is None:
            found = self._compare(before, *([without_site(i) for i in step] for step in (recorded, done)))
        if found is not None:
            return self.result("differs", "fault", difference=found)
        if self.host.steps < len(self.steps):
            return self.result("diverged", "fault", reason="a fault ends the program before the end of the trace")
        return self.result("followed", "fault", fault=self.host.run.fault)

    def _refusal(self, event: CannotFollow, wanted: list[Item]) -> str:
        who, line = self.host.who(self.host.block, tuple(wanted))
        names = [BY_TAG[t].name if t in BY_TAG else "nothing" for t in (event.wanted, event.found)]
        at = f" at line {line}" if line is not None else ""
        asked = f"asked for `{names[0]}`" if names[0] != "nothing" else "had all the items that it needs"
        got = f"the trace has {items_text(tuple(wanted))}"
        if names[0] == names[1]:
            return f"step {self.host.steps + 1}, {who}{at}: the board cannot do {items_text(tuple(wanted))}"
        return f"step {self.host.steps + 1}, {who}{at}: the board {asked} where `{names[1]}` comes; {got}"

    def _show(self, items: tuple[Item, ...]) -> None:
        text = bytes(item.operands[0] or 0 for item in items if item.name == "write")
        if text and self.on_output is not None:
            self.on_output(text)

    def _board_block(self) -> tuple[bytes, list[tuple[Item, ...]]]:
        return self.session.read_block(len(self.host.block)), []

    def _whole_block(self, when: str) -> Difference | None:
        return self.host.compare_whole(self.session.read_block(len(self.host.block)), when)

    def result(
        self, verdict: str, end: str, difference: Difference | None = None, reason: str = "", fault: Fault | None = None
    ) -> Replay:
        return Replay(verdict, end, self.host.steps, len(self.steps), difference, reason, fault, self.done)


def without_site(item: Item) -> Item:
    """The number of a fault's site is another one in each image."""
    if item.name != "fault":
        return item
    kind, _, first, second = item.operands
    return Item("fault", (kind, 0, first, second))


def chunks_of(items: Iterable[Item]) -> Iterable[bytes]:
    """Whole items, as many as a frame to the board holds."""
    chunk = b""
    for item in items:
        encoded = item.encode()
        if len(chunk) + len(encoded) > MOST_ITEMS:
            yield chunk
            chunk = b""
        chunk += encoded
    if chunk:
        yield chunk
