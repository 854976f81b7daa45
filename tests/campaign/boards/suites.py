"""The campaign of test suites: each example's, on each emulated board. The full quota:

    python -m tests.campaign.boards.suites

Every action, transition and communication of the example is in some test, and all tests must pass. Of a large example
they are those of its first states and of walks beyond them; an exhaustive search says whether these are all actions
that there are.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.load import load_program
from lfc.hil.coverage import ACTIONS, COVERS, Covered, place_of
from lfc.hil.host_side import HostSide
from lfc.hil.session import BoardSession
from lfc.hil.suite import Test, suite_for
from lfc.hil.suite_run import PASS, run_suite
from lfc.hil.walks import graph_to_cover
from lfc.image.firmware import Firmware
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.run.events import positions, ready_slots
from tests.campaign.boards.conformance import NOT_PORTABLE, PROGRAMS, places
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of
from tests.hil.boards import AVR, EVERYWHERE, board_named, session_with, traced

MOST = 2000  # states
NAMES = [p.stem for p in PROGRAMS if p.stem not in NOT_PORTABLE]
# Those that use hardware, and where they can: two of them write to addresses at which an AVR has its ports.
HARDWARE = {"blink": AVR, "traffic": AVR, "gpio_blink": EVERYWHERE}


@cache
def machine_for(name: str, board: str | None) -> Machine:
    file = ROOT / "examples" / f"{name}.lf"
    return machine_of(file) if board is None else machine_on(file, board)


@cache
def suite(name: str, cover: str, board: str | None = None) -> tuple[Machine, Covered, list[Test]]:
    """Of a program with drivers, the suite is another one for each board."""
    machine = machine_for(name, board)
    covered = graph_to_cover(machine, cover, MOST)
    tests = suite_for(covered)
    together = 0
    for test in tests:
        together |= test.goals
    assert together == (1 << len(covered.goals)) - 1, f"{name}: not all {cover} are covered"
    return machine, covered, tests


def actions_left_out(machine: Machine, covered: Covered) -> set[int]:
    """Positions at which an action begins in some state, and in no test. `covered` is of actions."""
    search = Search(machine, request_from(keep_going=True))
    try:
        assert search.run() is Stop.COMPLETE, "the search is to be complete"
        reached: dict[tuple[int, ...], bytes] = {tuple(positions(machine, b)): b for b in search.all_blocks()}
    finally:
        search.close()
    ready = {at[s] for at, block in reached.items() for s in ready_slots(machine, block)}
    return ready - {g[1] for g in covered.goals if g[0] == "run" and isinstance(g[1], int)}


def machine_on(file: Path, board: str) -> Machine:
    diagnostics = Diagnostics()
    program = load_program(str(file), diagnostics, chip=chip_modules(board_named(board)))
    assert program is not None and not diagnostics.has_errors
    return build_machine(program, diagnostics, with_environment=False)


@cache
def firmware_of(board: str, machine: Machine) -> Firmware:
    return traced(board, machine)


def run_one(name: str, cover: str, board: str, emulator: str) -> tuple[Counter[str], list[str]]:
    """What was done, and what did not pass."""
    machine, covered, tests = suite(name, cover, board if name in HARDWARE else None)
    done = Counter(goals=len(covered.goals), tests=len(tests), steps=sum(len(t.edges) for t in tests))
    if not tests:
        return done, []
    firmware = firmware_of(board, machine)

    def opened() -> AbstractContextManager[BoardSession]:
        return session_with(board, emulator, machine, firmware.image.elf)

    results = run_suite(covered, tests, opened, HostSide(machine, "rr"), firmware.generated.sites, name)
    failed = [f"{name} {cover} on {board} in {emulator}: {r.verdict}: {'; '.join(r.told)}" for r in results]
    return done, [f for f, r in zip(failed, results, strict=True) if r.verdict != PASS]


def check_actions(name: str, board: str | None) -> list[str]:
    machine, covered, _ = suite(name, ACTIONS, board)
    left_out = actions_left_out(machine, covered)
    print(f"{name}: {len(covered.goals)} actions, {len(left_out)} that the exhaustive search has besides", flush=True)
    return [f"{name}: no test has {place_of(machine, number)}" for number in left_out]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", action="append")
    parser.add_argument("--one-emulator", action="store_true", help="the first of each board")
    parser.add_argument("--cover", choices=COVERS)
    parser.add_argument("--search", action=argparse.BooleanOptionalAction, default=True, help="the exhaustive search")
    options = parser.parse_args()
    failures = list[str]()
    for name in [*NAMES, *HARDWARE] if options.search else []:
        failures += check_actions(name, "uno" if name in HARDWARE else None)
    done = {place: Counter[str]() for place in places(options.board, options.one_emulator)}
    for name in [*NAMES, *HARDWARE]:
        for board, emulator in done:
            if (board, emulator) not in HARDWARE.get(name, EVERYWHERE):
                continue
            for cover in [options.cover] if options.cover else COVERS:
                found, failed = run_one(name, cover, board, emulator)
                done[board, emulator] += found
                failures += failed
                print(*failed, sep="\n", end="\n" if failed else "", flush=True)
            done[board, emulator]["programs"] += 1
        print(f"{name}: driven, {len(failures)} failures so far", flush=True)
    for (board, emulator), here in done.items():
        print(f"{board} in {emulator}: {dict(here)}")
    total = sum(done.values(), Counter[str]())
    print(f"together {dict(total)}, {len(failures)} failures", *failures, sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
