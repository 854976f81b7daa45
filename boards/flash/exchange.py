"""Bytes to and from a boot loader, with a time for everything and errors that name the stage."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from lfc.boards.serial.failure import FlashError, Stage, show_bytes

SYNC_ATTEMPTS = 10
CABLE = "check the cable and the power of the board"
WRITE_AGAIN = "what is in the flash now is neither the old program nor the new one: flash again; " + CABLE

Progress = Callable[[Stage, int, int], None]  # stage, bytes done, bytes in all


class Port(Protocol):
    """Anything with `write`, `read` and `timeout` like pyserial's."""

    timeout: float | None

    def write(self, data: bytes, /) -> int | None: ...
    def read(self, size: int = 1, /) -> bytes: ...


def no_progress(stage: Stage, done: int, total: int) -> None:
    """Nobody looks."""


def remedy_of(stage: Stage) -> str:
    return WRITE_AGAIN if stage in ("erase", "write", "verify") else CABLE


def write(port: Port, stage: Stage, data: bytes) -> None:
    try:
        port.write(data)
    except OSError as error:  # pyserial's own errors are such
        raise went_away(stage, error) from None


def read(port: Port, stage: Stage, size: int, timeout: float) -> bytes:
    """`size` bytes, or fewer when the time is over."""
    data = b""
    deadline = time.monotonic() + timeout
    try:
        while len(data) < size and (left := deadline - time.monotonic()) > 0:
            port.timeout = left
            data += port.read(size - len(data))
    except OSError as error:
        raise went_away(stage, error) from None
    return data


def discard_input(port: Port) -> None:
    """Reads until the line is silent; but not for ever, since a program may talk all the time."""
    for _ in range(SYNC_ATTEMPTS):
        if not read(port, "sync", 256, 0.02):
            return


def went_away(stage: Stage, error: OSError) -> FlashError:
    return FlashError(stage, f"the port disappeared: {error}", remedy=remedy_of(stage))


def shortened(data: bytes) -> str:
    return show_bytes(data) if len(data) <= 8 else f"{len(data)} bytes from {show_bytes(data[:4])}"
