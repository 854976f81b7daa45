"""The campaign of the reductions: the same errors as the search of all states, and the ways to them replay. The quota:

    nice python -m tests.campaign.reduction.reductions --count 2000 --seed 1 --jobs 1
    nice python -m tests.campaign.reduction.reductions --created --count 2000 --seed 1 --jobs 1
    nice python -m tests.campaign.reduction.reductions --symmetric --count 2000 --seed 1 --jobs 1
    nice python -m tests.campaign.reduction.reductions --calling --count 500 --seed 1 --jobs 1
    nice python -m tests.campaign.reduction.reductions --properties --count 500 --seed 1 --jobs 1
    nice python -m tests.campaign.reduction.reductions --devices --count 2000 --seed 1 --jobs 1

Half of the programs are networks of small processes that share variables and channels, a quarter are servers, clients
and pipelines on channels of their own, a quarter are those of the checker's campaign.
Compared are deadlocks and ends (`por` keeps each state of theirs), which faults and assertions fail where,
and whether a process is stuck; each reduction alone and all together, breadth-first and depth-first. With properties:
which of one or two formulas hold in networks and in programs of the recipes `created` and `calling` in which
little fails. With `--calling`: programs that pass their variables on to processes that wait. With
`--created`: programs that create processes as they run, those that wait for time with
`--time ordered` and `discrete` too. With `--symmetric`: programs that create several processes of each kind
(`symmetric`). With `--devices`: drivers beside environment modules (`driven`), a quarter of them with
formulas; an eighth are programs of the checker's campaign in surroundings that answer everything.
"""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.counterexample.explain import tell_error, tell_stuck
from lfc.mcheck.reduction.por.reduction import Orders
from lfc.mcheck.reduction.registry import REDUCTIONS
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.request.world import Time
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from tests.campaign.checking import checker
from tests.differential.stepwise import machine_of_source
from tests.generate.environments import generate_environment
from tests.generate.general.program import Profile, generate
from tests.generate.recipes import Sources, sources_of, text_of
from tests.mcheck.searching import search_with
from tests.support.compositions import composed
from tests.support.seeds import add_seed, parsed

ERRORS = ("assertion", "fault", "deadlock", "partial-deadlock")
KINDS = (*ERRORS, "property")
PURPOSES = ("assertion", "fault", "partial-deadlock", "assertion", "fault", "deadlock", "deadlock")
MOST_STATES = 30_000
ASSERT = 6
STOP = (10, 1 << 30)  # states, and a percentage that is never passed
MODES: dict[str, dict[str, object]] = {
    "por": {"reductions": ("por",)},
    "por, two threads": {"reductions": ("por",), "threads": 2, "least_shared": 1},
    "por that gives up": {"reductions": ("por",), "gives_up": 4},
    "por, depth-first": {"reductions": ("por",), "strategy": "depth"},
    "dead": {"reductions": ("dead",)},
    "chains": {"reductions": ("chains",)},
    "chains, two threads": {"reductions": ("chains",), "threads": 2, "least_shared": 1},
    "chains that stop": {"reductions": ("chains",), "chains_stop": STOP},
    "por, chains that stop": {
        "gives_up": 4,
        "reductions": ("por", "chains"),
        "chains_stop": STOP,
        "threads": 2,
        "least_shared": 1,
    },
    "sym": {"reductions": ("sym",)},
    "sym, two threads": {"reductions": ("sym",), "threads": 2, "least_shared": 1},
    "all": {"reductions": ("por", "dead", "chains", "sym")},
    "all, depth-first": {"reductions": ("por", "dead"), "strategy": "depth"},
}
IN_TIME: dict[str, dict[str, object]] = {
    "por": {"reductions": ("por",)},
    "dead": {"reductions": ("dead",)},
    "all": {"reductions": ("por", "dead")},
    "all, depth-first": {"reductions": ("por", "dead"), "strategy": "depth"},
}
OF_DEVICES = ("por", "por, two threads", "por that gives up", "por, depth-first", "dead")
BESIDE_DEVICES: dict[str, dict[str, object]] = {m: MODES[m] for m in OF_DEVICES} | {
    "all": {"reductions": ("por", "dead")},
    "all, two threads": {"reductions": ("por", "dead"), "threads": 2, "least_shared": 1},
    "all, depth-first": MODES["all, depth-first"],
}
OF_PROPERTIES = {
    "por": ("por",),
    "dead": ("dead",),
    "chains": ("chains",),
    "por, chains": ("por", "chains"),
    "sym": ("sym",),
    "all": REDUCTIONS,
}


