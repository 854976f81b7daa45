"""Which boards the built-in simulator has."""

from __future__ import annotations

from lfc.boards.descriptions.board import Board

CHIPS = frozenset({"atmega328p", "atmega2560", "nrf51822", "stm32f100", "stm32f103", "stm32f405", "lm3s6965", "fe310"})
BUILTIN = "builtin"


def is_simulated(board: Board) -> bool:
    return board.cpu.chip in CHIPS
