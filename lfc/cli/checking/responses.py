"""`lfc timing --from --to`: how long it takes at most from an interrupt to what the program does about it."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.image.check_image import CheckedImage
    from lfc.mcheck.image.report import Places
    from lfc.mcheck.response.events import Target
    from lfc.mcheck.response.graph import Graph
    from lfc.mcheck.response.report import Response

MOST_STATES = 200_000


@dataclass(frozen=True, slots=True)
class Asked:
    begin: str | None  # None: every interrupt, to the end of the action that takes it
    end: str | None
    limit: int | None  # cycles
    states: int  # 0: as many as usual
    seconds: float | None


def show_responses(machine: Machine, image: CheckedImage, asked: Asked) -> Exit:
    from lfc.mcheck.image.report import Places
    from lfc.mcheck.response.avr_board import AvrBoard
    from lfc.mcheck.response.graph import Graph

    places = Places(image)
    wanted = targets(machine, image, places, asked)
    try:
        board = AvrBoard(machine, image)
        board.sought = tuple(sorted({w for _, t in wanted for w in t.words}))
        until = time.monotonic() + (asked.seconds or float("inf"))
        graph = Graph(board, lambda: time.monotonic() < until)
        found = responses(graph, wanted, asked.states or MOST_STATES)
    except _not_checked() as error:
        raise click.ClickException(f"No response times: {error}.") from None
    tell(machine, places, graph, found or [], asked)
    return verdict(graph, found, asked.limit)


def _not_checked() -> type[Exception]:
    from lfc.mcheck.image.check_image import NotChecked

    return NotChecked


def targets(machine: Machine, image: CheckedImage, places: Places, asked: Asked) -> list[tuple[int, Target]]:
    from lfc.mcheck.response.events import NoSuchEvent, interrupt_of, taken, target_of

    try:
        if asked.begin is not None and asked.end is not None:
            n = interrupt_of(asked.begin, machine)
            return [(n, target_of(asked.end, machine, image.board, places))]
    except NoSuchEvent as error:
        raise click.UsageError(f"{error}.") from None
    if not machine.layout.interrupts:
        raise click.ClickException("No response times: the program waits for no interrupt.")
    return [(n, taken(n, machine)) for n in machine.layout.interrupts]


def responses(graph: Graph, wanted: list[tuple[int, Target]], most: int) -> list[Response] | None:
    """None: there are more board states than `most`, or the time was over before all was followed."""
    from lfc.mcheck.response.graph import NoTime
    from lfc.mcheck.response.timed import explore_in_time

    if not explore_in_time(graph, most):
        return None
    try:
        return [response(graph, n, t) for n, t in wanted]
    except NoTime:
        return None


def response(graph: Graph, n: int, t: Target) -> Response:
    from lfc.mcheck.response.longest import LongestPath
    from lfc.mcheck.response.report import Response

    paths = LongestPath(graph, t.happens)
    longest = paths.from_interrupt(n)
    awaited = None if longest.cycles is None else paths.from_interrupt(n, awaited=True).cycles
    return Response(n, t, longest, None if awaited is not None and awaited < 0 else awaited)


def tell(machine: Machine, places: Places, graph: Graph, found: list[Response], asked: Asked) -> None:
    from lfc.mcheck.response.report import as_data, as_text, graph_as_data, over

    if current_output().form == "json":
        document = {
            "version": 1,
            "board": graph.board.board.name,
            "clock": graph.board.board.cpu.clock,
            "responses": [as_data(machine, places, graph, r) for r in found],
            "graph": graph_as_data(graph) | {"complete": bool(found)},
            "limit": asked.limit,
            "exceeded": exceeded(found, asked.limit),
        }
        current_output().document(json.dumps(document, indent=1))
        return
    for r in found:
        print(*as_text(machine, places, graph, r), sep="\n")
    if found:
        print(over(graph))


def exceeded(found: list[Response], limit: int | None) -> bool:
    return any(r.longest.cycles is None or (limit is not None and r.longest.cycles > limit) for r in found)


def verdict(graph: Graph, found: list[Response] | None, limit: int | None) -> Exit:
    if found is None:
        known = len(graph.intervals)
        print(f"not every board state was followed, but {known}: no response time is known", file=sys.stderr)
        return Exit.INCONCLUSIVE
    if any(r.longest.gave_up for r in found):
        return Exit.INCONCLUSIVE
    return Exit.PROPERTY if exceeded(found, limit) else Exit.OK
