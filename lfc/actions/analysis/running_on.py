"""Which processes of the environment may run on within an action, because nobody waits for its access to a port.

They are those that can come to wait for an access, and that may be ready while the program acts. A process that does
nothing but answer never is: it waits again before the action ends in which it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lfc.actions.layout.records import reached_by_calls
from lfc.actions.model.machine import Block, Body, Machine, Point, RecordLayout, Suspend
from lfc.semantics.model import typed

BlocksOf = Callable[[Body, Block], Iterable[tuple[Body, Block]]]  # to the end of an action


def may_run_on(machine: Machine, blocks_of: BlocksOf) -> list[RecordLayout]:
    """In the order of their slots."""
    if machine.environment is None:
        return []
    records = sorted(machine.environment.layout.records, key=lambda r: r.first_slot)
    return [r for r in records if any(receives_access(p) for p in points_of(r)) and may_rest_ready(r, blocks_of)]


def bodies_of(record: RecordLayout) -> list[Body]:
    return [record.body, *reached_by_calls(record.body)]


def points_of(record: RecordLayout) -> list[Point]:
    return [p for body in bodies_of(record) for p in body.points]


def receives_access(point: Point) -> bool:
    return any(is_access(c.event) for c in point.clauses)


def is_access(event: typed.Statement) -> bool:
    return isinstance(event, typed.Receive) and isinstance(event.port, typed.IoPort)


def may_rest_ready(record: RecordLayout, blocks_of: BlocksOf) -> bool:
    """Something else than an access lets it go on, or it has a scheduling point that does not wait. A CHOICE after an
    access is none."""
    others = any(not is_access(c.event) for p in points_of(record) for c in p.clauses)
    if others or any(p.otherwise is not None for p in points_of(record)):
        return True
    blocks = [b for body in bodies_of(record) for b in body.blocks]
    if any(isinstance(b.end, Suspend) and b.end.position.kind != "choice" for b in blocks):
        return True
    assert record.body.entry is not None
    return any(isinstance(b.end, Suspend) for _, b in blocks_of(record.body, record.body.entry))
