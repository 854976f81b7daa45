"""The campaign of symmetry with properties: the same verdicts with and without it, and the runs that are shown violate.

    nice python -m tests.campaign.reduction.symmetric_properties --count 500 --seed 1

Programs of the recipe `symmetric` with two formulas each; in some of them
processes are treated fairly. With `sym` alone and with all reductions together.
"""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction.registry import REDUCTIONS
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.differential.stepwise import machine_of_source
from tests.generate.recipes import text_of
from tests.mcheck.properties.naive_runs import violates
from tests.support.seeds import count_and_seed

MOST_STATES = 30_000
MODES: dict[str, tuple[str, ...]] = {"sym": ("sym",), "all": REDUCTIONS}


@dataclass(slots=True)
class Result:
    compared: int = 0
    too_large: int = 0
    smaller: int = 0
    under_symmetry: int = 0  # programs of which a property is looked for in the states that are kept
    violating: int = 0
    cycles: int = 0  # that were shown with `sym` alone
    states: int = 0
    kept: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def too_little(self) -> bool:
        return min(self.smaller, self.under_symmetry, self.violating) * 10 < 3 * self.compared or not self.cycles

    def __str__(self) -> str:
        return (
            f"{self.compared} compared ({self.too_large} too large), {self.smaller} smaller by `sym`: {self.states:,} "
            f"states became {self.kept:,}; of {self.under_symmetry} properties were looked for with it; "
            f"{self.violating} violate one, {self.cycles} cycles were shown with `sym`; {len(self.failures)} failures"
        )


class Disagreement(Exception):
    """With symmetry something else is said."""


def compare(machine: Machine, result: Result) -> None:
    options = request_from(states=MOST_STATES, keep_going=True, allow_deadlocks=True, threads=1)
    options = options.changed(fair=fairness_for(machine))
    full = check(machine, options)
    expected = verdicts_of(full)
    if full.reason.startswith("state limit") or "inconclusive" in expected.values():  # a product is too large
        result.too_large += 1
        return
    result.compared += 1
    options = options.changed(states=0)
    for mode, names in MODES.items():
        options = options.changed(reductions=names)
        reduced = check(machine, options)
        if verdicts_of(reduced) != expected:
            raise Disagreement(f"{mode}: {verdicts_of(reduced)} instead of {expected}")
        for finding in reduced.findings:
            if finding.run is not None and not violates(machine, finding, "dead" in names):
                raise Disagreement(f"{mode}: the run that is shown does not violate it: {finding.message}")
        if mode == "sym":
            result.kept += reduced.states
            result.smaller += reduced.states < full.states
            result.under_symmetry += any(p not in r.not_for for r in reduced.reductions for p in expected)
            result.cycles += sum(f.run is not None and f.run.cycle < len(f.run.steps) for f in reduced.findings)
    result.states += full.states
    result.violating += "property" in expected.values()


def verdicts_of(result: CheckResult) -> dict[str, str]:
    return {str(p["name"]): str(p["verdict"]) for p in result.properties}


def fairness_for(machine: Machine) -> tuple[str, ...]:
    """For some of the programs, of whoever is the only one of its kind; for a few, of all."""
    if len(machine.positions) % 3:
        return ()
    found = [r for r in machine.records[1:] if r.slots == 1 or len(machine.positions) % 4 == 0]
    return tuple(f"{'weak' if i % 2 else 'strong'} {r.body.name}" for i, r in enumerate(found))


def campaign(seed: int, count: int) -> Result:
    result = Result()
    first = seed * 1_000_000
    for number in range(first, first + count):
        try:
            compare(machine_of_source(Source("Program.lf", text_of("symmetric, properties", number))), result)
        except Exception:
            result.failures.append(f"{number}: {traceback.format_exc(limit=-3)}")
        if (number - first) % 100 == 99:
            print(f"{number - first + 1}: {result}", file=sys.stderr)
    return result


def main() -> None:
    options = count_and_seed(__doc__, 500)
    result = campaign(options.seed, options.count)
    print(result)
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures or result.too_little else 0)


if __name__ == "__main__":
    main()
