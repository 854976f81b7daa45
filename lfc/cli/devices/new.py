"""`lfc new`: a project that can be built, run and tested at once."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lfc.cli.common.firmware import required_board
from lfc.cli.common.output import output_options
from lfc.cli.devices.boards import emulators
from lfc.cli.devices.project_files import project_files


@click.command("new", short_help="Start a project.")
@click.argument("name", metavar="NAME")
@click.option("-b", "--board", metavar="BOARD", help="The board; `lfc boards` lists them.")
@output_options
def command(name: str, board: str | None) -> None:
    """Start a project in the new folder NAME: a light that blinks, a test of its pattern, a model of the hardware.

    Beside these: lf.toml, README.md, .gitignore, settings for editors, and what checks it on every push.
    """
    target = required_board(board, None)
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.UsageError(f"{folder} already exists and is not empty.")
    files = project_files(folder.absolute().name, target)
    try:
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}") from None
    hints = [
        "lfc build",
        "lfc check",
        "lfc run PatternTest.lf",
        *(["lfc run --seconds 5"] if emulators(target) else []),
    ]
    print(
        f"{folder}: {', '.join(f for f in files if not f.startswith('.'))}",
        f"Try there: {'; '.join(hints)}",
        sep="\n",
        file=sys.stderr,
    )
