"""What a search has found wrong, with the way to it. May import: `search`, `replay`, `waiting`, `lfc.host.report`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.actions.model import Machine
from lfc.host import report
from lfc.host.running import Fault
from lfc.mcheck.engine_library import Error
from lfc.mcheck.replay import Replayer
from lfc.mcheck.search import Search
from lfc.mcheck.waiting import Wait, waiting_circle
from lfc.mcheck.walked import Walked
from lfc.source import Span
from lfc.trace.items import Item

if TYPE_CHECKING:
    from lfc.mcheck.lassos import ViolatingRun
    from lfc.mcheck.vacuity import Remarks

FAULT, DEADLOCK = 1, 2
ASSERT = 6
REPORTED = 20  # errors told with a trace when the search goes on after the first


@dataclass(slots=True)
class Finding:
    """One violation with the shortest way to it. `blocks` are the states on the way, the initial one first; of a fault
    the last step has no block after it."""

    kind: str  # assertion, fault, deadlock, partial-deadlock, property
    message: str
    span: Span
    steps: list[list[Item]]
    blocks: list[bytes]
    waiting: list[int] = field(default_factory=list)  # slots that are stuck
    circle: list[Wait] = field(default_factory=list)  # who waits for whom
    run: ViolatingRun | None = None  # of a property
    shortest: bool = True  # no other way is shorter
    machine: Machine | None = None  # of the slice that the way is one of; None: it is one of the program
    doubt: str = ""  # why it may not come


@dataclass(slots=True)
class Told:
    """What the check of properties says beside its findings."""

    properties: list[dict[str, object]] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    reason: str = ""
    walked: Walked | None = None
    remarks: dict[str, Remarks] = field(default_factory=dict)


def first_of_each(errors: list[Error]) -> list[Error]:
    """One of each kind and place, the shortest way first."""
    seen: set[tuple[int, int, int]] = set()
    found: list[Error] = []
    for e in errors:
        key = (e.kind, e.fault_kind, e.fault_site)
        if key not in seen and len(found) < REPORTED:
            seen.add(key)
            found.append(e)
    return found


def tell_error(machine: Machine, search: Search, error: Error) -> Finding:
    blocks = search.blocks_to(error.state)
    slot = search.real_slot(error.slot)
    replayer = Replayer(machine, search)
    clocks = search.clocks_to(error.state)
    steps = replayer.items_along(blocks, clocks=clocks)
    if error.kind == DEADLOCK:
        return tell_deadlock(machine, steps, blocks)
    items, fault = replayer.faulting_step(blocks, slot, error.fault_kind, error.fault_site, clocks)
    site = search.generated.sites[error.fault_site]
    kind = "assertion" if error.fault_kind == ASSERT else "fault"
    message = report.fault_message(site, Fault(fault.kind, fault.site, fault.first, fault.second), machine)
    return Finding(kind, message, site.span, [*steps, items], blocks)


def tell_deadlock(machine: Machine, steps: list[list[Item]], blocks: list[bytes]) -> Finding:
    waiting = report.who_waits(machine, blocks[-1])
    stuck = [p for p in waiting.processes if not report.may_wait(p)]
    names = ", ".join(p.name for p in stuck[:4]) + (" and others" if len(stuck) > 4 else "")
    verb = "waits" if len(stuck) == 1 else "wait"
    message = f"nobody is ready, and {names} {verb} for ever"
    slots = [p.slot for p in stuck]
    circle = waiting_circle(machine, blocks[-1], slots)
    return Finding("deadlock", message, stuck[0].position.span, steps, blocks, slots, circle)


def tell_stuck(machine: Machine, search: Search, state: int, slots: list[int]) -> Finding:
    blocks = search.blocks_to(state)
    slots = [search.real_slot(s) for s in slots]
    steps = Replayer(machine, search).items_along(blocks, clocks=search.clocks_to(state))
    live = [p for p in report.who_waits(machine, blocks[-1]).processes if p.slot in slots]
    names = ", ".join(p.name for p in live)
    message = f"{names} {'waits' if len(live) == 1 else 'wait'} for ever, while others can go on"
    circle = waiting_circle(machine, blocks[-1], slots)
    return Finding("partial-deadlock", message, live[0].position.span, steps, blocks, slots, circle)
