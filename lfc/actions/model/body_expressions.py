"""Walks over all typed expressions that a body holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Branch, CallWaiting, Switch
from lfc.semantics.model.visit import expressions_of

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body
    from lfc.semantics.model import typed


def expressions_of_body(body: Body) -> Iterator[typed.Expr]:
    """Outermost ones only, block by block, then point by point."""
    for block in body.blocks:
        for statement in block.statements:
            yield from expressions_of(statement)
        match block.end:
            case Branch():
                yield block.end.condition
            case Switch():
                yield block.end.selector
            case CallWaiting():
                yield from expressions_of(block.end.call)
    for point in body.points:
        for clause in point.clauses:
            yield from expressions_of(clause.event)
            if clause.guard is not None:
                yield clause.guard
