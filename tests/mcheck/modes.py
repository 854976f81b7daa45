"""Every way to search that must give the same: what a request offers of what is listed here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any

from lfc.mcheck.request.request import Request, request_from

# The usual value first.
EXACT_MODES: dict[str, tuple[object, ...]] = {
    "remember": (True, False),
    "threads": (1, 2),
    "compact": (False, True),
    "spill_at": (0, 5),
    "strategy": ("breadth", "depth", "best"),
}
ALWAYS: dict[str, object] = {
    "least_shared": 1,  # several threads also where there is little to share
    "spill": tempfile.gettempdir(),
}


def combinations() -> Iterator[dict[str, object]]:
    """All usual; each other value alone; the last values together; several threads that go to disk."""
    modes = EXACT_MODES
    usual = {name: values[0] for name, values in modes.items()}
    yield usual
    for name, values in modes.items():
        for value in values[1:]:
            yield {**usual, name: value}
    if len(modes) > 1:
        yield {name: values[-1] for name, values in modes.items()}
    if {"threads", "spill_at"} <= modes.keys():
        yield {**usual, "threads": modes["threads"][-1], "spill_at": modes["spill_at"][-1]}


def exact_limits(**same: Any) -> Iterator[tuple[str, Request]]:
    """A description and the limits of each of them."""
    for chosen in combinations():
        yield ", ".join(f"{n}={v}" for n, v in chosen.items()), request_from(**{**ALWAYS, **chosen, **same})
