"""What a search found, as far as reductions must leave it."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with

Outcome = tuple[int, int, frozenset[tuple[int, int]], bool]


def outcome(machine: Machine, *reductions: str) -> tuple[Outcome, int] | None:
    """Deadlocks, ends, where faults are, whether somebody is stuck; and states. None: too many."""
    search = search_with(machine, request_from(keep_going=True, reductions=reductions, states=60_000))
    try:
        if search.run() is not Stop.COMPLETE:
            return None
        s, stuck = search.statistics, search.find_stuck() is not None
        faults = frozenset((e.fault_kind, e.fault_site) for e in search.errors() if e.kind == 1)
        return (s.deadlocks, s.ends, faults, stuck), s.states
    finally:
        search.close()
