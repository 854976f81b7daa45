"""`lfc header`: the C headers of a program's EXTERNAL processes."""

from __future__ import annotations

from pathlib import Path

import click

from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import output_options
from lfc.cli.common.sources import search_option


@click.command("header", short_help="Write the C headers of EXTERNAL processes.")
@click.argument("file", metavar="FILE")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False), metavar="DIR", help="Folder for the headers (-: stdout)."
)
@search_option
@output_options
def command(file: str, output: str | None, path: tuple[str, ...]) -> None:
    """Write Module.h for each module that has EXTERNAL processes, next to the program or in DIR.

    A build does not need them: it gives every C source the headers of the current program.
    """
    from lfc.cli.programs.build import write_whole
    from lfc.external.header import headers

    found = headers(load_machine(file, path, (), with_environment=False).program)
    if not found:
        raise click.UsageError(f"{file} has no EXTERNAL processes.")
    for name, text in found.items():
        if output == "-":
            print(text, end="")
            continue
        target = Path(Path(file).parent if output is None else output) / name
        write_whole(target, text.encode(), False)
        print(target)
