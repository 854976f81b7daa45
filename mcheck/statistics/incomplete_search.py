"""What a search that is not breadth-first says of itself: visits, bounds, what it may have omitted."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.request.request import Store, Strategy
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.search.search import Stop

if TYPE_CHECKING:
    from lfc.mcheck.engine.abi import WalkCounts
    from lfc.mcheck.request.request import SearchOptions
    from lfc.mcheck.search.search import Search

NO_PROOF = "not a proof: states are distinguished by {}, and {}"
WITHIN = "no error within {} (--{}), which is no proof"


@dataclass(slots=True)
class Walked:
    search: str  # its strategy, or its store
    visits: int
    expanded: int
    replaced: int  # states that made room for others
    at_least: int  # states
    at_most: int
    most_on_stack: int
    omission: float  # the probability that a state was taken for another one and omitted
    reason: str  # why there is no proof although nothing was found
    more: dict[str, object] = field(default_factory=dict)  # of this search alone, for the document
    said: list[str] = field(default_factory=list)  # likewise, for people

    by_chance: bool = False

    @property
    def counted(self) -> bool:
        """False: only bounds of the number of states are known."""
        return not self.replaced and not self.omission and not self.by_chance


def walked(search: Search, stop: Stop) -> Walked | None:
    """None: of a breadth-first search there is nothing to say."""
    walk, options = search.exploration, search.request.search
    if options.breadth_first:
        return None
    from lfc.mcheck.search.strategies.walk import Walk

    assert isinstance(walk, Walk)
    c = walk.counts
    omission = -math.expm1(-c.omitted)
    reason = ""
    if options.store.lossy:
        by = "three bits (64 while they are few)" if options.store is Store.BITSTATE else "64 bits"
        reason = NO_PROOF.format(by, f"the probability that one was omitted is {omission:.2g}")
    expanded = search.statistics.expanded
    found = Walked(
        options.name, c.visits, expanded, c.replaced, c.at_least, c.visits, c.most_on_stack, omission, reason
    )
    if options.strategy is Strategy.CONTEXTS:
        tell_contexts(found, search, stop, c)
    if options.strategy.by_chance:
        found.by_chance = True
        tell_chance(found, search, c)
    if walk.told is not None:  # modules
        found.more, found.said = walk.told.as_data(), walk.told.as_text()
    return found


def plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def depth_reason(search: Search) -> str:
    """Of a breadth-first search that has come to its bound."""
    return WITHIN.format(plural(search.request.search.bounds.depth or 0, "step", "steps"), "depth")


def tell_contexts(found: Walked, search: Search, stop: Stop, c: WalkCounts) -> None:
    switches = plural(c.contexts, "switch", "switches") + " from one process to another"
    found.more = {"contexts": {"switches": c.contexts, "complete": stop is Stop.COMPLETE}}
    if stop is Stop.BOUND:
        found.reason = WITHIN.format(switches, "contexts")
    elif stop is Stop.COMPLETE:
        found.said = [f"no state needs more than {switches}"]
    elif stop is Stop.ERROR:
        found.said = [f"with {switches}; no counterexample has fewer"]
    else:
        found.said = [f"no error with fewer than {switches}"] if c.contexts else []


def tell_chance(found: Walked, search: Search, c: WalkCounts) -> None:
    """What random walks and swarms have seen is estimated."""
    found.omission = 0.0
    found.more = {"distinct_estimate": c.at_least, "seed": search.request.search.bounds.seed}
    if found.search == Strategy.RANDOM:
        found.more["walks"] = c.walks
        found.reason = f"no error in {plural(c.walks, 'random walk', 'random walks')}, which is no proof"
        return
    coverage = coverage_of(c)
    found.more |= {"searches": c.walks, "searches_finished": c.finished, "coverage_estimate": coverage}
    found.reason = f"no error in a swarm of {plural(c.walks, 'search', 'searches')}, which is no proof"
    if coverage is not None and not search.statistics.errors:
        found.said = [f"estimated coverage of what such searches can reach (capture-recapture): {coverage:.0%}"]


def coverage_of(c: WalkCounts) -> float | None:
    """How many of all states were seen, as of two catches of which the share is known that was caught twice: an upper
    bound in practice, for what is hard to reach is hard for both. None: they have too little in common."""
    if not c.overlap or c.overlap * 20 < min(c.even, c.odd):
        return None
    states = c.even * c.odd / c.overlap
    return min(1.0, round(float(c.at_least / states), 4))


def shorten_ways(search: Search, most: int) -> None:
    """Paths that a search has found by chance, not by their length. If it is interrupted they are as they are."""
    if not search.request.search.breadth_first:
        for error in search.errors()[:most]:
            if search.interrupted:
                return
            search.exploration.shorten(error.state)


def path_is_shortest(options: SearchOptions, kind: Verdict) -> bool:
    """No state that is as bad is nearer. Of partial deadlocks the one is told in which the most processes are stuck:
    there may be a nearer one with fewer."""
    if kind is Verdict.PARTIAL_DEADLOCK:
        return False
    astar = options.strategy is Strategy.ASTAR and options.towards in ("any", kind)
    return options.breadth_first or (astar and not options.store.lossy)


def as_data(w: Walked) -> dict[str, object]:
    return {
        "search": w.search,
        "visits": w.visits,
        "expanded": w.expanded,
        "replaced": w.replaced,
        "states_at_least": None if w.by_chance else w.at_least,
        "states_at_most": None if w.omission or w.by_chance else w.at_most,
        "most_on_stack": w.most_on_stack,
        "omission_probability": w.omission,
        **w.more,
    }


def counts_text(w: Walked) -> str:
    """Instead of the number of states, where it is not known."""
    if w.by_chance:
        return f"{w.visits} visits of about {w.at_least} distinct states"
    if w.omission:
        return f"at least {w.at_least} states"
    return f"{w.visits} visits of {w.at_least} to {w.at_most} states"
