"""What a board does at a fault: tells it, in numbers and in words, makes its outputs safe, stops or starts anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import Firmware, build_firmware
from lfc.link.fault_options import FaultOptions
from lfc.toolchain.elf import read_sizes
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source

# Two sites; the second one fails.
PROGRAM = """MODULE Wrong;
IMPORT Out;
VAR i : INTEGER; a : ARRAY 3 OF INTEGER;
BEGIN
  Out.Char('>');
  RESCHEDULE;
  a[i] := 1;
  i := 5;
  RESCHEDULE;
  ASSERT(i < 5)
END Wrong.
"""


def firmware(board: str, options: FaultOptions) -> Firmware:
    return build_firmware(load_board(board), machine_of_source(Source("Wrong.lf", PROGRAM)), faults=options)


@pytest.mark.parametrize(
    ("board", "emulator"), [("uno", "simavr"), ("uno", "qemu"), ("mega2560", "simavr"), ("lm3s6965evb", "qemu")]
)
def test_texts(board: str, emulator: str) -> None:
    made = firmware(board, FaultOptions(texts=True))
    outcome = emulate(load_board(board), made.image.elf, emulator, seconds=10)
    assert outcome.end == "halted"
    line = b"\n!fault 00000006 00000002 00000000 00000000\n"
    assert outcome.console == b">" + line + b"Wrong.lf:10:3: assertion failed\n"


def test_only_texts_cost_flash_and_no_ram() -> None:
    numbers, texts = (read_sizes(firmware("uno", FaultOptions(texts=t)).image.elf) for t in (False, True))
    both = len("Wrong.lf:7:3: index out of bounds Wrong.lf:10:3: assertion failed ")
    assert both < texts.flash - numbers.flash < both + 130  # and what writes them
    assert texts.ram == numbers.ram


def test_reset_of_an_avr() -> None:
    """The watchdog does it, after 16 ms. QEMU's AVR has none."""
    board = load_board("uno")
    made = firmware("uno", FaultOptions(resets=True))
    console = run_in_simavr(board, made.image.elf, seconds=0.1).console
    once = b">\n!fault 00000006 00000002 00000000 00000000\n"
    assert console.startswith(once * 3) and 4 <= console.count(b">") <= 6


def test_reset_of_a_cortex_m() -> None:
    board = load_board("lm3s6965evb")
    made = firmware("lm3s6965evb", FaultOptions(resets=True))
    console = emulate(board, made.image.elf, "qemu", seconds=1.5).console
    once = b">\n!fault 00000006 00000002 00000000 00000000\n"
    assert console.startswith(once * 2)


def test_outputs_are_made_safe_before_anything_is_said(tmp_path: Path) -> None:
    """PORTB := 0 and DDRB := FFH, read where the run ends."""
    text = PROGRAM.replace("Out.Char('>');", "PORTOUT(25H, 0FFH);")
    board = load_board("uno")
    machine = machine_of_source(Source("Wrong.lf", text))
    for safe, expected in (((), b"\x00\xff"), (((0x25, 0x11), (0x24, 0xF0)), b"\xf0\x11")):
        made = build_firmware(board, machine, faults=FaultOptions(safe=safe))
        outcome = run_in_simavr(board, made.image.elf, seconds=1, registers=(0x24, 2))
        assert (outcome.end, outcome.registers) == ("halted", expected)


def test_options_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "Wrong.lf").write_text(PROGRAM)
    plain = json.loads(lfc("build", "Wrong.lf", "-b", "uno", "--json", cwd=tmp_path).out)
    options = ["--faults", "text", "--on-fault", "reset", "--safe", "25H=0", "--safe", "36=0F0H"]
    done = lfc("build", "Wrong.lf", "-b", "uno", "--json", *options, cwd=tmp_path)
    assert done.exit == 0, done.err
    assert json.loads(done.out)["flash"]["used"] > plain["flash"]["used"] + 60
    assert b"Wrong.lf:10:3: assertion failed" in (tmp_path / "Wrong.elf").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-b", "uno", "--safe", "25H"], "takes ADDRESS=VALUE"),
        (["-b", "uno", "--safe", "0x25=0"], "takes ADDRESS=VALUE"),
        (["-b", "uno", "--safe", "25H=100H"], "holds 0 to FFH"),
        (["--faults", "text"], "--faults is for boards"),
        (["--safe", "1=1"], "--safe is for boards"),
    ],
)
def test_wrong_command_lines(tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "Wrong.lf").write_text(PROGRAM)
    done = lfc("build", "Wrong.lf", *arguments, cwd=tmp_path)
    assert done.exit == 2 and message in done.err
