"""What `auto` leaves of each model, beside the best set of reductions and SPIN with its own reduction, in one run.

    python -m bench.checker.chosen [--only NAME] [--seconds S]

`all` is the search of all states (empty: more than five million); the best set is that of the sixteen that leaves the
fewest states within some seconds. Where all are at most 200,000 `auto` counts all of them.
"""

from __future__ import annotations

import argparse
from itertools import chain, combinations

from bench.checker.compiled import compiled
from bench.checker.models import ORDINARY, Model
from bench.checker.reduced import spins
from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
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
    whole = "" if full is None else f"{full:,}"
    cells = [model.title, whole, f"`{names}`", f"{states:,}", f"`{best}`", f"{least:,}", f"{spins(model):,}"]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", default="", help="models whose title holds this")
    parser.add_argument("--seconds", type=float, default=20, help="of each search for the best set")
    options = parser.parse_args()
    print("| model | all | `auto` chooses | leaves | best | leaves | SPIN |\n|" + " --- |" * 7)
    for model in ORDINARY:
        if options.only in model.title:
            print(row(model, options.seconds), flush=True)


if __name__ == "__main__":
    main()
