"""A search with reductions and one without them, in turn: with fewer orders of steps what leads to an error may be put
off, so that the search in full, which has as many states, finds it first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.worker_thread import memory_of

if TYPE_CHECKING:
    from lfc.mcheck.request.request import Request

TURN = 100  # states, at least
TURNS = 16  # the next turn is so small a part of what has been searched
MOST_MEMORY = 4  # so small a part of what there may be is for the search in full

Run = Callable[[Search], Stop]


def may_put_off(search: Search, request: Request) -> bool:
    """Whether errors may come later than in full, and the first one ends the search."""
    plain = request.search.breadth_first and not request.checkpoint.wanted and not request.goes_by_states_alone
    return plain and not request.claims.keep_going and not search.finds_shortest


def run_in_turn(reduced: Search, full: Search, spent: int, most: int, run: Run) -> tuple[Search, Stop]:
    """Which one ends, and how: an error of either, or all states of the one with reductions. `spent`: states that it
    took to choose these; `most`: as many are searched in full. But for the first turn the one with reductions never has
    more states than the other; so to the first error there are at most twice as many as in full."""
    limit = reduced.request.limits.states
    while full.statistics.states < most and has_room(full, reduced.request):
        turn = max(full.statistics.states - spent, TURN)
        if reduced.statistics.states <= turn:
            reduced.go_on_to(min(turn, limit or turn))
            stop = run(reduced)
            if stop is not Stop.STATES or 0 < limit < reduced.statistics.states:
                reduced.go_on_to(limit)
                return reduced, stop
        states = full.statistics.states
        full.go_on_to(min(states + max(states // TURNS, TURN), most))
        stop = run(full)
        if stop is Stop.ERROR:
            return full, stop
        if stop in (Stop.TIME, Stop.INTERRUPTED):
            reduced.go_on_to(limit)
            return reduced, stop
        if stop is not Stop.STATES:  # it has come to its end, or has no room
            break
    reduced.go_on_to(limit)
    return reduced, run(reduced)


def has_room(full: Search, request: Request) -> bool:
    most = request.limits.memory // MOST_MEMORY
    return not most or memory_of(full.statistics) < most
