"""`lfc fmt`: the canonical layout."""

from __future__ import annotations

import sys

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output, output_options


@click.command("fmt", short_help="Format programs.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if a file is not formatted.")
@click.option("--diff", is_flag=True, help="Change nothing; print what would change.")
@output_options
def command(files: tuple[str, ...], check: bool, diff: bool) -> None:
    """Format programs in place. `-` formats standard input to standard output."""
    from lfc.diagnostics.model import Diagnostics
    from lfc.diagnostics.reading import STDIN, read_source
    from lfc.front_end.format_files import difference, format_source, replace_file

    output = current_output()
    diagnostics = Diagnostics()
    changed = []
    for file in files:
        source = read_source(file, diagnostics)
        formatted = format_source(source, diagnostics) if source is not None else None
        if source is None or formatted is None:
            continue
        if file == STDIN and not (check or diff):
            write_exactly(formatted)
        if formatted == source.text:
            continue
        changed.append(source.path)
        if diff:
            write_exactly(difference(source, formatted))
        if not (check or diff) and file != STDIN and replace_file(source, formatted, diagnostics):
            print(f"formatted {source.path}", file=sys.stderr)
        if check and not diff:
            print(f"{source.path} is not formatted", file=sys.stderr)
    if diagnostics.items or output.form != "text":
        output.finish(diagnostics)
    if check and changed:
        raise click.exceptions.Exit(Exit.SOURCE_ERROR)


def write_exactly(text: str) -> None:
    """UTF-8, since this is a file's content. A terminal shows it, and obeys nothing that is in it."""
    sys.stdout.flush()
    if sys.stdout.isatty():
        sys.stdout.write(text)
        return
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
