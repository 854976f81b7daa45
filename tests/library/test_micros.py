"""Micros: the time between the milliseconds, as boards have it and as the checker takes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.builtin import run_builtin
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import build_firmware
from tests.cli.lfc import lfc
from tests.mcheck.image.images import machine_of

# The looks of 3 milliseconds, each with what has passed since the one before.
LOOKS = """MODULE Looks;
IMPORT Micros, Out;
VAR before, now : UINT32; most : UINT32; i : UINT16;
BEGIN
  Micros.Now(before);
  FOR i := 1 TO {looks} DO
    Micros.Now(now);
    IF now - before > most THEN most := now - before END;
    before := now
  END;
  Out.Int(INTEGER(most)); Out.Ln;
  Out.Int(INTEGER(now)); Out.Ln
END Looks.
"""


@pytest.mark.parametrize(("name", "looks", "most"), [("uno", 200, 40), ("lm3s6965evb", 4000, 5)])
def test_it_never_goes_back_nor_jumps(tmp_path: Path, name: str, looks: int, most: int) -> None:
    """A look that fell between the end of a millisecond and its count would go back by one: a jump of nearly 2^32."""
    file = tmp_path / "Looks.lf"
    file.write_text(LOOKS.format(looks=looks))
    board = load_board(name)
    image = build_firmware(board, machine_of(file, board)).image
    run = run_builtin if board.emulator.simavr is None else run_in_simavr
    jump, end = run(board, image.elf, seconds=0.1).console.split()
    assert 0 < int(jump) <= most
    assert int(end) > 3000


DISCRETE = ("--time", "discrete")  # where an action takes no time
CHECKED = """MODULE Checked;
IMPORT Micros;
VAR now : UINT32;
BEGIN
  Micros.Now(now);
  ASSERT(now {relation})
END Checked.
"""


@pytest.mark.parametrize(
    ("relation", "options", "exit_code"),
    [
        ("< 1000", DISCRETE, 0),
        ("< 1000", (), 6),  # after a millisecond it is more
        ("# 999", (), 4),
        ("# 1000", ("--env", "EnvMicros", *DISCRETE), 0),
        ("# 1000", ("--env", "EnvMicros"), 6),
        ("# 500", ("--env", "EnvMicros"), 4),
        ("<= 996", ("-b", "uno", *DISCRETE), 0),
        ("# 996", ("-b", "uno"), 4),
    ],
)
def test_the_checker_takes_every_part_of_a_millisecond(
    tmp_path: Path, relation: str, options: tuple[str, ...], exit_code: int
) -> None:
    file = tmp_path / "Checked.lf"
    file.write_text(CHECKED.format(relation=relation))
    assert lfc("check", file, *options, "--no-record").exit == exit_code


def test_a_board_without_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "Checked.lf"
    file.write_text(CHECKED.format(relation="< 1000"))
    done = lfc("check", file, "-b", "hifive1")
    assert done.exit == 1
    assert "`Micros` knows no timer that is finer than a millisecond of the board hifive1" in done.err
