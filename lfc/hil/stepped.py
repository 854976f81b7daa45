"""A traced board that is stepped beside the host: it decides where nobody else has, and follows where somebody has.

Between two calls it stands still. Backwards it is reset, and follows what it did.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from lfc.boards.emulators.line import Line
from lfc.hil.follow import chunks_of
from lfc.hil.session import (
    FOLLOW,
    PACED,
    PATIENCE,
    RESET,
    BoardSession,
    BoardStep,
    CannotFollow,
    Faulted,
    Idle,
    SessionError,
    Wants,
)
from lfc.trace.items import Item

LOOK = 0.25  # seconds between two questions whether to wait on


class SteppedBoard:
    def __init__(
        self, open_line: Callable[[], AbstractContextManager[Line]], hello: tuple[str, int, str], stays: bool
    ) -> None:
        """`hello`: program, size of the block and scheduler, as `BoardSession.greet` wants them. `stays`: it is a board
        at a port, which is told to reset; else it is an emulator, which is started anew."""
        self._open, self._hello, self._stays = open_line, hello, stays
        self._opened: AbstractContextManager[Line] | None = None
        self._line: Line | None = None
        self._session: BoardSession  # of the line
        self.at = 0  # steps done since the reset
        self.stale = True  # what it has done is not what it should have
        self._leads = self._asks = self._idle = False  # `_asks`: it follows, and has asked for the next step
        self._leave = self._given = 0  # under way: steps that it may do, bytes of input

    def restart(self) -> None:
        """Raises SessionError, LineEnded and what the opening raises."""
        if self._line is not None and self._stays:
            self._session.set_mode(RESET)
        else:
            self.close()
            self._opened = self._open()
            self._line = self._opened.__enter__()
        assert self._line is not None
        self._session = BoardSession(self._line)
        self._session.greet(*self._hello, may_reset=self._stays)
        self._session.set_mode(FOLLOW)
        self._leads = self._asks = self._idle = self.stale = False
        self.at = self._leave = self._given = 0

    def close(self) -> None:
        if self._opened is not None:
            self._opened.__exit__(None, None, None)
        self._opened = self._line = None

    def block(self) -> bytes:
        return self._session.read_block(self._hello[1])

    def follow(self, items: Sequence[Item]) -> BoardStep | Faulted | CannotFollow:
        """A step of which all is decided."""
        self._stop_leading()
        chunks = [*chunks_of(i for i in items if not i.is_output), b""]  # the last one: there are no more
        while True:
            event = self._wanted() if self._asks else self._next()
            if isinstance(event, Wants):
                if not chunks:
                    raise SessionError("lost", "the board asks for more and more of a step")
                self._session.give_items(chunks.pop(0))
            elif isinstance(event, BoardStep | Faulted | CannotFollow):
                self._done(event)
                return event

    def lead(
        self, given: bytes, is_quiet: Callable[[], bool], interrupted: Callable[[], bool]
    ) -> BoardStep | Faulted | None:
        """A step that the board decides. `given`: the next byte of input, if there is one. None: it does none, because
        `is_quiet` says that none can come, or because of `interrupted`."""
        self._start_leading()
        if given and not self._given:
            self._session.give_input(given)
            self._given = 1
        if not self._leave:
            self._session.go(1)
            self._leave = 1
        heard = time.monotonic()
        while not (self._idle and is_quiet()):
            event = self._session.next_event(LOOK)
            if isinstance(event, Idle):
                self._idle = True
            elif isinstance(event, BoardStep | Faulted):
                self._done(event)
                return event
            elif event is not None:
                raise SessionError("lost", "the board follows, although that was not requested")
            elif interrupted():
                return self._stop_leading()
            elif not self._idle and time.monotonic() > heard + PATIENCE:
                raise SessionError("silent", f"the board is silent for {PATIENCE:.0f} seconds")
        return None

    def _done(self, event: BoardStep | Faulted | CannotFollow) -> None:
        self.stale = not isinstance(event, BoardStep)  # behind a fault it only hears
        if isinstance(event, BoardStep):
            self.at += 1
            self._leave, self._idle = 0, False
            if self._leads and any(i.name in ("console", "read") for i in event.items):
                self._given = 0

    def _start_leading(self) -> None:
        if not self._leads:
            while not self._asks:  # what it is told before it asks would be lost
                self._asks = isinstance(self._next(), Wants)
            self._session.set_mode(PACED)
            self._leads, self._asks = True, False

    def _stop_leading(self) -> BoardStep | Faulted | None:
        """The step, if it did one meanwhile."""
        if not self._leads:
            return None
        self._session.set_mode(FOLLOW)
        while True:
            event = self._next()
            if isinstance(event, BoardStep | Faulted):
                self._done(event)
            if isinstance(event, Wants | BoardStep | Faulted):
                self._leads, self._asks = False, isinstance(event, Wants)
                return None if isinstance(event, Wants) else event

    def _wanted(self) -> Wants:
        self._asks = False
        return Wants()

    def _next(self) -> object:
        event = self._session.next_event(PATIENCE)
        if event is None:
            raise SessionError("silent", f"the board is silent for {PATIENCE:.0f} seconds")
        return event
