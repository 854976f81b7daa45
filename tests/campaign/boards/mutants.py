"""The campaign of mutants: what the test suites of the examples catch, by what they cover. The full quota:

    python -m tests.campaign.boards.mutants --count 40 --seed 1

It prints a table; a suite that covers all transitions and catches fewer than seven of ten mutants that are not
equivalent is a failure.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from lfc.hil.coverage import COVERS, TRANSITIONS
from lfc.hil.mutants import mutants_of, shuffled
from lfc.hil.mutation import CAUGHT, EQUIVALENT, SURVIVED, UNKNOWN, judge_all
from lfc.semantics.modules import HOST
from tests.campaign.boards.suites import suite
from tests.support.seeds import add_seed, parsed

NAMES = ("mutex", "buffer", "prodcons", "peterson2", "semaphore", "pingpong")
LEAST = 0.7


def fates(name: str, cover: str, count: int, seed: int) -> Counter[str]:
    machine, covered, tests = suite(name, cover)
    mutants = shuffled(mutants_of(machine.program.main.source), seed)
    return Counter(j.fate for j in judge_all(mutants, machine, covered, tests, (), HOST, count))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40)
    add_seed(parser)
    options = parsed(parser)
    weak = []
    for name in NAMES:
        for cover in COVERS:
            found = fates(name, cover, options.count, options.seed)
            told = ", ".join(f"{found[fate]} {fate}" for fate in (CAUGHT, SURVIVED, EQUIVALENT, UNKNOWN) if found[fate])
            print(f"{name}, {cover}: {told}", flush=True)
            counted = found[CAUGHT] + found[SURVIVED]
            if cover == TRANSITIONS and found[CAUGHT] < LEAST * counted:
                weak.append(f"{name}: {found[CAUGHT]} of {counted} are caught")
    print(*weak, sep="\n")
    sys.exit(1 if weak else 0)


if __name__ == "__main__":
    main()
