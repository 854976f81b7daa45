"""`lfc graph`: the state graph of a small program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.explore.export import StateGraph


@click.command("graph", short_help="Show the state graph of a small program.")
@click.argument("file", metavar="FILE")
@click.option("--form", type=click.Choice(["dot", "aut"]), default="dot", help="DOT, or Aldebaran's .aut (dot).")
@click.option("--most", type=click.IntRange(min=1), default=2000, metavar="N", help="Refuse more than N states (2000).")
@click.option(
    "--label",
    type=click.Choice(["steps", "messages"]),
    default="steps",
    help="Name transitions by who acts, or by the messages that meet, as lfc refine sees them (steps).",
)
@click.option("--on", metavar="PORT,...", help="With --label messages: the ports that are visible (all).")
@click.option("--show", metavar="NAME,...", help="Describe states by these variables only.")
@click.option("--full", is_flag=True, help="Describe each state by all there is, not by what differs from the first.")
@click.option("--store", metavar="FILE", help="Write the graph to FILE, for lfc query.")
@board_options
@source_options
@output_options
def command(
    file: str,
    form: str,
    most: int,
    label: str,
    on: str | None,
    show: str | None,
    full: bool,
    store: str | None,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Print the states of a program and its transitions: as DOT, as Aldebaran's .aut, or with --json as data.

    With a board, the library's drivers for that board are part of the program.
    """
    from lfc.mcheck.explore.export import TooManyStates, as_aldebaran, as_dot, as_json, build_graph

    if on is not None and label != "messages":
        raise click.UsageError("--on names the ports whose messages are labels: it needs --label messages.")
    machine = load_machine(file, path, env, with_environment=bool(env), board=chosen_board(board, board_file))
    try:
        if label == "messages":
            machine, graph = with_messages(machine, file, path, names_in(on) or [], most)
        else:
            graph = build_graph(machine, most)
    except TooManyStates:
        raise click.UsageError(
            f"The graph has more than {most} states or {16 * most} transitions; --most N allows more."
        ) from None
    shown = names_in(show)
    refuse_unknown_names(machine, graph, shown or [])
    if store is not None:
        write_store(machine, graph, file, store, shown)
    elif current_output().form == "json":
        current_output().document(as_json(machine, graph, shown))
    else:
        print(as_dot(machine, graph, shown, full) if form == "dot" else as_aldebaran(graph), end="")


def names_in(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]


def with_messages(
    machine: Machine, file: str, path: tuple[str, ...], ports: list[str], most: int
) -> tuple[Machine, StateGraph]:
    """Of the machine whose exported ports the outside uses, if it has any."""
    from lfc.cli.checking.refine import not_all_tried, opened_machine
    from lfc.mcheck.explore.export import build_behaviour
    from lfc.mcheck.refinement.behaviour import Polls, TooManyValues
    from lfc.mcheck.refinement.visible import NotVisible

    opened = opened_machine(machine, file, path)
    try:
        return opened.machine, build_behaviour(opened.machine, opened.values, ports, most)
    except NotVisible as error:
        raise click.UsageError(f"{error}.") from None
    except Polls as error:
        raise click.UsageError(f"{error}, and the outside never waits there.") from None
    except TooManyValues as error:
        raise click.UsageError(not_all_tried(error)) from None


def refuse_unknown_names(machine: Machine, graph: StateGraph, shown: list[str]) -> None:
    """A variable of a process that lives in no state is not one either."""
    from lfc.run.names import values

    left = set(shown)
    for block in graph.blocks:
        if not left:
            return
        left -= values(machine, block).keys()
    if left:
        known = ", ".join(values(machine, graph.blocks[0])) or "none"
        raise click.UsageError(f"--show: no state has a variable `{sorted(left)[0]}`; at the start there are: {known}.")


def write_store(machine: Machine, graph: StateGraph, file: str, store: str, shown: list[str] | None) -> None:
    import json

    from lfc.mcheck.explore.export import stored

    made = stored(machine, graph, file, shown)
    try:
        made.write(store)
    except OSError as error:
        raise click.ClickException(f"{store} cannot be written: {error.strerror}") from None
    if current_output().form == "json":
        told = {"version": 1, "file": store, "states": len(made.states), "transitions": len(made.edges)}
        current_output().document(json.dumps(told))
    else:
        print(f"{store}: {len(made.states)} states, {len(made.edges)} transitions")
