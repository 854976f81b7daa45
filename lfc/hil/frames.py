"""Frames on a serial line: made, and found again in what comes, whatever is damaged.

docs/reference/machine.md has the format; runtime/policies/frames.h is the board's side.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

LONGEST = 254  # bytes between two zeros on the line: more is no frame


class Type(IntEnum):
    HELLO = 0x01
    ITEMS = 0x02
    TEXT = 0x03
    BYTES = 0x04
    FAULT = 0x05
    WANTS = 0x06
    TROUBLE = 0x07
    FOLLOW = 0x81
    SEND = 0x82
    INPUT = 0x83
    MODE = 0x84
    GO = 0x85


@dataclass(frozen=True, slots=True)
class Frame:
    type: int
    sequence: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes between two zeros that are no frame."""

    content: bytes


def checksum(data: bytes) -> int:
    """CRC-16/CCITT-FALSE; the digest of the block as well."""
    return crc_hqx(data, 0xFFFF)


def stuffed(data: bytes) -> bytes:
    """COBS, without the zero at the end; for less than 254 bytes."""
    out = bytearray()
    for group in data.split(b"\0"):
        out.append(len(group) + 1)
        out += group
    return bytes(out)


def unstuffed(data: bytes) -> bytes | None:
    """None: it is not so encoded."""
    groups: list[bytes] = []
    at = 0
    while at < len(data):
        length = data[at]
        if length == 0 or at + length > len(data):
            return None
        groups.append(data[at + 1 : at + length])
        at += length
    return b"\0".join(groups)


def encode_frame(frame: Frame) -> bytes:
    content = bytes([frame.type, frame.sequence]) + frame.payload
    return stuffed(content + checksum(content).to_bytes(2, "little")) + b"\0"


def decode_frame(encoded: bytes) -> Frame | None:
    """Of what stands between two zeros; None: it is damaged."""
    content = unstuffed(encoded)
    if content is None or len(content) < 4 or len(encoded) > LONGEST:
        return None
    body, crc = content[:-2], content[-2:]
    if checksum(body).to_bytes(2, "little") != crc:
        return None
    return Frame(body[0], body[1], body[2:])


class FrameReader:
    """Finds frames in a stream. After any damage, the next zero begins anew."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, received: bytes) -> Iterator[Frame | Damaged]:
        *whole, self._kept = (self._kept + received).split(b"\0")
        if len(self._kept) > 4 * LONGEST:  # no frame is that long: only its end matters
            self._kept = self._kept[-4 * LONGEST :]
        for encoded in whole:
            if encoded:
                yield decode_frame(encoded) or Damaged(encoded)
