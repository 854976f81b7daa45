"""Every way to search that must give the same: what the engine's limits offer of what is listed here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import product
from typing import Any

from lfc.mcheck.search import Limits

# A name that the limits do not have is left out, so a mode counts from the day on which the engine has it.
EXACT_MODES: dict[str, tuple[object, ...]] = {
    "remember": (True, False),
    "threads": (1, 2),
    "search": ("breadth", "depth", "best"),
    "store": ("tree", "plain"),
}


def offered() -> dict[str, tuple[object, ...]]:
    names = {f.name for f in fields(Limits)}
    return {name: values for name, values in EXACT_MODES.items() if name in names}


def exact_limits(**same: Any) -> Iterator[tuple[str, Limits]]:
    """A description and the limits of every combination."""
    names = offered()
    for values in product(*names.values()):
        chosen: dict[str, Any] = dict(zip(names, values, strict=True))
        yield ", ".join(f"{n}={v}" for n, v in chosen.items()), Limits(**chosen, **same)
