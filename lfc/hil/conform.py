"""Conformance: the host does each step that the board did, on its own block, and compares."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from dataclasses import dataclass, field

from lfc.boards.emulators.line import LineEnded
from lfc.boards.emulators.quiet import positions_of
from lfc.codegen.module.generated import FaultSite
from lfc.hil.host_side import Difference, HostSide
from lfc.hil.session import MOST_INPUT, PACED, PATIENCE, BoardSession, BoardStep, Faulted, Idle, SessionError
from lfc.run.report import waits_for_console, who_waits
from lfc.run.running import Fault
from lfc.trace.items import Item

LOOK = 0.25  # seconds between two looks at input and limits while nothing comes
OWES = 2.0  # seconds without a word after which a board that was told to go on owes steps


@dataclass(slots=True)
class Conduct:
    """How it is done. `more_input`: console bytes when the board may take some; None when there are no more."""

    most_steps: int | None = None
    seconds: float | None = None
    at_once: int = 1  # steps that the board may be ahead; of more than 1 a difference is known late
    more_input: Callable[[int], bytes | None] = lambda most: None
    on_step: Callable[[list[Item], bytes], None] | None = None  # items and the block after them
    on_output: Callable[[bytes], None] | None = None


@dataclass(slots=True)
class Conformance:
    """`verdict`: agrees, differs, lost, silent, restarted. Only the first is success."""

    verdict: str
    end: str  # ended, blocked, input ended, fault, limit, time; empty where it was broken off
    steps: int
    difference: Difference | None = None
    reason: str = ""
    fault: Fault | None = None  # which host and board agree on; with the host's number of the site
    unvisited: int = 0  # states that the checker does not visit
    first_unvisited: int | None = None  # after which step
    bytes: int = 0  # that came over the line
    trace: list[list[Item]] = field(default_factory=list)
    last_whole: bool = False  # the last block was compared byte by byte, as the first always is


def conform(
    session: BoardSession,
    host: HostSide,
    sites: list[FaultSite],
    conduct: Conduct,
    keep: bool = False,
    visited: Container[bytes] | None = None,
) -> Conformance:
    """After the handshake. `sites`: of the board's image. `keep`: the trace; `visited`: the checker's states."""
    run = _Run(session, host, sites, conduct, keep, visited)
    try:
        return run.go()
    except (SessionError, LineEnded) as error:
        kind = error.kind if isinstance(error, SessionError) else "lost"
        return run.result(kind, "", reason=str(error))


class _Run:
    def __init__(
        self,
        session: BoardSession,
        host: HostSide,
        sites: list[FaultSite],
        conduct: Conduct,
        keep: bool,
        visited: Container[bytes] | None,
    ) -> None:
        self.session, self.host, self.sites, self.conduct = session, host, sites, conduct
        self.keep, self.visited = keep, visited
        self.trace: list[list[Item]] = []
        self.positions = positions_of(host.machine, 0)
        self.under_way = 0  # input bytes that the board has not read
        self.input_ended = False
        self.idle = False
        self.unheard = True  # mode, input and the first leave to go at once are more than the board's buffer holds
        self.allowed = 0
        self.unvisited = 0
        self.first_unvisited: int | None = None
        self.last_whole = False
        self.found: Difference | None = None

    def go(self) -> Conformance:
        self.session.set_mode(PACED)
        start = time.monotonic()
        limit = PATIENCE if self.conduct.seconds is None else max(OWES, self.conduct.seconds)
        first = self._whole_block("before the first step", min(PATIENCE, limit))
        if first is not None:
            return self.result("differs", "", difference=first)
        heard = time.monotonic()
        while True:
            if self.conduct.most_steps is not None and self.host.steps >= self.conduct.most_steps:
                return self._agreed("limit")
            if self.conduct.seconds is not None and time.monotonic() - start > self.conduct.seconds:
                owes = not self.idle and not self._waits_for_input() and time.monotonic() - heard > OWES
                if owes or self.unheard:
                    raise SessionError("silent", "time limit reached, and the board has not done all requested steps")
                return self._agreed("time")
            self._give_input()
            all_read = self.input_ended and self.under_way == 0
            if self.idle and self.positions.is_quiet(self.host.block, all_read):
                self.allowed = 0  # it has no use for them
                return self._agreed(self._quiet_end())
            self._let_go_on()
            event = self.session.next_event(LOOK)
            if event is None:
                waits = self.idle and not self.positions.is_quiet(self.host.block, True)
                if not waits and not self._waits_for_input() and time.monotonic() - heard > PATIENCE:
                    raise SessionError("silent", f"the board is silent for {PATIENCE:.0f} seconds")
                continue
            heard = time.monotonic()
            self.unheard = False
            if isinstance(event, Idle):
                self.idle = True
            elif isinstance(event, BoardStep):
                self._take_step(event)
                if self.found is not None:
                    return self.result("differs", "", difference=self.found)
            elif isinstance(event, Faulted):
                return self._take_fault(event)
            else:
                raise SessionError("lost", "the board replays, although that was not requested")

    def _let_go_on(self) -> None:
        """Early enough that the board does not stand and wait for the line, if it may be ahead; and no further than to
        the last step, so that it stands still then."""
        may = self.conduct.at_once
        if self.conduct.most_steps is not None:
            may = min(may, self.conduct.most_steps - self.host.steps)
        if self.allowed == 0 or (
            2 * self.allowed <= self.conduct.at_once and self.allowed < may and self.session.may_go
        ):
            self.session.go(may - self.allowed)
            self.allowed = may

    def _agreed(self, end: str) -> Conformance:
        """Once more byte by byte, if the board stands still."""
        if self.allowed == 0 and self.host.steps:
            found = self._whole_block("after the last step", PATIENCE)
            if found is not None:
                return self.result("differs", "", difference=found)
            self.last_whole = True
        return self.result("agrees", end)

    def _whole_block(self, when: str, patience: float) -> Difference | None:
        return self.host.compare_whole(self.session.read_block(len(self.host.block), patience), when)

    def _take_step(self, event: BoardStep) -> None:
        self.idle = False
        self.allowed -= 1
        self._account(event.items)
        self.found = self.host.take_step(event.items, event.digest, self._board_block)
        if self.keep:
            self.trace.append([*event.items, Item("digest", (event.digest,))])
        if self.found is None:
            if self.conduct.on_step is not None:
                self.conduct.on_step(list(event.items), self.host.block)
            if self.visited is not None and self.host.block not in self.visited:
                self.unvisited += 1
                if self.first_unvisited is None:
                    self.first_unvisited = self.host.steps

    def _take_fault(self, event: Faulted) -> Conformance:
        self._account(event.items)
        site = self.sites[event.site] if event.site < len(self.sites) else None
        fault = Fault(event.kind, event.site, event.first, event.second)
        difference = self.host.take_fault(event.items, site, fault)
        if difference is not None:
            return self.result("differs", "fault", difference=difference)
        own = self.host.run.fault
        if self.keep:
            last = Item("fault", (own.kind, own.site, own.first, own.second))
            self.trace.append([*event.items, last])
        return self.result("agrees", "fault", fault=own)

    def _account(self, items: tuple[Item, ...]) -> None:
        self.under_way -= sum(item.name in ("console", "read") for item in items)
        text = bytes(item.operands[0] or 0 for item in items if item.name == "write")
        if text and self.conduct.on_output is not None:
            self.conduct.on_output(text)

    def _give_input(self) -> None:
        room = min(MOST_INPUT // 2 - self.under_way, self.session.room)
        if self.input_ended or room <= 0 or self.unheard:
            return
        data = self.conduct.more_input(room)
        if data is None:
            self.input_ended = True
        elif data:
            self.session.give_input(data)
            self.under_way += len(data)

    def _waits_for_input(self) -> bool:
        return self.idle and not self.input_ended

    def _board_block(self) -> tuple[bytes, list[tuple[Item, ...]]]:
        """If it is ahead, its block is already that of a later step."""
        later: list[tuple[Item, ...]] = []
        while self.allowed:
            event = self.session.next_event(PATIENCE)
            if not isinstance(event, BoardStep):  # it is idle, or stands still after a fault
                break
            later.append(event.items)
            self.allowed -= 1
        return self.session.read_block(len(self.host.block)), later

    def _quiet_end(self) -> str:
        """As of a run on this machine."""
        if not who_waits(self.host.machine, self.host.block).processes:
            return "ended"
        return "input ended" if waits_for_console(self.host.machine, self.host.block) else "blocked"

    def result(
        self, verdict: str, end: str, difference: Difference | None = None, reason: str = "", fault: Fault | None = None
    ) -> Conformance:
        return Conformance(
            verdict,
            end,
            self.host.steps,
            difference,
            reason,
            fault,
            self.unvisited,
            self.first_unvisited,
            self.session.bytes,
            self.trace,
            self.last_whole,
        )


def bytes_for_board(content: bytes) -> Callable[[int], bytes | None]:
    """As `Conduct.more_input` wants them."""
    left = bytearray(content)

    def more(most: int) -> bytes | None:
        if not left:
            return None
        taken = bytes(left[:most])
        del left[:most]
        return taken

    return more
