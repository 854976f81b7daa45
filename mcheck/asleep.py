"""Sleep sets: of two actions that have nothing to do with each other one order only. When this can be used.

May import: `reductions`, `engine_library`, `layout`, `lfc.actions`.
"""

from __future__ import annotations

import ctypes

from lfc.actions.model import Machine
from lfc.mcheck.layout import Description
from lfc.mcheck.reductions import Faults, PartialOrder, why_interwoven


def why_nobody_sleeps(machine: Machine, search: str, time: str, rate: int) -> str:
    """Empty if it can be used for a request. `search`: its name, or that of a store that is not exact."""
    if search != "breadth":
        return "only a breadth-first search comes to a state in all ways before it goes on"
    if time != "free" or rate:
        return "what stands beside a state depends on every step"
    return why_interwoven(machine)


class Asleep:
    """The sleep sets of one search."""

    def __init__(self, machine: Machine, description: Description, faults: Faults | None = None) -> None:
        self._blind = faults is not None and faults.partners
        self.footprints = PartialOrder(machine, description, (), faults, chooses=False)

    def begin(self, engine: int, library: ctypes.CDLL) -> None:
        self.footprints.begin(engine, library)
        self._library = library
        library.mc_let_sleep.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        library.mc_slept.argtypes = [ctypes.c_void_p]
        library.mc_slept.restype = ctypes.c_uint64
        if not library.mc_let_sleep(engine, self._blind):
            raise MemoryError("the checker cannot reserve its tables")

    def left_out(self, engine: int) -> int:
        """How often somebody's next action was not worked out in a state."""
        return int(self._library.mc_slept(engine))
