"""Boards with a traced image do what the host does, block by block; every example, in every emulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.hil.conform import Conduct, Conformance, bytes_for_board, conform
from lfc.hil.host_side import HostSide, difference_lines
from lfc.run.running import HostRun, Status
from lfc.trace.compare import compare_traces
from lfc.trace.items import Item, decode
from tests.differential.stepwise import machine_of, machine_of_source
from tests.hil.boards import EVERYWHERE, session_with, traced
from tests.support.example_runs import EXPECTED, SCHEDULERS, input_of, program_of
from tests.support.seeds import seed_of_this_run

CASES = [(f, s, b, e) for f in EXPECTED for s in ("rr", "edf") for b, e in EVERYWHERE]
SHARE = 16
TIMED = {"clockdemo", "window"}  # which go by the board's clock: here it passes otherwise


def share() -> list[tuple[Path, str, str, str]]:
    """By the seed; the next seed has the next cases, until all had their turn."""
    first = seed_of_this_run() * SHARE
    return [CASES[(first + i) * 37 % len(CASES)] for i in range(SHARE)]


def conformance(
    file: Path, scheduler: str, board: str, emulator: str, given: bytes, ahead: int = 1, most: int = 20_000
) -> tuple[Conformance, bytes]:
    machine = machine_of(file)
    firmware = traced(board, machine, scheduler)
    said: list[bytes] = []
    conduct = Conduct(most, 60, ahead, more_input=bytes_for_board(given), on_output=said.append)
    host = HostSide(machine, scheduler)
    with session_with(board, emulator, machine, firmware.image.elf, scheduler) as session:
        result = conform(session, host, firmware.generated.sites, conduct, keep=True)
    return result, b"".join(said)


def own_steps(file: Path, scheduler: str) -> list[list[Item]]:
    """What this machine does when it decides itself."""
    from lfc.codegen.program import generate
    from lfc.run.native import host_target

    run = HostRun(generate(machine_of(file), host_target(), scheduler), 1, SCHEDULERS[scheduler])
    steps: list[list[Item]] = []
    while run.step() is Status.RAN and len(steps) < 20_000:
        steps.append(list(decode(run.items)))
        run.take_output()
    return steps


def check(file: Path, scheduler: str, board: str, emulator: str) -> None:
    program = program_of(file)
    result, said = conformance(program, scheduler, board, emulator, input_of(file))
    told = difference_lines(result.difference, str(program)) if result.difference else [result.reason]
    assert result.verdict == "agrees", told
    assert result.end in ("ended", "blocked", "input ended")
    assert said == file.read_bytes()
    if file.stem not in TIMED and not input_of(file):
        assert compare_traces(result.trace, own_steps(program, scheduler)) is None


@pytest.mark.parametrize(("file", "scheduler", "board", "emulator"), share(), ids=lambda x: getattr(x, "stem", x))
def test_an_example_on_a_board(file: Path, scheduler: str, board: str, emulator: str) -> None:
    check(file, scheduler, board, emulator)


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("microbit", "qemu")])
def test_a_board_that_is_ahead_takes_input(board: str, emulator: str) -> None:
    """And loses none of it: leave to go on comes while it reads."""
    file = next(f for f in EXPECTED if f.stem == "echo")
    result, said = conformance(program_of(file), "rr", board, emulator, input_of(file), ahead=20)
    assert (result.verdict, said) == ("agrees", file.read_bytes()), result.reason


@pytest.mark.parametrize("most", [20, 21, 23])
def test_a_board_that_is_ahead_stands_still_at_the_limit(most: int) -> None:
    """It gets leave for no more steps than are wanted, so that its last block can be compared."""
    file = next(f for f in EXPECTED if f.stem == "prodcons")
    result, _ = conformance(program_of(file), "rr", "microbit", "qemu", b"", ahead=8, most=most)
    assert (result.verdict, result.end, result.steps, result.last_whole) == ("agrees", "limit", most, True)


def test_a_block_as_long_as_can_be() -> None:
    """65,536 bytes, which is 0 in 16 bits."""
    text = (
        "MODULE Big; VAR n : UINT8; a : ARRAY 65534 OF UINT8; BEGIN a[65000] := 2; RESCHEDULE; n := a[65000] END Big."
    )
    machine = machine_of_source(Source("Big.lf", text))
    assert machine.layout.size == 1 << 16
    firmware, host = traced("netduinoplus2", machine), HostSide(machine, "rr")
    with session_with("netduinoplus2", "qemu", machine, firmware.image.elf) as session:
        result = conform(session, host, firmware.generated.sites, Conduct(seconds=60))
    assert (result.verdict, result.steps, result.last_whole) == ("agrees", 2, True), result.reason


def test_the_share_comes_to_every_case() -> None:
    from math import gcd

    assert gcd(37, len(CASES)) == 1
