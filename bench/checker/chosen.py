"""What `auto` leaves of each model, beside the best set of reductions and SPIN with its own reduction, in one run.

    python -m bench.checker.chosen [--benchmark] [--only NAME] [--seconds S]

`full` is the search of all states (empty: more than five million, or too long); the best set is that of the sixteen
that leaves the fewest states within some seconds. Where the full search has at most 200,000 states `auto` counts all:
there `--reductions all` is to be compared. The short searches of `auto` have as long here, so that what it chooses does
not depend on what else the machine does.
"""

from __future__ import annotations

import argparse
from itertools import chain, combinations

from bench.checker.compiled import compiled
from bench.checker.models import MODELS, NATURAL, ORDINARY, Model
from bench.checker.reduced import spins
from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.reduction import choose
from lfc.mcheck.reduction.registry import OF_SEARCHES
from lfc.mcheck.request.request import AUTO, request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with

MOST = 5_000_000
SETS = list(chain.from_iterable(combinations(OF_SEARCHES, n) for n in range(len(OF_SEARCHES) + 1)))


def states_with(machine: Machine, reductions: tuple[str, ...], most: int, seconds: float) -> int | None:
    search = search_with(machine, request_from(keep_going=True, reductions=reductions, states=most))
    try:
        return search.statistics.states if search.run(seconds) is Stop.COMPLETE else None
    finally:
        search.close()


def best_of(machine: Machine, seconds: float) -> tuple[int | None, str, int]:
    """Of all; the names of the best set, and what it leaves."""
    full = states_with(machine, (), MOST, seconds)
    best, least = "none", full or MOST
    for reductions in SETS[1:]:
        states = states_with(machine, reductions, least, seconds)
        if states is not None and states < least:
            best, least = ",".join(reductions), states
    return full, best, least


def chosen(machine: Machine) -> tuple[int, str]:
    result = check(machine, request_from(reductions=(AUTO,)))
    names = [c.name for c in result.reductions if not c.why_not]
    return result.states, ",".join(names) or "none"


def row(model: Model, seconds: float) -> str:
    machine = compiled(model.lf())
    full, best, least = best_of(machine, seconds)
    states, names = chosen(machine)
    together = states_with(machine, tuple(OF_SEARCHES), MOST, seconds)
    cells = [model.title, number(full), f"`{names}`", number(states), number(together), f"`{best}`", number(least)]
    cells.append(number(spins(model)))
    return f"| {' | '.join(cells)} |"


def number(states: int | None) -> str:
    return "" if states is None else f"{states:,}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", default="", help="models whose title holds this")
    parser.add_argument("--seconds", type=float, default=20, help="of each search for the best set")
    parser.add_argument("--benchmark", action="store_true", help="the other models that are not huge, in both forms")
    options = parser.parse_args()
    choose.MOST_SECONDS = options.seconds
    print("| model | full | `auto` chooses | leaves | all leave | best | leaves | SPIN |\n|" + " --- |" * 8)
    for model in [m for m in [*MODELS, *NATURAL] if not m.huge] if options.benchmark else ORDINARY:
        if options.only in model.title:
            print(row(model, options.seconds), flush=True)


if __name__ == "__main__":
    main()
