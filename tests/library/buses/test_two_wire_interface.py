"""The ATmega's interface, register by register, against a model of it: the same memory as on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT

READ = """
MODULE T;
IMPORT I2C;
VAR out : ARRAY 2 OF UINT8; in* : ARRAY 1 OF UINT8; error : I2C.Error; read*, tried* : BOOLEAN;
BEGIN
  I2C.Start(100000);
  out[1] := 31;
  I2C.Transfer(50H, out, 2, in, 1, error);
  read := error = I2C.none;
  tried := TRUE
END T.
"""
BENCH = """
ENVIRONMENT MODULE Bench;
IMPORT EnvI2C, EnvMemory24, T;
PROPERTY ends = EVENTUALLY T.tried;
PROPERTY isRead = ALWAYS (T.read & ~EnvI2C.flipped IMPLIES (T.in[0] = 77));
BEGIN
  EnvI2C.Misbehave(EnvI2C.EVERYTHING, TIMES);
  EnvMemory24.Connect(50H, 30);
  EnvMemory24.Preset(1, 77)
END Bench.
"""


def check(folder: Path, times: str) -> str:
    (folder / "T.lf").write_text(READ)
    (folder / "Bench.lf").write_text(BENCH.replace("TIMES", times))
    done = lfc("check", "T.lf", "-b", "uno", "--no-record", "--env", "Bench.lf", "--fairness", "weak", cwd=folder)
    assert done.exit in (0, 3, 4, 5), done.out + done.err
    return done.out


@pytest.mark.parametrize("times", ["2", "EnvI2C.ENDLESS"])
def test_whatever_the_bus_does_each_request_ends(times: str, tmp_path: Path) -> None:
    said = check(tmp_path, times)
    assert said.startswith("holds") and "ends: holds" in said and "isRead: holds" in said, said


SEEDS = {  # what is wrong, and what the check says then
    "waits for ever": ("WHEN Clock.After(I2CBus.TIMEOUT) THEN", "WHEN Clock.After(25) & (FALSE) THEN", "deadlock"),
    "takes what was not received": (
        "IF (status = RECEIVED) OR (status = RECEIVED_LAST) THEN",
        "IF status # RECEIVED THEN",
        "isRead",
    ),
    "forgets an error": (
        "  IF error # I2CBus.none THEN RETURN END;\n  IF (status = RECEIVED)",
        "  error := I2CBus.none;\n  IF TRUE OR (status = RECEIVED)",
        "isRead",
    ),
}


@pytest.mark.parametrize("name", SEEDS)
def test_a_seeded_fault_is_found(name: str, tmp_path: Path) -> None:
    old, new, said = SEEDS[name]
    text = (ROOT / "lfc" / "library" / "chips" / "atmega" / "ChipI2C.lf").read_text()
    assert text.count(old) == 1
    (tmp_path / "ChipI2C.lf").write_text(text.replace(old, new))
    assert said in check(tmp_path, "1")
