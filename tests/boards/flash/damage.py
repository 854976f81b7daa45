"""Flashing over a line with one fault: an error, or the program is in the flash."""

from __future__ import annotations

import time
from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.simavr import SimavrOnTerminal
from lfc.boards.flash import stk500v1, stk500v2
from lfc.boards.flash.pages import Target
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.open_port import open_port, pulse_dtr
from lfc.link.link import Image
from tests.boards.flash.boot_loaders import MEGA_BOOT, UNO_BOOT, DamagingPort, optiboot, stk500boot

LOADERS: dict[str, tuple[Callable[[], bytes], int, Callable[..., int]]] = {
    "uno": (optiboot, UNO_BOOT, stk500v1.flash),
    "mega2560": (stk500boot, MEGA_BOOT, stk500v2.flash),
}
KINDS = ("drop", "repeat", "flip", "silent", "close")
STAGES = ("sync", "signature", "erase", "write", "verify", "start")
LONGEST = 60.0  # seconds; a failure takes some three, but the machine may be busy


def flash_damaged(board: Board, image: Image, target: Target, damage: tuple[str, int, bool, int]) -> str:
    """How it ended; what must hold is asserted."""
    boot_loader, boot, flash = LOADERS[board.name]
    kind, at, to_board, bit = damage
    began = time.monotonic()
    with SimavrOnTerminal(board, boot_loader(), boot=boot) as chip:
        with open_port(chip.port, board.flashing.baud) as port:
            pulse_dtr(port)
            line = DamagingPort(port, chip, kind, at, to_board, bit)
            try:
                flash(line, target, image.flash)
                end = "done"
            except FlashError as error:
                assert error.stage in STAGES and error.message and error.remedy, error
                end = error.stage
        chip.stop()
        content = chip.flash
    assert time.monotonic() - began < LONGEST, damage
    if end == "done":
        right = all(content[a : a + len(piece)] == piece for a, piece in image.flash.items())
        assert right, f"called right, and is not: {damage}"
    return end


def lengths(board: Board, image: Image, target: Target) -> dict[bool, int]:
    """Bytes in either direction, of a flashing that nothing disturbs."""
    boot_loader, boot, flash = LOADERS[board.name]
    with SimavrOnTerminal(board, boot_loader(), boot=boot) as chip, open_port(chip.port, board.flashing.baud) as port:
        pulse_dtr(port)
        line = DamagingPort(port, None, "flip", 1 << 30, True)
        flash(line, target, image.flash)
    return line.passed
