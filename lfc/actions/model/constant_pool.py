"""The constant pool: strings and tables in the order of their first use, equal ones once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lfc.actions.model.body_expressions import expressions_of_body
from lfc.semantics.model import typed
from lfc.semantics.model.types import size_and_alignment
from lfc.semantics.model.visit import expressions_of, functions_called, statements, subexpressions

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body


def constant_pool(bodies: Iterable[Body], modules: Sequence[typed.Module]) -> tuple[bytes, dict[bytes, int]]:
    """The bytes and where each constant lies in them. `modules`: in the order of initialisation."""
    order = {id(m.source): index for index, m in enumerate(modules)}
    offsets: dict[bytes, int] = {}
    pool = bytearray()
    found: list[typed.Constant] = []
    for body in bodies:
        expressions = list(expressions_of_body(body))
        for function in functions_called(expressions):
            expressions += [e for s in statements(function.body) for e in expressions_of(s)]
        constants = [c for e in expressions for c in subexpressions(e) if isinstance(c, typed.Constant)]
        found += sorted(constants, key=lambda c: (order.get(id(c.span.source), -1), c.span.start))
    alignments: dict[bytes, int] = {}
    for constant in found:
        if isinstance(constant.value, bytes):
            alignment = size_and_alignment(constant.type)[1]
            alignments[constant.value] = max(alignment, alignments.get(constant.value, 1))
    for value, alignment in alignments.items():
        pool += bytes(-len(pool) % alignment)
        offsets[value] = len(pool)
        pool += value
    return bytes(pool), offsets
