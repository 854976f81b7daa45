"""The whole way of one program: parsed, run on the host, explored naively, run on an emulated board, its block
compared, and flashed over a pseudo-terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.simavr import SimavrOnTerminal
from lfc.boards.flash.pages import Target
from lfc.boards.flash.stk500v1 import flash
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.image.firmware import Firmware, build_firmware
from lfc.run.running import HostRun, Status
from tests.boards.flash.terminal import heard, opened
from tests.differential.stepwise import machine_of
from tests.mcheck.state_graph import explore

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
EXPECTED = (EXAMPLES / "expected" / "prodcons.out").read_bytes()


@pytest.fixture(scope="module")
def host_block() -> bytes:
    """At the end of a run on the host."""
    run = HostRun(generate(machine_of(EXAMPLES / "prodcons.lf"), HOST))
    steps, status = run.run(100_000)
    assert status is Status.ENDED
    assert run.take_output() == EXPECTED
    assert steps == 206
    return run.block


@pytest.fixture(scope="module")
def firmware() -> Firmware:
    from lfc.boards.descriptions.board import load_board

    return build_firmware(load_board("uno"), machine_of(EXAMPLES / "prodcons.lf"))


def test_naive_check() -> None:
    found = explore(HostRun(generate(machine_of(EXAMPLES / "prodcons.lf"), HOST)))
    assert (len(found.states), found.transitions) == (308, 409)
    assert not found.faults and not found.blocked
    assert len(found.ended) == 1


@pytest.mark.parametrize("emulator", ["simavr", "qemu"])
def test_emulated_board_ends_in_the_same_block(
    uno: Board, firmware: Firmware, host_block: bytes, emulator: str
) -> None:
    outcome = emulate(uno, firmware.image.elf, emulator, seconds=2.0, symbols=["lf_memory"])
    assert outcome.console == EXPECTED
    assert outcome.memory["lf_memory"][firmware.block_offset :] == host_block


def test_flashed_over_a_terminal(chip: SimavrOnTerminal, uno: Board, target: Target, firmware: Firmware) -> None:
    with opened(chip, uno) as port:
        flash(port, target, firmware.image.flash)
        assert heard(port, len(EXPECTED)) == EXPECTED
