"""The campaign of traced boards: every example on every emulated board, under both schedulers, block by block.

    python -m tests.campaign.boards.conformance --steps 5000
    python -m tests.campaign.boards.conformance --actions 1000000

Examples that come to an end do so; the others stop after `--steps`. What the board says must be what is expected.
With `--actions` it is generated programs that go on for ever instead: another for each board in turn, `--long` steps of
each, until together so many actions were done and compared. `--board`, again and again, says on which boards.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

from lfc.base.source import Source
from lfc.codegen.program import generate as compile_machine
from lfc.hil.conform import Conduct, bytes_for_board, conform
from lfc.hil.host_side import HostSide, difference_lines
from lfc.run.native import host_target
from lfc.run.running import HostRun, Mode
from lfc.toolchain.failure import ImageError
from tests.campaign.boards.on_boards import ALONE
from tests.conftest import ROOT
from tests.differential.stepwise import Rejected, machine_of, machine_of_source
from tests.generate.general.program import generate
from tests.hil.boards import EVERYWHERE, session_with, traced
from tests.support.example_runs import input_of
from tests.support.seeds import add_seed, parsed

PROGRAMS = sorted((ROOT / "examples").glob("*.lf"))
ENOUGH = 5000  # steps after which a program counts as one that goes on
NOT_PORTABLE = {"blink", "gpio_blink", "traffic", "traffic_env"}  # hardware; no program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--ahead", type=int, default=8)
    parser.add_argument("--board", action="append")
    parser.add_argument("--one-emulator", action="store_true", help="the first of each board")
    parser.add_argument("--actions", type=int, default=0)
    parser.add_argument("--long", type=int, default=5_000)
    add_seed(parser)
    options = parsed(parser)
    where = places(options.board, options.one_emulator)
    if options.actions:
        sys.exit(until(options.actions, options.ahead, options.long, options.seed, where))
    total, failures = Counter[str](), []
    for board, emulator in where:
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


def places(boards: list[str] | None, one_emulator: bool) -> list[tuple[str, str]]:
    """Boards and their emulators; `one_emulator`: the first of each."""
    found = [place for place in EVERYWHERE if boards is None or place[0] in boards]
    return list({place[0]: place for place in reversed(found)}.values())[::-1] if one_emulator else found


def until(actions: int, ahead: int, long: int, seed: int, where: list[tuple[str, str]]) -> int:
    """The exit code. The board that has done least is next, with the schedulers in turn."""
    done = Counter[tuple[str, str]]({place: 0 for place in where})
    programs, failures, began, told = Counter[str](), list[str](), time.monotonic(), 0.0
    for number, text in enumerate(endless_programs(seed)):
        if done.total() >= actions:
            break
        board, emulator = min(done, key=lambda place: done[place])
        scheduler = ("rr", "edf")[programs[board] % 2]
        try:
            taken, failure = generated(text, board, emulator, scheduler, long, ahead)
        except ImageError as error:
            if "does not fit" not in error.message:
                raise
            programs["did not fit"] += 1
            continue
        done[board, emulator] += taken
        programs[board] += 1
        if failure is not None:
            failures.append(f"generated {number}, {scheduler}, on {board} in {emulator}: {failure}")
            print(failures[-1], flush=True)
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"{done.total()} actions, {dict(programs)}, {told - began:.0f} s", flush=True)
    here = {f"{board} in {emulator}": count for (board, emulator), count in done.items()}
    print(f"{done.total()} actions in {time.monotonic() - began:.0f} s: {here}; programs: {dict(programs)}")
    print(f"{len(failures)} failures", *failures, sep="\n")
    return 1 if failures else 0


def endless_programs(seed: int) -> Iterator[str]:
    """Those that, on this machine, neither end nor stand still nor fault in the first steps."""
    for number in count(seed * 1_000_000):
        text = generate(number, ALONE).text
        try:
            machine = machine_of_source(Source("Program.lf", text))
        except Rejected:
            continue
        run = HostRun(compile_machine(machine, host_target()), 1, Mode.ROUND_ROBIN)
        if run.run(ENOUGH)[0] == ENOUGH:
            yield text


def generated(text: str, board: str, emulator: str, scheduler: str, steps: int, ahead: int) -> tuple[int, str | None]:
    machine = machine_of_source(Source("Program.lf", text))
    firmware = traced(board, machine, scheduler)
    host = HostSide(machine, scheduler)
    with session_with(board, emulator, machine, firmware.image.elf, scheduler) as session:
        result = conform(session, host, firmware.generated.sites, Conduct(steps, None, ahead))
    if result.verdict == "agrees" and (result.end != "limit" or result.last_whole):
        return result.steps, None
    told = difference_lines(result.difference, "Program.lf") if result.difference else [result.reason]
    return result.steps, f"{result.verdict}: {'; '.join(told)}"


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
