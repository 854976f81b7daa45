"""The campaign of test suites: each example's, on each emulated board. The full quota:

    python -m tests.campaign.suites

Every action, transition and communication of the example (within the first states, of a large one) is in some test; all
tests must pass.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import AbstractContextManager
from functools import cache

from lfc.actions.model import Machine
from lfc.hil.coverage import COVERS, Covered, explored
from lfc.hil.host_side import HostSide
from lfc.hil.session import BoardSession
from lfc.hil.suite import Test, suite_for
from lfc.hil.suite_run import PASS, run_suite
from tests.campaign.conformance import NOT_PORTABLE, PROGRAMS
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of
from tests.hil.boards import EVERYWHERE, session_with, traced

MOST = 2000  # states
NAMES = [p.stem for p in PROGRAMS if p.stem not in NOT_PORTABLE]


@cache
def suite(name: str, cover: str) -> tuple[Machine, Covered, list[Test]]:
    machine = machine_of(ROOT / "examples" / f"{name}.lf")
    covered = explored(machine, cover, MOST)
    tests = suite_for(covered)
    together = 0
    for test in tests:
        together |= test.goals
    assert together == (1 << len(covered.goals)) - 1, f"{name}: not all {cover} are covered"
    return machine, covered, tests


def run_one(name: str, cover: str, board: str, emulator: str) -> tuple[Counter[str], list[str]]:
    """What was done, and what did not pass."""
    machine, covered, tests = suite(name, cover)
    done = Counter(goals=len(covered.goals), tests=len(tests), steps=sum(len(t.edges) for t in tests))
    if not tests:
        return done, []
    firmware = traced(board, machine)

    def opened() -> AbstractContextManager[BoardSession]:
        return session_with(board, emulator, machine, firmware.image.elf)

    results = run_suite(covered, tests, opened, HostSide(machine, "rr"), firmware.generated.sites, name)
    failed = [f"{name} {cover} on {board} in {emulator}: {r.verdict}: {'; '.join(r.told)}" for r in results]
    return done, [f for f, r in zip(failed, results, strict=True) if r.verdict != PASS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board")
    parser.add_argument("--cover", choices=COVERS)
    options = parser.parse_args()
    total, failures = Counter[str](), list[str]()
    for board, emulator in EVERYWHERE:
        if options.board not in (None, board):
            continue
        here = Counter[str]()
        for name in NAMES:
            for cover in [options.cover] if options.cover else COVERS:
                done, failed = run_one(name, cover, board, emulator)
                here += done
                failures += failed
        print(f"{board} in {emulator}: {dict(here)}", flush=True)
        total += here
    print(f"together {dict(total)}, {len(failures)} failures", *failures, sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
