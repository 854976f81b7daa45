"""SipHash-2-4 with a tag of 128 bits (Aumasson and Bernstein, 2012)."""

from __future__ import annotations

MASK = 2**64 - 1


def siphash(key: bytes, message: bytes) -> bytes:
    """`key`: 16 bytes."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    begin = (b"uespemos", b"modnarod", b"arenegyl", b"setybdet")
    v = [int.from_bytes(word, "little") ^ k for word, k in zip(begin, (k0, k1, k0, k1), strict=True)]
    v[1] ^= 0xEE
    filled = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) & 0xFF])
    for at in range(0, len(filled), 8):
        word = int.from_bytes(filled[at : at + 8], "little")
        v[3] ^= word
        _rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xEE
    tag = b""
    for after in (0xDD, 0):
        _rounds(v, 4)
        tag += (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")
        v[1] ^= after
    return tag


def _rounds(v: list[int], count: int) -> None:
    for _ in range(count):
        _mix(v, 0, 1, 13)
        v[0] = _turned(v[0], 32)
        _mix(v, 2, 3, 16)
        _mix(v, 0, 3, 21)
        _mix(v, 2, 1, 17)
        v[2] = _turned(v[2], 32)


def _mix(v: list[int], a: int, b: int, by: int) -> None:
    v[a] = v[a] + v[b] & MASK
    v[b] = _turned(v[b], by) ^ v[a]


def _turned(word: int, by: int) -> int:
    return word << by & MASK | word >> 64 - by
