"""What the commands about firmware share: the options that name a board, and the image of a program for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output
from lfc.cli.common.project import find_project

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.image.firmware import Firmware
    from lfc.link.fault_options import FaultOptions

F = TypeVar("F", bound=Callable[..., Any])
LONGEST = 1e9  # seconds


class Seconds(click.types.FloatParamType):
    """For how long a board goes on."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not 0 < seconds < LONGEST:  # so is no NaN
            self.fail(f"{value} is not in the range 0<x<1e9; without --seconds there is no limit.", param, ctx)
        return seconds


def board_options(command: F) -> F:
    """Adds the parameters `board` and `board_file`."""
    named = click.option("-b", "--board", metavar="BOARD", help="The board; `lfc boards` lists them.")
    described = click.option(
        "--board-file",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="A description of your own board, in place of -b.",
    )
    return named(described(command))


def fault_options(command: F) -> F:
    """Adds the parameters `faults`, `on_fault` and `safe`."""
    told = click.option(
        "--faults",
        type=click.Choice(["numbers", "text"]),
        default="numbers",
        help="How a board reports a fault: numbers only, or also text, which takes flash (numbers).",
    )
    after = click.option(
        "--on-fault",
        type=click.Choice(["stop", "reset"]),
        default="stop",
        help="What a board does after a fault: stop or reset (stop).",
    )
    safe = click.option(
        "--safe",
        multiple=True,
        metavar="ADDRESS=VALUE",
        help="On a fault, first write VALUE to the device register at ADDRESS; numbers as in LF, such as 25H=0.",
    )
    return told(after(safe(command)))


def chosen_faults(board: Board, faults: str, on_fault: str, safe: tuple[str, ...]) -> FaultOptions:
    from lfc.link.fault_options import FaultOptions

    highest = 0xFF if board.cpu.architecture == "avr" else 0xFFFFFFFF
    writes = []
    for text in safe:
        address, equals, value = text.partition("=")
        numbers = [number_of_lf(address), number_of_lf(value)]
        if not equals or numbers[0] is None or numbers[1] is None:
            raise click.UsageError(f"--safe takes ADDRESS=VALUE, numbers as in LF, such as 25H=0, not `{text}`.")
        if numbers[0] > 0xFFFFFFFF or numbers[1] > highest:
            raise click.UsageError(f"--safe {text}: a register of the board {board.name} holds 0 to {highest:X}H.")
        writes.append((numbers[0], numbers[1]))
    return FaultOptions(faults == "text", on_fault == "reset", tuple(writes))


def number_of_lf(text: str) -> int | None:
    """Decimal, or hexadecimal with an H behind it."""
    digits, base = (text[:-1], 16) if text.endswith("H") else (text, 10)
    allowed = "0123456789ABCDEF"[:base]
    return int(digits, base) if digits and set(digits) <= set(allowed) and digits[0].isdigit() else None


def chosen_board(name: str | None, file: str | None) -> Board | None:
    """None: no board was named. The project may say what its images are made for."""
    if name is None and file is None:
        return None
    from dataclasses import replace
    from pathlib import Path

    from lfc.boards.descriptions.board import BoardError, load_board, load_board_file

    if name is not None and file is not None:
        raise click.UsageError("-b and --board-file exclude each other.")
    try:
        board = load_board_file(Path(file)) if file is not None else load_board(str(name))
    except BoardError as error:
        raise click.UsageError(f"{error}.") from None
    project = find_project()
    return replace(board, optimise=project.optimise) if project is not None and project.optimise else board


def required_board(name: str | None, file: str | None) -> Board:
    board = chosen_board(name, file)
    if board is None:
        raise click.UsageError("Which board? Name it with -b BOARD; `lfc boards` lists them.")
    return board


def firmware_for(
    board: Board,
    machine: Machine,
    scheduler: str,
    faults: FaultOptions | None = None,
    c_files: tuple[str, ...] = (),
    trace: bool = False,
) -> Firmware:
    """The image; a program that does not fit the board ends the command."""
    from lfc.image.firmware import NUMBERS_AND_STOP, build_firmware
    from lfc.toolchain.failure import ImageError

    try:
        return build_firmware(
            board, machine, scheduler, faults=faults or NUMBERS_AND_STOP, c_files=c_files, trace=trace
        )
    except ImageError as error:
        refuse(error.message, *error.detail.splitlines())


def refuse_given(context: click.Context, options: dict[str, str], why: str) -> None:
    for parameter, option in options.items():
        if context.get_parameter_source(parameter) is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError(f"{option} {why}.")


def refuse(message: str, *details: str) -> NoReturn:
    """Ends the command because of the program."""
    current_output().fail(f"lfc: error: {message}", *(f"  {line}" for line in details))
    raise click.exceptions.Exit(Exit.SOURCE_ERROR)
