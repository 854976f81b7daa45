"""Walks over all typed expressions that a body holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from lfc.actions.model.machine import Body, Branch, CallWaiting, Switch
from lfc.semantics.model import typed


def expressions_of(body: Body) -> Iterator[typed.Expr]:
    """Outermost ones only, block by block, then point by point."""
    for block in body.blocks:
        for statement in block.statements:
            yield from inside(statement)
        match block.end:
            case Branch():
                yield block.end.condition
            case Switch():
                yield block.end.selector
            case CallWaiting():
                yield from inside(block.end.call)
    for point in body.points:
        for clause in point.clauses:
            yield from inside(clause.event)
            if clause.guard is not None:
                yield clause.guard


def inside(node: Any) -> Iterator[typed.Expr]:
    """The outermost expressions of a statement, and of statements in it."""
    if isinstance(node, typed.Expr):
        yield node
    elif isinstance(node, list | tuple):
        for x in node:
            yield from inside(x)
    elif is_dataclass(node) and isinstance(node, typed.Statement | typed.Argument | typed.Target):
        for f in fields(node):
            yield from inside(getattr(node, f.name))
