"""Source text and places in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from pathlib import Path

from lfc.base.lazy_dataclass import dataclass


@dataclass(slots=True)
class Source:
    """One file of LF text. `text` is what the lexer sees: invalid UTF-8 is decoded with replacement."""

    path: str
    text: str
    _line_starts: list[int] = field(default_factory=list, repr=False)

    @staticmethod
    def read(path: str | Path) -> Source:
        return Source(str(path), Path(path).read_bytes().decode("utf-8-sig", errors="replace"))

    def line_starts(self) -> list[int]:
        if not self._line_starts:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._line_starts = starts
        return self._line_starts

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Both count from 1."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        starts = self.line_starts()
        begin = starts[line - 1]
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return self.text[begin:end].rstrip("\r")


class Span:
    """The half-open range [start, end) of a source."""

    __slots__ = ("source", "start", "end")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Span)
            and self.source is other.source
            and self.start == other.start
            and self.end == other.end
        )

    def __hash__(self) -> int:
        return hash((id(self.source), self.start, self.end))

    @property
    def line(self) -> int:
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.line_and_column(self.start)[1]

    def to(self, last: Span) -> Span:
        """From the start of this one to the end of `last`."""
        return Span(self.source, self.start, last.end)
