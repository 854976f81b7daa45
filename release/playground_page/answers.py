"""What the playground answers, within the reader's browser: diagnostics, the layout, and a search of every state.

It runs the front end as it is, and the slow explorer that the tests compare the engine with (tests/naive).
"""

from __future__ import annotations

import json
from typing import Any

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.render_json import diagnostics_as_data
from lfc.semantics.analyse import analyse
from lfc.semantics.model import typed
from tests.naive.explorer import Conventions, Exploration, explore
from tests.naive.expressions import ASSERTION
from tests.naive.state import Fault, State

MOST_STATES = 5000
FILE = "Program.lf"


def answer(job: str, text: str) -> str:
    """As JSON. Jobs: `diagnose`, `format`, `check`."""
    return json.dumps({"diagnose": diagnosed, "format": formatted, "check": checked}[job](text))


def diagnosed(text: str) -> dict[str, Any]:
    diagnostics = Diagnostics()
    analyse(Source(FILE, text), diagnostics)
    return diagnostics_as_data(diagnostics)


def formatted(text: str) -> dict[str, Any]:
    from lfc.front_end.format_files import format_source

    diagnostics = Diagnostics()
    return {"text": format_source(Source(FILE, text), diagnostics)} | diagnostics_as_data(diagnostics)


def checked(text: str) -> dict[str, Any]:
    diagnostics = Diagnostics()
    program = analyse(Source(FILE, text), diagnostics)
    told = diagnostics_as_data(diagnostics)
    if program is None or diagnostics.has_errors:
        return told
    found = explore(program, Conventions(most_states=MOST_STATES))
    properties = sum(len(m.properties) for m in program.modules)
    return told | {
        "states": len(found.states),
        "transitions": len(found.transitions),
        "complete": found.complete,
        "kinds": sorted(found.kinds),
        "properties": properties,
        "way": way(program, found),
    }


def way(program: typed.Program, found: Exploration) -> list[str]:
    """To the nearest error, a line for each step; empty: there is none."""
    ways: dict[int, tuple[int, str]] = {}
    last: tuple[int, list[str]] | None = None
    for t in found.transitions:  # in the order of a breadth-first search: the first way to a state is a shortest one
        line = step_line(found.states[t.source], t.items)
        if t.fault is not None and last is None:
            last = t.source, [f"{line}: {fault_line(t.fault)}"]
        if t.target is not None and t.target and t.target not in ways:
            ways[t.target] = t.source, line
    stuck = min(found.deadlocks or found.partial_deadlocks, default=None)
    if last is None and stuck is not None:
        last = stuck, [f"{name_of(found.states[stuck], slot)} waits for ever" for slot in sorted(found.stuck[stuck])]
    if last is None:
        return []
    at, lines = last
    while at in ways:
        at, line = ways[at]
        lines.insert(0, line)
    return lines


def step_line(before: State, items: list[list[object]]) -> str:
    """Who acted, from which line, and with whom."""
    event, slot = items[0], items[0][1]
    if event[0] == "interrupt":
        return f"interrupt {slot}"
    assert isinstance(slot, int)
    deeds = [f"meets {name_of(before, i[2])}" for i in items if i[0] == "meet" and isinstance(i[2], int)]
    deeds += [f"takes branch {int(str(i[1])) + 1}" for i in items if i[0] == "choice"]
    deeds += [f"reads {i[1]}" for i in items if i[0] in ("in8", "in16", "in32", "read")]
    activation = before.slots[slot]
    statement = None if activation is None else activation.frames[-1].at.statement
    line = "" if statement is None else f", line {statement.span.line}"
    what = {"wake": " wakes", "console": f" reads {event[-1]}"}.get(str(event[0]), "")
    return f"{name_of(before, slot)}{line}{what}{''.join(f', {d}' for d in deeds)}"


def name_of(state: State, slot: int) -> str:
    activation = state.slots[slot]
    process = None if activation is None else activation.frames[0].process
    return f"{'initialisation' if process is None else process.name} ({slot})"


def fault_line(fault: Fault) -> str:
    what = "the assertion failed" if fault.kind == ASSERTION else f"fault {fault.kind}"
    return f"{what} at line {fault.span.line}"
