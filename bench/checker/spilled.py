"""What it costs to search on disk: models in memory, and again with less memory. `python -m bench.checker.spilled`.

A row tells the states, of the search in memory its seconds, those for partial deadlocks, and megabytes; then, with a
half and a quarter of what table and log took (6 bytes a state; values and pairs, which stay in memory, are added to the
limit), the seconds likewise and the megabytes of disk. One thread.
"""

from __future__ import annotations

import tempfile
import time

from bench.checker.models import MODELS, Model
from lfc.actions.build import build_machine
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.search.search import Search, Stop

SHOWN = (
    "Peterson 4",
    "philosophers 5, forks as processes",
    "semaphore 14, a variable",
    "sliding window 6",
    "leader election 8",
)
SHARES = (2, 4)


def measured(model: Model, limits: Request) -> tuple[Search, float, float]:
    """The search, its seconds, and those of the search for partial deadlocks."""
    with tempfile.NamedTemporaryFile("w", suffix=".lf") as file:
        file.write(model.lf())
        file.flush()
        diagnostics = Diagnostics()
        program = load_program(file.name, diagnostics)
        assert program is not None
        machine = build_machine(program, diagnostics)
        search = Search(machine, limits)
        begin = time.perf_counter()
        if search.run() is not Stop.COMPLETE:
            raise RuntimeError(f"{model.title}: {search.statistics.stop}")
        then = time.perf_counter()
        search.find_stuck()
        return search, then - begin, time.perf_counter() - then


def row(model: Model) -> str:
    search, seconds, stuck = measured(model, request_from())
    s = search.statistics
    states, stays = s.states, s.node_bytes + s.value_bytes + s.memo_bytes
    goes = 6 * states
    search.close()
    cells = [model.title, f"{states:,}", f"{seconds:.1f} + {stuck:.1f}", f"{(stays + goes) / 1e6:.0f}"]
    for share in SHARES:
        search, seconds, stuck = measured(
            model, request_from(memory=stays + goes // share, spill=tempfile.gettempdir())
        )
        s = search.statistics
        if s.states != states or search.stuck_unknown:
            raise RuntimeError(f"{model.title}: {s.states} states on disk, {states} in memory")
        cells.append(f"{seconds:.1f} + {stuck:.1f}, {s.disk_bytes / 1e6:.0f}")
        search.close()
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    for model in MODELS:
        if model.title in SHOWN:
            print(row(model), flush=True)


if __name__ == "__main__":
    main()
