"""The modules of the library that stand for a board: those of its chip, and one that is made of its description.

May import: `lfc.boards`, `lfc.semantics.modules`.
"""

from __future__ import annotations

from lfc.boards.board import Board
from lfc.boards.chips import CHIPS
from lfc.boards.pins import last_pin
from lfc.semantics.modules import CHIPS as FOLDER
from lfc.semantics.modules import HOST, ChipModules

MODULE = "ThisBoard"


def chip_modules(board: Board | None) -> ChipModules:
    """None: this machine."""
    if board is None:
        return HOST
    folders = tuple(FOLDER / name for name in CHIPS[board.cpu.chip].modules)
    return ChipModules(folders, {f"{MODULE}.lf": board_module(board)})


def board_module(board: Board) -> str:
    """What the drivers know of the board, as constants."""
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
