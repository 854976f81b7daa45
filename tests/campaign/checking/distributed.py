"""Distributed searches: the states, transitions, errors and counterexamples of one process, on the examples, the models
of the benchmark and random programs, with two to four ranks. The full quota:

    python -m tests.campaign.checking.distributed --count 300 --seed 1

Every other random program goes on after errors, and is compared with the naive explorer where it is small enough.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.checker.models import MODELS
from tests.mcheck.distributed.in_ranks import Found, Task
from tests.mcheck.distributed.started import random_tasks, together
from tests.support.seeds import add_seed, parsed

RANKS = (2, 3, 4)
EXAMPLES = ("leader", "sieve", "window", "peterson3", "peterson4", "semaphore", "echo", "gpio_blink", "mutex")
MORE = 8  # times as many random programs are tried as are small enough


def examples() -> list[Task]:
    """Those with properties that are no invariants are refused."""
    return [Task(f"examples/{name}.lf") for name in EXAMPLES]


def models() -> list[Task]:
    return [Task(m.lf(), {"allow_deadlocks": m.may_wait}) for m in MODELS if m.small]


def campaign(seed: int, count: int, folder: Path, minutes: float = 60) -> list[Found]:
    found: list[Found] = []
    for ranks in RANKS:
        tasks = examples() + models() + random_tasks(seed * 1_000_000, MORE * count)
        found += together(ranks, tasks, folder, count, minutes * 60)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="random programs with each number of ranks")
    add_seed(parser)
    options = parsed(parser)
    with tempfile.TemporaryDirectory() as folder:
        found = campaign(options.seed, options.count, Path(folder))
    tried = [f for f in found if not f.too_large]
    wrong = [f for f in tried if f.difference]
    violating, naive = sum(bool(f.kinds) for f in tried), sum(f.naive for f in tried)
    print(f"{len(tried)} compared, {naive} with the naive explorer, {violating} violate something; {len(wrong)} differ")
    print(f"{sum(f.states for f in tried)} states, {sum(f.handed_over for f in tried)} handed over")
    for f in wrong:
        print(f.what, f.of_ranks, f.difference)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
