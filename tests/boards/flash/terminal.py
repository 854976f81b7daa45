"""The serial port of an emulated board: opened, with the reset that this gives it, and what comes."""

from __future__ import annotations

import serial

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.simavr import SimavrOnTerminal
from lfc.boards.serial.open_port import open_port, pulse_dtr


def opened(chip: SimavrOnTerminal, uno: Board) -> serial.Serial:
    port = open_port(chip.port, uno.flashing.baud)
    pulse_dtr(port)
    return port


def heard(port: serial.Serial, size: int) -> bytes:
    port.timeout = 5
    return bytes(port.read(size))
