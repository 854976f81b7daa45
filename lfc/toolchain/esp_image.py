"""Images as the loader in the ROM of an ESP32 wants them at the beginning of its flash: a head, pieces with the
addresses of RAM that they are copied to, a checksum, a digest.

Espressif's ESP-IDF programming guide, App Image Format; the esptool documentation, Firmware Image Format.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping

MAGIC, WORD, BLOCK, DIGEST = 0xE9, 4, 16, 32
HEAD = struct.Struct("<BBBBI")  # magic, pieces, how the flash is read, its size and clock, entry
MORE = struct.Struct("<B3xHBHH4xB")  # write protection pin, chip, revisions, whether a digest follows
PIECE = struct.Struct("<II")  # address, size
TWO_LINES, FOUR_MEGABYTES_AT_40_MHZ = 2, 0x20
NO_PIN, ANY_REVISION = 0xEE, 0xFFFF
FIRST_OF_CHECKSUM = 0xEF


def esp_image(flash: Mapping[int, bytes], entry: int, chip: int) -> bytes:
    pieces = joined(flash)
    head = HEAD.pack(MAGIC, len(pieces), TWO_LINES, FOUR_MEGABYTES_AT_40_MHZ, entry)
    made = bytearray(head + MORE.pack(NO_PIN, chip, 0, 0, ANY_REVISION, 1))
    for address, content in pieces.items():
        made += PIECE.pack(address, len(content)) + content
    made += bytes(-(len(made) + 1) % BLOCK) + bytes([checksum(pieces)])
    return bytes(made + hashlib.sha256(made).digest())


def joined(flash: Mapping[int, bytes]) -> dict[int, bytes]:
    """Pieces that touch are one, and each has whole words."""
    found: dict[int, bytes] = {}
    last, end = 0, -1
    for address, content in sorted(flash.items()):
        if address == end:
            found[last] += content
        else:
            last, found[address] = address, content
        end = address + len(content)
    return {address: content + bytes(-len(content) % WORD) for address, content in found.items()}


def checksum(pieces: Mapping[int, bytes]) -> int:
    result = FIRST_OF_CHECKSUM
    for content in pieces.values():
        for byte in content:
            result ^= byte
    return result


class NotAnEspImage(ValueError):
    """With what is wrong."""


def read_esp_image(content: bytes) -> dict[int, bytes]:
    """The pieces, by their addresses. Raises NotAnEspImage."""
    if len(content) < HEAD.size + MORE.size or content[0] != MAGIC:
        raise NotAnEspImage("it does not begin with the byte E9 and a head")
    _, count, _, _, _ = HEAD.unpack_from(content)
    has_digest = MORE.unpack_from(content, HEAD.size)[-1]
    if has_digest not in (0, 1):
        raise NotAnEspImage("its head is damaged")
    at, pieces = HEAD.size + MORE.size, dict[int, bytes]()
    for _ in range(count):
        if at + PIECE.size > len(content):
            raise NotAnEspImage("it is cut off")
        address, size = PIECE.unpack_from(content, at)
        at += PIECE.size
        pieces[address] = content[at : at + size]
        at += size
    end = at + BLOCK - at % BLOCK
    if end + DIGEST * has_digest > len(content):
        raise NotAnEspImage("it is cut off")
    if content[end - 1] != checksum(pieces):
        raise NotAnEspImage("its checksum is wrong")
    if has_digest and hashlib.sha256(content[:end]).digest() != content[end : end + DIGEST]:
        raise NotAnEspImage("its digest is wrong")
    return pieces
