"""What is known of each chip's registers: the library's own drivers name no others."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.chips import CHIPS
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.load import check_source
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.of_the_board import addresses, hexadecimal

DRIVERS = """MODULE Drivers;
IMPORT ADC, GPIO, Out, Timer, UART;
BEGIN
  GPIO.Configure(GPIO.LED, GPIO.output);
  GPIO.Light(TRUE)
END Drivers.
"""


@pytest.mark.parametrize("name", board_names())
def test_the_drivers_name_registers_of_their_chip(name: str) -> None:
    chip = chip_modules(load_board(name))
    drivers = DRIVERS if CHIPS[load_board(name).cpu.chip].channels else DRIVERS.replace("ADC, ", "")
    program = check_source(Source("Drivers.lf", drivers), Diagnostics(), chip=chip)
    assert program is not None and chip.board is not None
    found = [a for a, _ in addresses(Facts(program))]
    outside = [a for a in found if not any(low <= a <= high for low, high in chip.board.registers)]
    assert found and [hexadecimal(a) for a in outside] == []
    assert load_board(name).pins.led in chip.board.pins and load_board(name).pins.button in chip.board.pins
