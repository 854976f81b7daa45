"""The table of `lfc timing`: response times, periods and load, under one scheduler or both."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.mcheck.image.check_image import CheckedImage
    from lfc.mcheck.response.table import Table

MOST_STATES = 20_000  # where none are asked for
MOST_LOOKS = 400_000  # steps of the analysis between which it may stop


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
        if explore_in_time(graph, states or MOST_STATES):
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


def as_data(found: Table | str) -> dict[str, object]:
    from lfc.mcheck.response.table import as_data as data_of

    return {"why": found} if isinstance(found, str) else data_of(found) | {"why": None}


def as_text(machine: Machine, found: list[Table] | str) -> list[str]:
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
            "tables": {t.scheduler: as_data(t) for t in found},
            "limit": limit,
            "exceeded": exceeded,
        }
        current_output().document(json.dumps(document, indent=1))
    else:
        print(*as_text(machine, found), sep="\n")
    return Exit.PROPERTY if exceeded else Exit.OK
