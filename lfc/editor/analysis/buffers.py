"""What is open in the editor: texts that go before those of the files."""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.base.source import Source
from lfc.editor.analysis.addresses import path_of


@dataclass(slots=True)
class Buffer:
    uri: str
    path: str
    text: str
    version: int

    @property
    def source(self) -> Source:
        return Source(self.path, self.text.removeprefix("\ufeff"))


@dataclass(slots=True)
class Buffers:
    """By path. `changes` counts every change of any of them: an analysis is of one such number."""

    all: dict[str, Buffer] = field(default_factory=dict)
    changes: int = 0

    def put(self, uri: str, text: str, version: int) -> Buffer:
        buffer = Buffer(uri, path_of(uri), text, version)
        self.all[buffer.path] = buffer
        self.changes += 1
        return buffer

    def remove(self, uri: str) -> None:
        self.all.pop(path_of(uri), None)
        self.changes += 1

    def of(self, uri: str) -> Buffer | None:
        return self.all.get(path_of(uri))

    def sources(self) -> list[Source]:
        return [b.source for b in self.all.values()]

    def text_of(self, path: str) -> str | None:
        """As the editor has it, or else the file; None if it cannot be read."""
        if path in self.all:
            return self.all[path].source.text
        try:
            return Source.read(path).text
        except (OSError, ValueError):
            return None
