"""Writes the checksum of the RP2040's boot block into an image.

The ROM runs the first 256 bytes of the flash only if the last four are the CRC-32 of the others: polynomial 04C11DB7H,
start FFFFFFFFH, highest bit first, nothing reflected or turned over at the end.
"""

from __future__ import annotations

from lfc.toolchain.elf import read_section_place
from lfc.toolchain.failure import ImageError

SECTION = ".boot_block"
SIZE = 256
POLYNOMIAL = 0x04C11DB7


def checksum(content: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ POLYNOMIAL) & 0xFFFFFFFF if crc & 0x80000000 else crc << 1
    return crc


def seal_boot_block(elf: bytes) -> bytes:
    """The ELF with the checksum in its place; as it is, if it has no boot block."""
    place = read_section_place(elf, SECTION)
    if place is None:
        return elf
    start, size = place
    if size != SIZE:
        raise ImageError(f"the boot block has {size} bytes, not {SIZE}")
    end = start + SIZE - 4
    return elf[:end] + checksum(elf[start:end]).to_bytes(4, "little") + elf[end + 4 :]
