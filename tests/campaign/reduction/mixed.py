"""The campaign of programs with much of the language at once: each reduction, slices for each claim, and modules say
the same as the search of all states. The quota:

    nice python -m tests.campaign.reduction.mixed --count 2000 --seed 1

What a slice for one claim may say is as in `slices`; if nothing else can fail it is the same, and its ways lead
through the whole program.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.counterexample.explain import tell_error, tell_stuck
from lfc.mcheck.reduction.registry import REDUCTIONS
from lfc.mcheck.reduction.slicing.check_slice import make_slice
from lfc.mcheck.reduction.slicing.claims import all_asserts, claims_of
from lfc.mcheck.reduction.slicing.show import as_data, as_text, marked
from lfc.mcheck.reduction.slicing.sliced_program import variables_in_slice
from lfc.mcheck.request.bounds import NotModular
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Stop
from tests.campaign.reduction.slices import ASSERT, Disagreement, Found
from tests.differential.stepwise import machine_of_source
from tests.generate.recipes import text_of
from tests.mcheck.searching import search_with
from tests.support.seeds import count_and_seed

MOST_STATES = 6_000
ROUNDS = 2_000
MODES: dict[str, dict[str, object]] = {
    "dead": {"reductions": ("dead",)},
    "chains": {"reductions": ("chains",)},
    "dead, chains": {"reductions": ("dead", "chains")},
    "por": {"reductions": ("por",)},
    "sym": {"reductions": ("sym",)},
    "all": {"reductions": ("por", "dead", "chains", "sym")},
}


@dataclass(slots=True)
class Result:
    programs: int = 0
    compared: int = 0
    too_large: int = 0
    violating: int = 0
    smaller: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)  # no modules
    failures: list[str] = field(default_factory=list)

    def mix(self) -> str:
        shares = ", ".join(f"{k} {100 * self.smaller[k] / max(1, n):.0f} % of {n}" for k, n in self.of.items())
        return f"{self.compared} compared ({self.too_large} too large), {self.violating} violate something; {shares}"

    def count(self, name: str, fewer: bool) -> None:
        self.of[name] += 1
        self.smaller[name] += fewer


def found_in(machine: Machine, time: str, **more: object) -> tuple[Found, int] | None:
    limits = request_from(keep_going=True, states=MOST_STATES, rounds=ROUNDS, time=time).changed(**more)
    search = search_with(machine, limits)
    try:
        if search.run() is not Stop.COMPLETE:
            return None
        sites = search.generated.sites
        errors = search.errors()
        failed = [e for e in errors if e.kind == 1]
        where = {(e.fault_kind, sites[e.fault_site].span.start, sites[e.fault_site].span.end) for e in failed}
        stuck = search.find_stuck()
        if more and time == "free":
            for error in errors[:1]:
                tell_error(machine, search, error)
            if stuck is not None:
                tell_stuck(machine, search, *stuck)
        found = Found(search.statistics.deadlocks > 0, stuck is not None, frozenset(where))
        return found, search.statistics.states
    finally:
        search.close()


def compare(text: str, result: Result, turn: int = -1) -> None:
    """`turn`: what is compared; -1: all of it."""
    machine = machine_of_source(Source("Program.lf", text))
    time = "discrete" if "Clock" in text and turn % 2 else "free"
    full = found_in(machine, time)
    if full is None:
        result.too_large += 1
        return
    expected, states = full
    result.compared += 1
    result.violating += bool(expected.faults or expected.deadlock or expected.stuck)
    if turn % 3 == 0 or turn < 0:
        compare_reductions(machine, full, result, time)
    if turn % 3 == 1 or turn < 0:
        compare_slices(machine, expected, states, result, time)
    if (turn % 3 == 2 or turn < 0) and time == "free":
        plain = "\n".join(line for line in text.split("\n") if not line.startswith("PROPERTY"))
        compare_modules(machine_of_source(Source("Program.lf", plain)), expected, states, result)
        compare_properties(machine, expected, result, turn // 3)


def compare_reductions(machine: Machine, full: tuple[Found, int], result: Result, time: str) -> None:
    for mode, more in MODES.items():
        if time != "free" and "chains" in str(more["reductions"]):
            continue
        reduced = found_in(machine, time, **more)
        if reduced is None or reduced[0] != full[0]:
            raise Disagreement(f"{mode} ({time}): {reduced} instead of {full}")
        result.count(mode, reduced[1] < full[1])


def compare_slices(machine: Machine, expected: Found, states: int, result: Result, time: str) -> None:
    asserts = all_asserts(machine.program)
    lines = sorted({str(s.span.line) for s in asserts})
    claims: list[tuple[str, ...]] = [("faults",), ("deadlock",), *((n,) for n in lines)]
    for i, only in enumerate([(), *claims]):
        if i > 4:
            break
        options = request_from(threads=1, only=only, time=time)
        s = make_slice(machine, claims_of(machine, options))
        if i == 1:
            names = variables_in_slice(s.kept)
            files = marked(s.kept, names)
            assert as_text(files, True) and as_text(files, False) and as_data(s.kept, names, files)
        sliced = found_in(s.machine, time)
        name = "slice" if not only else f"for {only[0]}" if not only[0].isdigit() else "for an assert"
        if sliced is None:
            raise Disagreement(f"{name} {only}: more states than there are")
        found, fewer = sliced
        result.count(name, fewer < states)
        claimed = {(ASSERT, a.span.start, a.span.end) for a in asserts if not only or str(a.span.line) in only}
        claimed |= {f for f in expected.faults if f[0] != ASSERT} if only in [(), ("faults",)] else set()
        others = bool(expected.faults - claimed)
        if not only:
            same = found == expected
        elif others:
            same = expected.faults & claimed <= found.faults
        elif only == ("deadlock",):
            same = found == expected
        else:
            same = found.faults == expected.faults & claimed
        if not same:
            raise Disagreement(f"{name} {only} ({time}): {found} instead of {expected} ({fewer} of {states} states)")
        wrong = found.faults or (only in [(), ("deadlock",)] and (found.deadlock or found.stuck))
        if not others and wrong and result.compared % 3 == 0:
            ways(machine, options, result)


def ways(machine: Machine, options: Request, result: Result) -> None:
    options = options.changed(reductions=REDUCTIONS if result.compared % 2 else ("slice",))
    findings = check(machine, options).findings
    if not findings:
        raise Disagreement(f"nothing is found with {', '.join(options.reductions)} for {options.claims.only}")
    for f in findings:
        if f.machine is not None:
            raise Disagreement(f"there is no way through the whole program to {f.kind} at line {f.span.line}")


def compare_modules(machine: Machine, expected: Found, states: int, result: Result) -> None:
    try:
        found = check(
            machine,
            request_from(threads=1, strategy="modular", allow_deadlocks=False, properties=(), states=MOST_STATES),
        )
    except NotModular as error:
        result.why[str(error)[:40]] += 1
        return
    kinds = {f.kind for f in found.findings}
    if found.verdict == "inconclusive":
        return
    result.count("modular", found.states < states)
    wrong = bool(expected.faults or expected.deadlock or expected.stuck)
    if bool(kinds) != wrong:
        raise Disagreement(f"in modules: {kinds} instead of {expected}")
    if "deadlock" in kinds and not expected.deadlock or "partial-deadlock" in kinds and not expected.stuck:
        raise Disagreement(f"in modules: {kinds} instead of {expected}")
    if expected.deadlock and not expected.faults and "deadlock" not in kinds:
        raise Disagreement(f"in modules: {kinds} instead of {expected}")


def told(machine: Machine, result: CheckResult) -> dict[str, str]:
    if any(f.machine is not None for f in result.findings):
        raise Disagreement("there is no way through the whole program to what violates a property")
    return {str(p["name"]): str(p["verdict"]) for p in result.properties}


def compare_properties(machine: Machine, expected: Found, result: Result, turn: int) -> None:
    """Where nothing else fails."""
    if expected.faults:
        return
    options = request_from(threads=1, keep_going=True, allow_deadlocks=True)
    full = told(machine, check(machine, options))
    every: list[tuple[str, ...]] = [("slice",), ("dead",), ("por",), REDUCTIONS]
    for names in every if turn < 0 else [every[turn % len(every)]]:
        options = options.changed(reductions=names)
        found = told(machine, check(machine, options))
        if found != full:
            raise Disagreement(f"properties with {names}: {found} instead of {full}")
        result.count("properties", False)
    for name in full:
        options = request_from(threads=1, only=(name,))
        checked = check(machine, options)
        found = {str(p["name"]): str(p["verdict"]) for p in checked.properties}
        if found != {name: full[name]}:
            raise Disagreement(f"property {name} alone: {found} instead of {full[name]}")


def try_seeds(seeds: Iterable[int]) -> Result:
    result = Result()
    for seed in seeds:
        result.programs += 1
        try:
            compare(text_of("mixed, properties", seed), result, seed)
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-4)}")
            print(result.failures[-1], file=sys.stderr)
        if result.programs % 100 == 0:
            print(f"{result.programs}: {result.mix()}; {len(result.failures)} failures", file=sys.stderr)
    return result


def main() -> None:
    options = count_and_seed(__doc__, 500)
    first = options.seed * 1_000_000
    result = try_seeds(range(first, first + options.count))
    print(result.mix())
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
