"""Which registers of a chip say what it drives its pins to, and what it reads of them: what can be seen of a program
without a board, and given to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.descriptions.pins import BITS, LETTERS

Registers = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Port:
    """So many pins from `first` on. `latch`: their levels; `reads`: what the chip reads of them; `drives`: whether it
    drives the pin with that bit."""

    first: int
    pins: int
    latch: int
    reads: int
    drives: Callable[[Registers, int], bool]
    asked: tuple[int, ...]  # the registers that say so


def by_bit(register: int) -> tuple[Callable[[Registers, int], bool], tuple[int, ...]]:
    return lambda r, bit: bool(r.get(register, 0) >> bit & 1), (register,)


def by_nibble(low: int) -> tuple[Callable[[Registers, int], bool], tuple[int, ...]]:
    """Of an STM32F1 and what follows it: two bits of a nibble are the speed of an output, the others say whose."""

    def drives(r: Registers, bit: int) -> bool:
        nibble = r.get(low + bit // 8 * 4, 0) >> bit % 8 * 4
        return bool(nibble & 3) and not nibble & 8

    return drives, (low, low + 4)


def by_mode(register: int) -> tuple[Callable[[Registers, int], bool], tuple[int, ...]]:
    return lambda r, bit: r.get(register, 0) >> 2 * bit & 3 == 1, (register,)


def by_own_register(first: int) -> tuple[Callable[[Registers, int], bool], tuple[int, ...]]:
    return lambda r, bit: bool(r.get(first + 4 * bit, 0) & 1), tuple(range(first, first + 32 * 4, 4))


def _avr(places: Mapping[str, int]) -> tuple[Port, ...]:
    return tuple(Port(LETTERS.index(p) * BITS, 8, at + 2, at, *by_bit(at + 1)) for p, at in places.items())


def _f1(letters: str) -> tuple[Port, ...]:
    bases = {p: 0x40010800 + 0x400 * "ABCDEFG".index(p) for p in letters}
    return tuple(Port(LETTERS.index(p) * BITS, 16, at + 0xC, at + 8, *by_nibble(at)) for p, at in bases.items())


def _f4(letters: str, first: int = 0x40020000) -> tuple[Port, ...]:
    bases = {p: first + 0x400 * "ABCDEFGH".index(p) for p in letters}
    return tuple(Port(LETTERS.index(p) * BITS, 16, at + 0x14, at + 0x10, *by_mode(at)) for p, at in bases.items())


def _nrf(*ports: int) -> tuple[Port, ...]:
    bases = [0x50000000 + 0x300 * n for n in range(len(ports))]
    return tuple(
        Port(32 * n, pins, at + 0x504, at + 0x510, *by_own_register(at + 0x700))
        for n, (at, pins) in enumerate(zip(bases, ports, strict=True))
    )


OF_MEGA = {p: 0x20 + 3 * n for n, p in enumerate("ABCDEFG")} | {p: 0x100 + 3 * n for n, p in enumerate("HJKL")}
OUTPUTS: dict[str, tuple[Port, ...]] = {
    "atmega328p": _avr({"B": 0x23, "C": 0x26, "D": 0x29}),
    "atmega2560": _avr(OF_MEGA),
    "attiny85": _avr({"B": 0x36}),
    "nrf51822": _nrf(32),
    "nrf52833": _nrf(32, 10),
    "nrf52840": _nrf(32, 16),
    **dict.fromkeys(("stm32f100", "stm32f103"), _f1("ABCDEFG")),
    **dict.fromkeys(("stm32f401", "stm32f405", "stm32f407", "stm32f411"), _f4("ABCDEFGH")),
    "stm32g071": _f4("ABCDF", 0x50000000),
    "stm32l476": _f4("ABCDEFGH", 0x48000000),
    "gd32vf103": _f1("ABCDE"),
    "ch32v003": _f1("ACD"),
    "samd21g18": tuple(
        Port(32 * n, 32, at + 0x10, at + 0x20, *by_bit(at)) for n, at in enumerate((0x41004400, 0x41004480))
    ),
    "rp2040": (Port(0, 30, 0xD0000010, 0xD0000004, *by_bit(0xD0000020)),),
    "rp2350": (Port(0, 30, 0xD0000010, 0xD0000004, *by_bit(0xD0000030)),),
    "fe310": (Port(0, 32, 0x1001200C, 0x10012000, *by_bit(0x10012008)),),
    "esp32c3": (Port(0, 22, 0x60004004, 0x6000403C, *by_bit(0x60004020)),),
    "esp32c6": (Port(0, 31, 0x60091004, 0x6009103C, *by_bit(0x60091020)),),
}


class Watched:
    """Tells each change of a pin that the chip drives: its number, its level, and None where it drives it no more."""

    def __init__(self, board: Board, told: Callable[[int, bool | None], None]) -> None:
        self.ports = OUTPUTS[board.cpu.chip]
        self.asked = [at for port in self.ports for at in (port.latch, *port.asked)]
        self.told = told
        self.seen: list[int] = []
        self.levels: dict[int, bool] = {}

    def look(self, registers: Registers) -> None:
        now = [registers.get(at, 0) for at in self.asked]
        if now == self.seen:
            return
        self.seen = now
        levels = dict(self._driven(registers))
        for pin in sorted({*levels, *self.levels}):
            if levels.get(pin) != self.levels.get(pin):
                self.told(pin, levels.get(pin))
        self.levels = levels

    def _driven(self, registers: Registers) -> Iterator[tuple[int, bool]]:
        for port in self.ports:
            latch = registers.get(port.latch, 0)
            for bit in range(port.pins):
                if port.drives(registers, bit):
                    yield port.first + bit, bool(latch >> bit & 1)


def pin_name(board: Board, pin: int) -> str:
    """As printed on the board, else as the chip's makers call it."""
    printed = next(
        (name for name, number in reversed(board.pins.names) if number == pin), None
    )  # its own, then inherited ones
    if printed is not None:
        return printed
    return f"P{LETTERS[pin // BITS]}{pin % BITS}" if CHIPS[board.cpu.chip].ports else str(pin)


class Given:
    """Levels that pins are given from outside. One that the chip drives itself keeps what it is driven to."""

    def __init__(self, board: Board) -> None:
        self.ports = {port.reads: port for port in OUTPUTS[board.cpu.chip]}
        self.levels: dict[int, bool] = {}

    def seen(self, address: int, value: int, registers: Registers) -> int:
        """What is read at the address, where else `value` would be."""
        port = self.ports.get(address)
        if port is None:
            return value
        for pin, level in self.levels.items():
            bit = pin - port.first
            if 0 <= bit < port.pins and not port.drives(registers, bit):
                value = value | 1 << bit if level else value & ~(1 << bit)
        return value


def pin_named(board: Board, name: str) -> int | None:
    """As `pin_name` names it, or `LED`, `BUTTON`."""
    own = {"LED": board.pins.led, "BUTTON": board.pins.button, **dict(board.pins.names)}
    every = [n for port in OUTPUTS[board.cpu.chip] for n in range(port.first, port.first + port.pins)]
    made = (f"P{LETTERS[n // BITS]}{n % BITS}" if CHIPS[board.cpu.chip].ports else str(n) for n in every)
    return own.get(name, dict(zip(made, every, strict=True)).get(name))
