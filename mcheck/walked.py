"""What a search that is not breadth-first says of itself: visits, bounds, what it may have omitted.

May import: `search`, `walks`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lfc.mcheck.search import Search, Stop

NO_PROOF = "not a proof: states are told apart by {}, and {}"


@dataclass(slots=True)
class Walked:
    search: str
    visits: int
    expanded: int
    replaced: int  # states that made room for others
    at_least: int  # states
    at_most: int
    most_on_stack: int
    omission: float  # the probability that a state was taken for another one and omitted
    reason: str  # why there is no proof although nothing was found

    @property
    def counted(self) -> bool:
        """False: only bounds of the number of states are known."""
        return not self.replaced and not self.omission


def walked(search: Search, stop: Stop, name: str) -> Walked | None:
    """None: of a breadth-first search there is nothing to say."""
    walk = search.walk
    if walk is None:
        return None
    c = walk.counts
    omission = -math.expm1(-c.omitted)
    reason = ""
    if walk.lossy:
        by = "three bits" if name == "bitstate" else "64 bits"
        reason = NO_PROOF.format(by, f"the probability that one was omitted is {omission:.2g}")
    return Walked(
        name, c.visits, search.statistics.expanded, c.replaced, c.at_least, c.visits, c.most_on_stack, omission, reason
    )


def shorten_ways(search: Search, most: int) -> None:
    """Ways that a search has found by chance, not by their length."""
    if search.walk is not None:
        for error in search.errors()[:most]:
            search.walk.shorten(error.state)


def way_is_shortest(search_name: str, towards: str, kind: str) -> bool:
    return search_name == "breadth" or (search_name == "astar" and towards in ("any", kind))


def as_data(w: Walked) -> dict[str, object]:
    return {
        "search": w.search,
        "visits": w.visits,
        "expanded": w.expanded,
        "replaced": w.replaced,
        "states_at_least": w.at_least,
        "states_at_most": None if w.omission else w.at_most,
        "most_on_stack": w.most_on_stack,
        "omission_probability": w.omission,
    }


def counts_text(w: Walked) -> str:
    """Instead of the number of states, where it is not known."""
    if w.omission:
        return f"at least {w.at_least} states"
    return f"{w.visits} visits of {w.at_least} to {w.at_most} states"
