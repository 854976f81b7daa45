"""The devices of a SAM D21, for the built-in simulator: clocks that are ready, a SERCOM, ports."""

from __future__ import annotations

from lfc.boards.emulators.chips.cortexm_devices import Devices

CLOCKS_STATUS, CRYSTAL_AND_LOOP_ARE_READY, GENERATORS = 0x4000080C, 0xD2, 0x40000C00
PORTS = (0x41004400, 0x41004480)
READY, RECEIVED, LOST = 1, 4, 4 << 16


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
