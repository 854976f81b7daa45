"""What the server knows between two messages: buffers, and what was found out about each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.source import Source
from lfc.editor.analysis.addresses import path_of
from lfc.editor.analysis.analyse import Analysis, analyse_source
from lfc.editor.analysis.buffers import Buffer, Buffers
from lfc.editor.analysis.project import Setting, setting_of
from lfc.editor.analysis.workspace import files_of, mentions

MOST_CLOSED = 100


@dataclass(slots=True)
class Known:
    """An analysis, and how many changes there had been."""

    analysis: Analysis
    changes: int
    used: frozenset[str]  # paths of all its texts


@dataclass(slots=True)
class Session:
    buffers: Buffers = field(default_factory=Buffers)
    folders: list[str] = field(default_factory=list)  # that the editor has open
    known: dict[str, Known] = field(default_factory=dict)  # by path
    changed: dict[str, int] = field(default_factory=dict)  # when each buffer was changed last
    settings: dict[str, Setting] = field(default_factory=dict)  # by folder

    def put(self, uri: str, text: str, version: int) -> Buffer:
        buffer = self.buffers.put(uri, text, version)
        self.changed[buffer.path] = self.buffers.changes
        return buffer

    def open(self, uri: str, text: str, version: int) -> Buffer:
        self.forget()
        return self.put(uri, text, version)

    def close(self, uri: str) -> None:
        self.buffers.remove(uri)
        self.changed.pop(path_of(uri), None)
        self.forget()

    def forget(self) -> None:
        """Files may have changed."""
        self.known.clear()
        self.settings.clear()

    def analysis(self, uri: str) -> Analysis | None:
        """Of a buffer as it is now; None if it is not open."""
        buffer = self.buffers.of(uri)
        return None if buffer is None else self.analysis_of(buffer.path)

    def analysis_of(self, path: str) -> Analysis | None:
        """Of a buffer or a file; None if it cannot be read."""
        known = self.known.get(path)
        if known is not None and self.is_current(known):
            return known.analysis
        source = self.source_of(path)
        if source is None:
            return None
        others = [s for s in self.buffers.sources() if s.path != path]
        analysis = analyse_source(source, others, self.setting_of(path))
        if path not in self.buffers.all:
            self.make_room()
        used = frozenset([path, *(t.module.source.path for t in analysis.occurrences.texts)])
        self.known[path] = Known(analysis, self.buffers.changes, used)
        return analysis

    def make_room(self) -> None:
        """Of files that are not open few analyses are kept: a workspace may have thousands."""
        closed = [p for p in self.known if p not in self.buffers.all]
        for path in closed[: max(0, len(closed) - MOST_CLOSED)]:
            del self.known[path]

    def source_of(self, path: str) -> Source | None:
        if path in self.buffers.all:
            return self.buffers.all[path].source
        text = self.buffers.text_of(path)
        return None if text is None else Source(path, text)

    def is_current(self, known: Known) -> bool:
        return all(self.changed.get(path, 0) <= known.changes for path in known.used)

    def setting_of(self, path: str) -> Setting:
        folder = str(Path(path).parent)
        if folder not in self.settings:
            self.settings[folder] = setting_of(path)
        return self.settings[folder]

    def files(self, path: str) -> list[str]:
        """Of the workspace, with those that are open and those beside this file."""
        folders = self.folders or ([] if path.startswith("<") else [str(Path(path).parent)])
        return list(dict.fromkeys([path, *self.buffers.all, *files_of(folders)]))

    def analyses_with(self, path: str, name: str) -> Iterator[Analysis]:
        """Of every file that has this name in its text."""
        for file in self.files(path):
            text = self.buffers.text_of(file)
            analysis = self.analysis_of(file) if text is not None and mentions(text, name) else None
            if analysis is not None:
                yield analysis

    def stale(self) -> list[str]:
        """Open buffers whose analysis is not of what they and their imports are now."""
        return [p for p in self.buffers.all if p not in self.known or not self.is_current(self.known[p])]
