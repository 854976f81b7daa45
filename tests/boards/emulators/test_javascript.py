"""rp2040js and avr8js: what programs do in them, as on this machine and in other emulators."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators import javascript
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.outcome import EmulatorError
from lfc.boards.emulators.quiet import MEMORY, positions_of
from lfc.doctor import tools
from lfc.image.firmware import build_firmware
from tests.boards.conftest import BuildC
from tests.boards.emulators.ends import QUICK, end_on_this_machine
from tests.boards.ports.c_programs import LIFE
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of
from tests.support.example_runs import EXPECTED, input_of, program_of

PLACES = [("pico", "rp2040js"), ("uno", "avr8js")]
CASES = [
    pytest.param(expected, scheduler, *place, id=f"{expected.stem}-{scheduler}-{place[1]}", marks=marks)
    for expected in EXPECTED
    for scheduler in ("rr", "edf")
    for place in PLACES
    if (place[0] == "pico" and scheduler == "rr") or expected.stem in QUICK
    for marks in [[] if scheduler == "rr" and expected.stem in QUICK else [pytest.mark.slow]]
]
places = pytest.mark.parametrize(("name", "emulator"), PLACES)


@pytest.mark.parametrize(("expected", "scheduler", "name", "emulator"), CASES)
def test_output_and_block(expected: Path, scheduler: str, name: str, emulator: str) -> None:
    board, program, given = load_board(name), program_of(expected), input_of(expected)
    machine = machine_of(program)
    firmware = build_firmware(board, machine, scheduler)
    quiet = positions_of(machine, firmware.block_offset)
    outcome = emulate(
        board, firmware.image.elf, emulator, console_input=given, seconds=20, symbols=[MEMORY], quiet=quiet
    )
    assert outcome.end == "quiet"
    block = outcome.memory[MEMORY][firmware.block_offset :]
    assert (outcome.console, block) == end_on_this_machine(program, scheduler, given)
    assert outcome.console == expected.read_bytes()


@places
def test_memory_time_sleep_and_console(build_c_for: BuildC, name: str, emulator: str) -> None:
    """On the Pico from the ROM on, by the image's own boot block."""
    board = load_board(name)
    source = LIFE.replace("uint32_t lf_memory[5] =", "uint32_t lf_memory[5] __attribute__((aligned(4))) =")
    image = build_c_for(board, source, ["lf_memory"])
    told = bytes([0, 10, 13, 65, 0xFE])
    outcome = emulate(board, image.elf, emulator, console_input=told + b"\xff", symbols=["lf_memory"])
    assert (outcome.end, outcome.console) == ("halted", b"ready\n" + told)
    initial, cleared, start, slept, end = struct.unpack("<5I", outcome.memory["lf_memory"])
    assert (initial, cleared, end) == (0x01020304, 0, 200)
    assert start <= 2 and end - 2 <= slept <= end + 10  # once for each tick
    cycles = outcome.cycles or 0
    assert 0.199 <= cycles / board.cpu.clock <= 0.210 + 40 * 10 / board.console.baud
    assert emulate(board, image.elf, emulator, console_input=told + b"\xff").cycles == cycles


COUNTS = """
uint16_t lf_memory[64];
void lf_main(void)
{
    for (uint16_t i = 0; i < 5000; i++) lf_memory[i & 63] = (uint16_t)(lf_memory[i & 31] * 7u + i / 3u);
    lf_port_halt();
}
"""


def test_cycles_are_those_of_simavr(build_c: BuildC) -> None:
    """Of a program that does not sleep before its end."""
    uno, image = load_board("uno"), build_c(COUNTS, ["lf_memory"])
    here, there = (emulate(uno, image.elf, e, symbols=["lf_memory"]) for e in ("avr8js", "simavr"))
    assert (here.end, here.memory) == (there.end, there.memory) == ("halted", there.memory)
    assert here.cycles is not None and there.cycles is not None
    assert there.cycles > 100_000 and abs(here.cycles - there.cycles) <= 4  # they count the last instruction otherwise


def test_a_boot_block_that_is_wrong_starts_nothing() -> None:
    """The Pico does start by it: without it nothing is said."""
    board, machine = load_board("pico"), machine_of(program_of(EXPECTED[0]))
    firmware = build_firmware(board, machine)
    elf = firmware.image.elf
    block = firmware.image.flash[board.flash.start][:256]
    assert elf.count(block) == 1
    quiet = positions_of(machine, firmware.block_offset)
    outcome = emulate(board, elf.replace(block, bytes(256)), "rp2040js", seconds=0.1, quiet=quiet)
    assert (outcome.end, outcome.console) != ("quiet", EXPECTED[0].read_bytes())


def test_a_board_that_it_does_not_have() -> None:
    board = load_board("microbit")
    with pytest.raises(EmulatorError, match="the board microbit cannot be emulated by rp2040js"):
        emulate(board, b"", "rp2040js")


def test_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said how to get it; a package in the working directory is not taken."""
    (tmp_path / "node_modules" / "rp2040js").mkdir(parents=True)
    (tmp_path / "node_modules" / "rp2040js" / "package.json").write_text('{"version": "1.0.0"}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("lfc.doctor.probe.node_modules", lambda _: None)
    found = tools.node_modules("rp2040js")
    assert found is None or not found.is_relative_to(tmp_path)
    board, machine = load_board("pico"), machine_of(program_of(EXPECTED[0]))
    elf = build_firmware(board, machine).image.elf
    with pytest.raises(MissingOnThisMachine, match="rp2040js is not installed; .*npm install -g rp2040js@1.4.1"):
        emulate(board, elf, "rp2040js")


def test_the_command() -> None:
    """The Pico's first emulator; with its cycles."""
    done = lfc("run", "--json", program_of(EXPECTED[0]), "-b", "pico")
    assert (done.exit, done.out.encode()) == (0, EXPECTED[0].read_bytes())
    told = json.loads(done.err)
    assert (told["emulator"], told["end"]) == ("rp2040js", "blocked")
    board, machine = load_board("pico"), machine_of(program_of(EXPECTED[0]))
    firmware = build_firmware(board, machine)
    quiet = positions_of(machine, firmware.block_offset)
    there = emulate(board, firmware.image.elf, "rp2040js", symbols=[MEMORY], quiet=quiet)
    assert told["cycles"] == there.cycles and told["cycles"] > len(done.out) > 0


def test_what_the_program_says_of_a_fault_of_its_own(tmp_path: Path) -> None:
    """Such as a package that does not load."""
    board, machine = load_board("pico"), machine_of(program_of(EXPECTED[0]))
    elf = build_firmware(board, machine).image.elf
    (tmp_path / "rp2040js").mkdir()
    (tmp_path / "rp2040js" / "index.js").write_text("throw new Error('broken');")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(javascript, "node_modules", lambda _: tmp_path)
        with pytest.raises(EmulatorError, match=r"run\.cjs: broken"):
            emulate(board, elf, "rp2040js")
