"""OneWire: how long its pulses are on an Uno, by the limits of the standard speed; boards that lack it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from lfc.boards.descriptions.board import board_names, load_board
from lfc.front_end.chip_modules import chip_modules
from tests.cli.lfc import lfc

SLOTS = """MODULE T;
IMPORT ChipOneWire, ChipPins;
CONST PIN = 17; (* PB1 *)
VAR b, c : BOOLEAN;
BEGIN
  ChipOneWire.Reset(PIN, b, c);
  ChipOneWire.Write(PIN, TRUE);
  ChipOneWire.Write(PIN, FALSE);
  ChipOneWire.Read(PIN, b);
  ChipPins.Set(PIN, TRUE)
END T.
"""


def test_pulses(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(SLOTS)
    options = ("-b", "uno", "--emulator", "builtin", "--seconds", "0.02", "--clock", "virtual", "--vcd", "t.vcd")
    lfc("run", "T.lf", *options, cwd=tmp_path)
    changes = [
        (int(at), level)
        for at, level in re.findall(r"^#(\d+)\n(?:\$dumpvars\n)?([01z])!", (tmp_path / "t.vcd").read_text(), re.M)
    ]
    lengths = [(level, (end - at) / 1000) for (at, level), (end, _) in pairwise(changes[1:])]
    assert [level for level, _ in lengths] == ["0", "z"] * 3 + ["0"]
    reset, after, one, high, zero, between, read = (length for _, length in lengths)
    assert reset >= 480 and after >= 480
    assert 1 <= one < 15 and one + high >= 60 + 1
    assert 60 <= zero < 120 and between >= 1
    assert 1 <= read < 15


def test_boards_without_it_say_so(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text("MODULE T; IMPORT OneWire; VAR b : BOOLEAN; BEGIN OneWire.Ask(1, b) END T.")
    done = lfc("check", "--syntax-only", "T.lf", "-b", "microbit", "--no-record", cwd=tmp_path)
    assert "`OneWire` knows no bus of one wire of the board microbit" in done.err
    lacking = [name for name in board_names() if "ChipOneWire" in chip_modules(load_board(name)).lacking]
    assert len(lacking) == 14 and {"microbit", "hifive1", "zero"} <= set(lacking), lacking
