"""States until the first error is found, relative to the search in full: of each model with seeded faults.

    python -m bench.checker.first_errors [--only NAME] [--faults N] [--most STATES]

Faults are small changes of the text (`lfc/hil/mutants.py`) in an order that a seed gives; of each model the first
that the full search finds within so many states. A model without such a fault has no row.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bench.checker.compiled import compiled
from bench.checker.models import MODELS, NATURAL, ORDINARY, Model
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.hil.mutants import mutants_of, shuffled
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with

SETS = [("por",), ("dead",), ("chains",), ("sym",), ("por", "dead"), ("por", "chains"), ("por", "dead", "chains")]
SEED, TRIES = 7, 25
FEWEST = 20  # states; nearer errors tell nothing


def first_error(machine: Machine, reductions: tuple[str, ...], most: int, seconds: float = 30) -> tuple[Stop, int, int]:
    """How a search ends that looks for nothing else, its states and its depth."""
    search = search_with(machine, request_from(reductions=reductions, states=most, threads=1))
    try:
        return search.run(seconds), search.statistics.states, search.statistics.depth
    finally:
        search.close()


def faulty(model: Model, most: int, faults: int, tries: int = TRIES) -> Iterator[tuple[str, Machine, int]]:
    """What is wrong in each, and the states of the search in full."""
    for mutant in shuffled(mutants_of(Source(f"{model.name}.lf", model.lf())), SEED)[:tries]:
        try:
            machine = compiled(mutant.text)
        except ValueError:
            continue
        stop, states, _ = first_error(machine, (), most)
        if faults and stop is Stop.ERROR and states >= FEWEST:
            faults -= 1
            yield f"line {mutant.line}: {mutant.told}", machine, states


def ratio(machine: Machine, reductions: tuple[str, ...], full: int) -> str:
    stop, states, _ = first_error(machine, reductions, 100 * full)
    return f"{states / full:.2f}" if stop is Stop.ERROR else f"more than {states / full:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", default="", help="models whose title holds this")
    parser.add_argument("--faults", type=int, default=3, help="of each model")
    parser.add_argument("--most", type=int, default=300_000, help="states of the search in full")
    options = parser.parse_args()
    head = ["model", "fault", "all", *(f"`{','.join(s)}`" for s in SETS)]
    print(f"| {' | '.join(head)} |\n|{' --- |' * len(head)}")
    for model in [*ORDINARY, *MODELS, *NATURAL]:
        if options.only not in model.title:
            continue
        for told, machine, full in faulty(model, options.most, options.faults):
            cells = [model.title, told, f"{full:,}", *(ratio(machine, s, full) for s in SETS)]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
