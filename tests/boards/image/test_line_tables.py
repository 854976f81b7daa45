"""Line tables: every statement has code, tools show the lines of LF, and the code is the same without them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.image.firmware import build_firmware
from lfc.toolchain.elf import read_symbol
from lfc.toolchain.line_rows import read_code_ranges
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of

EXAMPLES = ROOT / "examples"


def rows(elf: bytes) -> set[tuple[str, int]]:
    """File and line of every row of every line table."""
    return {(r.file, r.line) for r in read_code_ranges(elf) if r.line}


@pytest.mark.parametrize("board", ["uno", "stm32vldiscovery"])
@pytest.mark.parametrize("example", ["blink", "calls", "window"])
def test_the_code_is_the_same_without(board: str, example: str) -> None:
    machine = machine_of(EXAMPLES / f"{example}.lf")
    images = [build_firmware(load_board(board), machine, line_tables=wanted).image for wanted in (True, False)]
    assert images[0].flash == images[1].flash
    assert len(images[0].elf) > len(images[1].elf)


def test_statements_have_rows() -> None:
    """Those of the processes of blink.lf (line 16 is LOOP, 18 and 20 wait and share their code with what is around)."""
    found = rows(build_firmware(load_board("uno"), machine_of(EXAMPLES / "blink.lf")).image.elf)
    lines = {line for file, line in found if file.endswith("blink.lf")}
    assert {15, 17, 19, 27, 29, 30, 31, 32, 37, 38} <= lines
    assert lines <= set(range(4, 40))


def test_files_are_named_without_places_of_this_machine() -> None:
    elf = build_firmware(load_board("uno"), machine_of(EXAMPLES / "calls.lf")).image.elf
    assert {file for file, _ in rows(elf)} == {"calls.lf", "lfc/library/Out.lf"}
    assert not re.search(rb"/(work|home|tmp|root|usr)/", elf)


def test_objdump_and_gdb_show_the_lines(tmp_path: Path) -> None:
    (tmp_path / "blink.lf").write_bytes((EXAMPLES / "blink.lf").read_bytes())
    elf = build_firmware(load_board("uno"), machine_of(tmp_path / "blink.lf")).image.elf
    (tmp_path / "blink.elf").write_bytes(elf)
    shown = subprocess.run(["avr-objdump", "-S", "blink.elf"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "INCL(lights, bit);" in shown.stdout and "now := PORTIN(PORTB);" in shown.stdout
    step = read_symbol(elf, "lf_step")
    ask = ["-ex", "info line blink.lf:29", "-ex", f"info symbol {step.address}"]
    told = subprocess.run(
        ["gdb", "-batch", *ask, "blink.elf"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    place = re.search(r'Line 29 of "blink.lf" starts at address 0x([0-9a-f]+) <lf_step\+\d+>', told.stdout)
    assert place and step.address <= int(place[1], 16) < step.address + step.size
