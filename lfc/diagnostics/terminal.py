"""What a terminal obeys: our own colours and lines that change. Whatever else comes out, such as names that a file of
others has, is shown."""

from __future__ import annotations

import io
import re
from typing import TextIO

from lfc.diagnostics.visible import visible

KEPT = re.compile(r"(\x1b\[(?:0|1|2|9;2|3[1-6]|1;3[1-6])m|[\n\t])")  # colours; none hides what it colours


class Terminal(io.TextIOWrapper):
    """Standard output or standard error, where that is a terminal."""

    before: TextIO

    @staticmethod
    def of(stream: TextIO) -> Terminal:
        """Beside the stream, on the same bytes."""
        stream.flush()
        made = Terminal(stream.buffer, encoding=stream.encoding, errors=stream.errors, line_buffering=True)
        made.before = stream  # which would close them
        return made

    def write(self, text: str) -> int:
        super().write(obeyed(text))
        return len(text)

    def draw(self, text: str) -> int:
        """Of our own making, all of it: it may move the cursor."""
        return super().write(text)


def obeyed(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(part if at % 2 else visible(part) for at, part in enumerate(KEPT.split(text)))
