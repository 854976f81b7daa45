"""`lfc lsp`: the language server."""

from __future__ import annotations

import sys

import click

from lfc.cli.common.output import output_options


@click.command("lsp", short_help="Serve an editor: diagnostics, completion, verdicts.")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output (always so; editors like to ask).")
@output_options
def command(stdio: bool) -> None:
    """Serve an editor with the Language Server Protocol, over standard input and output.

    An editor starts it; docs/how-to/editors.md says how for VS Code, Neovim, Helix and Zed.
    """
    from lfc.doctor.probe import require_tool

    require_tool("pygls")
    from lfc.editor.server.main import serve

    if sys.stdin.isatty():
        print("lfc lsp speaks with an editor over standard input; Ctrl-D ends it.", file=sys.stderr)
    serve()
