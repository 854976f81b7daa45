"""`lfc boards`: every board, as a table and as data."""

from __future__ import annotations

import json

from lfc.boards.descriptions.board import board_names, load_board
from tests.cli.lfc import lfc


def test_table() -> None:
    done = lfc("boards")
    assert (done.exit, done.err) == (0, "")
    head, *lines = done.out.splitlines()
    assert head.split() == ["board", "chip", "clock", "flash", "RAM", "files", "emulators"]
    assert [line.split()[0] for line in lines] == board_names()
    uno = next(line for line in lines if line.startswith("uno "))
    assert uno.split() == "uno atmega328p 16 MHz 31.5 KB 2 KB hex simavr, qemu, avr8js, builtin Arduino Uno".split()


def test_json() -> None:
    boards = {b["name"]: b for b in json.loads(lfc("boards", "--json").out)["boards"]}
    assert sorted(boards) == board_names()
    uno = load_board("uno")
    assert boards["uno"]["flash"] == {"start": 0, "size": 32768, "usable": uno.flash.usable}
    assert boards["uno"]["emulators"] == ["simavr", "qemu", "avr8js", "builtin"] and "2341:0043" in boards["uno"]["usb"]
