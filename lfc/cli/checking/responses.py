"""`lfc timing` beyond one pass: from an interrupt to what the program does about it, and a table of such times."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.mcheck.image.check_image import CheckedImage
    from lfc.mcheck.image.report import Places
    from lfc.mcheck.response.events import Target
    from lfc.mcheck.response.graph import Graph
    from lfc.mcheck.response.report import Response
    from lfc.mcheck.response.table import Table

MOST_STATES = 200_000
MOST_TABLE_STATES = 20_000  # where none are asked for
MOST_LOOKS = 400_000  # steps of the analysis between which it may stop


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
    from lfc.mcheck.response.report import NAMES, as_data, as_text, compared, graph_as_data, over

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


# --- the table ---


class NoTable(Exception):
    """Why there is none. `unfinished`: there are more states, or no time is left."""

    def __init__(self, why: str, unfinished: bool = False) -> None:
        super().__init__(why)
        self.unfinished = unfinished


def table(machine: Machine, image: CheckedImage, scheduler: str, states: int, goes_on: Callable[[], bool]) -> Table:
    """Raises NoTable."""
    from lfc.mcheck.image.check_image import NotChecked
    from lfc.mcheck.response.avr_board import AvrBoard
    from lfc.mcheck.response.between import TooMany
    from lfc.mcheck.response.graph import Graph, NoTime
    from lfc.mcheck.response.table import table_of
    from lfc.mcheck.response.timed import explore_in_time

    try:
        graph = Graph(AvrBoard(machine, image), goes_on)
        if explore_in_time(graph, states or MOST_TABLE_STATES):
            return table_of(machine, graph, scheduler)
    except (NoTime, TooMany):
        pass
    except NotChecked as error:
        raise NoTable(str(error)) from None
    raise NoTable(f"not every board state was followed, but {len(graph.intervals)} (--states, --time)", True)


def until(seconds: float | None, states: int) -> Callable[[], bool]:
    """Without limits that are asked for it stops after the same work each time."""
    if seconds is None:
        looks = count()
        return lambda: states > 0 or next(looks) < MOST_LOOKS
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end


def beside_passes(machine: Machine, image: CheckedImage, states: int, goes_on: Callable[[], bool]) -> Table | str:
    """Of round robin; a text: why there is none."""
    try:
        return table(machine, image, "rr", states, goes_on)
    except NoTable as no:
        return str(no)


def table_as_data(found: Table | str) -> dict[str, object]:
    from lfc.mcheck.response.table import as_data as data_of

    return {"why": found} if isinstance(found, str) else data_of(found) | {"why": None}


def table_as_text(machine: Machine, found: list[Table] | str) -> list[str]:
    from lfc.mcheck.response.report import ASSUMES
    from lfc.mcheck.response.table import as_text as text_of

    if isinstance(found, str):
        return [f"no response times: {found}"]
    states = " and ".join(str(len(t.graph.intervals)) for t in found)
    return [*text_of(machine, found), f"over {states} board states; {ASSUMES}"]


def show_tables(
    machine: Machine, images: Mapping[str, CheckedImage], limit: int | None, states: int, seconds: float | None
) -> Exit:
    """Alone, where passes are not measured."""
    goes_on = until(seconds, states)
    try:
        found = [table(machine, image, name, states, goes_on) for name, image in images.items()]
    except NoTable as no:
        if not no.unfinished:
            raise click.ClickException(f"No response times: {no}.") from None
        print(no, file=sys.stderr)
        return Exit.INCONCLUSIVE
    exceeded = limit is not None and any(t.longest is not None and t.longest.cycles > limit for t in found)
    board: Board = next(iter(images.values())).board
    if current_output().form == "json":
        document = {
            "version": 1,
            "board": board.name,
            "clock": board.cpu.clock,
            "tables": {t.scheduler: table_as_data(t) for t in found},
            "limit": limit,
            "exceeded": exceeded,
        }
        current_output().document(json.dumps(document, indent=1))
    else:
        print(*table_as_text(machine, found), sep="\n")
    return Exit.PROPERTY if exceeded else Exit.OK
