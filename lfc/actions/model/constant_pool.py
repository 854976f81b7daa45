"""The constant pool: strings in the order of their first use, equal ones once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lfc.actions.model.body_expressions import expressions_of_body
from lfc.semantics.model import typed
from lfc.semantics.model.visit import subexpressions

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body


def constant_pool(bodies: Iterable[Body], modules: Sequence[typed.Module]) -> tuple[bytes, dict[bytes, int]]:
    """The bytes and where each constant lies in them. `modules`: in the order of initialisation."""
    order = {id(m.source): index for index, m in enumerate(modules)}
    offsets: dict[bytes, int] = {}
    pool = bytearray()
    for body in bodies:
        constants = [c for e in expressions_of_body(body) for c in subexpressions(e) if isinstance(c, typed.Constant)]
        for constant in sorted(constants, key=lambda c: (order.get(id(c.span.source), -1), c.span.start)):
            if isinstance(constant.value, bytes) and constant.value not in offsets:
                offsets[constant.value] = len(pool)
                pool += constant.value
    return bytes(pool), offsets
