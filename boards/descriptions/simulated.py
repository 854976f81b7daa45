"""Which emulators a board has."""

from __future__ import annotations

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import USB

CHIPS = frozenset(
    {
        "atmega328p",
        "atmega2560",
        "attiny85",
        "nrf51822",
        "nrf52833",
        "nrf52840",
        "lm3s6965",
        "rp2040",
        "rp2350",
        "samd21g18",
    }
    | {"fe310", "ch32v003", "esp32c3", "esp32c6", "gd32vf103"}
    | {"stm32f100", "stm32f103", "stm32f401", "stm32f405", "stm32f407", "stm32f411", "stm32g071", "stm32l476"}
)
WITH_USB = frozenset({"samd21g18", "rp2040"})  # of which the built-in simulator has the controller
BUILTIN = "builtin"


def is_simulated(board: Board) -> bool:
    return board.cpu.chip in CHIPS and (board.console.uart != USB or board.cpu.chip in WITH_USB)


TRACED = ("simavr", "qemu", "rp2040js", "avr8js")  # those that run traced images
EMULATORS = (*TRACED, BUILTIN)


def emulators_of(board: Board) -> list[str]:
    """The first is taken where none is named."""
    has = {name: bool(getattr(board.emulator, name)) for name in TRACED} | {BUILTIN: is_simulated(board)}
    return [name for name in EMULATORS if has[name]]
