"""The files that a flash is written to."""

from __future__ import annotations

import struct

from lfc.toolchain.formats import binary, hex_text, in_format, uf2

FLASH = {0x1000_0000: bytes(range(10)), 0x1000_0100: b"\xaa" * 300}


def test_binary_has_erased_bytes_between_pieces() -> None:
    content = binary(FLASH, 0x1000_0000)
    assert content == bytes(range(10)) + b"\xff" * 246 + b"\xaa" * 300
    assert binary({0x1000_0004: b"x"}, 0x1000_0000) == b"\xff\xff\xff\xffx"


def test_uf2_has_whole_pages() -> None:
    content = uf2(FLASH, 0xE48BFF56)
    blocks = [content[i : i + 512] for i in range(0, len(content), 512)]
    assert len(blocks) == 3
    for number, block in enumerate(blocks):
        head = struct.unpack("<8I", block[:32])
        address = 0x1000_0000 + 256 * number
        assert head == (0x0A324655, 0x9E5D5157, 0x2000, address, 256, number, 3, 0xE48BFF56)
        assert block[508:] == struct.pack("<I", 0x0AB16F30) and len(block) == 512
    data = b"".join(block[32:288] for block in blocks)
    assert data == binary(FLASH, 0x1000_0000).ljust(768, b"\xff")


def test_by_name() -> None:
    assert in_format("hex", FLASH, 0, None) == hex_text(FLASH).encode()
    assert in_format("bin", FLASH, 0x1000_0000, None) == binary(FLASH, 0x1000_0000)
    assert in_format("uf2", FLASH, 0, 7) == uf2(FLASH, 7)
