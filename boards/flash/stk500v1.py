"""Programs a chip over STK500 version 1, as Optiboot and the older Arduino boot loaders speak it.

The port stays open, since opening it again would reset the board.

A command is its bytes and EOP; the answer is INSYNC, what was asked for, OK. Nothing else is ever said, there is no
checksum: so what was written is always read back.
"""

from __future__ import annotations

from collections.abc import Mapping

from lfc.boards.flash.exchange import (
    SYNC_ATTEMPTS,
    Port,
    Progress,
    discard_input,
    no_progress,
    read,
    remedy_of,
    shortened,
    write,
)
from lfc.boards.flash.pages import Target, compare, divide_into_pages
from lfc.boards.serial.failure import FlashError, Stage, show_bytes

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

SYNC_TIMEOUT = 0.2  # seconds for one attempt; the boot loader gives up listening after about one second
ANSWER_TIMEOUT = 1.0


def flash(port: Port, target: Target, content: Mapping[int, bytes], progress: Progress = no_progress) -> int:
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
        compare(address, page, _command(port, "verify", request, len(page)))
    progress("verify", total, total)
    _command(port, "start", bytes([LEAVE_PROGRAMMING]))
    return total


def synchronise(port: Port) -> None:
    """Asks until the boot loader answers. What the program before said on the line is thrown away."""
    heard = b""
    for _ in range(SYNC_ATTEMPTS):
        discard_input(port)
        write(port, "sync", bytes([GET_SYNC, END_OF_COMMAND]))
        heard = read(port, "sync", 2, SYNC_TIMEOUT)
        if heard == bytes([IN_SYNC, OK]):
            # An answer to an earlier question may still be under way: it must not count for the next.
            discard_input(port)
            return
    remedy = (
        "check that board and port are the right ones; press reset when flashing starts if the board has no DTR line"
    )
    raise FlashError(
        "sync",
        "the boot loader does not respond",
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


def _command(port: Port, stage: Stage, command: bytes, answer_size: int = 0) -> bytes:
    """Sends a command; returns what comes between INSYNC and OK."""
    write(port, stage, command + bytes([END_OF_COMMAND]))
    answer = read(port, stage, answer_size + 2, ANSWER_TIMEOUT)
    if len(answer) == answer_size + 2 and answer[0] == IN_SYNC and answer[-1] == OK:
        return answer[1:-1]
    if not answer:
        message = "the boot loader stopped responding"
    elif answer[0] == NO_SYNC:
        message = "the boot loader lost synchronisation"
    elif len(answer) < answer_size + 2:
        message = "the boot loader's response is truncated"
    else:
        message = "wrong response from the boot loader"
    raise FlashError(
        stage,
        message,
        expected=f"{IN_SYNC:02X}, {answer_size} bytes, {OK:02X}",
        received=shortened(answer),
        remedy=remedy_of(stage),
    )
