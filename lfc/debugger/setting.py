"""Breakpoints as an editor sets them: what it asks, and what becomes of each."""

from __future__ import annotations

from typing import Any

from lfc.actions.model.machine import Machine
from lfc.debugger.breakpoints import (
    Breakpoints,
    DataBreakpoint,
    LineBreakpoint,
    MessageBreakpoint,
    condition_of,
    lines_of,
    nearest,
    resolved,
)
from lfc.mcheck.explore.debugger import BadCondition
from lfc.run.names import possible_names, values
from lfc.run.stepper import Stepper
from lfc.semantics.model import typed

Answer = dict[str, Any]


def refused(into: Breakpoints, message: str) -> Answer:
    return {"id": next(into.numbers), "verified": False, "message": message}


def set_lines(machine: Machine, into: Breakpoints, arguments: dict[str, Any]) -> Answer:
    """All of one file, instead of those that were there."""
    path = resolved(str(arguments.get("source", {}).get("path", "")))
    lines, kept, answers = lines_of(machine, path), [], []
    for asked in arguments.get("breakpoints", []):
        try:
            condition = condition_of(asked.get("condition"))
        except BadCondition as error:
            answers.append(refused(into, str(error)))
            continue
        line = nearest(lines, int(asked["line"]))
        if line is None:
            why = "no process ever stands behind this line" if lines else "this file is no part of the program"
            answers.append(refused(into, why))
            continue
        made = LineBreakpoint(next(into.numbers), path, line, condition)
        kept.append(made)
        answers.append({"id": made.id, "verified": True, "line": line, "source": arguments["source"]})
    into.lines[path] = kept
    return {"breakpoints": answers}


def possible_lines(machine: Machine, arguments: dict[str, Any]) -> Answer:
    path = resolved(str(arguments.get("source", {}).get("path", "")))
    first = int(arguments.get("line", 1))
    last = int(arguments.get("endLine", first))
    return {"breakpoints": [{"line": n} for n in lines_of(machine, path) if first <= n <= last]}


def set_data(stepper: Stepper, into: Breakpoints, arguments: dict[str, Any]) -> Answer:
    into.data.clear()
    possible, answers = possible_names(stepper.machine), []
    for asked in arguments.get("breakpoints", []):
        name = str(asked.get("dataId", ""))
        if asked.get("accessType", "write") != "write":
            answers.append(refused(into, "only changes are seen: nothing tells what is read"))
            continue
        try:
            made = DataBreakpoint(next(into.numbers), name, condition_of(asked.get("condition")))
        except BadCondition as error:
            answers.append(refused(into, str(error)))
            continue
        if name not in possible:
            answers.append(refused(into, f"there is no variable `{name}` in this program"))
            continue
        into.data.append(made)
        answer: Answer = {"id": made.id, "verified": True}
        if name not in values(stepper.machine, stepper.block):
            answer["message"] = f"no variable `{name}` exists at this step; it may later"
        answers.append(answer)
    return {"breakpoints": answers}


def set_messages(machine: Machine, into: Breakpoints, arguments: dict[str, Any]) -> Answer:
    """The protocol's function breakpoints: here a function's name is a message's."""
    into.messages.clear()
    known = messages_of(machine)
    answers = []
    for asked in arguments.get("breakpoints", []):
        name = str(asked.get("name", ""))
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            answers.append(refused(into, f"`{name}` is no message of this program; there are: {there}"))
            continue
        try:
            made = MessageBreakpoint(next(into.numbers), name, condition_of(asked.get("condition")))
        except BadCondition as error:
            answers.append(refused(into, str(error)))
            continue
        into.messages.append(made)
        answers.append({"id": made.id, "verified": True})
    return {"breakpoints": answers}


def messages_of(machine: Machine) -> set[str]:
    """Those that its text sends or receives."""
    points = (p.point for _, found in machine.parts for p in found if p.point is not None)
    events = (c.event for point in points for c in point.clauses)
    return {e.message.name for e in events if isinstance(e, typed.Send | typed.Receive)}
