"""What the environment does within an action: who answers an access to a port, what runs then, and where that ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lfc.actions.analysis.effects import Table
from lfc.actions.analysis.statement_effects import Access, Effects, Offer
from lfc.actions.model.machine import Block, Body, Machine, Point, PointClause
from lfc.semantics.expressions.system import PORTOUT
from lfc.semantics.model import typed


@dataclass(slots=True, eq=False)
class Answer:
    """Of a process of the environment that waits for an access with this clause: what it does within the action."""

    body: Body
    point: Point
    clause: PointClause
    blocks: dict[tuple[Body, Block], None]
    effects: Effects  # as those of another process

    def is_to(self, access: Access) -> bool:
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
        self._to: dict[Access, list[Answer]] = {}

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
            self._to[access] = [a for a in self.all if a.is_to(access)]
        return self._to[access]


def is_access(clause: PointClause) -> bool:
    """Whether a process of the environment waits with it for an access."""
    return isinstance(clause.event, typed.Receive) and isinstance(clause.event.port, typed.IoPort)


def answer(table: Table, body: Body, point: Point, clause: PointClause) -> Answer:
    assert clause.resume.entry is not None
    blocks = table.through_choices(body, clause.resume.entry)
    effects = table.of.as_of_others(table.effects_of(blocks), body)
    effects.add(table.of.met(Offer(point, clause)))
    return Answer(body, point, clause, blocks, effects)
