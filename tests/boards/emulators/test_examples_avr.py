"""Every example that needs no hardware says on each board with an AVR what it says on this machine, and ends in the
same state block: in both emulators, under both schedulers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.quiet import MEMORY, positions_of
from lfc.image.firmware import build_firmware
from tests.boards.emulators.ends import QUICK, end_on_this_machine
from tests.differential.stepwise import machine_of
from tests.support.example_runs import EXPECTED, input_of, program_of

BOARDS = ["uno", "mega2560"]
CASES = [
    pytest.param(expected, scheduler, board, emulator, id=f"{expected.stem}-{scheduler}-{board}-{emulator}")
    for expected in EXPECTED
    for scheduler in ("rr", "edf")
    for board in BOARDS
    for emulator in ("simavr", "qemu")
    if expected.stem in QUICK or (scheduler, board, emulator) == ("rr", "uno", "simavr")
    if scheduler == "rr" or (board, emulator) != ("mega2560", "qemu")
]


@pytest.mark.parametrize(("expected", "scheduler", "name", "emulator"), CASES)
def test_output_and_block(expected: Path, scheduler: str, name: str, emulator: str) -> None:
    board, program, given = load_board(name), program_of(expected), input_of(expected)
    machine = machine_of(program)
    firmware = build_firmware(board, machine, scheduler)
    quiet = positions_of(machine, firmware.block_offset)
    elf = firmware.image.elf
    outcome = emulate(board, elf, emulator, console_input=given, seconds=20, symbols=[MEMORY], quiet=quiet)
    assert outcome.end == "quiet"
    block = outcome.memory[MEMORY][firmware.block_offset :]
    assert (outcome.console, block) == end_on_this_machine(program, scheduler, given)
    assert outcome.console == expected.read_bytes()
