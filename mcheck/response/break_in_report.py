"""What interrupts that break in have shown, as text and as data."""

from __future__ import annotations

from lfc.mcheck.image.report import Places
from lfc.mcheck.response.break_in import Broken, Counted


def counted_as_text(places: Places, counted: Counted) -> list[str]:
    tried = f"before {counted.places} instructions of {counted.passes} passes ({counted.followed} followed to the end)"
    if not counted.broken:
        return [f"interrupts break in {tried}: as if each had come at a boundary"]
    lines = [f"interrupts break in {tried}: the image differs"]
    return lines + [f"  interrupt {b.interrupt} before {b.at:04X}H{_line(places, b)}: {b.what}" for b in counted.broken]


def _line(places: Places, b: Broken) -> str:
    found = places.line(b.at)
    return f" ({found[0]}:{found[1]})" if found is not None else ""


def counted_as_data(places: Places, counted: Counted) -> dict[str, object]:
    broken = [{"interrupt": b.interrupt, "address": b.at, "what": b.what} for b in counted.broken]
    numbers = {"passes": counted.passes, "places": counted.places, "followed": counted.followed}
    return {**numbers, "complete": counted.complete, "broken": broken}
