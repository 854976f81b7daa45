"""The modules of the library that stand for a board: those of its chip, and one that is made of its description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.semantics.modules import CHIPS as FOLDER
from lfc.semantics.modules import HOST, ChipModules

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

MODULE = "ThisBoard"


def chip_modules(board: Board | None) -> ChipModules:
    """None: this machine."""
    if board is None:
        return HOST
    from lfc.boards.descriptions.chips import CHIPS

    folders = tuple(FOLDER / name for name in CHIPS[board.cpu.chip].modules)
    return ChipModules(folders, {f"{MODULE}.lf": board_module(board)})


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
