"""Messages behind a header that says how long they are, as language servers and debug adapters send them."""

from __future__ import annotations

from typing import IO


def read_framed(stream: IO[bytes]) -> bytes | None:
    """The next one; None: there is none any more."""
    length = 0
    while (line := stream.readline()).strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return stream.read(length) if length else None


def write_framed(stream: IO[bytes], content: bytes) -> None:
    stream.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    stream.flush()
