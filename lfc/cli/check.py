"""`lfc check`: parses, types and checks programs. May import: click, the front end when called."""

from __future__ import annotations

import click

from lfc.cli.output import current_output, output_options
from lfc.cli.sources import source_options


@click.command("check", short_help="Check programs.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--syntax-only", is_flag=True, help="Syntax, types and static checks only; explore nothing.")
@source_options
@output_options
def command(files: tuple[str, ...], syntax_only: bool, path: tuple[str, ...], env: tuple[str, ...]) -> None:
    """Check programs, each named by the file of its main module (`-`: standard input)."""
    if not syntax_only:
        raise click.UsageError("This version checks syntax, types and what can be seen in the text: add --syntax-only.")

    import sys

    from lfc.actions.build import build_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.front_end import load_program

    diagnostics = Diagnostics()
    for file in files:
        found = Diagnostics()
        program = load_program(file, found, path=path, environments=env)
        if program is not None and not found.has_errors:
            build_machine(program, found)  # whether there is room for it
        diagnostics.take_over(found)
    output = current_output()
    output.finish(diagnostics)
    if output.form == "text" and not diagnostics.items:
        print(f"{len(files)} program{'s' * (len(files) != 1)}: no errors, no warnings", file=sys.stderr)
