"""What of the flash a board in an emulator has executed, as the emulator tells it."""

from __future__ import annotations

import re
from pathlib import Path

from lfc.toolchain.elf import read_load_segments

LISTED = re.compile(r"^0x([0-9a-f]+):", re.MULTILINE)  # an instruction of a block that QEMU has translated to run it


def executed_addresses(emulator: str, file: Path) -> set[int]:
    """Where instructions begin that were executed; of QEMU, in blocks that were begun, so it may be some more."""
    if emulator == "simavr":
        return {at for at, flag in enumerate(file.read_bytes()) if flag}
    return {int(x, 16) for x in LISTED.findall(file.read_text(errors="replace"))}


def executed_bytes(emulator: str, file: Path, elf: bytes) -> set[int]:
    """All addresses of these instructions, the second word of those of four bytes included."""
    words = {
        s.load_address + i: s.content[i : i + 2] for s in read_load_segments(elf) for i in range(0, len(s.content), 2)
    }
    found = set[int]()
    for at in executed_addresses(emulator, file):
        word = int.from_bytes(words.get(at, b""), "little")
        is_long = is_long_on_avr(word) if emulator == "simavr" else word >> 11 in (0x1D, 0x1E, 0x1F)
        found.update(range(at, at + (4 if is_long else 2)))
    return found


def is_long_on_avr(word: int) -> bool:
    """LDS, STS, JMP and CALL."""
    return word & 0xFE0F in (0x9000, 0x9200) or word & 0xFE0C == 0x940C
