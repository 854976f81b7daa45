"""A CH32V by rvprog: a stand-in says what rvprog 1.11 says, and writes what it was given beside itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.board import load_board
from lfc.boards.flash.exchange import no_progress
from lfc.boards.flash.wch_tool import arguments_of, failure_of, flash_by_rvprog
from lfc.boards.serial.failure import FlashError
from tests.cli.lfc import ROOT, lfc

BOARD = load_board("ch32v003evt")
FLASH = {0: b"\x01\x02", 4: b"\x05"}
STAND_IN = """import os, shutil, sys
assert sys.argv[1] == "-f"
chip, wrong = "{chip}", "{wrong}"
print("Searching for WCH-Link in RISC-V mode ...")
if wrong == "link":
    sys.exit("ERROR: WCH-Link not found. Check if device is in RISC-V mode!")
print("Connecting to MCU ...")
print("SUCCESS: Connected to %s with 16384 bytes of flash." % chip)
if wrong:
    sys.exit("ERROR: %s!" % wrong)
shutil.copy(sys.argv[2], os.path.join(os.path.dirname(__file__), "written"))
print("SUCCESS: %d bytes written and verified." % os.path.getsize(sys.argv[2]))
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "site" / "rvprog"
    package.mkdir(parents=True)
    (package / "rvprog.py").write_text(STAND_IN.format(chip="CH32V003F4P6", wrong=""))
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    return package


def test_flashed(stand_in: Path) -> None:
    assert flash_by_rvprog(BOARD, FLASH, no_progress) == 5
    assert (stand_in / "written").read_bytes() == b"\x01\x02\xff\xff\x05"
    assert arguments_of("image.bin")[1:] == ["-P", "-m", "rvprog.rvprog", "-f", "image.bin"]


@pytest.mark.parametrize(
    ("chip", "wrong", "stage", "told"),
    [
        ("CH32V003F4P6", "link", "open", "WCH-Link not found"),
        ("CH32V203C8T6", "", "signature", "has written to CH32V203C8T6, which is not the chip of ch32v003evt"),
        ("CH32V003F4P6", "Unsupported chip (ID: 0x1234)", "signature", "Unsupported chip"),
        ("CH32V003F4P6", "Failed to write register", "sync", "Failed to write register"),
        ("CH32V003F4P6", "Not enough memory", "write", "Not enough memory"),
        ("CH32V003F4P6", "Failed writing/verifying data blob", "verify", "verifying data blob"),
    ],
)
def test_what_goes_wrong_is_told(stand_in: Path, chip: str, wrong: str, stage: str, told: str) -> None:
    (stand_in / "rvprog.py").write_text(STAND_IN.format(chip=chip, wrong=wrong))
    with pytest.raises(FlashError) as failed:
        flash_by_rvprog(BOARD, FLASH, no_progress)
    assert failed.value.stage == stage and told in str(failed.value) and failed.value.remedy


def test_it_ends_without_a_word() -> None:
    assert "it ended without a word" in str(failure_of(""))


def test_by_the_command(stand_in: Path) -> None:
    done = lfc("flash", "examples/prodcons.lf", "-b", "ch32v003evt", PYTHONPATH=f"{stand_in.parent}{os.pathsep}{ROOT}")
    assert done.exit == 0 and "read back and compared by rvprog" in done.err
    assert (stand_in / "written").stat().st_size > 500


def test_without_rvprog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingOnThisMachine, match=r"pip install 'lf-toolchain\[wch\]'"):
        flash_by_rvprog(BOARD, FLASH, no_progress)
