"""`lfc loader`: the boot loader of a board that takes updates."""

from __future__ import annotations

from pathlib import Path

import click

from lfc.cli.common.firmware import board_options, refuse, required_board
from lfc.cli.common.output import output_options


@click.command("loader", short_help="Build the boot loader of a board that takes updates.")
@board_options
@click.option("--key", required=True, metavar="FILE", help="Whose images it takes: a public key, or a secret.")
@click.option("-o", "--output", metavar="FILE", help="Output file (the board's name and _loader.hex).")
@output_options
def command(board: str | None, board_file: str | None, key: str, output: str | None) -> None:
    """Write the boot loader of a board that takes signed updates, as Intel HEX.

    It is put on the board once, by a programmer; later images go there with `lfc flash --sign KEY`.
    """
    from lfc.cli.programs.build import write_whole
    from lfc.records.signing import SigningError
    from lfc.toolchain.failure import ImageError
    from lfc.toolchain.formats import hex_text
    from lfc.update.image import key_for_loader
    from lfc.update.layout import NAMES, layout_of
    from lfc.update.loader import build_loader

    target = required_board(board, board_file)
    if target.flashing.method != "update":
        lacks = 'its description needs flash.method = "update"'
        raise click.UsageError(f"The board {target.name} takes no updates: {lacks}.")
    layout = layout_of(target)
    try:
        loader = build_loader(target, key_for_loader(layout, Path(key)))
    except SigningError as error:
        raise click.UsageError(f"{error}.") from None
    except ImageError as error:
        refuse(error.message, *error.detail.splitlines())
    file = Path(output or f"{target.name}_loader.hex")
    write_whole(file, hex_text(loader.flash).encode(), False)
    room = layout.loader_size
    print(f"{file}: {loader.size} of {room} bytes; {NAMES[layout.scheme]}; programs of up to {layout.capacity} bytes")
