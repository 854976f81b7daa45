"""Rankings: where a variable only grows along the links of a component, and never past its limit, those along which it
does are not taken for ever. Likewise where it only falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from lfc.mcheck.symbolic.explore import Edge, State
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.ranges import signed_bounds
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, signed


class HasState(Protocol):
    state: State


class HasEdge(Protocol):
    edge: Edge
    begins: Box  # where it can be taken


P = TypeVar("P", bound=HasState)
L = TypeVar("L", bound=HasEdge)


def without_ranked(component: Sequence[P], inner: dict[P, list[L]]) -> None:
    """Takes the links away that some ranking tells; `inner` are those within the component."""
    links = [x for p in component for x in inner[p]]
    if not links:
        return
    for offset in offsets_of([p.state for p in component]):
        for with_sign in (False, True):
            found = [change(x.edge, x.begins, offset, with_sign) for x in links]
            known = [c for c in found if c is not None]
            if len(known) == len(links) and any(known) and (min(known) >= 0 or max(known) <= 0):
                ranked = {id(x) for x, c in zip(links, known, strict=True) if c}
                for p in component:
                    inner[p] = [x for x in inner[p] if id(x) not in ranked]
                return


def offsets_of(states: Sequence[State]) -> list[int]:
    """Of what is a symbol of its own in each state."""
    return sorted(set.intersection(*({at for at, _, t in s.shape.runs if t.op == SYMBOL} for s in states)))


def change(edge: Edge, begins: Box, offset: int, with_sign: bool) -> int | None:
    """Of the number at this offset, from these values; None: not known, or it may wrap."""
    old, new = symbol_at(edge.before.shape.runs, offset), symbol_at(edge.to.shape.runs, offset)
    if old is None or new is None:
        return None
    number: int = old.args[0]  # type: ignore[assignment]
    became = edge.to.was[new.args[0]]  # type: ignore[index]
    if became is old:
        return 0
    values, w = begins[number], old.width
    only = sets.only_value(values)
    if isinstance(became, int):
        if only is None:
            return None
        return became - only if not with_sign else signed(became, w) - signed(only, w)
    if became.op != "add" or became.args[0] is not old or not isinstance(became.args[1], int) or became.width != w:
        return None
    by = signed(became.args[1], w)
    low, high = signed_bounds(values, w) if with_sign else (values[0][0], values[-1][1])
    least = -(1 << w - 1) if with_sign else 0
    return by if least <= low + by and high + by < least + (1 << w) else None


def symbol_at(runs: Sequence[tuple[int, int, Term]], offset: int) -> Term | None:
    return next((t for at, _, t in runs if at == offset and t.op == SYMBOL), None)
