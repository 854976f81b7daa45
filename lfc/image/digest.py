"""The name of an image: a digest of what lies in the flash, however it is cut into pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping


def flash_digest(flash: Mapping[int, bytes]) -> str:
    """SHA-256 over each run of bytes without a gap: its address, its length, its content."""
    content = hashlib.sha256()
    for address, piece in joined(flash):
        content.update(address.to_bytes(4, "little") + len(piece).to_bytes(4, "little") + piece)
    return content.hexdigest()


def joined(flash: Mapping[int, bytes]) -> list[tuple[int, bytes]]:
    """The pieces in order, those that touch made one: an ELF file and a HEX file of one image differ in that."""
    runs: list[tuple[int, bytearray]] = []
    for address, piece in sorted(flash.items()):
        if not piece:
            continue
        if runs and runs[-1][0] + len(runs[-1][1]) == address:
            runs[-1][1].extend(piece)
        else:
            runs.append((address, bytearray(piece)))
    return [(address, bytes(piece)) for address, piece in runs]
