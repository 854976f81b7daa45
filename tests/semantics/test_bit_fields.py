"""Fields of registers: what has no room in one is a fault, known when compiled or not; what is known is folded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.lfc import lfc

PROGRAM = """MODULE T;
IMPORT Out;
CONST mode = {4 .. 6};
VAR x : UINT8; n : INTEGER;
BEGIN
  n := 8;
  x := SETBITS(x, STATEMENT);
  Out.Int(INTEGER(x))
END T.
"""


@pytest.mark.parametrize("arguments", ["mode, 8", "4, 6, 8", "mode, n", "mode, -1", "mode, n + 300"])
def test_what_has_no_room_is_a_fault(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(PROGRAM.replace("STATEMENT", arguments))
    assert lfc("run", "T.lf", cwd=tmp_path).exit == 4
    assert lfc("check", "T.lf", "--no-record", cwd=tmp_path).exit == 4


def test_what_has_room_is_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(PROGRAM.replace("STATEMENT", "mode, n - 1"))
    assert lfc("run", "T.lf", cwd=tmp_path).out == "112"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("SETBITS(UINT8(0FFH), {4 .. 6}, 2)", 0xAF),
        ("SETBITS(UINT16(1234H), 8, 15, 0ABH)", 0xAB34),
        ("BITS(UINT16(1234H), {4 .. 11})", 0x23),
        ("SETBITS(UINT32(0), {31}, 1)", 0x80000000),
    ],
)
def test_constants_are_folded(text: str, value: int, tmp_path: Path) -> None:
    assertion = f"MODULE T; CONST c = {text}; VAR a : ARRAY c MOD 255 + 1 OF CHAR; BEGIN ASSERT(LEN(a) = N) END T."
    (tmp_path / "T.lf").write_text(assertion.replace("N)", f"{value % 255 + 1})"))
    assert lfc("run", "T.lf", cwd=tmp_path).exit == 0
