"""Registers of devices, for the built-in simulator: those that are not known hold what is written to them."""

from __future__ import annotations

from collections.abc import Callable


class Registers:
    def __init__(self) -> None:
        self.registers: dict[int, int] = {}
        self.reads: dict[int, Callable[[int], int]] = {}
        self.writes: dict[int, Callable[[int], None]] = {}

    def read(self, address: int, size: int) -> int:
        word = address & ~3
        value = self.registers.get(word, 0)
        if word in self.reads:
            value = self.reads[word](value)
        return value >> 8 * (address & 3) & (1 << 8 * size) - 1

    def write(self, address: int, size: int, value: int) -> None:
        word, shift = address & ~3, 8 * (address & 3)
        mask = (1 << 8 * size) - 1 << shift
        value = self.registers.get(word, 0) & ~mask | value << shift & mask
        if word in self.writes:
            self.writes[word](value)
        else:
            self.registers[word] = value

    def bits(self, word: int, set_at: int, clear_at: int | None = None) -> None:
        """Registers that set and clear bits of another one."""
        self.writes[set_at] = lambda v: self.change(word, v, 0)
        self.reads[set_at] = lambda _: self.registers.get(word, 0)
        if clear_at is not None:
            self.writes[clear_at] = lambda v: self.change(word, 0, v)

    def change(self, word: int, on: int, off: int) -> None:
        self.registers[word] = (self.registers.get(word, 0) | on) & ~off
