"""A flash as files that tools for boards read: Intel HEX, plain binary, UF2.

A flash is given as pieces: address -> what lies there.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from io import StringIO

from intelhex import IntelHex

from lfc.toolchain.esp_image import esp_image

HEX_RECORD = 16  # bytes in a line
ERASED = 0xFF

UF2_PAGE = 256  # bytes of content in a block of 512; a boot loader wants pages of the flash, whole and aligned
UF2_MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
UF2_HAS_FAMILY = 0x2000


def hex_text(flash: Mapping[int, bytes]) -> str:
    content = IntelHex()
    for address, piece in flash.items():
        content.puts(address, piece)
    text = StringIO()
    content.write_hex_file(text, write_start_addr=False, byte_count=HEX_RECORD)
    return text.getvalue()


def binary(flash: Mapping[int, bytes], start: int) -> bytes:
    """From the address `start` to the end of the last piece; what lies between pieces is erased."""
    content = bytearray()
    for address, piece in sorted(flash.items()):
        content.extend([ERASED] * (address - start - len(content)))
        content[address - start :] = piece
    return bytes(content)


def uf2(flash: Mapping[int, bytes], family: int) -> bytes:
    pages: dict[int, bytearray] = {}
    for address, piece in sorted(flash.items()):
        for i, byte in enumerate(piece, address):
            pages.setdefault(i - i % UF2_PAGE, bytearray([ERASED] * UF2_PAGE))[i % UF2_PAGE] = byte
    blocks = []
    for number, (address, page) in enumerate(sorted(pages.items())):
        head = struct.pack("<8I", *UF2_MAGIC[:2], UF2_HAS_FAMILY, address, UF2_PAGE, number, len(pages), family)
        blocks.append(head + bytes(page).ljust(476, b"\0") + struct.pack("<I", UF2_MAGIC[2]))
    return b"".join(blocks)


def in_format(form: str, flash: Mapping[int, bytes], start: int, family: int | None) -> bytes:
    """As a file of the format `hex`, `bin`, `uf2` or `esp`. `family`: the number that the boot loader wants to see."""
    if form == "hex":
        return hex_text(flash).encode()
    if form == "bin":
        return binary(flash, start)
    assert family is not None
    if form == "esp":
        return esp_image(flash, start, family)
    assert form == "uf2"
    return uf2(flash, family)
