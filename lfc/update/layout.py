"""Where a board that takes updates keeps what: the program, two slots for images, the boot loader."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from lfc.boards.descriptions.board import Board

MAGIC = b"LFU1"
CHUNK = 128  # bytes that are sent at once
ED25519, SIPHASH = 1, 2  # the numbers of the schemes of signatures, as a boot loader tells them
SCHEMES = {"cortexm": ED25519, "avr": SIPHASH}
NAMES = {ED25519: "Ed25519", SIPHASH: "SipHash-2-4-128"}


@dataclass(frozen=True, slots=True)
class Layout:
    run: int
    capacity: int  # bytes of a program
    page: int
    loader: int
    loader_size: int
    slots: tuple[int, int]
    scheme: int
    board: bytes  # four bytes for its name

    @property
    def head_copy(self) -> int:
        return self.run + self.capacity

    @property
    def name(self) -> bytes:
        """As its boot loader says it."""
        return MAGIC + self.board + self.scheme.to_bytes(4, "little") + self.capacity.to_bytes(4, "little")

    def body(self, slot: int) -> int:
        return self.slots[slot] + 2 * self.page

    def marks(self, slot: int) -> int:
        return self.slots[slot] + self.page


def layout_of(board: Board) -> Layout:
    """Of a board with the method `update`: the running area and a page, then the slots, each with two pages more. That
    there is room is checked where a description is read."""
    flash, loader = board.flash, board.flashing.loader
    slot = flash.usable + 2 * flash.page
    first = flash.start + flash.usable + flash.page
    return Layout(
        run=flash.start,
        capacity=flash.usable,
        page=flash.page,
        loader=loader.start,
        loader_size=loader.size,
        slots=(first, first + slot),
        scheme=SCHEMES[board.cpu.architecture],
        board=number_of(board.name),
    )


def number_of(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()[:4]
