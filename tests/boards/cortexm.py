"""The boards with a Cortex-M as the emulator has them."""

from __future__ import annotations

from dataclasses import replace

from lfc.boards.descriptions.board import Board, Emulator, Ram, load_board

IN_QEMU = ["microbit", "stm32vldiscovery", "netduinoplus2", "lm3s6965evb", "bluepill"]
ALL = [*IN_QEMU, "pico"]


def emulated(name: str) -> Board:
    """QEMU has no STM32F103: its STM32F100 has the same devices at the same addresses, but less RAM (and a third of the
    clock, so that a millisecond takes three)."""
    board = load_board(name)
    if name != "bluepill":
        return board
    qemu = load_board("stm32vldiscovery").emulator.qemu
    return replace(board, ram=Ram(board.ram.start, 8192), emulator=Emulator(None, qemu, 0))
