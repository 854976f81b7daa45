"""The campaign of traced boards: every example on every emulated board, under both schedulers, block by block.

    python -m tests.campaign.conformance --steps 5000

Examples that come to an end do so; the others stop after `--steps`. What the board says must be what is expected.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from lfc.hil.conform import Conduct, bytes_for_board, conform
from lfc.hil.host_side import HostSide, difference_lines
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of
from tests.hil.boards import EVERYWHERE, session_with, traced
from tests.host.test_examples_run import input_of

PROGRAMS = sorted((ROOT / "examples").glob("*.lf"))
NOT_PORTABLE = {"blink", "gpio_blink", "traffic", "traffic_env"}  # hardware; no program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--ahead", type=int, default=8)
    parser.add_argument("--board")
    options = parser.parse_args()
    total, failures = Counter[str](), []
    for board, emulator in EVERYWHERE:
        if options.board not in (None, board):
            continue
        done = Counter[str]()
        for program in PROGRAMS:
            for scheduler in ("rr", "edf"):
                if program.stem not in NOT_PORTABLE:
                    steps, failure = one(program.stem, board, emulator, scheduler, options.steps, options.ahead)
                    done["steps"] += steps
                    done["programs"] += 1
                    if failure is not None:
                        failures.append(f"{program.stem} {scheduler} on {board} in {emulator}: {failure}")
        print(f"{board} in {emulator}: {done['programs']} programs, {done['steps']} steps", flush=True)
        total += done
    print(f"together {total['programs']} programs, {total['steps']} steps, {len(failures)} failures")
    print(*failures, sep="\n")
    sys.exit(1 if failures else 0)


def one(name: str, board: str, emulator: str, scheduler: str, steps: int, ahead: int) -> tuple[int, str | None]:
    machine = machine_of(ROOT / "examples" / f"{name}.lf")
    firmware, host = traced(board, machine, scheduler), HostSide(machine, scheduler)
    expected = ROOT / "examples" / "expected" / f"{name}.out"
    said: list[bytes] = []
    given = bytes_for_board(input_of(expected))
    conduct = Conduct(steps, 60, ahead, given, on_output=said.append)
    with session_with(board, emulator, machine, firmware.image.elf, scheduler) as session:
        result = conform(session, host, firmware.generated.sites, conduct)
    if result.verdict != "agrees":
        told = difference_lines(result.difference, name) if result.difference else [result.reason]
        return result.steps, f"{result.verdict}: {'; '.join(told)}"
    if expected.exists() and result.end != "limit" and b"".join(said) != expected.read_bytes():
        return result.steps, f"it says {b''.join(said)!r}"
    return result.steps, None


if __name__ == "__main__":
    main()
