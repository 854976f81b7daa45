"""Servo: registers, from the manuals; its model; how long pulses are in avr8js; boards without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.emulators.javascript import run_in_javascript
from lfc.front_end.chip_modules import chip_modules
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.library.images import console, image_of
from tests.library.played_chip import play
from tests.naive.expressions import Faulted

EXAMPLE, BENCH = (ROOT / "examples" / "env" / f"{name}.lf" for name in ("Gate", "GateBench"))


@pytest.mark.parametrize(
    ("pin", "rises", "falls", "match"), [("GPIO.B + 3", 0xC0, 0x80, 0), ("GPIO.D + 3", 0x30, 0x20, 1)]
)
def test_registers_of_the_atmega(pin: str, rises: int, falls: int, match: int) -> None:
    statements = f"ChipServo.SwitchOn({pin}); ChipServo.Set({pin}, 1504); ChipServo.Pulse"
    _, chip = play("uno", "ChipServo, GPIO", statements)
    counts = [188, 0] if match == 0 else [0, 188]
    assert chip.written[-8:] == [
        (0xB1, 0),  # TCCR2B: it stands still
        (0xB2, 0),
        (0xB3, counts[0]),  # OCR2A, OCR2B
        (0xB4, counts[1]),
        (0xB0, rises),
        (0xB1, 0xC0),  # as at a match
        (0xB0, falls),
        (0xB1, 5),  # by 128
    ]


def test_registers_of_the_rp2040() -> None:
    def done(registers: dict[int, int]) -> None:
        registers[0x4000C008] = 0x1FFFFFF

    _, chip = play("pico", "ChipServo", "ChipServo.SwitchOn(3); ChipServo.Set(3, 1504)", reaction=done, steps=5000)
    assert chip.written[-5:] == [
        (0x40050018, 16 * 125),  # CH1_DIV, of 125 MHz
        (0x40050024, 19999),  # CH1_TOP
        (0x40050014, 1),  # CH1_CSR
        (0x4001401C, 4),  # GPIO3_CTRL
        (0x40050020, 1504 << 16),  # CH1_CC: B
    ]


@pytest.mark.parametrize("on", [(), ("-b", "uno", "--no-record")], ids=" ".join)
def test_a_gate_holds(on: tuple[str, ...]) -> None:
    done = lfc("check", EXAMPLE, "--env", BENCH, "--time", "ordered", *on)
    assert done.exit == 0 and "\n602 states, " in done.out, done.out


PULSES = """MODULE T;
IMPORT GPIO, Micros, Out, Servo;
CONST PIN = GPIO.D + 3;
VAR high : BOOLEAN; from, to : UINT32; i : INTEGER;
BEGIN
  Servo.Start(PIN);
  Servo.Set(PIN, 1800);
  FOR i := 1 TO 2 DO
    REPEAT RESCHEDULE; GPIO.Get(PIN, high) UNTIL high;
    Micros.Now(from);
    REPEAT RESCHEDULE; GPIO.Get(PIN, high) UNTIL ~high;
    Micros.Now(to);
    Out.Int(INTEGER(to - from)); Out.Ln
  END
END T.
"""


def test_pulses_in_avr8js() -> None:
    """As the program itself sees them, looking again and again."""
    done = run_in_javascript(load_board("uno"), image_of("uno", PULSES), "avr8js", seconds=0.05)
    assert [abs(int(line) - 1800) < 60 for line in console(done).split()] == [True, True]


def test_a_pin_without_a_timer_is_a_fault() -> None:
    with pytest.raises(Faulted):
        play("uno", "GPIO, Servo", "Servo.Start(GPIO.B + 1)")


def test_boards_without_it_say_so(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text("MODULE T; IMPORT Servo; BEGIN Servo.Start(1) END T.")
    done = lfc("check", "--syntax-only", "T.lf", "-b", "microbit", "--no-record", cwd=tmp_path)
    assert "`Servo` knows no timers for servos of the board microbit" in done.err
    having = [name for name in board_names() if "ChipServo" not in chip_modules(load_board(name)).lacking]
    assert having == ["mega2560", "nano", "pico", "pico_usb", "promini", "uno"]
