"""Pins that timers drive: registers of the ATmega, the model of this machine and of boards, boards that have none."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from tests.cli.lfc import lfc
from tests.library.played_chip import play
from tests.naive.expressions import Faulted

# Of the data sheets, sections of timers 0 and 2: TCCRnA, what is to be set in it; TCCRnB, by 64; OCRnx; DDR, PORT, bit.
PINS = {
    ("uno", "GPIO.D + 6"): (0x44, 0x80, 0x45, 3, 0x47, 0x2A, 0x2B, 0x40),
    ("uno", "GPIO.D + 5"): (0x44, 0x20, 0x45, 3, 0x48, 0x2A, 0x2B, 0x20),
    ("uno", "GPIO.B + 3"): (0xB0, 0x80, 0xB1, 4, 0xB3, 0x24, 0x25, 0x08),
    ("uno", "GPIO.D + 3"): (0xB0, 0x20, 0xB1, 4, 0xB4, 0x2A, 0x2B, 0x08),
    ("mega2560", "GPIO.B + 7"): (0x44, 0x80, 0x45, 3, 0x47, 0x24, 0x25, 0x80),
    ("mega2560", "GPIO.G + 5"): (0x44, 0x20, 0x45, 3, 0x48, 0x33, 0x34, 0x20),
    ("mega2560", "GPIO.B + 4"): (0xB0, 0x80, 0xB1, 4, 0xB3, 0x24, 0x25, 0x10),
    ("mega2560", "GPIO.H + 6"): (0xB0, 0x20, 0xB1, 4, 0xB4, 0x101, 0x102, 0x40),
}


@pytest.mark.parametrize(("board", "pin"), PINS)
def test_registers(board: str, pin: str) -> None:
    control, drives, clock, by_64, part, directions, levels, bit = PINS[board, pin]
    _, chip = play(board, "GPIO, PWM", f"PWM.Start({pin}); PWM.Set({pin}, 77); PWM.Set({pin}, 0)", {levels: 0xFF})
    assert chip.written == [
        (levels, 0xFF - bit),
        (control, 0),
        (control, 3),  # fast PWM
        (clock, by_64),
        (directions, bit),
        (part, 77),
        (control, 3 + drives),
        (levels, 0xFF - bit),
        (control, 3),  # let go, and low
    ]


def test_a_pin_without_a_timer_is_a_fault() -> None:
    with pytest.raises(Faulted):
        play("uno", "GPIO, PWM", "PWM.Start(GPIO.B + 1)")


DIMMER = """
MODULE T;
IMPORT Clock, GPIO, PWM;
CONST LIGHT* = PIN; OTHER* = THERE;
VAR wanted* : PWM.Part; i : INTEGER;
BEGIN
  PWM.Start(LIGHT);
  PWM.Start(OTHER);
  PWM.Set(OTHER, PWM.FULL);
  FOR i := 0 TO 4 DO
    wanted := 60 * i;
    PWM.Set(LIGHT, 60 * i);
    Clock.Sleep(100)
  END
END T.
"""
WORLD = """
ENVIRONMENT MODULE World;
IMPORT EnvPWM, T;
PROPERTY isAsWanted = ALWAYS (EnvPWM.Part(T.LIGHT) = T.wanted);
PROPERTY isBright = ALWAYS (EnvPWM.Part(T.OTHER) = 255);
PROPERTY dims = EVENTUALLY (EnvPWM.Part(T.LIGHT) = 240);
END World.
"""


@pytest.mark.parametrize(("board", "pin", "other"), [("host", 5, 6), ("uno", 54, 51), ("mega2560", 118, 101)])
def test_its_model(board: str, pin: int, other: int, tmp_path: Path) -> None:
    text = DIMMER.replace("PIN", str(pin)).replace("THERE", str(other))
    (tmp_path / "World.lf").write_text(WORLD)
    on = [] if board == "host" else ["-b", board, "--no-record"]
    for program, verdict in ((text, 0), (text.replace("60 * i)", "60 * i + 1)"), 5)):
        (tmp_path / "T.lf").write_text(program)
        done = lfc("check", "T.lf", "--env", "World.lf", *on, cwd=tmp_path)
        assert done.exit == verdict, done.out + done.err


def test_boards_without_timers_say_so(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text("MODULE T; IMPORT GPIO, PWM; BEGIN PWM.Set(GPIO.LED, 0) END T.")
    for name in board_names():
        done = lfc("check", "T.lf", "-b", name, "--no-record", cwd=tmp_path)
        has = load_board(name).cpu.architecture == "avr"
        assert (f"`PWM` knows no timers that drive pins of the board {name}" in done.err + done.out) == (not has)
