"""What a board says, as a test wants to ask for it."""

from __future__ import annotations

import re
import time

from lfc.boards.emulators.line import Line, LineEnded
from lfc.boards.serial.console import ConsoleStream
from lfc.hil.faults import fault_text
from lfc.image.tables import Tables
from lfc.run.running import Fault

ENCODING = "latin-1"  # a CHAR is a byte
LOOK = 0.05
SILENCE = 0.3  # seconds after which what may be the begin of a fault is text
SHOWN = 400  # characters of what was heard, in a message


class NotHeard(AssertionError):
    """What was expected did not come in time."""


class BoardFaulted(AssertionError):
    """The program met a fault; the message says which, and where."""


class BoardLost(Exception):
    """The line to the board is gone."""


class Hearing:
    """The text of an untraced board. `heard` is all of it; what `expect` has found is behind it."""

    def __init__(self, line: Line, tables: Tables | None) -> None:
        self._line, self._tables = line, tables
        self._stream = ConsoleStream()
        self._position = 0
        self.heard = ""
        self.fault: str | None = None

    @property
    def lost(self) -> int:
        """Bytes of input that the board says it had no room for."""
        return self._stream.lost

    def expect(self, what: str | re.Pattern[str], timeout: float) -> re.Match[str]:
        pattern = re.compile(re.escape(what)) if isinstance(what, str) else what
        end = time.monotonic() + timeout
        while True:
            found = pattern.search(self.heard, self._position)
            if found is not None:
                self._position = found.end()
                return found
            if self.fault is not None:
                raise BoardFaulted(f"{self.fault}; expected {_shown(what)}, {self._before()}")
            left = end - time.monotonic()
            if left <= 0:
                raise NotHeard(f"expected {_shown(what)} within {timeout:g} s, {self._before()}")
            self.listen(min(left, SILENCE))

    def expect_fault(self, what: str, timeout: float) -> str:
        end = time.monotonic() + timeout
        while self.fault is None:
            if (left := end - time.monotonic()) <= 0:
                raise NotHeard(f"expected a fault within {timeout:g} s, {self._before()}")
            self.listen(left)
        if what not in self.fault:
            raise NotHeard(f"expected a fault with {what!r}, and it is: {self.fault}")
        return self.fault

    def listen(self, seconds: float) -> None:
        """Takes what has come; waits for so long if nothing has."""
        try:
            received = self._line.read(seconds)
        except LineEnded as ended:
            raise BoardLost(f"{ended}; {self._before()}") from None
        said = self._stream.feed(received)
        if not received and self._stream.fault is None:
            said += self._stream.rest()
        self.heard += said.decode(ENCODING)
        if self._stream.fault is not None and self.fault is None:
            wire = self._stream.fault
            fault = Fault(wire.kind, wire.site, wire.first, wire.second)
            self.fault = fault_text(self._tables, fault) if self._tables is not None else str(fault)

    def _before(self) -> str:
        rest = self.heard[self._position :]
        return f"and heard {rest[-SHOWN:]!r}" if rest else "and heard nothing" + (" more" if self._position else "")


def _shown(what: str | re.Pattern[str]) -> str:
    return repr(what) if isinstance(what, str) else f"/{what.pattern}/"
