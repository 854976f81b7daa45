"""Numbers positions: body by body, first all ready ones, then all waiting ones."""

from __future__ import annotations

from collections.abc import Iterable

from lfc.actions.model.machine import Body, Position


def number_positions(bodies: Iterable[Body]) -> tuple[list[Position], int]:
    """All positions in the order of their numbers, which start from 1, and the lowest number of a waiting one."""
    every = [p for body in bodies for p in body.positions]
    ready = [p for p in every if p.ready]
    positions = ready + [p for p in every if not p.ready]
    for number, position in enumerate(positions, 1):
        position.number = number
    return positions, len(ready) + 1


def position_size(positions: list[Position]) -> int:
    return 1 if len(positions) <= 255 else 2
