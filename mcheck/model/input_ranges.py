"""Ports of which only some values are looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lfc.semantics.model.types import size_and_alignment

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine

MOST_INPUTS = 64  # of one action
RANGE = re.compile(r"\s*(?P<port>[\w.]+)\s+in\s+(?P<low>\w+)\s*\.\.\s*(?P<high>\w+)\s*\Z")
WIDTHS = (8, 16, 32)


class NotUnderstood(Exception):
    """Says what is wrong with the text of an assumption."""


@dataclass(frozen=True, slots=True)
class PortRange:
    """`text` is how it was stated."""

    width: int
    address: int
    low: int
    high: int
    text: str


def read_number(text: str) -> int | None:
    """As in the source: 42, 2FH."""
    try:
        return int(text[:-1], 16) if text.endswith("H") else int(text)
    except ValueError:
        return None


def read_ranges(machine: Machine, texts: tuple[str, ...]) -> tuple[PortRange, ...]:
    """Of `PORT in a..b`: a device register by its name (or `Module.name`), or the address that PORTIN and its like
    read. Raises NotUnderstood."""
    return tuple(r for text in texts for r in read_range(machine, text))


def read_range(machine: Machine, text: str) -> list[PortRange]:
    found = RANGE.match(text)
    low, high = (None, None) if found is None else (read_number(found["low"]), read_number(found["high"]))
    if found is None or low is None or high is None:
        raise NotUnderstood(f"`{text}` is not of the form PORT in LOW..HIGH")
    address = read_number(found["port"])
    places = [(w, address) for w in WIDTHS] if address is not None else registers(machine, found["port"])
    if not places:
        what = f"there is no device register `{found['port']}`"
        raise NotUnderstood(f"{what}; what PORTIN reads is named by its address, as 41H")
    if low > high:
        raise NotUnderstood(f"`{text}` is an empty range")
    fitting = [PortRange(w, a, low, high, f"{found['port']} in {low}..{high}") for w, a in places if high < 1 << w]
    if not fitting or low < 0:
        raise NotUnderstood(f"`{text}` does not fit the register")
    return fitting


def registers(machine: Machine, name: str) -> list[tuple[int, int]]:
    """Width and address of those that bear the name."""
    return [
        (8 * size_and_alignment(v.type)[0], v.address)
        for module in machine.program.modules
        for v in module.variables
        if v.address is not None and name in (v.name, f"{module.name}.{v.name}")
    ]
