"""The devices of a SAM D21, for the built-in simulator: clocks that are ready, a SERCOM, USB, ports."""

from __future__ import annotations

from lfc.boards.emulators.chips.cortexm_devices import Devices
from lfc.boards.emulators.chips.usb_host import plug_in

CLOCKS_STATUS, CRYSTAL_AND_LOOP_ARE_READY, GENERATORS = 0x4000080C, 0xD2, 0x40000C00
PORTS = (0x41004400, 0x41004480)
READY, RECEIVED, LOST = 1, 4, 4 << 16
USB, USB_LINE = 0x41005000, 7
ON, BUS_RESET = 2, 8
RECEIVED_A_PACKET, SENT_A_PACKET, REQUESTED = 1, 2, 16
BANK_IS_FULL, TO_BE_SENT = 0x40, 0x80
COUNT = 0x3FFF


class Samd21Usb:
    """The controller as a device: endpoints of two banks, in a table in RAM."""

    def __init__(self, devices: Devices) -> None:
        self.devices = devices
        self.flags = 0
        self.endpoints = [0] * 8  # their flags
        self.states = [0] * 8
        devices.writes[USB + 0x1C] = self._forget
        devices.reads[USB + 0x1C] = lambda _: self.flags
        for endpoint in range(8):
            at = USB + 0x100 + 0x20 * endpoint
            devices.reads[at + 4] = lambda _, e=endpoint: self.states[e] << 16 | self.endpoints[e] << 24  # type: ignore[misc]
            devices.writes[at + 4] = lambda v, e=endpoint: self._change(e, v)  # type: ignore[misc]
            devices.writes[at + 8] = lambda v, a=at + 8: devices.change(a, v >> 8 & 0xFF, v & 0xFF)  # type: ignore[misc]

    def _forget(self, value: int) -> None:
        self.flags &= ~value

    def _change(self, endpoint: int, value: int) -> None:
        self.states[endpoint] = self.states[endpoint] & ~(value & 0xFF) | value >> 8 & 0xFF
        self.endpoints[endpoint] &= ~(value >> 24)

    def calls(self) -> bool:
        wanted = self.devices.registers.get(USB + 0x18, 0) & self.flags
        return bool(wanted) or any(
            flags & self.devices.registers.get(USB + 0x108 + 0x20 * n, 0) for n, flags in enumerate(self.endpoints)
        )

    def _bank(self, endpoint: int, bank: int) -> tuple[int, int, int]:
        """Where its buffer is, where its sizes are told, and these."""
        at = self.devices.registers.get(USB + 0x24, 0) + 32 * endpoint + 16 * bank
        get = self.devices.ram.get
        return int.from_bytes(get(at, 4), "little"), at + 4, int.from_bytes(get(at + 4, 4), "little")

    def _put(self, endpoint: int, packet: bytes) -> None:
        buffer, sizes_at, sizes = self._bank(endpoint, 0)
        self.devices.ram.put(buffer, packet)
        self.devices.ram.put(sizes_at, (sizes & ~COUNT | len(packet)).to_bytes(4, "little"))

    def is_attached(self) -> bool:
        return bool(self.devices.registers.get(USB, 0) & ON) and not self.devices.registers.get(USB + 8, 1) & 1

    def reset(self) -> None:
        self.flags |= BUS_RESET
        self.endpoints, self.states = [0] * 8, [BANK_IS_FULL] * 8

    def request(self, request: bytes) -> None:
        self._put(0, request)
        self.endpoints[0] |= REQUESTED

    def has_packet(self, endpoint: int) -> bool:
        return bool(self.states[endpoint] & TO_BE_SENT)

    def take(self, endpoint: int) -> bytes | None:
        if not self.states[endpoint] & TO_BE_SENT:
            return None
        buffer, _, sizes = self._bank(endpoint, 1)
        self.states[endpoint] &= ~TO_BE_SENT
        self.endpoints[endpoint] |= SENT_A_PACKET
        return bytes(self.devices.ram.get(buffer, sizes & COUNT))

    def give(self, endpoint: int, packet: bytes) -> bool:
        if self.states[endpoint] & BANK_IS_FULL:
            return False
        self._put(endpoint, packet)
        self.states[endpoint] |= BANK_IS_FULL
        self.endpoints[endpoint] |= RECEIVED_A_PACKET
        return True


class Samd21(Devices):
    def _clock(self) -> None:
        self.reads[CLOCKS_STATUS] = lambda _: CRYSTAL_AND_LOOP_ARE_READY
        self.reads[GENERATORS] = lambda _: 0  # no write is under way

    def _ports(self) -> None:
        for at in PORTS:
            for word in (at, at + 0x10):  # directions, levels
                self.writes[word + 4] = lambda v, w=word: self.change(w, 0, v)  # type: ignore[misc]
                self.writes[word + 8] = lambda v, w=word: self.change(w, v, 0)  # type: ignore[misc]
                self.writes[word + 12] = lambda v, w=word: self.change(w, v & ~self.registers.get(w, 0), v)  # type: ignore[misc]

    def other_uart(self, at: int, line: int) -> None:
        enabled = at + 0x14

        def enable(value: int) -> None:
            self.change(enabled, value >> 16 & 0xFF, value & 0xFF)

        def status(_: int) -> int:
            ready = READY if self._is_free() else 0
            return ready | (RECEIVED if self.receiver.bytes else 0) | (LOST if self.receiver.lost else 0)

        def forget(value: int) -> None:
            self.receiver.lost &= not value & LOST

        self.writes[enabled], self.reads[at + 0x18], self.writes[at + 0x18] = enable, status, forget
        self.reads[at + 0x1C] = lambda _: 0
        self.reads[at + 0x28], self.writes[at + 0x28] = lambda _: self.receiver.take(), self._send
        self.interrupts.levels[line] = lambda: bool(self.registers.get(enabled, 0) & RECEIVED and self.receiver.bytes)

    def usb(self) -> None:
        self.reads[USB] = lambda v: v & 0xFF00FFFF  # no write is under way
        plug_in(self, Samd21Usb(self), USB_LINE, USB + 8)
