"""Makes a failing input small while it fails in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable


def minimise(content: bytes, fails_alike: Callable[[bytes], bool], seconds: float = 60) -> bytes:
    """Cuts out lines, then ever smaller pieces, as long as there is time."""
    end = time.monotonic() + seconds

    def fails(pieces: list[bytes]) -> bool:
        return fails_alike(b"".join(pieces))

    lines = _without_pieces(content.splitlines(keepends=True), fails, end)
    characters = [bytes([b]) for b in b"".join(lines)]
    return b"".join(_without_pieces(characters, fails, end))


def _without_pieces(pieces: list[bytes], fails: Callable[[list[bytes]], bool], end: float) -> list[bytes]:
    size = max(1, len(pieces) // 2)
    while True:
        start = 0
        while start < len(pieces):
            if time.monotonic() > end:
                return pieces
            shorter = pieces[:start] + pieces[start + size :]
            if fails(shorter):
                pieces = shorter
            else:
                start += size
        if size == 1:
            return pieces
        size = max(1, size // 2)
