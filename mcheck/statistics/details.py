"""What a check says beside its verdict: what was never reached, how far it went, what properties really say.

Gathered from a search that has run.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.search.search import Stop
from lfc.mcheck.statistics.coverage import unreached

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.properties.vacuity import Remarks
    from lfc.mcheck.search.search import Search
    from lfc.mcheck.statistics.coverage import Unreached
    from lfc.mcheck.statistics.usage import Bounds, ComponentValues


class Depth(Enum):
    NOTES = 0  # only what costs nothing
    VALUES = 1  # what the tables of values tell
    STATES = 2  # look at every state again


@dataclass(slots=True)
class Beside:
    unreached: Unreached
    bounds: Bounds | None = None  # None: not asked for
    values: list[ComponentValues] = field(default_factory=list)  # likewise
    remarks: dict[str, Remarks] = field(default_factory=dict)  # by name of a property that holds


def look_beside(machine: Machine, search: Search, stop: Stop, how: Depth, remarks: dict[str, Remarks]) -> Beside:
    found = Beside(unreached(machine, search, stop is Stop.COMPLETE), remarks=remarks)
    if how is not Depth.NOTES:
        from lfc.mcheck.statistics.usage import bounds_of, queues_of, values_of

        found.bounds = bounds_of(machine, search)
        found.values = values_of(machine, search)
        if how is Depth.STATES:
            found.bounds.queues = queues_of(machine, search)
    return found
