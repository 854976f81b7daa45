"""Worlds that are worse and worse: levels, and numbers of faults; and how bad a world each claim endures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lfc.sweep.matrix import Configuration
from lfc.sweep.run import Cell

LEVEL, BUDGET = "--level", "--fault-budget"
UNLIMITED = "faulty"


def worlds(budget: int | None) -> list[Configuration]:
    """From the best to the worst: each has all runs of the one before. `budget`: the greatest number of faults that is
    tried apart."""
    found = [Configuration(((LEVEL, level),)) for level in ("normal", "degraded")]
    found += [Configuration(((LEVEL, UNLIMITED), (BUDGET, str(n)))) for n in range(1, (budget or 0) + 1)]
    return [*found, Configuration(((LEVEL, UNLIMITED),))]


def name_of(world: Configuration) -> str:
    values = dict(world.values)
    if BUDGET not in values:
        return values[LEVEL]
    return f"{values[BUDGET]} fault{'s' * (values[BUDGET] != '1')}"


def endured(cells: Sequence[Cell]) -> dict[str, str | None]:
    """Of each claim the worst world in which it holds, and in all better ones; None: not even in a normal one."""
    found: dict[str, str | None] = {}
    over: set[str] = set()
    for cell in cells:
        found.setdefault(cell.claim, None)
        if cell.verdict != "holds":
            over.add(cell.claim)
        elif cell.claim not in over:
            found[cell.claim] = name_of(cell.configuration)
    return found


def lines(cells: Sequence[Cell]) -> list[str]:
    width = max(len(c.claim) for c in cells)
    worst = name_of(cells[-1].configuration)
    first: dict[str, Cell] = {}
    for c in cells:
        if c.verdict != "holds":
            first.setdefault(c.claim, c)
    told = []
    for claim, world in endured(cells).items():
        text = f"{claim.ljust(width)}  "
        if world == worst:
            told.append(f"{text}holds at every level")
            continue
        breaks = first[claim]
        what = f"{breaks.verdict} with {name_of(breaks.configuration)}"
        told.append(f"{text}holds up to {world}; {what}" if world is not None else f"{text}never holds; {what}")
    return told


def as_data(file: str, cells: Sequence[Cell]) -> dict[str, Any]:
    return {
        "version": 1,
        "file": file,
        "endured": endured(cells),
        "checks": [
            {
                "world": name_of(c.configuration),
                "claim": c.claim,
                "verdict": c.verdict,
                "message": c.message or None,
                "states": c.states,
                "known": c.known,
            }
            for c in cells
        ],
    }
