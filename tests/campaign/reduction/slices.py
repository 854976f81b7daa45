"""The campaign of slicing: what is so of a slice is so of the program; its ways are the program's. The quota:

    nice python -m tests.campaign.reduction.slices --count 2000 --seed 1

Of each program the slices for all that is looked for, for deadlocks, for the property and for each assertion are
compared with the full search; half of the ways are found with all other reductions, too. A slice for assertions or a
property leaves faults out that others may make first, so it may find more than there is if others fail; else it is the
same. A slice in which communications pass has at least the errors that are claimed; what is said in the end of the
program is exactly so: no error is missed, and none is told that it does not have.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lfc.actions.model.machine import Machine
from lfc.base.source import Source, Span
from lfc.mcheck.check import check
from lfc.mcheck.reduction.registry import REDUCTIONS
from lfc.mcheck.reduction.slicing.check_slice import make_slice
from lfc.mcheck.reduction.slicing.claims import all_asserts, claims_of
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.run.report import ENDLESS
from tests.differential.stepwise import machine_of_source
from tests.generate.recipes import text_of
from tests.support.seeds import count_and_seed

MOST_STATES = 20_000
KEEP_GOING = {"keep_going": True, "past_errors": True}
ASSERT = 6
Site = tuple[int, int, int]  # kind and place of a fault


@dataclass(frozen=True, slots=True)
class Found:
    deadlock: bool
    stuck: bool
    faults: frozenset[Site]


@dataclass(slots=True)
class Result:
    programs: int = 0
    compared: int = 0
    too_large: int = 0
    violating: int = 0
    extended: int = 0
    passing: int = 0
    exact: int = 0
    smaller: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)
    states: int = 0
    sliced_states: int = 0
    failures: list[str] = field(default_factory=list)

    def mix(self) -> str:
        shares = ", ".join(f"{k} {100 * self.smaller[k] / max(1, n):.0f} % of {n}" for k, n in self.of.items())
        return (
            f"{self.compared} compared ({self.too_large} too large), {self.violating} violate something; "
            f"smaller: {shares}; {self.states:,} states became {self.sliced_states:,}; "
            f"{self.extended} ways led through the whole program; {self.passing} slices with communications that pass, "
            f"{self.exact} verdicts as of the program"
        )


class Disagreement(Exception):
    """A slice says something else."""


def found_in(machine: Machine) -> tuple[Found, int] | None:
    search = Search(machine, request_from(keep_going=True, states=MOST_STATES))
    try:
        if search.run() is not Stop.COMPLETE:
            return None
        sites = search.generated.sites
        faults = [e for e in search.errors() if e.kind == 1]
        where = {place_of(e.fault_kind, sites[e.fault_site].span) for e in faults}
        deadlock = search.statistics.deadlocks > 0
        stuck = search.find_stuck() is not None
        return Found(deadlock, stuck, frozenset(where)), search.statistics.states
    finally:
        search.close()


def place_of(kind: int, span: Span) -> Site:
    """Of an action that does not end only that: where its bound is passed depends on the calls that left."""
    return (kind, 0, 0) if kind == ENDLESS else (kind, span.start, span.end)


def compare(machine: Machine, result: Result) -> None:
    full = found_in(machine)
    if full is None:
        result.too_large += 1
        return
    expected, states = full
    result.compared += 1
    result.violating += bool(expected.faults or expected.deadlock or expected.stuck)
    asserts = all_asserts(machine.program)
    lines = sorted({str(s.span.line) for s in asserts})
    for only in [(), ("deadlock",), ("safe",), *((n,) for n in lines)]:
        options = request_from(threads=1, only=only)
        s = make_slice(machine, replace(claims_of(machine, options), passes=False))
        sliced = found_in(s.machine)
        if sliced is None:  # what ends the program early may have left: then there is more of the slice
            assert expected.faults
            continue
        found, fewer = sliced
        name = "all" if not only else only[0] if not only[0].isdigit() else "assert"
        result.of[name] += 1
        result.smaller[name] += fewer < states
        result.states += states
        result.sliced_states += fewer
        claimed = {(ASSERT, a.span.start, a.span.end) for a in asserts if not only or str(a.span.line) in only}
        others = any(f not in claimed for f in expected.faults)
        if name == "all":
            same = found == expected
        elif name == "deadlock":
            same = others or (found.deadlock, found.stuck) == (expected.deadlock, expected.stuck)
        elif name == "safe":
            same = others or told(machine, request_from(threads=1)) == told(machine, options)
        else:
            there, here = (any(f in claimed for f in x.faults) for x in (expected, found))
            same = here == there or (others and here)
        if not same:
            raise Disagreement(f"for {name} {only}: {found} instead of {expected} ({fewer} of {states} states)")
        wrong = found.faults or (name in ("all", "deadlock") and (found.deadlock or found.stuck))
        if name != "safe" and not others and wrong:
            ways(machine, options, result)
    compare_passing(machine, expected, result)


def compare_passing(machine: Machine, expected: Found, result: Result) -> None:
    """No error that is claimed leaves, and what is said is so of the program."""
    asserts = {(ASSERT, a.span.start, a.span.end): str(a.span.line) for a in all_asserts(machine.program)}
    for only in [("faults",), ("safe",), *((n,) for n in sorted(set(asserts.values())))]:
        options = request_from(threads=1, only=only)
        claims = claims_of(machine, options)
        s = make_slice(machine, claims)
        if not s.kept.passing and not s.kept.merged:
            continue
        result.passing += 1
        there = {f for f in expected.faults if (f not in asserts if only == ("faults",) else asserts.get(f) in only)}
        sliced = found_in(s.machine)
        if sliced is not None and not there <= sliced[0].faults:
            raise Disagreement(f"with passing for {only}: {sliced[0]} without some of {there}")
        checked = check(machine, options)
        if any(f.machine is not None for f in checked.findings):
            raise Disagreement(f"for {only} an error of the slice alone is told")
        if only == ("safe",):
            safe = check(machine, request_from(threads=1, properties=only, allow_deadlocks=True, **KEEP_GOING))
            wrong = any(f.kind == "property" for f in safe.findings)
            right = any(f.kind == "property" for f in checked.findings) == wrong
        else:
            right = bool(there) == (checked.verdict in ("assertion", "fault"))
        if not right or checked.verdict == "inconclusive":
            raise Disagreement(f"for {only}: {checked.verdict}, {checked.reason}, where there are {expected}")
        result.exact += 1


def told(machine: Machine, options: Request) -> str:
    """What is said of the property."""
    options = options.changed(properties=("safe",), allow_deadlocks=True, keep_going=True)
    checked = check(machine, options)
    if any(f.machine is not None for f in checked.findings):
        raise Disagreement("there is no way through the whole program to what violates the property")
    return str([p["verdict"] for p in checked.properties])


def ways(machine: Machine, options: Request, result: Result) -> None:
    options = options.changed(reductions=REDUCTIONS if result.compared % 2 else ("slice",))
    findings = check(machine, options).findings
    if not findings:
        raise Disagreement(f"nothing is found with {', '.join(options.reductions)}")
    for f in findings:
        if f.machine is not None:
            raise Disagreement(f"there is no way through the whole program to {f.kind} at line {f.span.line}")
        result.extended += 1


def try_seeds(seeds: Iterable[int]) -> Result:
    result = Result()
    for seed in seeds:
        result.programs += 1
        try:
            compare(machine_of_source(Source("Program.lf", text_of("sliceable", seed))), result)
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")
        if result.programs % 100 == 0:
            print(f"{result.programs}: {result.mix()}; {len(result.failures)} failures", file=sys.stderr)
    return result


def main() -> None:
    options = count_and_seed(__doc__, 500)
    first = options.seed * 1_000_000
    result = try_seeds(range(first, first + options.count))
    print(result.mix())
    for failure in result.failures:
        print(failure)
    few = any(10 * result.smaller[k] < 3 * n for k, n in result.of.items() if k in ("safe", "assert", "deadlock"))
    sys.exit(1 if result.failures or few or result.violating * 5 < result.compared else 0)


if __name__ == "__main__":
    main()
