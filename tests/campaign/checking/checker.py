"""The campaign of the checker's engine against the naive explorer, in every mode that must be exact. The full quota:

    python -m tests.campaign.checking.checker --count 2000 --seed 1 --jobs 2

Random concurrent programs, small enough to be enumerated: the same states as blocks, transitions, deadlocks, faults,
ends and stuck processes. At least a fifth of the programs violates something, each kind in at least a few of a hundred.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from tests.generate.general.program import Profile, generate
from tests.generate.recipes import text_of
from tests.mcheck.agreement import compare_with_the_naive_explorer
from tests.mcheck.modes import exact_limits
from tests.support.seeds import add_seed, parsed

KINDS = ("assertion", "fault", "deadlock", "partial-deadlock")
PURPOSES = ("calm", "calm", "assertion", "fault", "calm", "deadlock", "partial-deadlock", "calm")
MOST_STATES = 800


@dataclass(slots=True)
class Result:
    programs: int = 0
    too_large: int = 0
    violating: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        self.programs += other.programs
        self.too_large += other.too_large
        self.violating += other.violating
        self.kinds += other.kinds
        self.failures += other.failures

    @property
    def compared(self) -> int:
        return self.programs - self.too_large

    def mix(self) -> str:
        shares = ", ".join(f"{k} {100 * self.kinds[k] / max(1, self.compared):.1f} %" for k in KINDS)
        violating = 100 * self.violating / max(1, self.compared)
        return f"{self.compared} compared ({self.too_large} too large), {violating:.1f} % violate something: {shares}"


def profile_of(seed: int) -> Profile:
    """Purposes in turn; in every fourth program interrupts come, in every third there is time."""
    purpose = PURPOSES[seed % len(PURPOSES)]
    return Profile(size=1, small=True, inputs=False, interrupts=seed % 4 == 3, time=seed % 3 == 0, purpose=purpose)


def try_seeds(seeds: Iterable[int], recipe: str = "") -> Result:
    """Without a recipe, small ones with all of the language."""
    result = Result()
    for seed in seeds:
        result.programs += 1
        try:
            text = text_of(recipe, seed) if recipe else generate(seed, profile_of(seed)).text
            kinds = compare_with_the_naive_explorer(text, MOST_STATES)
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")
            continue
        if kinds is None:
            result.too_large += 1
        else:
            result.violating += bool(kinds)
            result.kinds.update(kinds)
    return result


def campaign(seed: int, count: int, jobs: int = 1, recipe: str = "") -> Result:
    """`count` programs that are small enough."""
    result = Result()
    first = seed * 1_000_000
    pieces = (range(start, start + 20) for start in range(first, first + 1_000_000, 20))
    if jobs == 1:
        for number in range(first, first + 1_000_000):
            if result.compared >= count:
                break
            result.add(try_seeds([number], recipe))
        return result
    with ProcessPoolExecutor(jobs) as pool:
        while result.compared < count:
            for part in pool.map(partial(try_seeds, recipe=recipe), [next(pieces) for _ in range(2 * jobs)]):
                result.add(part)
            print(f"{result.compared} compared, {len(result.failures)} failures", file=sys.stderr)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    add_seed(parser)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recipe", default="", help="of the random programs; as usual: all of the language")
    options = parsed(parser)
    result = campaign(options.seed, options.count, options.jobs, options.recipe)
    print("modes: " + "; ".join(mode for mode, _ in exact_limits()))
    print(result.mix())
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
