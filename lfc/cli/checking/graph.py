"""`lfc graph`: the state graph of a small program."""

from __future__ import annotations

import click

from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.sources import source_options


@click.command("graph", short_help="Show the state graph of a small program.")
@click.argument("file", metavar="FILE")
@click.option("--form", type=click.Choice(["dot", "aut"]), default="dot", help="DOT, or Aldebaran's .aut (dot).")
@click.option("--most", type=click.IntRange(min=1), default=2000, metavar="N", help="Refuse more than N states (2000).")
@board_options
@source_options
@output_options
def command(
    file: str,
    form: str,
    most: int,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Print the states of a program and its transitions: as DOT, as Aldebaran's .aut, or with --json as data.

    With a board, the library's drivers for that board are part of the program.
    """
    from lfc.mcheck.explore.export import TooManyStates, as_aldebaran, as_dot, as_json, build_graph

    machine = load_machine(file, path, env, with_environment=bool(env), board=chosen_board(board, board_file))
    try:
        graph = build_graph(machine, most)
    except TooManyStates:
        raise click.UsageError(
            f"The graph has more than {most} states or {16 * most} transitions; --most N allows more."
        ) from None
    if current_output().form == "json":
        current_output().document(as_json(machine, graph))
    else:
        print(as_dot(machine, graph) if form == "dot" else as_aldebaran(graph), end="")
