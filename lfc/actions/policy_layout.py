"""Lays out the policy block of a board, and finds the waits whose queues several processes can share.

May import: `lfc.semantics`, `model`, `frames`, `records`, `body_expressions`.
"""

from __future__ import annotations

from lfc.actions.body_expressions import expressions_of
from lfc.actions.frames import aligned
from lfc.actions.model import Body, Field, Machine, PointClause, RecordLayout
from lfc.actions.records import reached_by_calls
from lfc.semantics import typed
from lfc.semantics.walk import subexpressions

SCHEDULERS = ("rr", "edf")


def policy_fields(machine: Machine, scheduler: str = "rr") -> tuple[list[Field], int]:
    """The fields, and the size of the block: a multiple of 4, since the state block follows."""
    slots = sum(r.slots for r in machine.layout.records)
    found: list[Field] = []
    offset = 0

    def add(size: int, alignment: int, name: str, kind: str) -> None:
        nonlocal offset
        offset = aligned(offset, alignment)
        found.append(Field(offset, size, "policy", name, kind))
        offset += size

    sleepers = sum(r.slots * most_waits_for_time(r) for r in machine.layout.records)
    if sleepers or reads_clock(machine):
        add(4, 4, "clock", "UINT32")
    if scheduler == "edf":
        add(4 * slots, 4, "deadlines", "UINT32 for each slot")
    if sleepers:
        add(1 + 6 * sleepers, 1, "sleepers", "count, then slot, clause, when of each")
    if scheduler == "rr":
        add(1, 1, "cursor", "slot")
    sharing = slots_that_share(machine)
    if sharing:
        add(1 + sharing, 1, "arrivals", "count, then slots")
    return found, aligned(offset, 4)


def most_waits_for_time(record: RecordLayout) -> int:
    """How often the process in one such slot can wait for time at once: with one point, but with all its clauses."""
    return max(
        (
            sum(isinstance(c.event, typed.AfterEvent | typed.Sleep) for c in point.clauses)
            for body in [record.body, *reached_by_calls(record.body)]
            for point in body.points
            if point.waiting is not None
        ),
        default=0,
    )


def shared_waits(machine: Machine) -> set[PointClause]:
    """Clauses of waiting positions in whose queue more than one process can be: there the order of arrival matters."""
    queues: dict[object, list[tuple[PointClause, Body]]] = {}
    for body in machine.bodies:
        for point in body.points:
            for clause in point.clauses if point.waiting is not None else []:
                queue = _queue_of(clause.event)
                if queue is not None:
                    queues.setdefault(queue, []).append((clause, body))
    hosts = _hosts(machine)
    shared: set[PointClause] = set()
    for waits in queues.values():
        records = {id(r): r for _, body in waits for r in hosts.get(body, [])}
        if sum(r.slots for r in records.values()) > 1:
            shared.update(clause for clause, _ in waits)
    return shared


def slots_that_share(machine: Machine) -> int:
    shared = shared_waits(machine)
    return sum(
        r.slots
        for r in machine.layout.records
        if any(
            c in shared for body in [r.body, *reached_by_calls(r.body)] for point in body.points for c in point.clauses
        )
    )


def reads_clock(machine: Machine) -> bool:
    return any(
        isinstance(part, typed.FunctionCall) and part.name == "Clock.Now"
        for body in machine.bodies
        for e in expressions_of(body)
        for part in subexpressions(e)
    )


def _queue_of(event: typed.Statement) -> object | None:
    """Message and direction; a queue is such a pair on one channel, and any channel may be meant."""
    if not isinstance(event, typed.Send | typed.Receive) or isinstance(event.port, typed.IoPort):
        return None
    if isinstance(event.port, typed.InterruptPort):
        return event.port.number, isinstance(event, typed.Send)
    return event.message, isinstance(event, typed.Send)


def _hosts(machine: Machine) -> dict[Body, list[RecordLayout]]:
    found: dict[Body, list[RecordLayout]] = {}
    for record in machine.layout.records:
        for body in [record.body, *reached_by_calls(record.body)]:
            found.setdefault(body, []).append(record)
    return found