@dataclass(frozen=True, slots=True)
class Found:
    """What a search says of a program, whatever the order in which it looks."""

    deadlocks: int
    ends: int
    faults: frozenset[tuple[int, int]]  # kind and site
    stuck: bool

    def without_counts(self) -> Found:
        """States that differ in dead variables, or in who is which instance, are one."""
        return Found(min(1, self.deadlocks), min(1, self.ends), self.faults, self.stuck)

    def kinds(self) -> set[str]:
        found = {"assertion" if kind == ASSERT else "fault" for kind, _ in self.faults}
        found |= {"deadlock"} if self.deadlocks else set()
        return found | ({"partial-deadlock"} if self.stuck and not self.deadlocks else set())


@dataclass(slots=True)
class Result(checker.Result):
    smaller: Counter[str] = field(default_factory=Counter)  # by mode
    states: int = 0
    reduced_states: int = 0

    def plus(self, other: Result) -> None:
        self.add(other)
        self.smaller += other.smaller
        self.states += other.states
        self.reduced_states += other.reduced_states

    def too_little(self, kind: str = "") -> bool:
        """So that the campaign says something: each reduction helps 30 % of the programs, a fifth has each error."""
        errors: tuple[str, ...] = ("property",) if kind == "properties" else ERRORS
        modes: tuple[str, ...] = ("por", "dead", "chains", "sym", "all")
        if kind == "symmetric":
            modes, errors = ("sym",), ()
        if kind == "properties":
            modes = ("por", "dead", "all")
        if kind == "devices":
            modes = ("por", "all")
            return any(self.smaller[m] * 10 < 3 * self.compared for m in modes) or any(
                self.kinds[e] * 20 < self.compared for e in KINDS
            )
        if kind == "calling":
            modes, errors = ("dead", "all"), ()
        few = any(self.smaller[m] * 10 < 3 * self.compared for m in modes)
        return few or any(self.kinds[e] * 5 < self.compared for e in errors) or self.violating * 5 < self.compared

    def mix(self) -> str:
        n = max(1, self.compared)
        shares = ", ".join(f"{k} {100 * self.kinds[k] / n:.1f} %" for k in KINDS)
        smaller = ", ".join(f"{mode} {100 * self.smaller[mode] / n:.1f} %" for mode in self.smaller)
        return (
            f"{self.compared} compared ({self.too_large} too large); smaller by {smaller}; "
            f"{self.states:,} states became {self.reduced_states:,}; "
            f"{100 * self.violating / n:.1f} % violate something: {shares}"
        )


class Disagreement(Exception):
    """A reduced search says something else."""


