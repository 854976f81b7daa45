"""From what a step leads to back to what it began with: the values of a state for which an edge leads into a box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lfc.mcheck.symbolic.explore import Edge
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany, preimage
from lfc.mcheck.symbolic.values.value_sets import ValueSet


@dataclass(frozen=True, slots=True)
class Before:
    """Values of a state. `exact`: each has inputs with which the step leads into the box; else some may have none."""

    box: Box
    exact: bool


def before(edge: Edge, into: Sequence[ValueSet]) -> Before | None:
    """None: there are none."""
    box = dict(edge.to.path.box)
    exact = is_exact(edge)
    for source, own, wanted in zip(edge.to.was, edge.to.box, into, strict=True):
        common = sets.intersection(own, wanted)
        if not common:
            return None
        if isinstance(source, int) or common == own:
            continue
        if len(source.symbols) > 1:
            exact = False
            continue
        (number,) = source.symbols
        try:
            box[number] = sets.intersection(box[number], preimage(source, common, box))
        except TooMany:
            exact = False
        if not box[number]:
            return None
    return Before(tuple(box[i] for i in range(len(edge.before.box))), exact)


def is_exact(edge: Edge) -> bool:
    """Whether all values of the box of its path go along it: nothing is known of several symbols at once."""
    return not edge.to.path.wide and not edge.to.path.known
