"""Programs a chip over STK500 version 2 (Atmel's AVR068), as `stk500boot_v2` of the Arduino Mega 2560 speaks it.

The port stays open, since opening it again would reset the board.

A message is START, sequence, length, TOKEN, body, and the exclusive or of all that. `stk500boot_v2` has its own ways:
- Whatever the address, it erases one page each time a page is written, the first one first. So pages are written from
  0 on without a gap.
- The eraser of the whole chip does nothing, and says that it failed. It is not asked.
- A message counts if its sequence is the expected one, or 1.
- `!!!` among the first nine bytes that it gets starts a monitor, and the count of them has 16 bits: it begins again
  after 65,536 bytes, in the midst of a large program. Harmless messages are sent first then, so that `!!!` comes at no
  such place.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import xor

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
from lfc.boards.flash.pages import ERASED, Target, compare, divide_into_pages
from lfc.boards.serial.failure import FlashError, Stage, show_bytes

START, TOKEN = 0x1B, 0x0E
SIGN_ON = 0x01
LOAD_ADDRESS = 0x06
ENTER_PROGRAMMING = 0x10
LEAVE_PROGRAMMING = 0x11
PROGRAM_FLASH = 0x13
READ_FLASH = 0x14
READ_SIGNATURE = 0x1B
OK = 0x00

LARGE = 1 << 31  # of an address: the flash has more than 64 K words
WORDS_WITHOUT = 1 << 16
PROGRAM_PARAMETERS = bytes(
    [0xC1, 10, 0x40, 0x4C, 0x20, 0xFF, 0xFF]
)  # of a programmer for SPI; a boot loader ignores them
ENTER_PARAMETERS = bytes([200, 100, 25, 32, 0, 0x53, 3, 0xAC, 0x53, 0, 0])  # likewise
SYNC_TIMEOUT = 0.25
ANSWER_TIMEOUT = 2.0
FIRST_SEQUENCE = 1
MONITOR = b"!!!"
MONITOR_COUNT = 10  # a count below it is dangerous
COUNTS = 1 << 16


def flash(port: Port, target: Target, content: Mapping[int, bytes], progress: Progress = no_progress) -> int:
    """Writes, reads back and starts the program; the number of bytes written. The board has just been reset."""
    pages = without_gaps(divide_into_pages(content, target), target)
    boot_loader = BootLoader(port, large=target.usable // 2 > WORDS_WITHOUT)
    boot_loader.synchronise()
    boot_loader.check_signature(target)
    boot_loader.command("erase", bytes([ENTER_PROGRAMMING]) + ENTER_PARAMETERS)  # each page is erased as it is written
    total = len(pages) * target.page
    for done, (address, page) in enumerate(pages.items()):
        progress("write", done * target.page, total)
        boot_loader.write_page(address, page)
    for done, (address, page) in enumerate(pages.items()):
        progress("verify", done * target.page, total)
        compare(address, page, boot_loader.read_page(address, len(page)))
    progress("verify", total, total)
    boot_loader.command("start", bytes([LEAVE_PROGRAMMING, 1, 1]))
    return total


def without_gaps(pages: Mapping[int, bytes], target: Target) -> dict[int, bytes]:
    """From address 0 to the last page."""
    end = max(pages, default=-target.page) + target.page
    empty = bytes([ERASED] * target.page)
    return {address: pages.get(address, empty) for address in range(0, end, target.page)}


class BootLoader:
    """The other end of the line. Counts what it gets."""

    def __init__(self, port: Port, large: bool) -> None:
        self._port = port
        self._large = large
        self._sequence = FIRST_SEQUENCE
        self._certain = 0  # bytes that it must have counted
        self._address = -1  # of its next page; -1: not known
        self._uncertain = 0  # bytes of attempts before: it has counted none, some or all of them

    def synchronise(self) -> None:
        """Asks until it answers. What the program before said on the line is thrown away."""
        heard = b""
        message = encode_message(FIRST_SEQUENCE, bytes([SIGN_ON]))
        for _ in range(SYNC_ATTEMPTS):
            discard_input(self._port)
            write(self._port, "sync", message)
            heard = read(self._port, "sync", 5, SYNC_TIMEOUT)
            if heard[:2] == bytes([START, FIRST_SEQUENCE]) and len(heard) == 5:
                heard += read(self._port, "sync", int.from_bytes(heard[2:4], "big") + 1, SYNC_TIMEOUT)
                if heard == encode_message(FIRST_SEQUENCE, heard[5:-1]) and heard[5:7] == bytes([SIGN_ON, OK]):
                    discard_input(self._port)  # answers to earlier questions
                    self._certain = len(message)
                    self._sequence = FIRST_SEQUENCE + 1
                    return
            self._uncertain += len(message)
        raise FlashError(
            "sync",
            "the boot loader does not respond",
            expected=f"{show_bytes(bytes([START, FIRST_SEQUENCE]))} and its name",
            received=shortened(heard),
            remedy="check that board and port are the right ones; press reset as flashing starts if the board has no "
            "DTR line",
        )

    def check_signature(self, target: Target) -> None:
        found = b""
        for number in range(len(target.signature)):
            request = bytes([READ_SIGNATURE, 4, 0x30, 0, number, 0])
            found += self.command("signature", request, 2)[:1]
        if found != target.signature:
            raise FlashError(
                "signature",
                "this is another chip",
                expected=show_bytes(target.signature),
                received=show_bytes(found),
                remedy="choose the right board",
            )

    def write_page(self, address: int, page: bytes) -> None:
        self._load_address("write", address)
        size = len(page).to_bytes(2, "big")
        self.command("write", bytes([PROGRAM_FLASH]) + size + PROGRAM_PARAMETERS + page)
        self._address = address + len(page)

    def read_page(self, address: int, size: int) -> bytes:
        self._load_address("verify", address)
        found = self.command("verify", bytes([READ_FLASH, *size.to_bytes(2, "big"), 0x20]), size + 1)[:-1]
        self._address = address + size
        return found

    def _load_address(self, stage: Stage, address: int) -> None:
        """Counts words. Behind a page the boot loader is at the next one by itself."""
        if address != self._address:
            word = address // 2 | (LARGE if self._large else 0)
            self.command(stage, bytes([LOAD_ADDRESS]) + word.to_bytes(4, "big"))

    def command(self, stage: Stage, body: bytes, answer_size: int = 0) -> bytes:
        """What comes behind the command and its status in the answer."""
        message = encode_message(self._sequence, body)
        while monitor_may_start(message, self._certain, self._uncertain) and body != bytes([SIGN_ON]):
            self.command(stage, bytes([SIGN_ON]), 9)
            message = encode_message(self._sequence, body)
        write(self._port, stage, message)
        self._certain += len(message)
        answer = read(self._port, stage, answer_size + 8, ANSWER_TIMEOUT)
        expected = f"{answer_size + 8} bytes from {show_bytes(bytes([START, self._sequence]))}"
        good = answer[:1] == bytes([START]) and len(answer) >= 8 and decode_message(self._sequence, answer)
        if good and answer[5] == body[0] and answer[6] == OK and len(answer) == answer_size + 8:
            self._sequence = self._sequence + 1 & 0xFF
            return answer[7:-1]
        if not answer:
            message_text = "the boot loader stopped responding"
        elif good and answer[5] == body[0] and answer[6] != OK:
            message_text = f"the boot loader refuses, with status {answer[6]:02X}H"
        elif len(answer) < answer_size + 8:
            message_text = "the boot loader's response is truncated"
        else:
            message_text = "the boot loader's response is corrupt"
        raise FlashError(stage, message_text, expected=expected, received=shortened(answer), remedy=remedy_of(stage))


def encode_message(sequence: int, body: bytes) -> bytes:
    content = bytes([START, sequence, *len(body).to_bytes(2, "big"), TOKEN]) + body
    return content + bytes([reduce(xor, content)])


def decode_message(sequence: int, message: bytes) -> bytes | None:
    """The body; None: it is no whole message of that sequence."""
    size = int.from_bytes(message[2:4], "big")
    return message[5:-1] if message == encode_message(sequence, message[5 : 5 + size]) else None


def monitor_may_start(message: bytes, certain: int, uncertain: int) -> bool:
    """Whether `!!!` in it may come where the boot loader's count of bytes is small. The first one is 1."""
    at = message.find(MONITOR)
    while at >= 0:
        least = certain + at + len(MONITOR)  # the count of the last `!`
        if any(count % COUNTS < MONITOR_COUNT for count in range(least, least + uncertain + 1)):
            return True
        at = message.find(MONITOR, at + 1)
    return False
