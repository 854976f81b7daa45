"""`lfc mcp`: the toolchain as tools of an assistant."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lfc.cli.common.output import output_options


@click.command("mcp", short_help="Serve an assistant.")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    metavar="DIR",
    help="The folder whose files may be named (the current one).",
)
@click.option("--flash", is_flag=True, help="Also offer to flash boards, with images whose check holds.")
@output_options
def command(root: str, flash: bool) -> None:
    """Serve an assistant with the Model Context Protocol, over standard input and output.

    Its tools are parse, format, explain, check, counterexample, explore, build, size and timing. They read only files
    of one folder, and only `build` and the records of `check` write there.
    """
    from lfc.doctor.probe import require_tool

    require_tool("mcp")
    from lfc.assistant.server import serve

    if sys.stdin.isatty():
        print("lfc mcp speaks with an assistant over standard input; Ctrl-D ends it.", file=sys.stderr)
    serve(Path(root), flash)
