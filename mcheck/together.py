"""A check by several processes: what it cannot do yet, and which of them concludes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lfc.mcheck.properties.invariants import MOST, invariant_of
from lfc.mcheck.request.world import Data
from lfc.mcheck.search.distributed.distributed import Distributed, NotDistributed
from lfc.mcheck.search.distributed.world import RankLost, world

if TYPE_CHECKING:
    from lfc.mcheck.reduction.common.reduction import Question
    from lfc.mcheck.search.search import Search

REDUCTIONS = frozenset({"dead", "por"})  # that look at each state by itself, whatever else has been found


class Served(Exception):
    """Another rank has concluded; this one has nothing to tell."""


def refuse_what_needs_all_states(question: Question) -> None:
    """Raises NotDistributed."""
    reason = next(reasons(question), None)
    if reason is not None:
        raise NotDistributed(reason)


def reasons(question: Question) -> Iterator[str]:
    request, watched = question.request, question.watched
    for name in request.reductions:
        if name not in REDUCTIONS:
            yield f"the reduction {name} depends on what one process has found (dead and por do not)"
    if request.claims.only:
        yield "a slice is checked by one process"
    if request.world.data is Data.SYMBOLIC:
        yield "undetermined data is searched by one process"
    if question.later or question.too_wide or len(watched.properties) > MOST:
        yield f"there are more properties than are looked at together ({MOST} at most; choose some with --property)"
    if watched.properties and any(f.live for f in question.fair):
        yield "fairness is about cycles, which are searched for by one process"
    for w in watched.properties:
        invariant = invariant_of(w) if w.automaton is not None else None
        if invariant is None or not invariant.is_all:
            yield f"property {w.of.name} is no invariant (choose others with --property)"


def first_before_others(work: Callable[[], object]) -> None:
    """The first rank does it before the others, who then find what it has left in a cache."""
    ranks = world()
    if ranks.first:
        work()
    ranks.gather(None)
    if not ranks.first:
        work()


def serve_unless_first(search: Search) -> None:
    """Raises Served."""
    exploration = search.exploration
    assert isinstance(exploration, Distributed)
    if exploration.is_first:
        return
    try:
        exploration.serve()
    except RankLost:
        exploration.lost = True
    raise Served
