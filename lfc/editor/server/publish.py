"""When diagnostics are made and sent: at once for the buffer that changed, a little later for all that hangs on it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from lfc.editor.analysis.addresses import uri_of
from lfc.editor.analysis.analyse import look_for_room
from lfc.editor.features.diagnostics import by_file

if TYPE_CHECKING:
    from lfc.editor.server.main import Server
    from lfc.editor.server.session import Session

SOON = 0.002  # seconds: what comes in one go is analysed once
IDLE = 0.25  # seconds without a change, before what can wait is done


class Publisher:
    def __init__(self, server: Server, session: Session) -> None:
        self.server, self.session = server, session
        self.dirty: set[str] = set()  # paths of buffers
        self.sent: dict[str, dict[str, list[lsp.Diagnostic]]] = {}  # by the buffer that they are of, then by file
        self.timers: list[asyncio.TimerHandle] = []

    def changed(self, path: str) -> None:
        self.dirty.add(path)
        self.schedule()

    def schedule(self) -> None:
        for timer in self.timers:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self.timers = [loop.call_later(SOON, self.publish_dirty), loop.call_later(IDLE, self.publish_rest)]

    def publish_dirty(self) -> None:
        paths, self.dirty = sorted(self.dirty), set()
        for path in paths:
            self.publish(path)

    def publish_rest(self) -> None:
        """Buffers that import what was changed; whether programs have room."""
        for path in self.session.stale():
            self.publish(path)
        self.server.checker.refresh_changed()
        for path in self.session.buffers.all:
            analysis = self.session.analysis_of(path)
            if analysis is not None and "room" not in analysis.found:
                before = len(analysis.diagnostics.items)
                look_for_room(analysis)
                if len(analysis.diagnostics.items) != before:
                    self.publish(path)

    def publish(self, path: str) -> None:
        """What a buffer says of other files is shown there, unless they are open: then they speak for themselves."""
        analysis = self.session.analysis_of(path) if path in self.session.buffers.all else None
        before = self.sent.pop(path, {})
        if analysis is not None:
            self.sent[path] = by_file(analysis)
        for file in {**before, **self.sent.get(path, {path: []})}:
            self.send(file)

    def send(self, file: str) -> None:
        buffer = self.session.buffers.all.get(file)
        if buffer is not None:
            found = self.sent.get(file, {}).get(file, [])
        else:
            found = [d for of in self.sent.values() for d in of.get(file, [])]
        unique = {(d.range.start.line, d.range.start.character, d.code, d.message): d for d in found}
        uri = uri_of(file) if buffer is None else buffer.uri
        version = None if buffer is None else buffer.version
        told = lsp.PublishDiagnosticsParams(uri, list(unique.values()), version)
        self.server.text_document_publish_diagnostics(told)
