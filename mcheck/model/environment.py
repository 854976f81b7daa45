"""What the environment does within an action: who answers an access to a port, what runs then, and where that ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lfc.actions.analysis.effects import Table
from lfc.actions.analysis.running_on import bodies_of
from lfc.actions.analysis.statement_effects import Access, Effects, Offer
from lfc.actions.model.machine import Block, Body, Machine, Point, PointClause, RecordLayout
from lfc.semantics.expressions.system import PORTOUT
from lfc.semantics.model import typed


@dataclass(slots=True, eq=False)
class Answer:
    """Of a process of the environment that waits for an access with this clause: what it does within the action.
    Without a clause: of one that runs on because nobody waits, all that it may do."""

    body: Body
    point: Point | None
    clause: PointClause | None
    blocks: dict[tuple[Body, Block], None]
    effects: Effects  # as those of another process

    def is_to(self, access: Access) -> bool:
        assert self.clause is not None
        event = self.clause.event
        assert isinstance(event, typed.Receive)
        if (event.message is PORTOUT) is not access.out:
            return False
        asked = (access.width, access.address)
        constants = [t.constant for t in event.targets[:2]]
        return all(c is None or a is None or c.value == a for c, a in zip(constants, asked, strict=True))


class Answers:
    def __init__(self, machine: Machine, table: Table) -> None:
        bodies = [] if machine.environment is None else machine.environment.bodies
        points = [(body, point) for body in bodies if table.of.hosts[body] for point in body.points]
        self.all = [answer(table, b, p, c) for b, p in points for c in p.clauses if is_access(c)]
        self.running_on = [running_on(table, r) for r in table.may_run_on()]
        self._to: dict[Access, list[Answer]] = {}

    def run_on_by(self, body: Body) -> list[Answer]:
        """Of those that may run on: who has this code."""
        return [a for a in self.running_on if any(b is body for b, _ in a.blocks)]

    def to(self, accesses: Iterable[Access]) -> list[Answer]:
        """All who may run within an action that makes these accesses: who answers may access ports in turn."""
        found: dict[Answer, None] = {}
        work = list(accesses)
        while work:
            for a in self._by(work.pop()):
                if a not in found:
                    found[a] = None
                    work += a.effects.accesses
        return list(found)

    def _by(self, access: Access) -> list[Answer]:
        if access not in self._to:
            self._to[access] = [a for a in self.all if a.is_to(access)] + self.running_on
        return self._to[access]


def running_on(table: Table, record: RecordLayout) -> Answer:
    blocks = {(body, block): None for body in bodies_of(record) for block in body.blocks}
    return Answer(record.body, None, None, blocks, table.running_on(record))


def is_access(clause: PointClause) -> bool:
    """Whether a process of the environment waits with it for an access."""
    return isinstance(clause.event, typed.Receive) and isinstance(clause.event.port, typed.IoPort)


def answer(table: Table, body: Body, point: Point, clause: PointClause) -> Answer:
    assert clause.resume.entry is not None
    blocks = table.through_choices(body, clause.resume.entry)
    effects = table.of.as_of_others(table.effects_of(blocks), body)
    effects.add(table.of.met(Offer(point, clause)))
    return Answer(body, point, clause, blocks, effects)
