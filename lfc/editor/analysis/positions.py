"""Places as the protocol counts them: lines from 0, columns from 0 in units of UTF-16.

A line ends with a line feed, a carriage return, or both; nothing else ends one.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, Range

LINE_END = re.compile(r"\r\n|\n|\r")
SURROGATES = 0x10000  # characters from here on take two units


class Lines:
    """From offsets in a text to positions and back; either way what is out of range becomes the nearest that is not."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(m.end() for m in LINE_END.finditer(text))]
        self.is_narrow = text.isascii() or max(text, default="") < chr(SURROGATES)

    def end_of(self, line: int) -> int:
        """Before its line end."""
        if line + 1 == len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1
        both = self.text[end] == "\n" and end > self.starts[line] and self.text[end - 1] == "\r"
        return end - both

    def position(self, offset: int) -> Position:
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        offset = min(offset, self.end_of(line))
        return Position(line, offset - start if self.is_narrow else units(self.text[start:offset]))

    def offset(self, position: Position) -> int:
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[position.line], self.end_of(position.line)
        if self.is_narrow:
            return min(start + max(position.character, 0), end)
        left = position.character
        for at in range(start, end):
            left -= 2 if ord(self.text[at]) >= SURROGATES else 1
            if left < 0:
                return at
        return end

    def range(self, start: int, end: int) -> Range:
        return Range(self.position(start), self.position(max(start, end)))

    def whole(self) -> Range:
        return self.range(0, len(self.text))


def units(text: str) -> int:
    return len(text) + sum(c >= chr(SURROGATES) for c in text)
