"""How a check begins: with the reductions that were asked for, or with those that are chosen by themselves.

Then a program of few states is searched in full, so that its counts are those of the language; of others a short search
with each reduction tells which of them do something there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import field, replace
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.reduction.common.reduction import Choice, Sampling, Stage, used
from lfc.mcheck.request.request import Request
from lfc.mcheck.search.search import Search, Stop, leaves_fewer
from lfc.mcheck.search.worker_thread import in_thread, run_with_progress, time_left

if TYPE_CHECKING:
    from lfc.mcheck.search.worker_thread import Shown

IN_FULL = 200_000  # states: a moment's work
STEPS_IN_FULL = 20_000_000  # where inputs make many of few states: a second's
OVER_BEFORE = "time limit reached first"
AFTER_ERROR = 4_000_000  # states: to find a shortest way to an error
SAMPLE = 20_000
FIRST_SAMPLE = 1_000  # of what is tried together; what leaves no more is enough alone
FEW = 250  # a search of so many is soon over, however slow
FEWER = 1.005
WORTH = 1.03  # times as many states are left by another set
HARDLY_FEWER, FAR_FEWER = 1.2, 5
MOST_SECONDS = 2.0  # of a sample, and of the search for a shortest way

Make = Callable[[Request, Sequence[Choice]], Search]


@dataclass(slots=True)
class Begun:
    """`stop`: None: the search is to be run, or to go on."""

    search: Search
    stop: Stop | None
    choices: list[Choice]
    sampled: int = 0  # states that were searched in full before reductions were chosen


class SliceIsBetter(Exception):
    """There are many states, and of what is in them not all affects what is checked."""

    def __init__(self, states: int) -> None:
        super().__init__(states)
        self.states = states  # that were searched in full


def begin_by_itself(
    make: Make,
    request: Request,
    choices: Callable[[], list[Choice]],
    shown: Shown,
    seconds: float,
    slices: Callable[[], bool] = lambda: False,
    otherwise: Callable[[Search], None] = lambda _: None,
) -> Begun:
    """`choices`: of what can be chosen; not asked for where a search in full is enough. `otherwise`: what is tried then
    before that; it raises what is to be raised. `slices`: whether a slice is to be checked instead. Raises
    SliceIsBetter."""
    limit = request.limits.states
    most = min(limit or IN_FULL, IN_FULL)
    full = make(request.changed(states=most), ())
    begin = time.monotonic()  # the first one has compiled the program
    full.stop_after(STEPS_IN_FULL)
    reduced: Search | None = None
    try:
        stop = run(full, shown, seconds)
        states = full.statistics.states
        if stop is not Stop.STATES or (most == limit and states > most):
            return Begun(full, stop, [])
        possible = choices()
        trial = Trial(ordered_as(full, make), request, full.levels(), shown, begin)
        if not ends_soon(trial, possible):
            otherwise(full)
            if slices():
                raise SliceIsBetter(states)
        shown.phase = "choosing reductions"
        choose(full, trial, possible)
        shown.phase = ""
        if seconds and time.monotonic() - begin > seconds:
            for c in possible:
                c.why_not = c.why_not or OVER_BEFORE
        if shown.interrupted or not used(possible):
            full.go_on_to(limit)
            return Begun(full, None, possible, states)
        reduced = make(in_memory(request, possible), used(possible))
        found, stop = with_full_beside(reduced, full, trial.spent, AFTER_ERROR, shown, Until(begin, seconds))
        if found is full:
            reduced.close()
            return Begun(full, stop, [])
        if stop is Stop.MEMORY and in_memory(request, possible) is not request:
            next(c for c in possible if c.of.exchanges).why_not = NOT_ON_DISK
            reduced.close()
            reduced = make(request, used(possible))
            stop = run(reduced, shown, time_left(seconds, begin))
        if stop is Stop.ERROR and found_in_full(full, limit, shown, time_left(seconds, begin)):
            reduced.close()
            return Begun(full, Stop.ERROR, [])
    except BaseException:
        full.close()
        if reduced is not None:
            reduced.close()
        raise
    full.close()
    return Begun(reduced, stop, possible, states)


def begin_as_asked(make: Make, request: Request, asked: list[Choice], shown: Shown, seconds: float) -> Begun:
    """With these reductions; where they may put off errors, a search without them goes along for a while."""
    from lfc.mcheck.reduction.in_turn import may_put_off

    reduced = make(request, asked)
    if not may_put_off(reduced, request):
        return Begun(reduced, None, asked)
    full = make(request.changed(states=IN_FULL, spill=""), ())
    try:
        found, stop = with_full_beside(reduced, full, 0, IN_FULL, shown, Until(time.monotonic(), seconds))
    except BaseException:
        full.close()
        reduced.close()
        raise
    if found is reduced:
        full.close()
        return Begun(reduced, stop, asked)
    reduced.close()
    for c in used(asked):
        c.why_not = FIRST_IN_FULL
    return Begun(full, stop, asked)


FIRST_IN_FULL = "a search without it that went along found an error first"


@dataclass(slots=True)
class Until:
    """`seconds` after `begin`; 0: no limit."""

    begin: float
    seconds: float

    @property
    def left(self) -> float:
        return time_left(self.seconds, self.begin)


def with_full_beside(
    reduced: Search, full: Search, spent: int, most: int, shown: Shown, until: Until
) -> tuple[Search, Stop]:
    """See `run_in_turn`."""
    from lfc.mcheck.reduction.in_turn import may_put_off, run_in_turn  # most programs are searched in full

    if not may_put_off(reduced, reduced.request):
        return reduced, run(reduced, shown, until.left)

    def go_on(search: Search) -> Stop:
        stop = run(search, shown, until.left)
        shown.search = reduced
        return stop

    return run_in_turn(reduced, full, spent, most, go_on)


def ends_soon(trial: Trial, possible: list[Choice]) -> bool:
    """Whether a short search with fewer orders of steps sees all there is: then nothing else need be tried."""
    orders = [c for c in used(possible) if c.name == "por"]
    if orders and not trial.is_over:
        trial.orders = sampled(trial, orders)
    return trial.orders is not None and trial.orders.complete


NOT_ON_DISK = "it ran out of memory, and partial deadlocks cannot be checked with it on disk"


def in_memory(request: Request, possible: list[Choice]) -> Request:
    """Where on disk it would not be known who is stuck; else as it is."""
    exchanges = any(c.of.exchanges for c in used(possible))
    on_disk = request.limits.spill and request.claims.partial_deadlocks
    return request.changed(spill="") if exchanges and on_disk else request


def run(search: Search, shown: Shown, seconds: float) -> Stop:
    shown.search = search
    return run_with_progress(search, seconds, shown)


def found_in_full(search: Search, limit: int, shown: Shown, seconds: float) -> bool:
    """An error that was found with reductions: then a shortest way to one, if it is not far."""
    search.go_on_to(min(limit or AFTER_ERROR, AFTER_ERROR))
    return run(search, shown, min(seconds or MOST_SECONDS, MOST_SECONDS)) is Stop.ERROR


def too_little(states: int = 0) -> str:
    return f"it saved too little in {states or SAMPLE} states"


@dataclass(slots=True)
class Sample:
    """A short search. `most`: how many states it could have had; `within`: by depth, how many states are at most so far
    away."""

    complete: bool
    states: int
    most: int
    told: int
    within: list[int]


def ordered_as(full: Search, make: Make) -> Make:
    def short(request: Request, choices: Sequence[Choice]) -> Search:
        search = make(request, choices)
        search.order_as(full)
        return search

    return short


def choose(full: Search, trial: Trial, possible: list[Choice]) -> None:
    """By a short search with each, which says what does not pay. What leaves few states is enough without the others,
    but for what is tried last. What is tried together is so with what does pay: what is dead tells no instances apart.
    And so is what is tried last, after all others: the fewer orders are left the more chains there are. Where a short
    search comes to its end, some sets are compared by what they leave in all."""
    usable = used(possible)
    found = try_alone(trial, of_stage(possible, Stage.ALONE))
    best = min((n for n, s in found.items() if s.complete), key=lambda name: found[name].states, default="")
    for c in possible:
        if best and c.name != best and stage_of(c) is not Stage.LAST:
            c.why_not = c.why_not or f"`{best}` reduces enough without it"
    for c in of_stage(possible, Stage.TOGETHER):
        try_together(trial, c, [o for o in used(possible) if o is not c and stage_of(o) is not Stage.LAST], found)
    for c in of_stage(possible, Stage.LAST):
        if not trial.is_over:
            sample = sampled(trial, [c, *(o for o in used(possible) if o is not c)])
            if sample.told < sample.states:  # they make each step slower
                c.why_not = too_little(sample.most)
    if used(possible):
        take_least(trial, usable)
    if trial.is_over:
        for c in possible:
            c.why_not = c.why_not or ("interrupted" if trial.shown.interrupted else OVER_BEFORE)
    left = used(possible)
    if len(left) == 1 and sampling_of(left[0]).same_depths:
        sample = found[left[0].name]
        all_of_them = sample.complete and full.statistics.states > FEWER * sample.states
        if not all_of_them and not leaves_fewer(sample.within, trial.without, FEWER):  # a new search costs
            left[0].why_not = too_little(sample.most)


def take_least(trial: Trial, usable: list[Choice]) -> None:
    """Of the set that was chosen, of all together and of what mostly helps together: the one that leaves the fewest
    states, if a short search with it comes to its end."""
    chosen = [c.name for c in used(usable)]
    names = [c.name for c in usable]
    slow = {c.name for c in usable if c.of.exchanges and c.why_not}  # each step takes much longer
    best, least = chosen, SAMPLE
    for some in (chosen, names, ["por", "chains"], ["por", "dead", "chains"]):
        together = [replace(c, why_not="") for c in usable if c.name in some]
        is_like_best = least < SAMPLE and {*some} | {"dead"} == {*best}  # but for `dead`, which changes little
        if trial.is_over or len(together) < len(some) or is_like_best:
            continue
        most = min(least, FEW) if slow.intersection(some) else least
        states = trial.whole.get(frozenset(some)) or in_all(trial, together, most)
        far_fewer = WORTH * states < least and FAR_FEWER * states < trial.without[-1]
        if 0 < states <= most and (some is chosen or far_fewer):
            best, least = some, states
    for c in usable:
        c.why_not = "" if c.name in best else c.why_not or "others leave fewer states without it"


def in_all(trial: Trial, together: list[Choice], most: int) -> int:
    """How many states these leave; 0: more than so many."""
    sample = sampled(trial, together, Sampling(Stage.TOGETHER, most=most))
    return sample.states if sample.complete else 0


@dataclass(slots=True)
class Trial:
    """`make`: of short searches; `without`: by depth, how many states are so near without any reduction."""

    make: Make
    request: Request
    without: list[int]
    shown: Shown
    begin: float  # of the search in full
    spent: int = 0  # states of all samples
    whole: dict[frozenset[str], int] = field(
        default_factory=dict
    )  # by what was tried, how many states it leaves in all
    orders: Sample | None = None  # of the search with fewer orders of steps, which is the first

    @property
    def seconds(self) -> float:
        """For one more sample."""
        return min(MOST_SECONDS, time_left(self.request.limits.seconds, self.begin) or MOST_SECONDS)

    @property
    def is_over(self) -> bool:
        limit = self.request.limits.seconds
        return self.shown.interrupted or bool(limit and time.monotonic() - self.begin > limit)


def sampling_of(choice: Choice) -> Sampling:
    assert choice.of.sampling is not None
    return choice.of.sampling


def stage_of(choice: Choice) -> Stage:
    return sampling_of(choice).stage


def of_stage(possible: list[Choice], stage: Stage) -> list[Choice]:
    return [c for c in used(possible) if stage_of(c) is stage]


def try_alone(trial: Trial, choices: list[Choice]) -> dict[str, Sample]:
    """Until one leaves so few states that it is enough."""
    found: dict[str, Sample] = {}
    for c in choices:
        if trial.is_over:
            break
        sample = trial.orders if c.name == "por" and trial.orders else sampled(trial, [c])
        if not sample.told:
            c.why_not = too_little(sample.most) if sample.states else sampling_of(c).nothing
            continue
        found[c.name] = sample
        if sample.complete and sample.states <= FIRST_SAMPLE:
            return {c.name: sample}
    return found


def try_together(trial: Trial, choice: Choice, others: list[Choice], found: dict[str, Sample]) -> None:
    if trial.is_over:
        return
    if len(others) == 1:
        without = found[others[0].name].within
    else:
        without = sampled(trial, others, Sampling(Stage.TOGETHER)).within if others else trial.without
    if not exchanges_enough(trial, [choice, *others], without):
        choice.why_not = too_little()


def sampled(trial: Trial, choices: list[Choice], how: Sampling | None = None) -> Sample:
    """`told`: what the first of these did. After the first part it must promise something, or ends."""
    how, shown = how or sampling_of(choices[0]), trial.shown
    all_of_it = how.most or SAMPLE
    promises = how.promises if 0 < how.first < all_of_it else None
    most = all_of_it if promises is None else how.first
    search = trial.make(trial.request.changed(states=most, threads=1, spill=""), choices)
    with closing(search):
        if how.nothing and not search.did(choices[0].of):  # the text tells
            return Sample(False, 0, 0, 0, [])
        stop = in_thread(lambda: search.run(trial.seconds), search, shown)
        if stop is Stop.STATES and promises is not None and promises(search, trial.without) and not shown.interrupted:
            search.go_on_to(all_of_it)
            stop = in_thread(lambda: search.run(trial.seconds), search, shown)
        states, most = search.statistics.states, search.request.limits.states
        trial.spent += states
        if stop is Stop.COMPLETE:
            trial.whole[frozenset(c.name for c in choices)] = states
        return Sample(stop is Stop.COMPLETE, states, most, search.did(choices[0].of), search.levels())


def exchanges_enough(trial: Trial, choices: list[Choice], without: list[int]) -> bool:
    """States that can be exchanged are as far away, so those as far as both searches came are compared. A step takes
    much longer, so they must be far fewer; where they are hardly fewer this is seen soon."""
    search = trial.make(trial.request.changed(states=FIRST_SAMPLE, threads=1, spill=""), choices)
    with closing(search):
        parts = ((FIRST_SAMPLE, HARDLY_FEWER), (SAMPLE, FAR_FEWER))
        enough = all(are_fewer(trial, search, most, times, without) for most, times in parts)
        trial.spent += search.statistics.states
        return enough


def are_fewer(trial: Trial, search: Search, most: int, times: float, without: list[int]) -> bool:
    """After so many states."""
    search.go_on_to(most)
    stop = in_thread(lambda: search.run(trial.seconds), search, trial.shown)
    kept = search.levels()
    if stop is Stop.COMPLETE:
        kept += [search.statistics.states] * len(without)
    depth = min(len(kept), len(without)) - 1
    return not trial.shown.interrupted and without[depth] >= times * kept[depth]
