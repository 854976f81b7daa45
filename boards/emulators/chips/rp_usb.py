"""The USB controller of the RP2040 as a device, for the built-in simulator. A packet with the wrong one of DATA0 and
DATA1 is acknowledged and dropped, as a second copy of the one before would be."""

from __future__ import annotations

from lfc.boards.emulators.chips.cortexm_devices import Devices

MEMORY, MEMORY_SIZE, USB, USB_LINE = 0x50100000, 0x1000, 0x50110000, 5
MAIN_CONTROL, LINE_CONTROL, LINE_STATUS, BUFFERS, ENABLED, FORCED = (
    USB + offset for offset in (0x40, 0x4C, 0x50, 0x58, 0x90, 0x94)
)
PULLED_UP, BUS_RESET, REQUESTED = 1 << 16, 1 << 19, 1 << 17
FULL, DATA1, STALLED, GIVEN_AWAY, COUNT = 1 << 15, 1 << 13, 1 << 11, 1 << 10, 0x3FF


class Rp2040Usb:
    def __init__(self, devices: Devices) -> None:
        self.devices = devices
        self.status = self.done = 0
        self.data1: dict[
            tuple[int, bool], bool
        ] = {}  # whether the next packet is; by endpoint, and whether it receives
        devices.reads[LINE_STATUS] = lambda _: self.status
        devices.reads[BUFFERS] = lambda _: self.done
        devices.writes[LINE_STATUS], devices.writes[BUFFERS] = self._forget, self._handled

    def _forget(self, value: int) -> None:
        self.status &= ~value

    def _handled(self, value: int) -> None:
        self.done &= ~value

    def calls(self) -> bool:
        why = bool(self.done) << 4 | bool(self.status & BUS_RESET) << 12 | bool(self.status & REQUESTED) << 16
        return bool(why & self._word(ENABLED) | self._word(FORCED))

    def _word(self, at: int) -> int:
        return self.devices.registers.get(at, 0)

    def _control(self, endpoint: int, receives: bool) -> int:
        return MEMORY + 0x80 + 8 * endpoint + 4 * receives

    def _area(self, endpoint: int, receives: bool) -> int:
        if endpoint == 0:
            return MEMORY + 0x100
        return MEMORY + (self._word(MEMORY + 8 * endpoint + 4 * receives) & 0xFFC0)

    def _put(self, at: int, packet: bytes) -> None:
        for i in range(0, len(packet), 4):
            self.devices.registers[at + i] = int.from_bytes(packet[i : i + 4], "little")

    def is_attached(self) -> bool:
        return bool(self._word(MAIN_CONTROL) & 1 and self._word(LINE_CONTROL) & PULLED_UP)

    def reset(self) -> None:
        self.status |= BUS_RESET
        self.data1 = {}

    def request(self, request: bytes) -> None:
        self._put(MEMORY, request)
        self.data1[0, False] = self.data1[0, True] = True
        if request[:2] == bytes([0, 9]):  # a new configuration: all others begin with DATA0
            self.data1 = {(0, False): True, (0, True): True}
        self.status |= REQUESTED

    def has_packet(self, endpoint: int) -> bool:
        return bool(self._word(self._control(endpoint, False)) & GIVEN_AWAY)

    def _is_wanted(self, endpoint: int, receives: bool, word: int) -> bool:
        """Whether it is the next packet, and no copy of the one before."""
        expected = self.data1.get((endpoint, receives), False)
        if bool(word & DATA1) != expected:
            return False
        self.data1[endpoint, receives] = not expected
        return True

    def take(self, endpoint: int) -> bytes | None:
        at = self._control(endpoint, False)
        word = self._word(at)
        if not word & GIVEN_AWAY or word & STALLED:
            return None
        area = self._area(endpoint, False)
        words = b"".join(self._word(area + i).to_bytes(4, "little") for i in range(0, 64, 4))
        self.devices.registers[at] = word & ~(GIVEN_AWAY | FULL)
        self.done |= 1 << 2 * endpoint
        return words[: word & COUNT] if self._is_wanted(endpoint, False, word) else None

    def give(self, endpoint: int, packet: bytes) -> bool:
        at = self._control(endpoint, True)
        word = self._word(at)
        if not word & GIVEN_AWAY or word & STALLED:
            return False
        if not self._is_wanted(endpoint, True, word):
            return True  # the device takes it for a copy
        self._put(self._area(endpoint, True), packet)
        self.devices.registers[at] = word & ~(GIVEN_AWAY | COUNT) | FULL | len(packet)
        self.done |= 2 << 2 * endpoint
        return True
