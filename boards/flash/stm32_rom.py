"""Programs an STM32 by the boot loader in its ROM, over a USART (ST's AN3155).

The line has eight bits and even parity. The host sends 7FH once, by which the ROM measures the speed; then
commands, each a byte and its complement. Each part is answered by ACK or NACK, and has an exclusive or as checksum.
The ROM runs after a reset with BOOT0 high. Programming never erases: that is a command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor

from lfc.boards.flash.exchange import Port, Progress, discard_input, no_progress, read, remedy_of, shortened, write
from lfc.boards.flash.pages import Target, compare, divide_into_pages
from lfc.boards.serial.failure import FlashError, Stage, show_bytes

ACK, NACK, INITIALISE = 0x79, 0x1F, 0x7F
GET, GET_ID, READ, GO, WRITE, ERASE, EXTENDED_ERASE = 0x00, 0x02, 0x11, 0x21, 0x31, 0x43, 0x44
PIECE = 256  # bytes in one command at most
ATTEMPTS = 5
SYNC_TIMEOUT = 0.5
ANSWER_TIMEOUT = 2.0
ERASE_TIMEOUT = 5.0  # for one sector: 128 KB of an STM32F4 take up to four seconds
ERASED_AT_ONCE = 8  # sectors in one command
KILO = 1024
SECTORS = {0x413: (*[16 * KILO] * 4, 64 * KILO, *[128 * KILO] * 7)}  # of a chip whose sectors are not alike
BOOT0 = "BOOT0 must be high and the board reset, and the adapter at USART1, with wires crossed"


@dataclass(frozen=True, slots=True)
class RomTarget:
    identity: int  # of the product
    start: int
    size: int
    page: int  # where all are alike

    def sector_sizes(self) -> Sequence[int]:
        return SECTORS.get(self.identity) or [self.page] * (self.size // self.page)


def flash(port: Port, target: RomTarget, content: Mapping[int, bytes], progress: Progress = no_progress) -> int:
    """Erases the sectors that the program lies in, writes, reads back, starts; the number of bytes written."""
    within = {address - target.start: piece for address, piece in content.items()}
    pieces = divide_into_pages(within, Target(b"", PIECE, target.size))
    synchronise(port)
    commands = _get(port)
    check_identity(port, target)
    erase(port, touched(target, pieces), EXTENDED_ERASE in commands, progress)
    total = len(pieces) * PIECE
    for done, (offset, piece) in enumerate(pieces.items()):
        progress("write", done * PIECE, total)
        _command(port, "write", WRITE)
        _send_address(port, "write", target.start + offset)
        _send_checked(port, "write", bytes([len(piece) - 1]) + piece)
    for done, (offset, piece) in enumerate(pieces.items()):
        progress("verify", done * PIECE, total)
        _command(port, "verify", READ)
        _send_address(port, "verify", target.start + offset)
        _send(port, "verify", bytes([len(piece) - 1, len(piece) - 1 ^ 0xFF]))
        compare(target.start + offset, piece, _take(port, "verify", len(piece)))
    progress("verify", total, total)
    _command(port, "start", GO)
    _send_address(port, "start", target.start)
    return total


def synchronise(port: Port) -> None:
    """A ROM that has measured the speed before takes 7FH for a command, and refuses: it is there as well."""
    heard = b""
    for _ in range(ATTEMPTS):
        discard_input(port)
        write(port, "sync", bytes([INITIALISE]))
        heard = read(port, "sync", 1, SYNC_TIMEOUT)
        if heard in (bytes([ACK]), bytes([NACK])):
            return
    raise FlashError(
        "sync", "the ROM does not respond", expected=show_bytes(bytes([ACK])), received=show_bytes(heard), remedy=BOOT0
    )


def _get(port: Port) -> bytes:
    """The commands that it knows, behind its version."""
    _command(port, "sync", GET)
    count = _take(port, "sync", 1)[0]
    return _take_and_ack(port, "sync", count + 1)[1:]


def check_identity(port: Port, target: RomTarget) -> None:
    _command(port, "signature", GET_ID)
    count = _take(port, "signature", 1)[0]
    found = _take_and_ack(port, "signature", count + 1)
    if int.from_bytes(found, "big") != target.identity:
        raise FlashError(
            "signature",
            "this is another chip",
            expected=f"{target.identity:04X}",
            received=found.hex().upper(),
            remedy="choose the right board",
        )


def touched(target: RomTarget, pieces: Mapping[int, bytes]) -> list[int]:
    """The numbers of the sectors that something lies in."""
    numbers = []
    start = 0
    for number, size in enumerate(target.sector_sizes()):
        if any(start <= offset < start + size for offset in pieces):
            numbers.append(number)
        start += size
    return numbers


def erase(port: Port, sectors: Sequence[int], extended: bool, progress: Progress = no_progress) -> None:
    for at in range(0, len(sectors), ERASED_AT_ONCE):
        some = sectors[at : at + ERASED_AT_ONCE]
        progress("erase", at, len(sectors))
        width = 2 if extended else 1
        _command(port, "erase", EXTENDED_ERASE if extended else ERASE)
        numbers = b"".join(n.to_bytes(width, "big") for n in (len(some) - 1, *some))
        _send(port, "erase", numbers + bytes([reduce(xor, numbers)]), ERASE_TIMEOUT * len(some))


def _command(port: Port, stage: Stage, command: int) -> None:
    _send(port, stage, bytes([command, command ^ 0xFF]))


def _send_address(port: Port, stage: Stage, address: int) -> None:
    _send_checked(port, stage, address.to_bytes(4, "big"))


def _send_checked(port: Port, stage: Stage, data: bytes) -> None:
    _send(port, stage, data + bytes([reduce(xor, data)]))


def _send(port: Port, stage: Stage, data: bytes, timeout: float = ANSWER_TIMEOUT) -> None:
    write(port, stage, data)
    _expect_ack(port, stage, timeout)


def _expect_ack(port: Port, stage: Stage, timeout: float = ANSWER_TIMEOUT) -> None:
    answer = read(port, stage, 1, timeout)
    if answer == bytes([ACK]):
        return
    refused = answer == bytes([NACK])
    message = "the ROM stopped responding" if not answer else "the ROM refuses" if refused else "a wrong response"
    protected = "the flash may be protected against reading or writing; " if refused else ""
    raise FlashError(
        stage,
        message,
        expected=show_bytes(bytes([ACK])),
        received=show_bytes(answer),
        remedy=protected + remedy_of(stage),
    )


def _take(port: Port, stage: Stage, size: int) -> bytes:
    found = read(port, stage, size, ANSWER_TIMEOUT)
    if len(found) < size:
        raise FlashError(
            stage,
            "the ROM's response is truncated",
            expected=f"{size} bytes",
            received=shortened(found),
            remedy=remedy_of(stage),
        )
    return found


def _take_and_ack(port: Port, stage: Stage, size: int) -> bytes:
    found = _take(port, stage, size)
    _expect_ack(port, stage)
    return found
