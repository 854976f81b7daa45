"""What is written, page by page, and compared with what is read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lfc.boards.serial.failure import FlashError

ERASED = 0xFF


@dataclass(frozen=True, slots=True)
class Target:
    """What the flasher knows of the chip."""

    signature: bytes
    page: int
    usable: int  # bytes from address 0 that are not the boot loader's


def divide_into_pages(content: Mapping[int, bytes], target: Target) -> dict[int, bytes]:
    """Whole pages, filled up with erased bytes. Pages that the program does not touch are left alone."""
    pages: dict[int, bytearray] = {}
    for start, piece in content.items():
        if start + len(piece) > target.usable:
            end, bound = start + len(piece), target.usable
            raise FlashError("write", f"the program reaches {end:#x}, but the boot loader starts at {bound:#x}")
        for address, byte in enumerate(piece, start):
            base = address - address % target.page
            pages.setdefault(base, bytearray([ERASED] * target.page))[address - base] = byte
    return {base: bytes(pages[base]) for base in sorted(pages)}


def compare(address: int, written: bytes, found: bytes) -> None:
    """Raises FlashError, stage `verify`, at the first byte that differs."""
    for at, (expected, there) in enumerate(zip(written, found, strict=True)):
        if expected != there:
            raise FlashError(
                "verify",
                f"the flash differs at {address + at:#06x}",
                expected=f"{expected:02X}",
                received=f"{there:02X}",
                remedy="flash again; if this persists, the flash is worn out",
            )
