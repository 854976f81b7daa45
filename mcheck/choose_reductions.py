"""How a check begins: with the reductions that were asked for, or with those that are chosen by themselves.

Then a program of few states is searched in full, so that its counts are those of the language; of others a short search
with each reduction tells which of them do something there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from lfc.mcheck.reduction.registry import CHAINS, DEAD_VARIABLES, PARTIAL_ORDER, SLICE, SYMMETRY, Reduction
from lfc.mcheck.search.search import Limits, Search, Stop
from lfc.mcheck.search.worker_thread import Shown, ctrl_c, in_thread, run_with_progress

IN_FULL = 200_000  # states: a moment's work
STEPS_IN_FULL = 20_000_000  # where inputs make many of few states: a second's
AFTER_ERROR = 4_000_000  # states: to find a shortest way to an error
SAMPLE = 20_000
FIRST_SAMPLE = 1_000  # of symmetry; what leaves no more is enough alone
LARGE_SAMPLE = 50_000  # of dead variables, if there are fewer states in the other one
ORDERS_SAMPLE = 2_000  # of partial order reduction, unless it leaves something out there
FEWER = 1.005
HARDLY_FEWER, FAR_FEWER = 1.2, 5
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
    most = min(limits.states or IN_FULL, IN_FULL)
    full = make(replace(limits, states=most), ())
    begin = time.monotonic()  # the first one has compiled the program
    full.stop_after(STEPS_IN_FULL)
    reduced: Search | None = None
    try:
        stop = run(full, shown, seconds)
        states = full.statistics.states
        if stop is not Stop.STATES or (most == limits.states and states > most):
            return Begun(full, stop, [])
        choose(full, make, limits, possible, shown)
        if seconds and time.monotonic() - begin > seconds:
            for r in possible:
                r.why_not = r.why_not or "the time was over before"
        if shown.interrupted or all(r.why_not for r in possible):
            full.go_on_to(limits.states)
            return Begun(full, None, possible, states)
        reduced = make(in_memory(limits, possible), possible)
        stop = run(reduced, shown, time_left(seconds, begin))
        if stop is Stop.MEMORY and in_memory(limits, possible) is not limits:
            next(r for r in possible if r.name == SYMMETRY).why_not = NOT_ON_DISK
            reduced.close()
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


NOT_ON_DISK = "it had no more memory, and of such a search on disk it is not known who is stuck"


def in_memory(limits: Limits, used: list[Reduction]) -> Limits:
    """Where on disk it would not be known who is stuck; else as they are."""
    exchanges = any(r.name == SYMMETRY and not r.why_not for r in used)
    return replace(limits, spill="") if exchanges and limits.spill and limits.find_stuck else limits


def run(search: Search, shown: Shown, seconds: float) -> Stop:
    shown.search = search
    with ctrl_c(search, shown):
        return run_with_progress(search, seconds, shown)


def found_in_full(search: Search, limits: Limits, shown: Shown, seconds: float) -> bool:
    """An error that was found with reductions: then a shortest way to one, if it is not far."""
    search.go_on_to(min(limits.states or AFTER_ERROR, AFTER_ERROR))
    return run(search, shown, min(seconds or MOST_SECONDS, MOST_SECONDS)) is Stop.ERROR


NOTHING_DEAD = "no variable is ever dead"


def too_little(states: int = 0) -> str:
    return f"it did too little in {states or SAMPLE} states"


@dataclass(slots=True)
class Sample:
    """A short search. `most`: how many states it could have had; `within`: by depth, how many states are at most so far
    away."""

    complete: bool
    states: int
    most: int
    told: int
    within: list[int]


def choose(full: Search, make: Make, limits: Limits, possible: list[Reduction], shown: Shown) -> None:
    """By a short search with each, which says what does not pay. What leaves few states is enough without the others,
    but for chains. Symmetry is tried together with what does pay: what is dead tells no instances apart. And so are
    chains, after all others: the fewer orders are left the more there are."""

    def short(limits: Limits, used: Sequence[Reduction]) -> Search:
        search = make(limits, used)
        search.order_as(full)
        return search

    found: dict[str, Sample] = {}
    best = ""
    for r in possible:
        if r.why_not or best or r.name not in (PARTIAL_ORDER, DEAD_VARIABLES):
            continue
        if r.name == PARTIAL_ORDER:
            sample = orders_sample(short, limits, r, shown)
        else:
            sample = dead_sample(full, short, limits, r, shown)
        if not sample.told:
            r.why_not = too_little(sample.most) if sample.states else NOTHING_DEAD
            continue
        found[r.name] = sample
        best = r.name if sample.complete and sample.states <= FIRST_SAMPLE else ""
    best = best or min((n for n, s in found.items() if s.complete), key=lambda name: found[name].states, default="")
    for r in possible:
        if best and r.name not in (best, CHAINS):
            r.why_not = r.why_not or f"`{best}` leaves few states without it"
    for r in possible:
        others = [o for o in possible if o is not r and o.name != CHAINS and not o.why_not]
        if shown.interrupted:
            r.why_not = r.why_not or "interrupted"
        elif not r.why_not and r.name == SYMMETRY:
            if len(others) == 1:
                without = found[others[0].name].within
            else:
                without = sampled(short, limits, others, shown).within if others else levels_of(full)
            if not exchanges_enough(short, limits, [r, *others], without, shown):
                r.why_not = too_little()
    for r in possible:
        if not r.why_not and r.name == CHAINS and not shown.interrupted:
            others = [o for o in possible if o is not r and not o.why_not]
            sample = chains_sample(short, limits, [r, *others], shown)
            if sample.told < sample.states:  # they make each step slower
                r.why_not = too_little(sample.most)
        if shown.interrupted:
            r.why_not = r.why_not or "interrupted"
    used = [r for r in possible if not r.why_not]
    if [r.name for r in used] == [DEAD_VARIABLES]:
        sample = found[DEAD_VARIABLES]
        all_of_them = sample.complete and full.statistics.states > FEWER * sample.states
        if not all_of_them and not leaves_fewer(sample.within, levels_of(full)):
            used[0].why_not = too_little(sample.most)


def orders_sample(make: Make, limits: Limits, used: Reduction, shown: Shown) -> Sample:
    """Who has nothing to do with the others is seen soon."""
    return sampled(make, limits, [used], shown, SAMPLE, ORDERS_SAMPLE, lambda search: search.reduced_states > 0)


def dead_sample(full: Search, make: Make, limits: Limits, used: Reduction, shown: Shown) -> Sample:
    """Variables can be dead for long before two states differ in nothing else: so of a large sample not one state less
    is asked for in the first part of it, but one in some hundreds in all."""
    without = levels_of(full)

    def fewer(search: Search) -> bool:
        return leaves_fewer(levels_of(search), without, 1.0)

    return sampled(make, limits, [used], shown, LARGE_SAMPLE, SAMPLE, fewer)


def chains_sample(make: Make, limits: Limits, used: list[Reduction], shown: Shown) -> Sample:
    """The search leaves them itself where they are few after some states."""
    first, percentage = limits.chains_stop

    def go_on(search: Search) -> bool:
        return bool(100 * search.passed_states() >= percentage * search.statistics.states)

    return sampled(make, limits, used, shown, SAMPLE, first, go_on)


def leaves_fewer(within: list[int], without: list[int], times: float = FEWER) -> bool:
    """What is dead does not change how far away states are. It costs nothing, but a new search does."""
    depth = min(len(within), len(without)) - 1
    return without[depth] > times * within[depth]


def sampled(
    make: Make,
    limits: Limits,
    used: list[Reduction],
    shown: Shown,
    most: int = SAMPLE,
    first: int = 0,
    promises: Callable[[Search], bool] | None = None,
) -> Sample:
    """`told`: what the first of these did. `first`: after so many states it must promise something, or ends."""
    staged = promises is not None and 0 < first < most
    search = make(replace(limits, states=first if staged else most, threads=1, spill=""), used)
    with closing(search), ctrl_c(search, shown):
        if used[0].name == DEAD_VARIABLES and not told_of(search, used[0]):  # the text tells
            return Sample(False, 0, 0, 0, [])
        stop = in_thread(lambda: search.run(MOST_SECONDS), search, shown)
        if staged and stop is Stop.STATES and promises is not None and promises(search) and not shown.interrupted:
            search.go_on_to(most)
            stop = in_thread(lambda: search.run(MOST_SECONDS), search, shown)
        told = told_of(search, used[0])
        return Sample(stop is Stop.COMPLETE, search.statistics.states, search.limits.states, told, levels_of(search))


def levels_of(search: Search) -> list[int]:
    depth: int = search.statistics.depth
    return [search.states_within(d) for d in range(depth + 1)]


def exchanges_enough(make: Make, limits: Limits, used: list[Reduction], without: list[int], shown: Shown) -> bool:
    """States that can be exchanged are as far away, so those as far as both searches came are compared. A step takes
    much longer, so they must be far fewer; where they are hardly fewer this is seen soon."""
    search = make(replace(limits, states=FIRST_SAMPLE, threads=1, spill=""), used)
    with closing(search), ctrl_c(search, shown):
        for most, times in ((FIRST_SAMPLE, HARDLY_FEWER), (SAMPLE, FAR_FEWER)):
            search.go_on_to(most)
            stop = in_thread(lambda: search.run(MOST_SECONDS), search, shown)
            kept = levels_of(search)
            if stop is Stop.COMPLETE:
                kept += [search.statistics.states] * len(without)
            depth = min(len(kept), len(without)) - 1
            if shown.interrupted or without[depth] < times * kept[depth]:
                return False
        return True


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
