"""How many states a program would have if queues kept their order of arrival: to measure what sorted queues save.

Counted one by one, without a verdict. May import: `waiting`, `lfc.host`.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from lfc.actions.model import Machine
from lfc.codegen.offers import direction_of
from lfc.codegen.program import generate
from lfc.host.events import all_events
from lfc.host.names import LiveProcess, live_processes
from lfc.host.native import host_target
from lfc.host.running import HostRun
from lfc.mcheck.layout import PARTNER
from lfc.mcheck.waiting import channel_of_clause

Order = tuple[int, ...]  # slots that wait, the longest first
Queues = frozenset[tuple[object, Order]]


@dataclass(slots=True)
class Counted:
    states: int
    transitions: int
    seconds: float
    complete: bool


def count_in_order_of_arrival(machine: Machine, most_states: int = 0, seconds: float = 0.0) -> Counted:
    """Any partner that waits may still be taken; only the states tell more apart."""
    run = HostRun(generate(machine, host_target()), 1)
    begin = time.monotonic()
    start: tuple[bytes, Order] = (run.block, ())
    seen: set[tuple[bytes, Queues]] = {(run.block, frozenset())}
    frontier = deque([start])
    transitions = 0
    while frontier:
        block, order = frontier.popleft()
        for event in all_events(run, block):
            transitions += 1
            if event.fault is not None:
                continue
            after = order_after(machine, block, order, event.block)
            key = (event.block, queues(machine, event.block, after))
            if key not in seen:
                seen.add(key)
                frontier.append((event.block, after))
        over = (most_states and len(seen) >= most_states) or (seconds and time.monotonic() - begin > seconds)
        if over and frontier:
            return Counted(len(seen), transitions, time.monotonic() - begin, False)
    return Counted(len(seen), transitions, time.monotonic() - begin, True)


def order_after(machine: Machine, before: bytes, order: Order, after: bytes) -> Order:
    """Who waited before stays in the list; who is new comes last: an action makes at most its own process wait, which
    was ready."""
    waiting = waiting_slots(machine, after)
    was = waiting_slots(machine, before)
    kept = [s for s in order if s in waiting and s in was]
    return (*kept, *(s for s in waiting if s not in was))


def waiting_slots(machine: Machine, block: bytes) -> list[int]:
    found = []
    for slot in range(machine.slots):
        position = machine.position_at(block, slot)
        if position is not None and not position.ready:
            found.append(slot)
    return found


def queues(machine: Machine, block: bytes, order: Order) -> Queues:
    """Each queue, by channel, message and direction, with who waits in it."""
    found: dict[object, list[int]] = {}
    if len(order) > 1:
        live = {p.slot: p for p in live_processes(machine, block)}
        for slot in order:
            for where in waits_in(machine, block, live[slot]):
                found.setdefault(where, []).append(slot)
    return frozenset((where, tuple(slots)) for where, slots in found.items() if len(slots) > 1)


def waits_in(machine: Machine, block: bytes, p: LiveProcess) -> list[object]:
    point = p.position.point
    assert point is not None
    closed = b""
    if point.closed_offset is not None:
        at = p.frames[0].offset + point.closed_offset
        closed = block[at : at + point.closed_size]
    found: list[object] = []
    for clause in point.clauses:
        kind, key = direction_of(clause)
        if kind not in PARTNER or (closed and closed[clause.index // 8] >> clause.index % 8 & 1):
            continue
        where = (kind, key, channel_of_clause(machine, block, p, clause))
        if where not in found:
            found.append(where)
    return found
