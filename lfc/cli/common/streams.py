"""Standard input and output of programs that run: bytes."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from collections.abc import Callable


def standard_input() -> int | None:
    """None if it is closed, or no file."""
    try:
        return None if sys.stdin is None else sys.stdin.fileno()
    except (OSError, ValueError):
        return None


def write_output(text: bytes) -> None:
    if text and sys.stdout is not None:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()


class OfABoard:
    """What a board says, for a terminal: shown, not obeyed. Lines, tabs and all that can be printed stay."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("backslashreplace")
        self._waits = ""  # a carriage return, of which the next character says whether it ends a line

    def shown(self, content: bytes) -> bytes:
        from lfc.diagnostics.visible import visible

        text = self._waits + self._decoder.decode(content)
        self._waits = "\r" if text.endswith("\r") else ""
        lines = text.removesuffix(self._waits).replace("\r\n", "\n").split("\n")
        return "\n".join("\t".join(map(visible, line.split("\t"))) for line in lines).encode(errors="backslashreplace")


def board_output() -> Callable[[bytes], None]:
    """Writes what a board says to standard output: as it is, unless that is a terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return write_output
    of_a_board = OfABoard()
    return lambda content: write_output(of_a_board.shown(content))
