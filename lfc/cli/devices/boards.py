"""`lfc boards`: the boards that programs can be built for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from lfc.cli.common.output import current_output, output_options

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board


@click.command("boards", short_help="List the boards.")
@output_options
def command() -> None:
    """List the boards: chip, clock, memories, how they are flashed, and which emulators have them."""
    from lfc.boards.descriptions.board import board_names, load_board

    boards = [load_board(name) for name in board_names()]
    if current_output().form == "json":
        current_output().document(json.dumps({"version": 1, "boards": [as_data(b) for b in boards]}, indent=2))
        return
    rows = [("board", "chip", "clock", "flash", "RAM", "files", "emulators", "")]
    rows += [
        (
            b.name,
            b.cpu.chip,
            f"{b.cpu.clock / 1_000_000:g} MHz",
            kilobytes(b.flash.usable),
            kilobytes(b.ram.size),
            ", ".join(b.outputs),
            ", ".join(emulators(b)) or "-",
            b.title,
        )
        for b in boards
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def kilobytes(size: int) -> str:
    return f"{size / 1024:g} KB"


def emulators(board: Board) -> list[str]:
    from lfc.boards.descriptions.simulated import emulators_of

    return emulators_of(board)


def as_data(board: Board) -> dict[str, object]:
    return {
        "name": board.name,
        "title": board.title,
        "chip": board.cpu.chip,
        "architecture": board.cpu.architecture,
        "clock": board.cpu.clock,
        "flash": {"start": board.flash.start, "size": board.flash.size, "usable": board.flash.usable},
        "ram": {"start": board.ram.start, "size": board.ram.size},
        "files": list(board.outputs),
        "emulators": emulators(board),
        "usb": [f"{vendor:04x}:{product:04x}" for vendor, product in board.usb_ids],
    }
