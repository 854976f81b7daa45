"""Checkpoints as somebody without the key would write them: changed, and with the right checksum."""

from __future__ import annotations

import hashlib
import hmac
import struct

IDENTITY, SUM, SEAL = 96, 8, 32
ALL = (1 << 64) - 1
LEVELS_END = 8 + IDENTITY  # where the number of states of this level and those before is; then that of this level


def mixed(x: int) -> int:
    for factor in (0xD6E8FEB86659FD93, 0xD6E8FEB86659FD93, 1):
        x ^= x >> 32
        x = x * factor & ALL
    return x


def checksum(content: bytes) -> int:
    """As the engine's, of bytes up to the trailer."""
    whole, rest = divmod(len(content), 8)
    total = 0
    for (word,) in struct.iter_unpack("<Q", content[: 8 * whole]):
        total = (total ^ word) * 0x9E3779B97F4A7C15 & ALL
        total ^= total >> 29
    if not rest:
        return total
    word = int.from_bytes(content[8 * whole :] + (rest).to_bytes(8, "little")[rest:], "little")
    return mixed(total ^ word ^ rest << 56)


def body_of(content: bytes) -> bytes:
    return content[: -SUM - SEAL]


def summed_again(body: bytes, seal: bytes = bytes(SEAL)) -> bytes:
    return body + checksum(body).to_bytes(SUM, "little") + seal


def sealed_by(body: bytes, key: bytes) -> bytes:
    return summed_again(body, hmac.new(key, body, hashlib.sha256).digest())


def all_done(content: bytes) -> bytes:
    """The body of a search that has nothing left to do: of the only state of the level it says that it was expanded."""
    body = body_of(content)
    states, of_level = struct.unpack_from("<QQ", body, LEVELS_END)
    assert of_level == 1
    chunk = struct.pack("<QQII", 1, states - 1, 1, 0)
    assert body.count(chunk) == 1
    return body.replace(chunk, struct.pack("<QQII", 1, states - 1, 1, 1))
