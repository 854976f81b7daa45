"""The campaign of compiled programs against the naive evaluator. The full quota:

    python -m tests.campaign.compiled.differential --count 2000 --seed 1 --jobs 2

Each generated program runs unoptimised and fully optimised, under random decisions and under round-robin; after every
step its state block must be the evaluator's. One in four has other statements before and between its NEWs. Of every
fifth one, made small, all states are compared as well.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from tests.differential.explored import compare_explorations
from tests.differential.stepwise import Rejected, check_text
from tests.generate.general.program import Profile, generate
from tests.support.seeds import add_seed, parsed

EXPLORED = Profile(size=1, small=True, inputs=False, interrupts=False, time=False)


@dataclass(slots=True)
class Result:
    programs: int = 0
    steps: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    explored: int = 0
    states: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        self.programs += other.programs
        self.steps += other.steps
        self.ends += other.ends
        self.explored += other.explored
        self.states += other.states
        self.kinds += other.kinds
        self.failures += other.failures


def try_seeds(seeds: Iterable[int]) -> Result:
    result = Result()
    for seed in seeds:
        try:
            try_one(seed, result)
        except Rejected as rejected:
            result.failures.append(f"{seed}: rejected: {rejected}")
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")
    return result


def try_one(seed: int, result: Result) -> None:
    result.programs += 1
    for outcome in check_text(generate(seed, Profile(late=seed % 4 == 1)).text, seed):
        result.steps += outcome.steps
        result.ends[outcome.status.name.lower()] += 1
        if outcome.difference is not None:
            result.failures.append(f"{seed}: {outcome.difference}")
    if seed % 5 == 0:
        difference, states, kinds = compare_explorations(generate(seed, EXPLORED).text)
        result.explored += states > 0
        result.states += states
        result.kinds.update(kinds or {"holds"})
        if difference is not None:
            result.failures.append(f"{seed} explored: {difference}")


def campaign(seed: int, count: int, jobs: int = 1) -> Result:
    seeds = range(seed * 1_000_000, seed * 1_000_000 + count)
    if jobs == 1:
        return try_seeds(seeds)
    result = Result()
    pieces = [seeds[i : i + 25] for i in range(0, count, 25)]
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(try_seeds, pieces):
            result.add(part)
            print(f"{result.programs} programs, {len(result.failures)} failures", file=sys.stderr)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    add_seed(parser)
    parser.add_argument("--jobs", type=int, default=2)
    options = parsed(parser)
    result = campaign(options.seed, options.count, options.jobs)
    print(f"{result.programs} programs, {result.steps} steps compared; runs end: {dict(result.ends.most_common())}")
    print(f"{result.explored} explored, {result.states} states compared; they meet: {dict(result.kinds.most_common())}")
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
