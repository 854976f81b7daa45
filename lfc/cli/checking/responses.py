"""`lfc timing --from --to`: how long it takes at most from an interrupt to what the program does about it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
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
NAMES = {"rr": "round robin", "edf": "earliest deadline"}


@dataclass(frozen=True, slots=True)
class Asked:
    begin: str | None  # None: every interrupt, to the end of the action that takes it
    end: str | None
    limit: int | None  # cycles
    states: int  # 0: as many as usual
    seconds: float | None


def show_responses(machine: Machine, images: Mapping[str, CheckedImage], asked: Asked) -> Exit:
    """`images`: by their scheduler."""
    until = time.monotonic() + (asked.seconds or float("inf"))
    try:
        told = [followed(machine, name, image, asked, until) for name, image in images.items()]
    except _not_checked() as error:
        raise click.ClickException(f"No response times: {error}.") from None
    tell(machine, told, asked)
    return max(verdict(t, asked.limit) for t in told)


@dataclass(slots=True)
class Followed:
    """Of one scheduler; `found`: None: not every board state was followed."""

    scheduler: str
    places: Places
    graph: Graph
    found: list[Response] | None


def followed(machine: Machine, scheduler: str, image: CheckedImage, asked: Asked, until: float) -> Followed:
    from lfc.mcheck.image.report import Places
    from lfc.mcheck.response.avr_board import AvrBoard
    from lfc.mcheck.response.graph import Graph

    places = Places(image)
    wanted = targets(machine, image, places, asked)
    board = AvrBoard(machine, image)
    board.sought = tuple(sorted({w for _, t in wanted for w in t.words}))
    graph = Graph(board, lambda: time.monotonic() < until)
    return Followed(scheduler, places, graph, responses(graph, wanted, asked.states or MOST_STATES))


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


def tell(machine: Machine, told: list[Followed], asked: Asked) -> None:
    from lfc.mcheck.response.report import as_data, as_text, compared, graph_as_data, over

    if current_output().form == "json":
        board = told[0].graph.board.board
        document = {
            "version": 1,
            "board": board.name,
            "clock": board.cpu.clock,
            "responses": [
                as_data(machine, t.places, t.graph, r) | {"scheduler": t.scheduler} for t in told for r in t.found or ()
            ],
            "graphs": {t.scheduler: graph_as_data(t.graph) | {"complete": bool(t.found)} for t in told},
            "limit": asked.limit,
            "exceeded": any(exceeded(t.found or [], asked.limit) for t in told),
        }
        current_output().document(json.dumps(document, indent=1))
        return
    for t in told:
        if len(told) > 1:
            print(f"{NAMES[t.scheduler]}:")
        for r in t.found or ():
            print(*as_text(machine, t.places, t.graph, r), sep="\n")
        if t.found:
            print(over(t.graph))
    if len(told) > 1 and all(t.found for t in told):
        for pair in zip(*(t.found or () for t in told), strict=True):
            print(compared(told[0].graph, {t.scheduler: r for t, r in zip(told, pair, strict=True)}))


def exceeded(found: list[Response], limit: int | None) -> bool:
    return any(r.longest.cycles is None or (limit is not None and r.longest.cycles > limit) for r in found)


def verdict(told: Followed, limit: int | None) -> Exit:
    found = told.found
    if found is None:
        known = len(told.graph.intervals)
        print(f"not every board state was followed, but {known}: no response time is known", file=sys.stderr)
        return Exit.INCONCLUSIVE
    if any(r.longest.gave_up for r in found):
        return Exit.INCONCLUSIVE
    return Exit.PROPERTY if exceeded(found, limit) else Exit.OK
