"""Programs a chip over STK500 version 1, as Optiboot and the older Arduino boot loaders speak it.

May import: `failure`. The port is anything with `write`, `read` and `timeout` like pyserial's; it stays open, since
opening it again would reset the board.

A command is its bytes and EOP; the answer is INSYNC, what was asked for, OK. Nothing else is ever said, there is no
checksum: so what was written is always read back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from lfc.boards.flash.failure import FlashError, Stage, show_bytes

OK = 0x10
IN_SYNC = 0x14
NO_SYNC = 0x15
END_OF_COMMAND = 0x20
GET_SYNC = 0x30
ENTER_PROGRAMMING = 0x50
LEAVE_PROGRAMMING = 0x51
LOAD_ADDRESS = 0x55
PROGRAM_PAGE = 0x64
READ_PAGE = 0x74
READ_SIGNATURE = 0x75

ERASED = 0xFF
SYNC_ATTEMPTS = 10
SYNC_TIMEOUT = 0.2  # seconds for one attempt; the boot loader gives up listening after about one second
ANSWER_TIMEOUT = 1.0
CABLE = "check the cable and the power of the board"

Progress = Callable[[Stage, int, int], None]  # stage, bytes done, bytes in all


class Port(Protocol):
    timeout: float | None

    def write(self, data: bytes, /) -> int | None: ...
    def read(self, size: int = 1, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Target:
    """What the flasher knows of the chip."""

    signature: bytes
    page: int
    usable: int  # bytes from address 0 that are not the boot loader's


def flash(
    port: Port, target: Target, content: Mapping[int, bytes], progress: Progress = lambda stage, done, total: None
) -> int:
    """Writes, reads back and starts the program; the number of bytes written. The board has just been reset."""
    pages = divide_into_pages(content, target)
    synchronise(port)
    check_signature(port, target)
    _command(port, "erase", bytes([ENTER_PROGRAMMING]))  # the boot loader erases each page as it writes it
    total = len(pages) * target.page
    for done, (address, page) in enumerate(pages.items()):
        progress("write", done * target.page, total)
        _load_address(port, "write", address)
        _command(port, "write", bytes([PROGRAM_PAGE, *len(page).to_bytes(2, "big"), ord("F")]) + page)
    for done, (address, page) in enumerate(pages.items()):
        progress("verify", done * target.page, total)
        _load_address(port, "verify", address)
        request = bytes([READ_PAGE, *len(page).to_bytes(2, "big"), ord("F")])
        _compare(address, page, _command(port, "verify", request, len(page)))
    progress("verify", total, total)
    _command(port, "start", bytes([LEAVE_PROGRAMMING]))
    return total


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


def synchronise(port: Port) -> None:
    """Asks until the boot loader answers. What the program before said on the line is thrown away."""
    heard = b""
    for _ in range(SYNC_ATTEMPTS):
        _discard_input(port)
        _write(port, "sync", bytes([GET_SYNC, END_OF_COMMAND]))
        heard = _read(port, "sync", 2, SYNC_TIMEOUT)
        if heard == bytes([IN_SYNC, OK]):
            # An answer to an earlier question may still be under way: it must not count for the next.
            _discard_input(port)
            return
    remedy = "check that board and port are the right ones; press reset as flashing starts if the board has no DTR line"
    raise FlashError(
        "sync",
        "the boot loader does not answer",
        expected=show_bytes(bytes([IN_SYNC, OK])),
        received=show_bytes(heard),
        remedy=remedy,
    )


def check_signature(port: Port, target: Target) -> None:
    found = _command(port, "signature", bytes([READ_SIGNATURE]), len(target.signature))
    if found != target.signature:
        raise FlashError(
            "signature",
            "this is another chip",
            expected=show_bytes(target.signature),
            received=show_bytes(found),
            remedy="choose the right board",
        )


def _load_address(port: Port, stage: Stage, address: int) -> None:
    _command(port, stage, bytes([LOAD_ADDRESS]) + (address // 2).to_bytes(2, "little"))  # counts words


def _compare(address: int, written: bytes, read: bytes) -> None:
    for at, expected, found in _differences(written, read):
        raise FlashError(
            "verify",
            f"the flash differs at {address + at:#06x}",
            expected=f"{expected:02X}",
            received=f"{found:02X}",
            remedy="flash again; if it stays so, the flash is worn out",
        )


def _differences(written: bytes, read: bytes) -> Iterator[tuple[int, int, int]]:
    for at, (expected, found) in enumerate(zip(written, read, strict=True)):
        if expected != found:
            yield at, expected, found


def _command(port: Port, stage: Stage, command: bytes, answer_size: int = 0) -> bytes:
    """Sends a command; returns what comes between INSYNC and OK."""
    _write(port, stage, command + bytes([END_OF_COMMAND]))
    answer = _read(port, stage, answer_size + 2, ANSWER_TIMEOUT)
    if len(answer) == answer_size + 2 and answer[0] == IN_SYNC and answer[-1] == OK:
        return answer[1:-1]
    if not answer:
        message = "the boot loader has stopped answering"
    elif answer[0] == NO_SYNC:
        message = "the boot loader lost step"
    elif len(answer) < answer_size + 2:
        message = "the answer of the boot loader is cut off"
    else:
        message = "the boot loader answers wrongly"
    raise FlashError(
        stage,
        message,
        expected=f"{IN_SYNC:02X}, {answer_size} bytes, {OK:02X}",
        received=show_bytes(answer) if len(answer) <= 8 else f"{len(answer)} bytes from {show_bytes(answer[:4])}",
        remedy=CABLE,
    )


def _write(port: Port, stage: Stage, data: bytes) -> None:
    try:
        port.write(data)
    except OSError as error:  # pyserial's own errors are such
        raise FlashError(stage, f"the port went away: {error}", remedy=CABLE) from None


def _read(port: Port, stage: Stage, size: int, timeout: float) -> bytes:
    """`size` bytes, or fewer when the time is over."""
    data = b""
    deadline = time.monotonic() + timeout
    try:
        while len(data) < size and (left := deadline - time.monotonic()) > 0:
            port.timeout = left
            data += port.read(size - len(data))
    except OSError as error:
        raise FlashError(stage, f"the port went away: {error}", remedy=CABLE) from None
    return data


def _discard_input(port: Port) -> None:
    """Reads until the line is silent; but not for ever, since a program may talk all the time."""
    for _ in range(SYNC_ATTEMPTS):
        if not _read(port, "sync", 256, 0.02):
            return
