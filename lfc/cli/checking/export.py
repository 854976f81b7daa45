"""`lfc export`: a program as a model of another checker."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.sources import search_option
from lfc.cli.common.trace_files import write_text


@click.command("export", short_help="Write a program as a model of another checker.")
@click.argument("file")
@click.option(
    "--as",
    "form",
    type=click.Choice(["promela", "btor2", "pins"]),
    required=True,
    help="For SPIN, for hardware checkers, for LTSmin.",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), metavar="FILE", help="Write it there.")
@search_option
@output_options
def command(file: str, form: str, output: str | None, path: tuple[str, ...]) -> None:
    """Write the actions of a program as guarded commands in Promela, in BTOR2, or as a C module of LTSmin, so that
    SPIN, an engine for BTOR2 or LTSmin is a second opinion.

    Of programs whose channels are made at the start, over numbers, truth values, characters, enumerations and arrays of
    these. What is not exported is told, with exit code 2.
    """
    from lfc.cli.common.machine import load_machine
    from lfc.mcheck.exports.btor2 import btor2
    from lfc.mcheck.exports.guarded import guarded_commands
    from lfc.mcheck.exports.paths import NotExported
    from lfc.mcheck.exports.pins import pins
    from lfc.mcheck.exports.promela import promela

    machine = load_machine(file, path, (), with_environment=False)
    try:
        program = guarded_commands(machine)
    except NotExported as error:
        raise click.UsageError(f"{file} is not exported: {error}.") from None
    name = Path(file).name
    text = {"promela": promela, "btor2": btor2, "pins": pins}[form](program, name)
    if output is not None:
        write_text(output, text)
    if current_output().form == "json":
        data = {"version": 1, "variables": len(program.initial), "commands": len(program.commands)}
        current_output().document(json.dumps(data if output is not None else data | {"text": text}))
    elif output is None:
        print(text, end="")
