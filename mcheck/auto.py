"""How a check begins: with the reductions that were asked for, or with those that are chosen by themselves.

Then a program of few states is searched in full, so that its counts are those of the language; of others a short search
with each reduction tells which of them do something there.

May import: `search`, `at_work`, `reducing`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from lfc.mcheck.at_work import Shown, ctrl_c, in_thread, run_with_progress
from lfc.mcheck.reducing import CHAINS, DEAD_VARIABLES, PARTIAL_ORDER, SLICE, SYMMETRY, Reduction
from lfc.mcheck.search import Limits, Search, Stop

IN_FULL = 200_000  # states: a moment's work
AFTER_ERROR = 4_000_000  # states: to find a shortest way to an error
SAMPLE = 20_000
MOST_SECONDS = 2.0  # of a sample, and of the search for a shortest way

Make = Callable[[Limits, Sequence[Reduction]], Search]


@dataclass(slots=True)
class Begun:
    """`stop`: None: the search is to be run, or to go on."""

    search: Search
    stop: Stop | None
    reductions: list[Reduction]
    sampled: int = 0  # states that were searched in full before reductions were chosen


def begin_as_asked(make: Make, limits: Limits, reductions: list[Reduction]) -> Begun:
    return Begun(make(limits, reductions), None, reductions)


def begin_by_itself(make: Make, limits: Limits, possible: list[Reduction], shown: Shown, seconds: float) -> Begun:
    begin = time.monotonic()
    most = min(limits.states or IN_FULL, IN_FULL)
    full = make(replace(limits, states=most), ())
    reduced: Search | None = None
    try:
        stop = run(full, shown, seconds)
        if stop is not Stop.STATES or most == limits.states:
            return Begun(full, stop, [])
        states = full.statistics.states
        choose(make, limits, possible, shown)
        if shown.interrupted or all(r.why_not for r in possible):
            full.go_on_to(limits.states)
            return Begun(full, None, possible, states)
        reduced = make(limits, possible)
        stop = run(reduced, shown, time_left(seconds, begin))
        if stop is Stop.ERROR and found_in_full(full, limits, shown, time_left(seconds, begin)):
            reduced.close()
            return Begun(full, Stop.ERROR, [])
    except BaseException:
        full.close()
        if reduced is not None:
            reduced.close()
        raise
    full.close()
    return Begun(reduced, stop, possible, states)


def run(search: Search, shown: Shown, seconds: float) -> Stop:
    shown.search = search
    with ctrl_c(search, shown):
        return run_with_progress(search, seconds, shown)


def found_in_full(search: Search, limits: Limits, shown: Shown, seconds: float) -> bool:
    """An error that was found with reductions: then a shortest way to one, if it is not far."""
    search.go_on_to(min(limits.states or AFTER_ERROR, AFTER_ERROR))
    return run(search, shown, min(seconds or MOST_SECONDS, MOST_SECONDS)) is Stop.ERROR


def choose(make: Make, limits: Limits, possible: list[Reduction], shown: Shown) -> None:
    """By a short search with each, which says what does not pay. What leaves few states is enough without the others,
    but for chains: these are tried together with what does pay, for the fewer orders are left the more there are."""
    least: dict[str, int] = {}
    for r in possible:
        if not r.why_not and r.name != CHAINS:
            sample(make, limits, [r], shown, least)
    best = min(least, key=lambda name: least[name], default="")
    for r in possible:
        if best and r.name not in (best, CHAINS):
            r.why_not = r.why_not or f"`{best}` leaves few states without it"
    for r in possible:
        if not r.why_not and r.name == CHAINS:
            sample(make, limits, [r, *(o for o in possible if o is not r and not o.why_not)], shown, least)


def sample(make: Make, limits: Limits, used: list[Reduction], shown: Shown, complete: dict[str, int]) -> None:
    """What the first of these does. Orders of steps and dead variables cost next to nothing, so any help is enough;
    chains make each step slower."""
    reduction = used[0]
    if shown.interrupted:
        reduction.why_not = "interrupted"
        return
    search = make(replace(limits, states=SAMPLE, threads=1, spill=""), used)
    with closing(search), ctrl_c(search, shown):
        stop = in_thread(lambda: search.run(MOST_SECONDS), search, shown)
        states = search.statistics.states
        if stop is Stop.COMPLETE:
            complete[reduction.name] = states
        if told_of(search, reduction) < (states if reduction.name == CHAINS else 1):
            reduction.why_not = f"it did too little in {SAMPLE} states"


def told_of(search: Search, reduction: Reduction) -> int:
    if reduction.name == CHAINS:
        return search.passed_states()
    if reduction.name == SYMMETRY:
        return search.exchanged_states()
    if reduction.name == SLICE:
        return 0  # it is not made, else another program is searched
    return search.reduced(reduction.name == DEAD_VARIABLES)


def notes_of(search: Search, reduction: Reduction) -> Sequence[str]:
    return search.symmetry.notes if reduction.name == SYMMETRY and search.symmetry is not None else ()


def with_reductions(limits: Limits, reductions: Sequence[Reduction]) -> Limits:
    used = {r.name for r in reductions if not r.why_not}
    return replace(
        limits,
        partial_order=PARTIAL_ORDER in used,
        dead_variables=DEAD_VARIABLES in used,
        chains=CHAINS in used,
        symmetry=SYMMETRY in used,
    )


def time_left(seconds: float, begin: float) -> float:
    """0: as many as it takes."""
    return max(0.001, begin + seconds - time.monotonic()) if seconds else 0.0
