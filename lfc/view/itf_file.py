"""A run in the Informal Trace Format (ITF), which tools around TLA+ and Quint read and show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lfc.view.timeline import Signal, Timeline

SAFE = 1 << 53  # beyond, a number of JSON may lose digits
NONE = {"tag": "None", "value": {"#tup": []}}  # as Quint writes what is not there


def as_itf(run: Timeline) -> str:
    """Variables by name, and `at`: where each process is."""
    names = {f"{s.owner}.{s.name}" if s.owner != run.module else s.name: s for s in run.signals}
    states = []
    for moment in range(run.moments):
        state: dict[str, object] = {"#meta": {"index": moment} | deed(run, moment)}
        state["at"] = {"#map": [[who, place(run, who, moment)] for who in run.lines]}
        state |= {name: value(signal, moment) for name, signal in names.items()}
        states.append(state)
    head = {"format": "ITF", "source": run.module, "description": "made by lfc"}
    return json.dumps({"#meta": head, "vars": ["at", *names], "states": states}, indent=1) + "\n"


def deed(run: Timeline, moment: int) -> dict[str, object]:
    """Of the step that led here."""
    if moment == 0:
        return {}
    return {"process": run.steps[moment - 1].who, "action": run.steps[moment - 1].deed}


def place(run: Timeline, who: str, moment: int) -> object:
    line = run.lines[who][moment]
    return NONE if line is None else {"line": line, "waits": run.waits[who][moment] or ""}


def value(signal: Signal, moment: int) -> object:
    text = signal.values[moment]
    if text is None:
        return NONE
    if signal.kind == "boolean":
        return text == "TRUE"
    if signal.kind == "number":
        return int(text) if abs(int(text)) < SAFE else {"#bigint": text}
    return text
