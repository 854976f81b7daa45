"""Where a program stops: at lines, when a variable changes, when a message passes; each with a condition, if one likes.

Each is a question about a moment and the step that led there, so it has the same answer forwards and backwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count

from lfc.actions.model.machine import Machine
from lfc.debugger.stops import Stop
from lfc.mcheck.explore.debugger import Breakpoint, read_breakpoint
from lfc.run.events import positions
from lfc.run.names import live_processes, possible_names, values
from lfc.run.stepper import Stepper
from lfc.semantics.model import typed
from lfc.trace.items import Item


@dataclass(slots=True)
class LineBreakpoint:
    """A process comes to stand at this line. Actions are never split: within one there is nothing to stand at."""

    id: int
    path: str  # resolved
    line: int
    condition: Breakpoint | None = None


@dataclass(slots=True)
class DataBreakpoint:
    """A variable has another value than before the step."""

    id: int
    name: str  # as in `values`
    condition: Breakpoint | None = None


@dataclass(slots=True)
class MessageBreakpoint:
    """A message of this name passes from one process to another."""

    id: int
    name: str
    condition: Breakpoint | None = None


@dataclass(slots=True)
class Breakpoints:
    lines: dict[str, list[LineBreakpoint]] = field(default_factory=dict)  # by resolved path
    data: list[DataBreakpoint] = field(default_factory=list)
    messages: list[MessageBreakpoint] = field(default_factory=list)
    conditions: list[Breakpoint] = field(default_factory=list)  # each stops where it comes to hold
    numbers: count[int] = field(default_factory=lambda: count(1))  # those that an editor is told

    def hit(self, stepper: Stepper) -> Stop | None:
        """By the step that led to where the program stands."""
        if stepper.at == 0 or not (self.data or self.messages or self.conditions or any(self.lines.values())):
            return None
        step = DoneStep(stepper)
        return self._here_hit(step) or self._data_hit(step) or self._message_hit(step)

    def hit_backwards(self, stepper: Stepper) -> Stop | None:
        """Takes one step back. What that step did is met before it, where a process stands after it."""
        undone = DoneStep(stepper) if self.data or self.messages else None
        stepper.back()
        stop = None if undone is None else self._data_hit(undone) or self._message_hit(undone)
        if stop is not None:
            stop.text = f"the next step: {stop.text}"
            return stop
        at_places = stepper.at > 0 and (self.conditions or any(self.lines.values()))
        return self._here_hit(DoneStep(stepper)) if at_places else None

    def _here_hit(self, step: DoneStep) -> Stop | None:
        return self._line_hit(step) or self._condition_hit(step)

    def _condition_hit(self, step: DoneStep) -> Stop | None:
        for c in self.conditions if step.before != step.after else ():
            if c.holds(step.machine, step.after) and not c.holds(step.machine, step.before):
                return Stop("breakpoint", c.text, step.actor)
        return None

    def _line_hit(self, step: DoneStep) -> Stop | None:
        for slot, path, line in step.arrivals() if any(self.lines.values()) else ():
            met = [b for b in self.lines.get(path, ()) if b.line == line and step.holds(b.condition, slot)]
            if met:
                return Stop("breakpoint", f"line {line}", slot, breakpoints=[b.id for b in met])
        return None

    def _data_hit(self, step: DoneStep) -> Stop | None:
        for b in self.data if step.before != step.after else ():
            was, now = step.values_before.get(b.name), step.values_after.get(b.name)
            if was != now and step.holds(b.condition, step.actor):
                told = f"{b.name}: {gone(was)} to {gone(now)}"
                return Stop("data breakpoint", told, step.actor, breakpoints=[b.id])
        return None

    def _message_hit(self, step: DoneStep) -> Stop | None:
        for b in self.messages:
            if b.name in step.messages() and step.holds(b.condition, step.actor):
                return Stop("function breakpoint", f"message {b.name}", step.actor, breakpoints=[b.id])
        return None


def gone(value: str | None) -> str:
    return "nothing" if value is None else value


class DoneStep:
    """The step before a moment; its values are made when they are asked for."""

    def __init__(self, stepper: Stepper) -> None:
        self.machine = stepper.machine
        self.after = stepper.block
        self.before = stepper.block_at(stepper.at - 1)
        self.items = stepper.items_at(stepper.at - 1)
        self.actor = actor_of(self.items)
        self._values: dict[bytes, dict[str, str]] = {}

    @property
    def values_before(self) -> dict[str, str]:
        return self._values_of(self.before)

    @property
    def values_after(self) -> dict[str, str]:
        return self._values_of(self.after)

    def _values_of(self, block: bytes) -> dict[str, str]:
        if block not in self._values:
            self._values[block] = values(self.machine, block)
        return self._values[block]

    def holds(self, condition: Breakpoint | None, slot: int | None) -> bool:
        if condition is None:
            return True
        name = full_name(self.machine, self.after, self.values_after, condition.name, slot)
        return replace(condition, name=name or condition.name).holds(self.machine, self.after)

    def arrivals(self) -> Iterator[tuple[int, str, int]]:
        """Slot, path and line of each process that has come to where it stands. One that has waited there, and now has
        got what it waited for, is still at the same line: that is no arrival."""
        was, now = positions(self.machine, self.before), positions(self.machine, self.after)
        for slot, (old, new) in enumerate(zip(was, now, strict=True)):
            if not new or (old == new and slot != self.actor):
                continue
            there, here = self.machine.position_at(self.before, slot), self.machine.position_at(self.after, slot)
            assert here is not None
            if there is not None and not there.ready and here.ready and there.span.line == here.span.line:
                continue
            yield slot, resolved(here.span.source.path), here.span.line

    def messages(self) -> Iterator[str]:
        for item in self.items:
            partner, clause = item.operands[1:] if item.name == "meet" else (None, None)
            at = None if partner is None else self.machine.position_at(self.before, partner)
            if at is None or at.point is None:
                continue
            event = at.point.clauses[clause or 0].event
            if isinstance(event, typed.Send | typed.Receive):
                yield event.message.name


def actor_of(items: list[Item]) -> int | None:
    event = items[0]
    return event.operands[0] if event.name != "interrupt" else event.operands[1]


def full_name(machine: Machine, block: bytes, known: dict[str, str], name: str, slot: int | None) -> str | None:
    """What a name means to a process: its own variable, the innermost call's first; then the module's."""
    process = next((p for p in live_processes(machine, block) if p.slot == slot), None)
    if process is not None:
        for depth in range(len(process.frames)):
            outermost = depth == len(process.frames) - 1
            called = "" if outermost else f".{process.frames[depth].body.name.rsplit('.', 1)[-1]}()"
            if f"{process.name}{called}.{name}" in known:
                return f"{process.name}{called}.{name}"
    return name if name in known else None


class UnknownName(ValueError):
    """Says what the name could be."""


def name_to_come(machine: Machine, block: bytes, known: dict[str, str], name: str, slot: int | None) -> str:
    """What a name means here, else in some other state. One that a single process has need not say whose it is."""
    if (here := full_name(machine, block, known, name, slot)) is not None:
        return here
    possible = possible_names(machine)
    if name in possible:
        return name
    found = sorted(full for full in possible if full.endswith(f".{name}"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnknownName(f"there is no variable `{name}` in this program; `state` shows those that live")
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    raise UnknownName(f"whose `{name}`? There are {', '.join(found[:3])}{more}")


def condition_of(text: str | None) -> Breakpoint | None:
    """Raises BadCondition."""
    return read_breakpoint(text.replace("==", "=").replace("!=", "#")) if text and text.strip() else None


@cache
def resolved(path: str) -> str:
    return os.path.realpath(path)


def lines_of(machine: Machine, path: str) -> list[int]:
    """Of a file, those at which a process can stand."""
    places = (p for _, found in machine.parts for p in found if p.kind != "return")
    return sorted({p.span.line for p in places if resolved(p.span.source.path) == path})


def nearest(lines: Iterable[int], wanted: int) -> int | None:
    """The first at or behind it."""
    return next((line for line in lines if line >= wanted), None)
