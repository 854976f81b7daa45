"""`lfc check -b BOARD --time board`: what a program claims of its time, on the image, under the board's scheduler."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.mcheck.response.break_in import Counted
    from lfc.mcheck.response.claims import Claims
    from lfc.mcheck.response.graph import Graph
    from lfc.mcheck.response.verdicts import Verdicts

EXITS = {"holds": Exit.OK, "violated": Exit.PROPERTY, "inconclusive": Exit.INCONCLUSIVE}
MODE = "board"
TAKEN = {
    *("files", "seconds", "states", "properties", "path", "drift", "board", "board_file", "record"),
    *("scheduler", "faults", "on_fault", "safe", "json", "color", "interrupts"),
}
DRIFT = re.compile(r"(\d+(?:\.\d+)?)\s*(ppm|%)")
IN_MILLIONTHS = {"ppm": 1.0, "%": 10_000.0}
MOST_DRIFT = 100_000.0


def drift_of(given: str | None) -> float:
    """In millionths. Raises click.BadParameter."""
    if given is None:
        return 0.0
    found = DRIFT.fullmatch(given.strip())
    if found is None:
        raise click.BadParameter(f"{given!r} is no drift such as 50ppm or 1%.", param_hint="'--drift'")
    drift = float(found[1]) * IN_MILLIONTHS[found[2]]
    if drift > MOST_DRIFT:
        raise click.BadParameter(f"{given} is more than 10 %.", param_hint="'--drift'")
    return drift


def refuse_others(context: click.Context) -> None:
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name)) == click.core.ParameterSource.COMMANDLINE
        if given and option.name not in TAKEN and option.expose_value:
            raise click.UsageError(f"{option.opts[-1]} and --time {MODE} exclude each other.")


def check_board_time(file: str, board: Board | None, given: Mapping[str, Any]) -> Exit:
    if board is None:
        raise click.UsageError(f"--time {MODE} is about the image of a board: name it with -b BOARD.")
    from lfc.cli.checking.check import refuse_unknown_properties
    from lfc.cli.checking.responses import MOST_STATES
    from lfc.cli.common.image import chosen_image
    from lfc.cli.common.machine import load_machine
    from lfc.mcheck.image.check_image import NotChecked
    from lfc.mcheck.image.report import Places
    from lfc.mcheck.response.avr_board import AvrBoard
    from lfc.mcheck.response.break_in import BreakInBoard, break_in_everywhere
    from lfc.mcheck.response.claims import claims_of
    from lfc.mcheck.response.graph import Graph
    from lfc.mcheck.response.timed import explore_in_time

    drift = drift_of(given["drift"])
    machine = load_machine(file, given["path"], (), with_environment=False, board=board)
    refuse_unknown_properties(machine, given["properties"])
    faults = given["faults"], given["on_fault"], given["safe"]
    image = chosen_image(board, machine, given["scheduler"], faults, (), "", deadlines=True)
    everywhere = given["interrupts"] == "everywhere"
    until = time.monotonic() + (given["seconds"] or float("inf"))
    try:
        claims = claims_of(machine, given["properties"])
        if not claims.found and not claims.unknown and not everywhere:
            raise NotChecked("it has neither a property nor a process with a DEADLINE")
        graph = Graph(AvrBoard(machine, image), lambda: time.monotonic() < until)
        complete = explore_in_time(graph, given["states"] or MOST_STATES)
        verdicts = decided(machine, graph, claims, drift) if complete else None
        breaks_in = verdicts is not None and everywhere
        counted = break_in_everywhere(graph, BreakInBoard(machine, image)) if breaks_in else None
    except NotChecked as error:
        raise click.ClickException(f"The board's time cannot be checked: {error}.") from None
    tell(graph, verdicts, counted, Places(image), drift)
    if verdicts is None:
        print(f"not every board state was followed, but {len(graph.intervals)}: nothing is known", file=sys.stderr)
        return Exit.INCONCLUSIVE
    return exit_of(verdicts, counted)


def decided(machine: Machine, graph: Graph, claims: Claims, drift: float) -> Verdicts | None:
    """None: the time was over."""
    from lfc.mcheck.response.graph import NoTime
    from lfc.mcheck.response.verdicts import verdicts_on

    try:
        return verdicts_on(machine, graph, claims, drift)
    except NoTime:
        return None


def exit_of(verdicts: Verdicts, counted: Counted | None) -> Exit:
    if counted is not None and counted.broken:
        return Exit.IMAGE
    if counted is None or counted.complete:
        return EXITS[verdicts.said]
    print("interrupts did not break in everywhere: the time was over", file=sys.stderr)
    return Exit.INCONCLUSIVE if verdicts.said == "holds" else EXITS[verdicts.said]


def tell(graph: Graph, verdicts: Verdicts | None, counted: Counted | None, places: Any, drift: float) -> None:
    from lfc.mcheck.response.break_in_report import counted_as_data, counted_as_text
    from lfc.mcheck.response.report import graph_as_data, over
    from lfc.mcheck.response.verdicts import as_data, as_text

    machine = graph.board.machine
    if current_output().form == "json":
        document = {
            "version": 1,
            "board": graph.board.board.name,
            "clock": graph.board.board.cpu.clock,
            "drift": drift,
            "verdict": "inconclusive" if verdicts is None else verdicts.said,
            "claims": [] if verdicts is None else as_data(machine, places, graph, verdicts),
            "interrupts": None if counted is None else counted_as_data(places, counted),
            "graph": graph_as_data(graph) | {"complete": verdicts is not None},
        }
        current_output().document(json.dumps(document, indent=1))
    elif verdicts is not None:
        lines = as_text(machine, places, graph, verdicts)
        if counted is not None:
            lines += counted_as_text(places, counted)
        print(*lines, over(graph), sep="\n")
