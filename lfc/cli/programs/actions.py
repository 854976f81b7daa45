"""`lfc actions`: the actions of a program with their effects."""

from __future__ import annotations

import click

from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.sources import source_options


@click.command("actions", short_help="Show the actions of a program and their effects.")
@click.argument("file", metavar="FILE")
@board_options
@source_options
@output_options
def command(file: str, board: str | None, board_file: str | None, path: tuple[str, ...], env: tuple[str, ...]) -> None:
    """Show each action: what it may read and write, which communications it attempts, what ends it, and its length."""
    machine = load_machine(file, path, env, board=chosen_board(board, board_file))
    if current_output().form == "json":
        from lfc.actions.as_data import actions_as_data, as_json

        current_output().document(as_json(actions_as_data(machine)))
        return
    from lfc.actions.show import actions_text

    print(actions_text(machine), end="")
