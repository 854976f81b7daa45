"""The constant pool: strings in the order of their first use, equal ones once. May import: `lfc.semantics`, `model`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from lfc.actions.model import Body, Branch, CallWaiting, Point, Switch
from lfc.semantics import typed


def constant_pool(bodies: Iterable[Body], modules: Sequence[typed.Module]) -> tuple[bytes, dict[bytes, int]]:
    """The bytes and where each constant lies in them. `modules`: in the order of initialisation."""
    order = {id(m.source): index for index, m in enumerate(modules)}
    offsets: dict[bytes, int] = {}
    pool = bytearray()
    for body in bodies:
        constants = sorted(_constants_of(body), key=lambda c: (order.get(id(c.span.source), -1), c.span.start))
        for constant in constants:
            if isinstance(constant.value, bytes) and constant.value not in offsets:
                offsets[constant.value] = len(pool)
                pool += constant.value
    return bytes(pool), offsets


def _constants_of(body: Body) -> list[typed.Constant]:
    found: list[typed.Constant] = []
    for block in body.blocks:
        for statement in block.statements:
            found += _inside(statement)
        match block.end:
            case Branch():
                found += _inside(block.end.condition)
            case Switch():
                found += _inside(block.end.selector)
            case CallWaiting():
                found += _inside(block.end.call)
    for point in body.points:
        found += _of_point(point)
    return found


def _of_point(point: Point) -> Iterator[typed.Constant]:
    for clause in point.clauses:
        yield from _inside(clause.event)
        if clause.guard is not None:
            yield from _inside(clause.guard)


def _inside(node: Any) -> Iterator[typed.Constant]:
    if isinstance(node, typed.Constant):
        yield node
    elif isinstance(node, list | tuple):
        for x in node:
            yield from _inside(x)
    elif is_dataclass(node) and isinstance(node, typed.Expr | typed.Statement | typed.Argument | typed.Target):
        for f in fields(node):
            yield from _inside(getattr(node, f.name))
