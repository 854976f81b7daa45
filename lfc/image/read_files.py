"""Reads an image back from the files that tools write: ELF, Intel HEX, plain binary, UF2, those of an ESP32."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from intelhex import IntelHex, IntelHexError

from lfc.base.read_file import IMAGE, read_file
from lfc.image.tables import Tables, read_tables
from lfc.toolchain.elf import read_load_segments
from lfc.toolchain.esp_image import NotAnEspImage, read_esp_image
from lfc.toolchain.failure import ImageError
from lfc.toolchain.formats import UF2_MAGIC

SUFFIXES = (".elf", ".hex", ".bin", ".uf2", ".esp")
UF2_BLOCK, UF2_CONTENT, UF2_NOT_FLASH = 512, 476, 1


@dataclass(frozen=True, slots=True)
class ImageFile:
    flash: dict[int, bytes]  # address -> what lies there
    tables: Tables | None  # of an ELF file of ours


def read_image_file(path: Path, start: int) -> ImageFile:
    """`start`: where a plain binary lies. Raises ImageError."""
    try:
        content = read_file(path, IMAGE)
    except OSError as error:
        raise ImageError(f"{path} cannot be read: {error.strerror}") from None
    if path.suffix == ".elf":
        try:
            segments = {s.load_address: s.content for s in read_load_segments(content) if s.content}
            return ImageFile(segments, read_tables(content))
        except ImageError as error:
            raise ImageError(f"{path}: {error.message}", error.detail) from None
    return ImageFile(flash_in(path.suffix.removeprefix("."), content, start, path), None)


def flash_in(form: str, content: bytes, start: int, path: Path = Path("the image")) -> dict[int, bytes]:
    """Of a file of the format `hex`, `uf2`, `esp`, or else plain binary. Raises ImageError, which names the file."""
    if form == "hex":
        return _from_hex(path, content)
    if form == "uf2":
        return _from_uf2(path, content)
    if form == "esp":
        try:
            return read_esp_image(content)
        except NotAnEspImage as error:
            raise ImageError(f"{path} is not an image of an ESP32: {error}") from None
    return {start: content} if content else {}


def _from_hex(path: Path, content: bytes) -> dict[int, bytes]:
    try:
        image = IntelHex(StringIO(content.decode("ascii")))
        return {low: bytes(image.tobinarray(start=low, end=high - 1)) for low, high in image.segments()}
    except (IntelHexError, ValueError, IndexError) as error:  # its package stumbles over what is damaged
        raise ImageError(f"{path} is not an Intel HEX file", str(error)) from None


def _from_uf2(path: Path, content: bytes) -> dict[int, bytes]:
    flash: dict[int, bytes] = {}
    numbers = []
    for at in range(0, len(content), UF2_BLOCK):
        block = content[at : at + UF2_BLOCK]
        if len(block) < UF2_BLOCK:
            raise ImageError(f"{path} is not a UF2 file: its last block is cut off")
        first, second, flags, address, size, number, total, _ = struct.unpack("<8I", block[:32])
        if (first, second, struct.unpack("<I", block[-4:])[0]) != UF2_MAGIC or size > UF2_CONTENT:
            raise ImageError(f"{path} is not a UF2 file: block {at // UF2_BLOCK} is none")
        if not flags & UF2_NOT_FLASH:
            numbers.append((number, total))
            flash[address] = block[32 : 32 + size]
    if [n for n, _ in numbers] != list(range(len(numbers))) or any(t != len(numbers) for _, t in numbers):
        raise ImageError(f"{path} is not a complete UF2 file: blocks are missing")
    return flash
