"""What the engine must know of time: the waits that time can end, and who does not wait for the program's time to
pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lfc.codegen.instrument.clock import clock_place
from lfc.codegen.module.unit import reached
from lfc.mcheck.engine.abi import SLEEP_CLAUSE, TimeMode
from lfc.mcheck.model.description import Component, Timing, outside_slots
from lfc.mcheck.model.state_vector import SLEEP_BIT
from lfc.mcheck.request.world import Time

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.model.description import Ages, Description

MOST_IN_ZONES = 48


class TooManySleepers(Exception):
    """More waits for time than the checker keeps apart."""


CLOCK_OF_PROPERTY = "a property reads the clock, which is part of the state only with --time discrete"

TIME_OF_PROPERTY = "a property measures time (WITHIN, FOR), which needs --time ordered or --time discrete"


class ClockNotKept(Exception):
    """A property reads a clock that is no part of the states."""


def is_outside(machine: Machine, d: Description, outside: Sequence[bool]) -> list[bool]:
    """By component: whether it is the environment's, or in no block."""
    own = machine.layout.size
    return [outside[c.slot] if c.slot >= 0 else not c.pieces or c.pieces[0][0] >= own for c in d.components]


def add_time(
    machine: Machine,
    d: Description,
    mode: str,
    wrap: int,
    seen_by_properties: bool,
    ages: Callable[[], Ages | str],
    measured: int | None = None,
) -> Timing:
    """The description gets the components that time adds. `measured`: properties measure time, up to so much."""
    readers = d.clock_readers
    found = Timing(outside=outside_slots(machine), wrap=wrap, timers=[[] for _ in d.slot_component])
    if seen_by_properties and mode != Time.DISCRETE:
        raise ClockNotKept(CLOCK_OF_PROPERTY)
    if measured is not None and mode == Time.FREE:
        raise ClockNotKept(TIME_OF_PROPERTY)
    found.measured = 0 if measured is None else measured + 1
    if mode == Time.FREE:
        return found
    clauses = clauses_that_time_ends(machine, d)
    found.timers = [sorted(clauses.get(slot, ())) for slot in range(len(d.slot_component))]
    found.form = TimeMode.ZONES if any(found.outside) or d.interrupts else TimeMode.POINTS
    if measured is not None:
        found.form = TimeMode.POINTS
    if mode == Time.DISCRETE and (readers or seen_by_properties):
        found.form = TimeMode.POINTS
        found.clock_at = clock_place(machine)
        found.clock_component = len(d.components)
        d.components.append(Component([(found.clock_at, 4)], "clock", -1, "clock"))
        for number in readers:
            d.actions[number].touched.append(found.clock_component)
        counted = ages()
        if isinstance(counted, str):
            found.why_no_ages = counted
        else:
            found.ages = counted
    if found.form is TimeMode.ZONES and found.count > MOST_IN_ZONES:
        raise TooManySleepers(
            f"{found.count} timed waits in a program with an environment; {MOST_IN_ZONES} can be distinguished"
        )
    found.component = len(d.components)
    size = 4 * (found.count + 1) ** 2 if found.form is TimeMode.ZONES else 4 * max(1, found.count)
    d.components.append(Component([], "timers", -1, "timers", apart=size))
    return found


def clauses_that_time_ends(machine: Machine, d: Description) -> dict[int, set[int]]:
    """By slot, over all positions at which it can wait."""
    found: dict[int, set[int]] = {}
    for (layout, _), first in zip(machine.parts, first_numbers(machine), strict=True):
        for r in layout.records:
            for body in reached(r):
                for p in body.positions:
                    timed = 0 if p.ready else d.actions[d.numbers[first + p.number]].timed
                    clauses = {c for c in range(31) if timed >> c & 1} | (
                        {SLEEP_CLAUSE} if timed & SLEEP_BIT else set()
                    )
                    for slot in range(r.first_slot, r.first_slot + r.slots):
                        found.setdefault(slot, set()).update(clauses)
    return found


def first_numbers(machine: Machine) -> list[int]:
    """Where each part's numbers begin in the description's table."""
    found, at = [], 0
    for _, positions in machine.parts:
        found.append(at)
        at += len(positions) + 1
    return found
