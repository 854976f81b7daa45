"""What bounds a search that leaves something out on purpose; which searches go only with some programs."""

from __future__ import annotations

from dataclasses import dataclass

NO_BOUND = 0xFFFFFFFF
STEPS_OF_A_WALK = 10_000  # then a random walk begins anew
RANDOM_STEPS = 1_000_000  # in all, if neither steps nor seconds are given
SWARM_SEARCHES = 32  # likewise
BY_CHANCE = ("random", "swarm")  # searches


class NotModular(Exception):
    """Why a program cannot be searched in modules."""


@dataclass(frozen=True, slots=True)
class SearchBounds:
    depth: int | None = None  # steps from the initial state; of each random walk, and of each search of a swarm
    contexts: int | None = None  # switches from one process to another
    seed: int = 1
    steps: int = 0  # of all random walks, of all searches of a swarm; 0: no bound
    searches: int = 0  # of a swarm; 0: no bound

    def why_not(self, search: str) -> str:
        """Why a reduction that leaves out steps, or takes some together, is not used; empty: it may be."""
        if search == "modular":
            return "modules are searched by themselves (--search modular)"
        if search == "contexts":
            return "switches between processes are counted (--contexts)"
        return "steps are counted (--depth)" if self.depth is not None and search not in BY_CHANCE else ""

    def depth_of(self, search: str) -> int:
        if self.depth is not None:
            return self.depth
        return {"breadth": NO_BOUND, "random": STEPS_OF_A_WALK}.get(search, 0)
