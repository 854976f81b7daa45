"""The product of docs/how-to/field-logger.md: its records survive a loss of power, on a board as here, faults in them
are found, and it keeps and tells records in simavr."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import run_in_simavr
from tests.cli.lfc import lfc
from tests.library.devices.field_logger import EXAMPLES, SEEDS, check, is_found
from tests.library.drivers import Seed
from tests.library.images import console

SMALL = ["-DRecords.SLOTS=2", "-DRecords.LAST=5", "-DFieldLogger.PERIOD=1"]


# All of them: tests/campaign/checking/drivers.py.
@pytest.mark.parametrize("seed", SEEDS[:1], ids=lambda s: s.name.replace(" ", "-"))
def test_a_seeded_fault_is_found(seed: Seed, tmp_path: Path) -> None:
    assert is_found(seed, tmp_path)


def test_the_image_does_what_the_records_do() -> None:
    done = check(EXAMPLES, "-b", "uno", "--image")
    assert done.exit == 0, done.out + done.err
    assert "the image for uno agrees with the program in every state\n10065 states, " in done.out


@pytest.mark.slow
@pytest.mark.parametrize(("bench", "states"), [("FieldLoggerBench", 212548), ("AskedBench", 143575)])
def test_the_whole_logger(bench: str, states: int) -> None:
    world = EXAMPLES / f"{bench}.lf"
    done = lfc("check", EXAMPLES / "FieldLogger.lf", "--env", world, "--time", "ordered", *SMALL, "--no-record")
    assert done.exit == 0 and f"\n{states} states, " in done.out, done.out


@pytest.mark.parametrize(
    ("millivolts", "said"),
    [
        (
            2000,
            "2;2099-12-31 23:59:58;;-10.25;153\n1;2099-12-31 23:59:58;start;-10.25;153\nend\n"
            "2 records 0 lost 0 unanswered 409 well\n?\nset\n",
        ),
        (1600, "end\n0 records 0 lost 0 unanswered 327 weak\n?\nset\n"),
    ],
)
def test_in_simavr(millivolts: int, said: str, tmp_path: Path) -> None:
    """After a second and a half it is asked; a clock stands at the end of 2099."""
    done = lfc("build", "-b", "uno", *SMALL[2:], "-o", tmp_path / "logger.elf", EXAMPLES / "FieldLogger.lf")
    assert done.exit == 0, done.err
    line = load_board("uno")
    line = replace(line, console=replace(line.console, baud=9600))
    ran = run_in_simavr(
        line,
        (tmp_path / "logger.elf").read_bytes(),
        seconds=2.5,
        console_input=b" " * 1500 + b"d" + b" " * 120 + b"s" + b" " * 50 + b"t991332000000" + b"t260102235900",
        parts=["registers:0x68:59592307311299" + "00" * 8 + "0800f5c0"],
        voltages={0: millivolts},
    )
    lines = [line for line in console(ran).splitlines() if line and not line.startswith("!lost")]  # before it listened
    assert lines == said.splitlines()
    assert ran.parts[0][:7].hex() == "00592301020126"
