"""Several devices on one bus: their models are composed by their addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import run_in_simavr
from tests.cli.lfc import lfc
from tests.library.drivers import EXAMPLES
from tests.library.images import console, image_of

PROGRAM, BENCH = EXAMPLES / "Station.lf", EXAMPLES / "StationBench.lf"


def test_two_devices_hold_on_a_faulty_bus() -> None:
    done = lfc("check", PROGRAM, "--env", BENCH)
    assert done.exit == 0, done.out
    assert "\n31041 states, 45803 transitions" in done.out
    assert [f"property {p}: holds" in done.out for p in ("ends", "recovers", "isOneMoment", "isKept")] == [True] * 4


WRONG = {  # what is wrong in the program: a line of it
    "takes another hour": ("stamp[0] := time.minute", "stamp[0] := time.hour"),
    "writes to the clock": ("EEPROM24.Write(EEPROM24.FIRST", "EEPROM24.Write(DS3231.ADDRESS"),
    "forgets what went wrong": ("kept := error = I2C.none", "kept := TRUE"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_is_found(name: str, tmp_path: Path) -> None:
    old, new = WRONG[name]
    text = PROGRAM.read_text()
    assert text.count(old) == 1
    (tmp_path / "Station.lf").write_text(text.replace(old, new))
    (tmp_path / "StationBench.lf").write_text(BENCH.read_text())
    done = lfc("check", "Station.lf", "--env", "StationBench.lf", cwd=tmp_path)
    assert done.has_counterexample, done.out


ASKS = """
MODULE T;
IMPORT I2C;
CONST LATE = FALSE; (* whether an answer may come too late *)
VAR out : ARRAY 2 OF UINT8; in : ARRAY 2 OF UINT8; error : I2C.Error;

PROCEDURE IsLate() : BOOLEAN;
BEGIN
  RETURN LATE & (error = I2C.timeOut)
END IsLate;

BEGIN
  I2C.Start(100000);
  out[0] := 0FH;
  I2C.Transfer(68H, out, 1, in, 1, error);
  ASSERT(IsLate() OR (error = I2C.none) & (in[0] = 88H));
  out[0] := 0; out[1] := 7;
  I2C.Transfer(50H, out, 2, in, 1, error);
  ASSERT(IsLate() OR (error = I2C.none) & (in[0] = 77));
  out[0] := 12H;
  I2C.Transfer(20H, out, 1, in, 2, error);
  ASSERT(IsLate() OR (error = I2C.none) & (in[0] = 34H) & (in[1] = 12H));
  I2C.Transfer(76H, out, 1, in, 1, error);
  ASSERT(IsLate() OR (error = I2C.noDevice));
  I2C.Transfer(68H, out, 0, in, 1, error);
  ASSERT(IsLate() OR (error = I2C.none))
END T.
"""
WORLD = """
ENVIRONMENT MODULE World;
IMPORT EnvDS3231, EnvMCP23017, EnvMemory24;
BEGIN
  EnvDS3231.Connect(TRUE, 0);
  EnvMemory24.Connect(50H, 7);
  EnvMemory24.Preset(0, 77);
  EnvMCP23017.Connect(ADDRESS, {2, 4, 5, 9, 12}, FALSE)
END World.
"""


@pytest.mark.parametrize("board", ["host", "uno"])
def test_each_answers_to_its_address(board: str, tmp_path: Path) -> None:
    """And nobody to an address that no device has."""
    (tmp_path / "T.lf").write_text(ASKS if board == "host" else ASKS.replace("LATE = FALSE", "LATE = TRUE"))
    (tmp_path / "World.lf").write_text(WORLD.replace("ADDRESS", "20H"))
    on = [] if board == "host" else ["-b", board, "--no-record"]
    done = lfc("check", "T.lf", "--env", "World.lf", *on, cwd=tmp_path)
    assert done.exit == 0, done.out


def test_an_address_is_for_one_device(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(ASKS)
    (tmp_path / "World.lf").write_text(WORLD.replace("ADDRESS", "50H"))
    done = lfc("check", "T.lf", "--env", "World.lf", cwd=tmp_path)
    assert done.exit == 4 and "EnvEvents.lf" in done.out.splitlines()[0], done.out


@pytest.mark.parametrize("faults", [[], ["absent:2"], ["stuck:12"]])
def test_in_simavr(faults: list[str]) -> None:
    parts = ["registers:0x68:59592307311299" + "00" * 8 + "0800f5c0", "memory:0x50"]
    elf = image_of("uno", PROGRAM.read_text())
    done = run_in_simavr(load_board("uno"), elf, seconds=0.5, parts=parts, bus_faults=faults)
    assert console(done) == "59:59\n"
