"""Messages of the Debug Adapter Protocol: JSON behind a `Content-Length`, on two pipes."""

from __future__ import annotations

import json
import queue
import threading
from typing import Any, BinaryIO

MOST_BYTES = 1 << 24  # of one message: more is no request of an editor


class Wire:
    """A thread reads, so that a program that runs can be asked to pause. None in the queue: the editor is gone."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.source, self.sink = source, sink
        self.came: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while (content := read_content(self.source)) is not None:
            try:
                message = json.loads(content)
            except (ValueError, RecursionError):
                continue  # it cannot be answered: it has no number
            if isinstance(message, dict):
                self.came.put(message)
                if message.get("command") == "disconnect":
                    return  # the last; and whoever ends must hold no pipe
        self.came.put(None)

    def send(self, message: dict[str, Any]) -> None:
        self.number += 1
        content = json.dumps({"seq": self.number} | message).encode()
        try:
            self.sink.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
            self.sink.flush()
        except BrokenPipeError:
            pass  # nobody listens: what comes next is the end of what is read

    def event(self, name: str, **body: object) -> None:
        self.send({"type": "event", "event": name, "body": body})


def read_content(source: BinaryIO) -> bytes | None:
    """Of the next message; None: the end, or no message at all."""
    length = None
    while line := source.readline(1 << 12):
        if not line.strip():
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    if length is None or length > MOST_BYTES:
        return None
    content = source.read(length)
    return content if len(content) == length else None
