"""A chip with the loader in the ROM of an ESP32-C3 behind a pseudo-terminal, and the flasher that esptool puts into
its RAM.

Written from Espressif's esptool documentation, Serial Protocol. `with EspChip() as chip: ... chip.port`; then
`chip.flash`, `chip.log`. As in a real flash, what is written where it is not erased becomes the old bits and the
new ones.
"""

from __future__ import annotations

import hashlib
import os
import pty
import select
import struct
import threading
import tty
import zlib
from types import TracebackType

END, ESCAPE = 0xC0, 0xDB
SIZE, SECTOR = 4 << 20, 4096
ANSWERS_TO_SYNC, VALUE_OF_ROM = 8, 0x20120707  # the flasher answers once, with 0
FLASH_ID = 0x164020  # of four megabytes
SPI_W0, SPI_COMMAND = 0x6000_2058, 0x6000_2000
SECURITY = struct.Struct("<IB7BII")  # flags, key count, keys, chip, version
WRONG_DIGEST, REFUSES, SILENT = "wrong digest", "refuses", "silent"


class EspChip:
    """`chip`: its number. `damage`: what it does wrong. `says`: what it says when it is reset into its program."""

    def __init__(self, chip: int = 5, damage: str = "") -> None:
        self.chip, self.damage = chip, damage
        self.flash = bytearray(b"\0" * SIZE)  # not erased: something was there before
        self.registers: dict[int, int] = {}
        self.log: list[str] = []
        self._ram = self._stub = False
        self._at = self._left = 0
        self._compressed: zlib._Decompress | None = None
        self._ended = threading.Event()

    def __enter__(self) -> EspChip:
        self._line, slave = pty.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave = slave  # held, so that the line lives on between two openings
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        os.close(self._line)
        os.close(self._slave)

    def say(self, text: bytes) -> None:
        os.write(self._line, text)

    # --- packets (SLIP) ---

    def _run(self) -> None:
        packet = bytearray()
        while not self._ended.is_set():
            if not select.select([self._line], [], [], 0.05)[0]:
                continue
            for byte in os.read(self._line, 4096):
                if byte != END:
                    packet.append(byte)
                elif packet:
                    if self.damage != SILENT:
                        self._request(bytes(packet).replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb"))
                    packet.clear()

    def _send(self, packet: bytes) -> None:
        escaped = packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc")
        whole = bytes([END]) + escaped + bytes([END])
        while whole:
            whole = whole[os.write(self._line, whole) :]

    def _request(self, packet: bytes) -> None:
        if len(packet) < 8 or packet[0] != 0:
            return
        _, command, size, _ = struct.unpack("<BBHI", packet[:8])
        value, data, wrong = self._answer(command, packet[8 : 8 + size])
        status = bytes([1 if wrong else 0, 6 if wrong else 0]) + (b"" if self._stub else b"\0\0")
        answer = struct.pack("<BBHI", 1, command, len(data) + len(status), value) + data + status
        for _ in range(ANSWERS_TO_SYNC if command == 0x08 and not self._stub else 1):
            self._send(answer)
        if command == 0x06 and self._ram:
            self._stub = True
            self.log.append("flasher")
            self._send(b"OHAI")

    # --- commands ---

    def _answer(self, command: int, data: bytes) -> tuple[int, bytes, bool]:
        words = struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
        if command == 0x08:
            return 0 if self._stub else VALUE_OF_ROM, b"", False
        if command == 0x0A:
            return self._register(words[0]), b"", False
        if command == 0x09:
            self.registers[words[0]] = words[1]
        elif command == 0x14:
            return 0, SECURITY.pack(0, 0, *[0] * 7, self.chip, 0), False
        elif command == 0x05:
            self._ram = True
        elif command == 0x13:
            return 0, self._digest(words[0], words[1]), False
        elif command in (0x02, 0x10):
            return 0, b"", not self._begin(command, words)
        elif command in (0x03, 0x11):
            return 0, b"", not self._data(command, data[16 : 16 + words[0]])
        return 0, b"", False

    def _register(self, address: int) -> int:
        if address == SPI_W0 and self.registers.get(SPI_COMMAND):
            return FLASH_ID
        return 0 if address == SPI_COMMAND else self.registers.get(address, 0)

    def _begin(self, command: int, words: tuple[int, ...]) -> bool:
        if self.damage == REFUSES:
            return False
        size, self._at = words[0], words[3]
        self.flash[self._at : self._at + -(-size // SECTOR) * SECTOR] = b"\xff" * (-(-size // SECTOR) * SECTOR)
        self._compressed = zlib.decompressobj() if command == 0x10 else None
        self._left = size
        self.log.append(f"begin {self._at:#x}")
        return True

    def _data(self, command: int, content: bytes) -> bool:
        if self._compressed is not None:
            content = self._compressed.decompress(content)
        for byte in content[: self._left]:
            self.flash[self._at] &= byte
            self._at += 1
        self._left -= len(content)
        return True

    def _digest(self, at: int, size: int) -> bytes:
        found = hashlib.md5(self.flash[at : at + size]).digest()
        if self.damage == WRONG_DIGEST:
            found = bytes(16)
        return found if self._stub else found.hex().encode()