def usual(seed: int) -> str:
    if seed % 2:
        return text_of("networks, guards", seed)
    return text_of("servers, guards", seed) if seed % 4 else generate(seed, profile_of(seed // 4)).text


def profile_of(number: int) -> Profile:
    """Of the checker's campaign, but most of them meant to fail."""
    purpose = PURPOSES[number % len(PURPOSES)]
    return Profile(size=1, small=True, inputs=False, interrupts=number % 4 == 3, time=number % 3 == 0, purpose=purpose)


def found_by(machine: Machine, limits: Request, **of_reductions: Any) -> tuple[Found, int] | None:
    """What it finds, and in how many states. None: too many."""
    search = search_with(machine, limits, **of_reductions)
    try:
        if search.run() is not Stop.COMPLETE:
            return None
        s = search.statistics
        sites = frozenset((e.fault_kind, e.fault_site) for e in search.errors() if e.kind == 1)
        stuck = search.find_stuck()
        orders = search.find(Orders)
        if orders is not None and orders.tables.failed:
            raise Disagreement(orders.tables.failed)
        reduced = bool(limits.reductions)
        if reduced and limits.limits.threads == 1:
            replay(machine, search, stuck)
        return Found(s.deadlocks, s.ends, sites, stuck is not None), s.states
    finally:
        search.close()


def replay(machine: Machine, search: Search, stuck: tuple[int, list[int]] | None) -> None:
    """Raises if a way does not lead to its error."""
    errors = search.errors()
    for error in errors[:1] + errors[1:][-1:]:
        tell_error(machine, search, error)
    if stuck is not None:
        tell_stuck(machine, search, *stuck)


def compare(machine: Machine, result: Result, time: str = Time.FREE) -> None:
    modes = MODES if time == Time.FREE else IN_TIME
    if machine.environment is not None:
        modes = BESIDE_DEVICES
    full = found_by(machine, request_from(keep_going=True, states=MOST_STATES, time=time))
    if full is None:
        result.too_large += 1
        return
    expected, states = full
    fewer = dict.fromkeys(modes, states)
    for mode, more in modes.items():
        of_reductions = {name: x for name, x in more.items() if name in ("gives_up", "chains_stop")}
        of_request = {name: x for name, x in more.items() if name not in of_reductions}
        limits = request_from(keep_going=True, states=2 * MOST_STATES, time=time, **of_request)
        reduced = found_by(machine, limits, **of_reductions)
        if reduced is None:
            raise Disagreement(f"{mode}, {time}: more states than there are")
        found, fewer[mode] = reduced
        merges = not {"dead", "sym"}.isdisjoint(limits.reductions)
        same = found.without_counts() == expected.without_counts() if merges else found == expected
        if not same:
            raise Disagreement(f"{mode}, {time}: {found} instead of {expected} ({fewer[mode]} of {states} states)")
    if time != Time.FREE:
        return
    result.smaller.update(mode for mode, count in fewer.items() if count < states)
    result.states += states
    result.reduced_states += fewer["all"]
    result.violating += bool(expected.kinds())
    result.kinds.update(expected.kinds())


def compare_properties(machine: Machine, result: Result) -> None:
    options = request_from(states=MOST_STATES, keep_going=True, allow_deadlocks=True, threads=1)
    full = check(machine, options)
    if was_stopped(full):
        result.too_large += 1
        return
    expected = verdicts_of(full)
    fewer = dict.fromkeys(OF_PROPERTIES, full.states)
    for mode, reductions in OF_PROPERTIES.items():
        options = options.changed(states=0, reductions=reductions)
        reduced = check(machine, options)
        fewer[mode] = reduced.states
        if verdicts_of(reduced) != expected:
            said = f"{verdicts_of(reduced)} instead of {expected} ({reduced.states} of {full.states} states)"
            raise Disagreement(f"{mode}: {said}")
    result.smaller.update(mode for mode, count in fewer.items() if count < full.states)
    result.states += full.states
    result.reduced_states += fewer["all"]
    result.violating += "property" in expected.values()
    result.kinds.update(["property"] if "property" in expected.values() else [])


def was_stopped(full: CheckResult) -> bool:
    """There were too many states, or too many of a product."""
    return full.reason.startswith("state limit") or full.reason.endswith("was stopped")


def verdicts_of(result: CheckResult) -> dict[str, str]:
    """Of each property; where something else fails, only that it does: an invariant that is violated nearer is told
    first, and how near it is depends on the reduction."""
    found = {str(p["name"]): str(p["verdict"]) for p in result.properties}
    fails = result.verdict not in ("holds", "property") or any(f.kind != "property" for f in result.findings)
    return {"": "fails"} if fails else found


def properties_of(seed: int) -> str:
    if seed % 2:
        return text_of("networks, properties", seed)
    return text_of("calling, properties" if seed % 4 else "created, properties", seed)


Try = Callable[[Iterable[int]], Result]


def try_properties(seeds: Iterable[int]) -> Result:
    result = Result()
    for seed in seeds:
        result.programs += 1
        try:
            compare_properties(machine_of_source(Source("Program.lf", properties_of(seed))), result)
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")
    return result


def try_errors(seeds: Iterable[int], recipe: str = "") -> Result:
    """Programs of the recipe; without one, networks, servers and small ones with all of the language."""
    result = Result()
    for seed in seeds:
        result.programs += 1
        try:
            source = text_of(recipe, seed) if recipe else usual(seed)
            machine = machine_of_source(Source("Program.lf", source))
            compare(machine, result)
            if recipe == "created" and "Clock." in source:
                for time in (Time.ORDERED, Time.DISCRETE):
                    compare(machine, Result(), time)
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")
    return result


def try_symmetric(seeds: Iterable[int]) -> Result:
    return try_errors(seeds, "symmetric")


def try_created(seeds: Iterable[int]) -> Result:
    return try_errors(seeds, "created")


def try_driven(seeds: Iterable[int]) -> Result:
    result = Result()
    for seed in seeds:
        result.programs += 1
        try:
            with_properties = seed % 4 == 3
            recipe = "driven, properties" if with_properties else "driven"
            sources = surrounded(seed) if seed % 8 == 2 else sources_of(recipe, seed)
            machine = composed(sources.program, sources.environment)
            if with_properties:
                compare_properties(machine, result)
            else:
                compare(machine, result)
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")
    return result


def surrounded(seed: int) -> Sources:
    """A program of the checker's campaign, and an environment that answers whatever it asks."""
    text = generate(seed, Profile(size=1, small=True, inputs=True, interrupts=seed % 16 == 2, time=False)).text
    named = sorted({int(n) for n in re.findall(r"SYSTEM\.INT\[(\d+)\]", text)})
    return Sources(text, generate_environment(seed, named))


def try_calling(seeds: Iterable[int]) -> Result:
    return try_errors(seeds, "calling")


TRIES: dict[str, Try] = {
    "": try_errors,
    "properties": try_properties,
    "symmetric": try_symmetric,
    "created": try_created,
    "devices": try_driven,
    "calling": try_calling,
}


def campaign(seed: int, count: int, jobs: int = 1, kind: str = "") -> Result:
    """`count` programs; what was compared until somebody interrupts it counts."""
    first = seed * 1_000_000
    try_seeds = TRIES[kind]
    result = Result()
    if jobs == 1:
        for number in range(first, first + count):
            try:
                result.plus(try_seeds([number]))
            except KeyboardInterrupt:
                print(f"interrupted after {number - first} of {count}", file=sys.stderr)
                break
            if (number - first) % 100 == 99:
                print(f"{number - first + 1}: {result.mix()}; {len(result.failures)} failures", file=sys.stderr)
        return result
    pieces = [range(start, min(start + 20, first + count)) for start in range(first, first + count, 20)]
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(try_seeds, pieces):
            result.plus(part)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    add_seed(parser)
    parser.add_argument("--jobs", type=int, default=1)
    for kind in filter(None, TRIES):
        parser.add_argument(f"--{kind}", action="store_const", const=kind, dest="kind", default="")
    options = parsed(parser)
    result = campaign(options.seed, options.count, options.jobs, options.kind)
    print(result.mix())
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures or result.too_little(options.kind) else 0)


if __name__ == "__main__":
    main()
