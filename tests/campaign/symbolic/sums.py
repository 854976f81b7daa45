"""Programs of tens of millions of states: the sizes of their boxes add up to what the explicit search counts.

python -m tests.campaign.symbolic.sums
"""

from __future__ import annotations

import sys
from pathlib import Path

from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.actions.machines import machine_of_text
from tests.mcheck.searching import search_with

PROGRAMS = Path(__file__).parents[2] / "mcheck" / "symbolic" / "programs"

SUMS = {"kept_sample": (81, 35_580_446), "pulses": (2_623, 29_568_508)}  # boxes, states: counted one by one


def text_of(name: str) -> str:
    return (PROGRAMS / f"{name}.lf").read_text()


def by_boxes(name: str) -> tuple[int, int | None]:
    result = check(machine_of_text(text_of(name)), request_from(data="symbolic", reductions=("auto",)))
    assert result.verdict == "holds" and result.symbolic is not None
    return result.symbolic.states, result.symbolic.concrete


def one_by_one(name: str) -> int:
    search = search_with(machine_of_text(text_of(name)), request_from(reductions=("dead",)))
    try:
        assert search.run() is Stop.COMPLETE
        return search.statistics.states
    finally:
        search.close()


def main() -> None:
    wrong = 0
    for name, expected in SUMS.items():
        boxes, states, counted = *by_boxes(name), one_by_one(name)
        print(f"{name}: {boxes} boxes of {states} states; one by one: {counted}")
        wrong += (boxes, states) != expected or counted != states
    sys.exit(min(wrong, 1))


if __name__ == "__main__":
    main()
