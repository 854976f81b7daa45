"""Controllers of flash, for the built-in simulator: the pages that a program keeps words in are erased and written as
the manuals say. Other flash cannot be changed here."""

from __future__ import annotations

from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.kept_pages import kept_pages
from lfc.boards.emulators.chips.chip import Registers

ERASED = 0xFFFFFFFF
F1_KEY, F1_STATUS, F1_CONTROL, F1_ADDRESS = 0x40022004, 0x4002200C, 0x40022010, 0x40022014
F1_KEYS = [0x45670123, 0xCDEF89AB]
PROGRAMS, ERASES_PAGE, BEGINS, LOCKED = 1, 2, 0x40, 0x80
NOT_ERASED = 4  # in the status
NRF_READY, NRF_CONFIG, NRF_ERASE = 0x4001E400, 0x4001E504, 0x4001E508
WRITES, ERASES = 1, 2
ERASE_SECONDS, WRITE_SECONDS = 0.02, 0.00005


class KeptFlash:
    """Pages of a board. `content` outlives resets; words that it has not are erased."""

    def __init__(self, board: Board, content: dict[int, int], devices: Registers, now: Callable[[], int]) -> None:
        kept = kept_pages(board)
        assert kept is not None
        self.content, self.registers, self.now, self.clock = content, devices.registers, now, board.cpu.clock
        self.page, self.done = kept.page, 0
        for at in range(kept.start, kept.start + kept.size, 4):
            self.registers[at] = ERASED  # what a half is written with in place of the other one
            devices.reads[at] = lambda _, at=at: self.content.get(at, ERASED)  # type: ignore[misc]
            devices.writes[at] = lambda v, at=at: self.write(at, v)  # type: ignore[misc]
        if board.cpu.chip.startswith("nrf"):
            self._nrf(devices)
        else:
            self._stm32f1(devices)

    def is_busy(self) -> bool:
        return self.now() < self.done

    def _take(self, seconds: float) -> None:
        self.done = self.now() + int(seconds * self.clock)

    def erase(self, address: int) -> None:
        if self.is_busy():
            return
        start = address // self.page * self.page
        for at in range(start, start + self.page, 4):
            self.content.pop(at, None)
        self._take(ERASE_SECONDS)

    def write(self, at: int, value: int) -> None:
        """`value` has ones in place of what is not written."""
        if not self.is_busy() and self.takes(at, value):
            self.content[at] = self.content.get(at, ERASED) & value
            self._take(WRITE_SECONDS)

    def takes(self, at: int, value: int) -> bool:
        raise NotImplementedError

    def _stm32f1(self, devices: Registers) -> None:
        keys: list[int] = []
        registers = self.registers

        def control(value: int) -> None:
            if value & LOCKED:
                keys.clear()
            registers[F1_CONTROL] = value & ~BEGINS if keys == F1_KEYS else 0
            if keys == F1_KEYS and value & BEGINS and value & ERASES_PAGE:
                self.erase(registers.get(F1_ADDRESS, 0))

        def takes(at: int, value: int) -> bool:
            if keys != F1_KEYS or not registers.get(F1_CONTROL, 0) & PROGRAMS:
                return False
            old = self.content.get(at, ERASED)
            if any(value >> s & 0xFFFF != 0xFFFF and old >> s & 0xFFFF != 0xFFFF for s in (0, 16)):
                registers[F1_STATUS] = registers.get(F1_STATUS, 0) | NOT_ERASED
                return False
            return True

        self.takes = takes  # type: ignore[method-assign]
        devices.writes[F1_KEY] = keys.append
        devices.writes[F1_CONTROL] = control
        devices.reads[F1_CONTROL] = lambda v: v if keys == F1_KEYS else v | LOCKED
        devices.writes[F1_STATUS] = lambda v: devices.change(F1_STATUS, 0, v)
        devices.reads[F1_STATUS] = lambda v: v | int(self.is_busy())

    def _nrf(self, devices: Registers) -> None:
        def erase(address: int) -> None:
            if self.registers.get(NRF_CONFIG) == ERASES:
                self.erase(address)

        self.takes = lambda at, value: self.registers.get(NRF_CONFIG) == WRITES  # type: ignore[method-assign]
        devices.writes[NRF_ERASE] = erase
        devices.reads[NRF_READY] = lambda _: int(not self.is_busy())
