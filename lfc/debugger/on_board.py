"""A program stepped on a board or in an emulator, beside the host: after each step both have the same block.

Where nothing is decided, the board decides: its scheduler, its clock, its ports. Where something is, as behind a step
back or by whoever chooses, it follows. Backwards the host goes at once; the board is reset and follows the steps up to
there as soon as somebody looks or goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from lfc.boards.emulators.line import LineEnded
from lfc.boards.emulators.outcome import EmulatorError
from lfc.boards.emulators.quiet import positions_of
from lfc.boards.serial.failure import FlashError
from lfc.codegen.module.generated import FaultSite
from lfc.debugger.stops import BoardStops, Interrupted
from lfc.hil.difference import first_difference
from lfc.hil.frames import checksum
from lfc.hil.host_side import items_text, told
from lfc.hil.session import BoardStep, CannotFollow, Faulted, SessionError
from lfc.hil.stepped import SteppedBoard
from lfc.run.events import Event
from lfc.run.report import fault_message, who_waits
from lfc.run.running import Fault, HostRun, Mode, Status
from lfc.run.stepper import Stepper
from lfc.trace.items import Item, encode

DIFFERS, LOST = "board differs", "board lost"
BROKEN = (SessionError, LineEnded, EmulatorError, FlashError)


class BoardStepper(Stepper):
    def __init__(
        self, run: HostRun, board: SteppedBoard, sites: list[FaultSite], known: Sequence[Sequence[Item]] = ()
    ) -> None:
        """`sites`: of the board's image. Raises BoardStops, as all that moves does, and Interrupted."""
        super().__init__(run, known)
        self.board, self.sites = board, sites
        self._positions = positions_of(self.machine, 0)
        self.settle()

    def forward(self) -> tuple[Status, bytes]:
        self.settle()
        if self.at == len(self.steps) and self.mode != Mode.RANDOM:
            return self._led()
        return self._followed(*super().forward())

    def take(self, event: Event) -> tuple[Status, bytes]:
        self.settle()
        return self._followed(*super().take(event))

    def forget(self) -> None:
        super().forget()
        self.board.stale = self.board.stale or self.board.at > self.at

    def close(self) -> None:
        self.board.close()

    def settle(self) -> None:
        try:
            self._settle()
        except BROKEN as error:
            self._lost(error)

    def _settle(self) -> None:
        anew = self.board.stale or self.board.at > self.at
        if anew:
            self.board.restart()
            self._compare_whole(0)
        while self.board.at < self.at:
            n = self.board.at
            self._compare(self.board.follow(self.items_at(n)), n)
        if anew and self.at:
            self._compare_whole(self.at)

    # --- one step, here and there ----------------------------------------------------------------------------------

    def _followed(self, status: Status, output: bytes) -> tuple[Status, bytes]:
        """The host has done it."""
        try:
            if status is Status.RAN:
                self._compare(self.board.follow(self.items_at(self.at - 1)), self.at - 1)
            elif status is Status.FAULT:
                self._compare_fault(self.board.follow(self.faulting))
        except BROKEN as error:
            self._lost(error)
        return status, output

    def _led(self) -> tuple[Status, bytes]:
        given = self._input[self.moment.read : self.moment.read + 1]
        try:
            event = self.board.lead(given, self._is_quiet, self.interrupted)
        except BROKEN as error:
            self._lost(error)
        if event is None:
            if not self._is_quiet():
                raise Interrupted
            return (Status.BLOCKED if who_waits(self.machine, self.block).processes else Status.ENDED), b""
        read = sum(i.name in ("console", "read") for i in event.items)
        status, output = self._done(self._follow(encode(event.items, self.machine.wide)), read)
        if isinstance(event, Faulted):
            self._compare_fault(event)
        elif status is not Status.RAN:
            self._stop("the host cannot do what the board did", [f"board: {items_text(event.items)}"])
        else:
            self._compare(event, self.at - 1)
        return status, output

    def _is_quiet(self) -> bool:
        """Nothing can happen any more, unless there is more input."""
        return self._positions.is_quiet(self.block, self.moment.read >= len(self._input))

    # --- compared --------------------------------------------------------------------------------------------------

    def _compare(self, event: BoardStep | Faulted | CannotFollow, number: int) -> None:
        """What the board did in a step with what the host did."""
        items = tuple(self.items_at(number))
        if isinstance(event, CannotFollow):
            self._stop(f"the board cannot do step {number + 1}", [f"host:  {items_text(items)}"])
        if isinstance(event, Faulted):
            self._stop(f"in step {number + 1} the board faults, the host does not", [self._told_fault(event)])
        if event.items != items:
            both = [f"host:  {items_text(items)}", f"board: {items_text(event.items)}"]
            self._stop(f"in step {number + 1} the board does something else", both)
        if event.digest != checksum(self.block_at(number + 1)):
            self._compare_whole(number + 1)
            self._stop(f"after step {number + 1} the digests of the block differ", [])

    def _compare_whole(self, number: int) -> None:
        """All bytes of the block after so many steps, which the board has done."""
        found = first_difference(self.machine, self.block_at(number), self.board.block())
        if found is not None:
            text, details = told(found)
            self._stop(f"after step {number}: {text}", details)

    def _compare_fault(self, event: BoardStep | Faulted | CannotFollow) -> None:
        here = self.fault
        if not isinstance(event, Faulted):
            self._stop(f"in step {self.at + 1} the host faults, the board does not", [])
        if here is None:
            self._stop(f"in step {self.at + 1} the board faults, the host does not", [self._told_fault(event)])
        site, own = self._site(event), self.generated.sites[here.site]
        same = site is not None and (site.span, site.kind, event.kind) == (own.span, own.kind, here.kind)
        if not same or (event.first, event.second) != (here.first, here.second):
            both = [f"host:  line {own.span.line}: {fault_message(own, here)}", f"board: {self._told_fault(event)}"]
            self._stop(f"in step {self.at + 1} the board's fault is another", both)

    def _site(self, event: Faulted) -> FaultSite | None:
        return self.sites[event.site] if event.site < len(self.sites) else None

    def _told_fault(self, event: Faulted) -> str:
        site = self._site(event)
        if site is None:
            return "a fault at an unknown place"
        return f"line {site.span.line}: {fault_message(site, Fault(event.kind, event.site, event.first, event.second))}"

    def _stop(self, text: str, details: list[str]) -> NoReturn:
        self.board.stale = True
        raise BoardStops(DIFFERS, text, details)

    def _lost(self, error: Exception) -> NoReturn:
        self.board.stale = True
        raise BoardStops(LOST, f"the board is lost: {error}", []) from None
