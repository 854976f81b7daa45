"""A run as a value change dump (IEEE 1364), which GTKWave, PulseView and Surfer show beside a capture."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lfc.view.timeline import Timeline

UNIT = "1 us"
KINDS = {"number": ("integer", 64), "boolean": ("wire", 1), "text": ("string", 1)}


def as_vcd(run: Timeline) -> str:
    """A step is a microsecond. Of each process its line, whether it waits and for what, and its variables."""
    from vcd import VCDWriter

    file = io.StringIO()
    with VCDWriter(file, timescale=UNIT, date="", version="lfc", comment=run.module) as writer:
        changes: list[tuple[Any, list[Any]]] = []

        def add(owner: str, name: str, kind: str, size: int, values: Sequence[object]) -> None:
            none = "" if kind == "string" else "x"
            variable = writer.register_var(word(owner), word(name), kind, size, init=none)
            changes.append((variable, [none if v is None else v for v in values]))

        for process, lines in run.lines.items():
            waits = run.waits[process]
            add(process, "line", "integer", 32, lines)
            add(process, "waits", "wire", 1, [None if w is None else bool(w) for w in waits])
            add(process, "waits_for", "string", 1, waits)
        for s in run.signals:
            kind, size = KINDS[s.kind]
            add(s.owner, s.name, kind, size, [typed(v, s.kind) for v in s.values])
        for moment in range(run.moments):
            for variable, values in changes:
                writer.change(variable, moment, values[moment])
        writer.close(run.moments)
    return file.getvalue()


def typed(value: str | None, kind: str) -> object:
    if value is None or kind == "text":
        return value
    return value == "TRUE" if kind == "boolean" else int(value)


def word(name: str) -> str:
    """Without what separates words and scopes there."""
    return re.sub(r"[\s.]+", "_", name)
