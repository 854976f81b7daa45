"""A chip with an STM32's boot loader in ROM, behind a pseudo-terminal. Written from ST's AN3155, apart from our side.

`with RomChip(...) as chip: ... chip.port`; then `chip.flash`, `chip.started`, `chip.log`. As in a real flash, what is
written where it is not erased becomes the old bits and the new ones.
"""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
from types import TracebackType

ACK, NACK = b"\x79", b"\x1f"
START = 0x0800_0000


class RomChip:
    def __init__(self, identity: int, size: int, page: int, extended: bool = False) -> None:
        self.identity, self.page, self.extended = identity, page, extended
        self.flash = bytearray(b"\0" * size)  # not erased: something was there before
        self.sectors = [page] * (size // page)
        self.started: int | None = None
        self.log: list[str] = []
        self._synchronised = False
        self._ended = threading.Event()

    def __enter__(self) -> RomChip:
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

    # --- the line ---

    def _byte(self) -> int:
        while not self._ended.is_set():
            there, _, _ = select.select([self._line], [], [], 0.05)
            if there:
                return os.read(self._line, 1)[0]
        raise EndOfChip

    def _bytes(self, count: int) -> bytes:
        return bytes(self._byte() for _ in range(count))

    def _say(self, data: bytes) -> None:
        os.write(self._line, data)

    def _run(self) -> None:
        try:
            while True:
                self._command()
        except EndOfChip:
            pass

    # --- AN3155 ---

    def _command(self) -> None:
        first = self._byte()
        if not self._synchronised:
            if first == 0x7F:
                self._synchronised = True
                self._say(ACK)
            return
        if self._byte() != first ^ 0xFF:
            self._say(NACK)
            return
        known = self._known()
        if first not in known:
            self._say(NACK)
            return
        self._say(ACK)
        {0x00: self._get, 0x01: self._version, 0x02: self._get_id, 0x11: self._read, 0x21: self._go}.get(
            first, {0x31: self._write, 0x43: self._erase, 0x44: self._erase_extended}.get(first, self._nothing)
        )()

    def _known(self) -> bytes:
        return bytes([0x00, 0x01, 0x02, 0x11, 0x21, 0x31, 0x44 if self.extended else 0x43])

    def _get(self) -> None:
        known = self._known()
        self._say(bytes([len(known), 0x22 if not self.extended else 0x31]) + known + ACK)

    def _version(self) -> None:
        self._say(b"\x22\0\0" + ACK)

    def _get_id(self) -> None:
        self._say(b"\x01" + self.identity.to_bytes(2, "big") + ACK)

    def _nothing(self) -> None:
        self._say(NACK)

    def _address(self) -> int | None:
        data = self._bytes(5)
        if checksum(data[:4]) != data[4]:
            self._say(NACK)
            return None
        address = int.from_bytes(data[:4], "big")
        if not START <= address < START + len(self.flash):
            self._say(NACK)
            return None
        self._say(ACK)
        return address - START

    def _read(self) -> None:
        offset = self._address()
        if offset is None:
            return
        count, complement = self._bytes(2)
        if complement != count ^ 0xFF:
            self._say(NACK)
            return
        self._say(ACK + bytes(self.flash[offset : offset + count + 1]))

    def _go(self) -> None:
        offset = self._address()
        if offset is not None:
            self.started = START + offset
            self.log.append("go")
            self._synchronised = False

    def _write(self) -> None:
        offset = self._address()
        if offset is None:
            return
        count = self._byte()
        data = self._bytes(count + 1)
        if self._byte() != checksum(bytes([count]) + data) or offset % 4 or len(data) % 4:
            self._say(NACK)
            return
        for at, byte in enumerate(data, offset):
            self.flash[at] &= byte  # what was not erased cannot become 1
        self.log.append("write")
        self._say(ACK)

    def _erase(self) -> None:
        count = self._byte()
        if count == 0xFF:
            self._byte()
            self._erase_sectors(range(len(self.sectors)))
            return
        numbers = self._bytes(count + 1)
        if self._byte() != checksum(bytes([count]) + numbers):
            self._say(NACK)
            return
        self._erase_sectors(numbers)

    def _erase_extended(self) -> None:
        head = self._bytes(2)
        count = int.from_bytes(head, "big")
        if count >= 0xFFF0:
            self._byte()
            self._erase_sectors(range(len(self.sectors)))
            return
        data = self._bytes(2 * (count + 1))
        if self._byte() != checksum(head + data):
            self._say(NACK)
            return
        self._erase_sectors([int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)])

    def _erase_sectors(self, numbers: object) -> None:
        assert isinstance(numbers, (bytes, list, range))
        for number in numbers:
            start = sum(self.sectors[:number])
            self.flash[start : start + self.sectors[number]] = b"\xff" * self.sectors[number]
        self.log.append(f"erase {' '.join(map(str, numbers))}")
        self._say(ACK)


class EndOfChip(Exception):
    """The test is over."""


def checksum(data: bytes) -> int:
    result = 0
    for byte in data:
        result ^= byte
    return result
