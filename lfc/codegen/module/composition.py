"""The layout of program and environment as one, for code that is generated for both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lfc.actions.model.machine import BlockLayout, Machine

MOST_ALIGNED = 4  # what a constant may be aligned to


def composed_layout(machine: Machine) -> BlockLayout:
    """Positions and pending bits are those of the program; what is the environment's own is asked of its records. Its
    constants follow the program's, where these are not the same. Channels of the environment follow the program's."""
    own = machine.layout
    if machine.environment is None:
        return own
    theirs = machine.environment.layout
    pool = own.constant_pool + bytes(-len(own.constant_pool) % MOST_ALIGNED if theirs.constant_pool else 0)
    offsets = {value: len(pool) + offset for value, offset in theirs.constant_offsets.items()}
    return replace(
        own,
        size=theirs.size,
        variables=own.variables | theirs.variables,
        records=[*own.records, *theirs.records],
        constant_pool=pool + theirs.constant_pool,
        constant_offsets=offsets | own.constant_offsets,
    )
