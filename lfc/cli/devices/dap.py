"""`lfc dap`: the debugger, for editors."""

from __future__ import annotations

import os
import sys

import click

from lfc.cli.common.output import output_options


@click.command("dap", short_help="Debug a program from an editor, forwards and backwards.")
@output_options
def command() -> None:
    """Serve a debugger with the Debug Adapter Protocol, over standard input and output.

    An editor starts it; docs/how-to/debug.md says how, and what it can do: step by action, forwards and backwards, stop
    at lines, changes of variables and messages, play a trace, choose what happens next.
    """
    from lfc.debugger.adapter import serve
    from lfc.debugger.wire import Wire

    if sys.stdin.isatty():
        print("lfc dap speaks with an editor over standard input; Ctrl-D ends it.", file=sys.stderr)
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # whatever else is printed
        serve(Wire(sys.stdin.buffer, answers))
