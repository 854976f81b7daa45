"""The modules of the library that stand for a board: those of its chip, and one that is made of its description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.semantics.modules import CHIPS as FOLDER
from lfc.semantics.modules import HOST, ChipModules, PinsOfBoard

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

MODULE = "ThisBoard"


def chip_modules(board: Board | None) -> ChipModules:
    """None: this machine."""
    if board is None:
        return HOST
    from lfc.boards.descriptions.chips import CHIPS

    folders = tuple(FOLDER / name for name in CHIPS[board.cpu.chip].modules)
    return ChipModules(folders, {f"{MODULE}.lf": board_module(board)}, pins_of(board))


def pins_of(board: Board) -> PinsOfBoard:
    from lfc.boards.descriptions.chips import CHIPS
    from lfc.boards.descriptions.pins import BITS, LETTERS

    chip = CHIPS[board.cpu.chip]
    if not chip.ports:
        return PinsOfBoard(board.name, frozenset(range(chip.pins)), f"0 to {chip.pins - 1}")
    numbers = {LETTERS.index(port) * BITS + bit for port in chip.ports for bit in range(chip.pins)}
    ports = [f"`GPIO.{port}`" for port in chip.ports]
    first, last = ", ".join(ports[:-1]), ports[-1]
    return PinsOfBoard(board.name, frozenset(numbers), f"{first} and {last} + 0 to {chip.pins - 1}")


def board_module(board: Board) -> str:
    """What the drivers know of the board, as constants."""
    from lfc.boards.descriptions.chips import CHIPS
    from lfc.boards.descriptions.pins import last_pin

    chip, pins = CHIPS[board.cpu.chip], board.pins
    constants = {
        "CLOCK": board.cpu.clock,
        "CONSOLE": int(board.console.uart[-1]),
        "LED": pins.led,
        "LED_LOW": pins.led_low,
        "HAS_LED_RETURN": pins.led_return is not None,
        "LED_RETURN": pins.led_return or 0,
        "BUTTON": pins.button,
        "BUTTON_LOW": pins.button_low,
        "LAST_PIN": last_pin(chip),
        "LAST_CHANNEL": chip.channels - 1,
    }
    lines = [f"  {name}* = {str(value).upper()};" for name, value in constants.items()]
    return "\n".join(
        [f"(* Made of the description of {board.name}. *)", f"MODULE {MODULE};", "CONST", *lines, f"END {MODULE}.", ""]
    )
