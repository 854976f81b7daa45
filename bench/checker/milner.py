"""How a model grows with its number of processes, where partial order reduction leaves one order of steps.

    python -m bench.checker.milner [N...]

Milner's cyclic scheduler with N cells (10, 50, 100, 200, 254, 400): states with and without reduction (without: as long
as there are at most two million), and processor seconds of the search and of the look for partial deadlocks. With more
than 254 cells slots and ports have two bytes (docs/reference/machine.md).
"""

from __future__ import annotations

import sys
import time

from bench.checker.compiled import compiled
from bench.checker.models import Model
from lfc.actions.model.machine import Machine
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with

MOST = 2_000_000  # states without reduction


def searched(machine: Machine, limits: Request) -> tuple[Stop, int, float, float]:
    """How it ended, states, seconds of the search and of the look for partial deadlocks."""
    search = search_with(machine, limits)
    begin = time.process_time()
    stop = search.run()
    middle = time.process_time()
    if stop is Stop.COMPLETE and search.find_stuck() is not None:
        raise RuntimeError("a process is stuck")
    states: int = search.statistics.states
    search.close()
    return stop, states, middle - begin, time.process_time() - middle


def main() -> None:
    sizes = [int(a) for a in sys.argv[1:]] or [10, 50, 100, 200, 254, 400]
    print("| N | all | `por` | search, s | partial deadlocks, s |\n| --- | --- | --- | --- | --- |")
    for n in sizes:
        machine = compiled(Model(f"Milner {n}", "milner", {"N": n}).lf())
        stop, states, _, _ = searched(machine, request_from(states=MOST))
        whole = f"{states:,}" if stop is Stop.COMPLETE else "more"
        stop, states, first, second = searched(machine, request_from(reductions=("por",)))
        if stop is not Stop.COMPLETE:
            raise RuntimeError(f"N = {n}: {stop.name}")
        print(f"| {n} | {whole} | {states:,} | {first:.2f} | {second:.2f} |", flush=True)


if __name__ == "__main__":
    main()
