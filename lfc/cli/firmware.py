"""What the commands about firmware share: the options that name a board, and the image of a program for it.

May import: click, `lfc.cli`; the stages and `lfc.boards` when called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from lfc.cli.exits import Exit

if TYPE_CHECKING:
    from lfc.actions.model import Machine
    from lfc.boards.board import Board
    from lfc.image.firmware import Firmware

F = TypeVar("F", bound=Callable[..., Any])


def board_options(command: F) -> F:
    """Adds the parameters `board` and `board_file`."""
    named = click.option("-b", "--board", metavar="BOARD", help="The board; `lfc boards` lists them.")
    described = click.option(
        "--board-file",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="The description of a board of your own, in place of -b.",
    )
    return named(described(command))


def chosen_board(name: str | None, file: str | None) -> Board | None:
    """None: no board was named."""
    from pathlib import Path

    from lfc.boards.board import BoardError, load_board, load_board_file

    if name is not None and file is not None:
        raise click.UsageError("-b and --board-file exclude each other.")
    try:
        if file is not None:
            return load_board_file(Path(file))
        return None if name is None else load_board(name)
    except BoardError as error:
        raise click.UsageError(f"{error}.") from None


def required_board(name: str | None, file: str | None) -> Board:
    board = chosen_board(name, file)
    if board is None:
        raise click.UsageError("Which board? Name it with -b BOARD; `lfc boards` lists them.")
    return board


def firmware_for(board: Board, machine: Machine, scheduler: str) -> Firmware:
    """The image; a program that does not fit the board ends the command."""
    from lfc.image.failure import ImageError
    from lfc.image.firmware import build_firmware

    try:
        return build_firmware(board, machine, scheduler)
    except ImageError as error:
        refuse(error.message, *error.detail.splitlines())


def refuse(message: str, *details: str) -> NoReturn:
    """Ends the command because of the program."""
    print(f"lfc: error: {message}", *(f"  {line}" for line in details), sep="\n", file=sys.stderr)
    raise click.exceptions.Exit(Exit.SOURCE_ERROR)
