"""The image that `lfc check --image` and `lfc timing` execute: built, or read from a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lfc.cli.common.firmware import chosen_faults, firmware_for, refuse

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.image.firmware import Firmware
    from lfc.mcheck.image.check_image import CheckedImage, ImageResult

F = TypeVar("F", bound=Callable[..., Any])


def image_option(command: F) -> F:
    """Adds the parameter `image`: None, an empty text (as it is built), or a file."""
    return click.option(
        "--image",
        is_flag=False,
        flag_value="",
        default=None,
        metavar="[FILE.hex]",
        help="Execute the board's image in every state: the image that is built, or a file's.",
    )(command)


def refuse_image_without(board: Board | None, image: str, search: str, timed: bool) -> None:
    """Before a long search, not after it."""
    if board is None:
        raise click.UsageError("--image is about the image of a board: name it with -b BOARD.")
    if image.endswith(".lf"):
        raise click.UsageError(f"--image takes an image, but {image} is a program: put it before --image.")
    if search != "breadth" or timed:
        raise click.UsageError("--image needs --search breadth, --store exact and --time free: all states are needed.")


def chosen_image(
    board: Board,
    machine: Machine,
    scheduler: str,
    faults: tuple[str, str, tuple[str, ...]],
    c_files: tuple[str, ...],
    file: str,
    deadlines: bool = False,
) -> CheckedImage:
    """`deadlines`: what is done with it knows the earliest-deadline scheduler."""
    from lfc.image.read_files import read_image_file
    from lfc.mcheck.image.check_image import CheckedImage, NotChecked, flash_of, refuse_what_is_not_known
    from lfc.toolchain.failure import ImageError

    made: Firmware = firmware_for(board, machine, scheduler, chosen_faults(board, *faults), c_files)
    try:
        pieces = made.image.flash
        if file:
            read = read_image_file(Path(file), board.flash.start)
            own = read.tables.board if read.tables else board.name
            if own != board.name:
                raise click.UsageError(f"{file} was built for the board {own}, not for {board.name}.")
            pieces = read.flash
        image = CheckedImage(board, made, flash_of(dict(pieces), board.flash), file)
        refuse_what_is_not_known(machine, image, deadlines)
    except ImageError as error:
        refuse(error.message, *error.detail.splitlines())
    except NotChecked as error:
        raise click.ClickException(f"The image cannot be checked: {error}.") from None
    return image


def image_result(image: CheckedImage, result: ImageResult | None, report: bool) -> list[str]:
    if result is None:
        return ["the image was not executed, because not all states are known"]
    from lfc.mcheck.image.report import Places, as_text, never_lines

    lines = as_text(image, result)
    if image.name:
        lines += difference_lines(image)
    if report:
        lines += ["code that no reachable state executes:", *never_lines(Places(image), result)]
    return lines


def difference_lines(image: CheckedImage) -> list[str]:
    """What the file holds, beside what would be built."""
    differing = image.differing
    if not differing:
        return [f"{image.name} is byte for byte what `lfc build` produces"]
    return [
        f"{image.name} differs from what `lfc build` produces in {len(differing)} bytes, first at {differing[0]:04X}H: "
        "what no state executes, interrupts and times may do something else, so it must not be flashed"
    ]
