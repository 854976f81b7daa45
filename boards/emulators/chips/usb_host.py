"""A USB host for the built-in simulator: finds the serial line that a device describes, opens it, takes what comes."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol

from lfc.boards.emulators.chips.console import NEVER, Receiver
from lfc.boards.emulators.chips.cortexm_devices import Devices

CONTROL_PACKET = 64
IN, BULK, ENDPOINT, DATA_CLASS, INTERFACE = 0x80, 2, 5, 10, 4
ADDRESS = 7
STEPS_A_SECOND = 20_000
UNTIL_RESET = 10  # milliseconds from the pull-up to the reset of the bus
LINE_CODING = bytes([0x00, 0xC2, 0x01, 0x00, 0, 0, 8])  # 115,200 bits a second


class Device(Protocol):
    """A controller, as the bus sees it."""

    def is_attached(self) -> bool: ...
    def reset(self) -> None: ...
    def request(self, request: bytes) -> None: ...
    def calls(self) -> bool: ...  # whether it interrupts
    def has_packet(self, endpoint: int) -> bool: ...
    def take(self, endpoint: int) -> bytes | None:
        """A packet that it sends; None: it has none."""

    def give(self, endpoint: int, packet: bytes) -> bool:
        """Whether it has taken the packet."""


class UsbHost:
    def __init__(self, device: Device, receiver: Receiver, say: Callable[[bytes], None]) -> None:
        self.device, self.receiver, self.say = device, receiver, say
        self.is_open = False
        self.receives, self.sends, self.packet = 0, 0, 0
        self._steps = self._open()

    def step(self) -> None:
        """What it does next; called each so many microseconds, from the moment that there is a device."""
        if not self.is_open:
            self.is_open = next(self._steps, "open") == "open"
            return
        packet = self.device.take(self.sends)
        if packet is not None:
            self.say(packet)
        waiting = bytes(self.receiver.bytes)[: self.packet]
        if waiting and self.device.give(self.receives, waiting):
            for _ in waiting:
                self.receiver.take()

    def _open(self) -> Generator[str, None, None]:
        self.device.reset()
        yield from self._asked(bytes([0x80, 6, 0, 1, 0, 0, 18, 0]))
        yield from self._told(bytes([0, 5, ADDRESS, 0, 0, 0, 0, 0]))
        head = yield from self._asked(bytes([0x80, 6, 0, 2, 0, 0, 9, 0]))
        whole = yield from self._asked(bytes([0x80, 6, 0, 2, 0, 0, head[2], head[3]]))
        self._find_endpoints(whole)
        yield from self._told(bytes([0, 9, whole[5], 0, 0, 0, 0, 0]))
        yield from self._told(bytes([0x21, 0x20, 0, 0, 0, 0, len(LINE_CODING), 0]), LINE_CODING)
        yield from self._told(bytes([0x21, 0x22, 3, 0, 0, 0, 0, 0]))

    def _find_endpoints(self, described: bytes) -> None:
        has_data = False
        while described:
            part, described = described[: described[0]], described[described[0] :]
            if part[1] == INTERFACE:
                has_data = part[5] == DATA_CLASS
            elif has_data and part[1] == ENDPOINT and part[3] == BULK:
                if part[2] & IN:
                    self.sends = part[2] & ~IN
                else:
                    self.receives, self.packet = part[2], part[4]

    def _packet(self) -> Generator[str, None, bytes]:
        while (packet := self.device.take(0)) is None:
            yield "waits"
        return packet

    def _given(self, packet: bytes) -> Generator[str, None, None]:
        while not self.device.give(0, packet):
            yield "waits"

    def _asked(self, request: bytes) -> Generator[str, None, bytes]:
        self.device.request(request)
        answer, wanted = b"", request[6] | request[7] << 8
        while len(answer) < wanted:
            packet = yield from self._packet()
            answer += packet
            if len(packet) < CONTROL_PACKET:
                break
        yield from self._given(b"")
        return answer

    def _told(self, request: bytes, data: bytes = b"") -> Generator[str, None, None]:
        self.device.request(request)
        if data:
            yield from self._given(data)
        yield from self._packet()


def plug_in(devices: Devices, device: Device, line: int, attaches: int) -> None:
    """Gives a chip's controller a host, and the console to both. `attaches`: the register of the pull-up."""
    host = UsbHost(device, devices.receiver, devices.say)
    clock = devices.board.cpu.clock

    def attach(value: int) -> None:
        devices.registers[attaches] = value
        if device.is_attached() and devices.due["timer"] == NEVER:
            devices.due["timer"] = devices.now() + clock * UNTIL_RESET // 1000
            devices.timer = host.step, lambda: clock // STEPS_A_SECOND

    devices.writes[attaches] = attach
    devices.interrupts.levels[line] = device.calls
    devices.console_line = line

    def state() -> tuple[bool, bool]:
        return host.is_open, device.is_attached() and (not host.is_open or device.has_packet(host.sends))

    devices.host = state
