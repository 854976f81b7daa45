"""Displays on the two-wire bus, in simavr: what they were told is what is to be seen."""

from __future__ import annotations

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import run_in_simavr
from tests.library.devices.displays import Characters, Points, writes
from tests.library.drivers import EXAMPLES
from tests.library.images import image_of

LETTERS = """
MODULE T;
IMPORT I2C, SSD1306;
VAR e : I2C.Error;
BEGIN
  I2C.Start(400000);
  SSD1306.Start(3CH, e);
  SSD1306.Blank(3CH, 0, e);
  SSD1306.Text(3CH, 0, 0, "LF-25%", e);
  SSD1306.Blank(3CH, 7, e);
  SSD1306.Text(3CH, 7, 0, "zQ?", e);
  SSD1306.Text(3CH, 7, 123, "X", e)
END T.
"""
UPPER = """
#.....#####........###..#####.##
#.....#...........#...#.#.....##..#
#.....#...............#.####.....#
#.....####..#####....#......#...#
#.....#.............#.......#..#
#.....#............#....#...#.#..##
#####.#...........#####..###.....##

"""
LOWER = """
#####..###...###
....#.#...#.#...#
...#..#...#.....#
..#...#...#....#
.#....#.#.#...#
#.....#..#
#####..##.#...#

"""


def seen(text: str, address: str, *faults: str) -> list[bytes]:
    done = run_in_simavr(
        load_board("uno"), image_of("uno", text), seconds=1, parts=[f"listener:{address}"], bus_faults=faults
    )
    return writes(done.parts[0])


def points(text: str, *faults: str) -> Points:
    display = Points()
    for write in seen(text, "0x3c", *faults):
        display.take(write)
    return display


def test_letters() -> None:
    display = points(LETTERS)
    assert display.picture(0, 128) == UPPER.strip("\n").splitlines() + [""]
    assert display.picture(7, 128) == LOWER.strip("\n").splitlines() + [""]


@pytest.mark.parametrize("faults", [[], ["absent:100"], ["refused:60"], ["stuck:90"]])
def test_points(faults: list[str]) -> None:
    """With an error in the middle, everything is told again."""
    display = points((EXAMPLES / "Panel.lf").read_text(), *faults)
    assert display.memory[2][:16].hex() == "0000017109050300" + "7f49494936000000"
    assert display.picture(2, 16)[0] == "..#####.####"


@pytest.mark.parametrize("faults", [[], ["absent:1"], ["refused:30"], ["refused:61"], ["stuck:55"]])
def test_characters(faults: list[str]) -> None:
    """Also if half a character was lost: then the other half is a part of the new start."""
    display = Characters()
    for write in seen((EXAMPLES / "Sign.lf").read_text(), "0x27", *faults):
        display.take(write)
    assert display.shown() == ["-21.5 degr", " C", "", ""]


def test_a_row_has_twenty_columns() -> None:
    """The third row goes on where the first ends; what has no room is left out."""
    text = (EXAMPLES / "Sign.lf").read_text()
    calls = (
        'HD44780.Text(display, 0, 12, "0123456789", error);'
        'HD44780.Text(display, 2, 0, "third", error);'
        'HD44780.Text(display, 3, 19, "xy", error)'
    )
    display = Characters()
    for write in seen(text.replace("done := TRUE", calls), "0x27"):
        display.take(write)
    assert display.shown() == ["-21.5 degr  01234567", " C", "third", " " * 19 + "x"]
