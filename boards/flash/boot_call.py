"""Asks a board that runs, with its console over USB, for its boot loader: 1,200 bits a second, and then nobody ready.
So Arduinos are asked; what the board does then is in runtime/ports/usb/control.h."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import serial

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import USB
from lfc.boards.flash.drive import POLL, Drive, is_of, mounted_drives
from lfc.boards.serial.open_port import open_port
from lfc.boards.serial.ports import PortInfo

RATE = 1200
PATIENCE = 10.0  # seconds until its drive is mounted


def call_boot_loader(
    board: Board,
    ports: Sequence[PortInfo],
    drives: Callable[[], Sequence[Drive]] = mounted_drives,
    opened: Callable[[str, int], serial.Serial] = open_port,
    patience: float = PATIENCE,
) -> bool:
    """Whether it was asked: there was no drive of it, and one port that shows itself as its program does."""

    def is_there() -> bool:
        return any(is_of(board, drive) for drive in drives())

    if board.console.uart != USB or is_there():
        return False
    found = [p for p in ports if p.usb == board.console.usb_id and p.permitted and not p.user]
    if len(found) != 1:
        return False
    port = opened(found[0].name, RATE)
    with suppress(OSError):  # it may be gone already
        port.dtr = True
        port.dtr = False
    with suppress(OSError):
        port.close()
    end = time.monotonic() + patience
    while not is_there() and time.monotonic() < end:
        time.sleep(POLL)
    return True
