"""A signed image as a boot loader takes it: a head, its signature, and the body.

docs/reference/updates.md has the form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lfc.base.read_file import SETTING, read_file
from lfc.records import ed25519
from lfc.records.signing import SigningError, plainly_signed, public_key_in
from lfc.update.layout import CHUNK, ED25519, Layout
from lfc.update.siphash import siphash

ERASED = b"\xff"
SECRET = 16  # bytes of a key of SipHash
MOST_VERSION = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Update:
    head: bytes  # a chunk
    body: bytes  # whole chunks

    @property
    def version(self) -> int:
        return int.from_bytes(self.head[8:12], "little")


def signed_image(layout: Layout, flash: Mapping[int, bytes], version: int, key: Path) -> Update:
    """Raises SigningError, MissingOnThisMachine."""
    body = body_of(layout, flash)
    told = layout.name[:8] + version.to_bytes(4, "little") + len(body).to_bytes(4, "little")
    head = told + signature_of(layout, told, body, key)
    return Update(head.ljust(CHUNK, ERASED), body)


def body_of(layout: Layout, flash: Mapping[int, bytes]) -> bytes:
    """What lies in the running area, from its begin, in whole chunks."""
    end = max(at + len(piece) for at, piece in flash.items()) - layout.run
    body = bytearray(ERASED * (-(-end // CHUNK) * CHUNK))
    for at, piece in flash.items():
        body[at - layout.run : at - layout.run + len(piece)] = piece
    return bytes(body)


def message_of(layout: Layout, told: bytes, body: bytes) -> bytes:
    """What is signed: of Ed25519 the digest of the body stands for it."""
    return told + (hashlib.sha512(body).digest() if layout.scheme == ED25519 else body)


def signature_of(layout: Layout, told: bytes, body: bytes, key: Path) -> bytes:
    message = message_of(layout, told, body)
    if layout.scheme != ED25519:
        return siphash(secret_in(key), message)
    public, signature = plainly_signed(message, key)
    if not ed25519.verify(public, message, signature):
        raise SigningError(f"the agent's signature with {key} is wrong")
    return signature


def key_for_loader(layout: Layout, key: Path) -> bytes:
    """What the boot loader is built with. Raises SigningError."""
    return public_key_in(key) if layout.scheme == ED25519 else secret_in(key)


def secret_in(key: Path) -> bytes:
    try:
        text = read_file(key, SETTING).decode("ascii").strip()
        secret = bytes.fromhex(text)
    except (OSError, ValueError) as error:
        raise SigningError(f"{key}, the key of SipHash, cannot be read: {error}") from None
    if len(secret) != SECRET:
        raise SigningError(
            f"{key} must be {SECRET} bytes in hexadecimal (openssl rand -hex {SECRET}), not {len(secret)}"
        )
    return secret
