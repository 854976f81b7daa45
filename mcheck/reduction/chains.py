"""Chains: states with one successor are passed through, not kept. Which positions keep one, and when this can be
used.
"""

from __future__ import annotations

import ctypes

from lfc.actions.model.machine import Machine
from lfc.mcheck.engine import abi
from lfc.mcheck.reduction.por.partial_order import why_interwoven

LONGEST = 4096  # of longer chains one state in so many is kept


def why_no_chains(machine: Machine, search: str, time: str, rate: int, with_properties: bool) -> str:
    """Empty if they can be used for a request. `search`: its name, or that of a store that is not exact."""
    if search != "breadth":
        return "only a breadth-first search passes through states"
    if with_properties:
        return "properties look at every state"
    if time != "free" or rate:
        return "what stands beside a state is looked at in each"
    return why_interwoven(machine)


class Chains:
    """The chains of one search."""

    def __init__(
        self,
        positions: int,
        breakers: set[int],
        stop: tuple[int, int] = (0, 0),
    ) -> None:
        """`positions`: how many there are in the description; `breakers`: of `cycle_breakers`;
        `stop`: after how many states no more are passed, if less than this percentage were (0: always go on)."""
        self.keeps = breakers
        self._flags = (ctypes.c_uint8 * (positions + 1))(*(n in self.keeps for n in range(positions + 1)))
        self._options = abi.Chains(self._flags, LONGEST, 0, *stop)

    def resumed(self) -> None:
        """Among the states that were saved may be some that only the length of a chain has kept."""
        self._options.cut = 1
        self.never_stop()

    def never_stop(self) -> None:
        """What is saved does not tell from where on states were not passed."""
        self._options.stops_after = 0

    def begin(self, engine: int, library: ctypes.CDLL) -> None:
        library.mc_pass_chains(engine, ctypes.byref(self._options))
