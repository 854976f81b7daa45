"""What bounds a search that leaves something out on purpose; which searches go only with some programs."""

from __future__ import annotations

from lfc.base.lazy_dataclass import dataclass

NO_BOUND = 0xFFFFFFFF
RANDOM_STEPS = 1_000_000  # in all, if neither steps nor seconds are given
SWARM_SEARCHES = 32  # likewise


class NotModular(Exception):
    """Why a program cannot be searched in modules."""


@dataclass(frozen=True, slots=True)
class SearchBounds:
    depth: int | None = None  # steps from the initial state; of each random walk, and of each search of a swarm
    contexts: int | None = None  # switches from one process to another
    seed: int = 1
    steps: int = 0  # of all random walks, of all searches of a swarm; 0: no bound
    searches: int = 0  # of a swarm; 0: no bound
