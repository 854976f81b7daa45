"""Pins that interrupt: the registers of each chip, from the manuals of test_registers.py; models, simulators."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.front_end.chip_modules import chip_modules
from tests.cli.lfc import Outcome, lfc
from tests.conftest import ROOT
from tests.library.images import TOGGLED, console, image_of
from tests.library.played_chip import Writes, play

EXAMPLE, BENCH = (ROOT / "examples" / "env" / f"{name}.lf" for name in ("Wheel", "WheelBench"))

# Of each chip: a pin, and what is written until it is watched.
SWITCHED_ON: dict[str, tuple[str, Writes]] = {
    "uno": ("GPIO.D + 2", [(0x6D, 4), (0x68, 4)]),  # PCMSK2, PCICR
    "mega2560": ("GPIO.J + 3", [(0x6C, 0x10), (0x68, 2)]),  # PCMSK1, PCICR: PJ3 is PCINT12
    "attiny85": ("GPIO.B + 3", [(0x35, 8), (0x5B, 0x20)]),  # PCMSK, GIMSK
    "bluepill": (
        "GPIO.C + 13",
        [
            (0x40021018, 1),  # APB2ENR: AFIO
            (0x40010014, 0x20),  # EXTICR4: line 13 from port C
            (0x40010408, 0x2000),  # RTSR, FTSR, PR, IMR
            (0x4001040C, 0x2000),
            (0x40010414, 0x2000),
            (0x40010400, 0x2000),
        ],
    ),
    "blackpill": (
        "GPIO.A + 0",
        [
            (0x40023844, 0x4000),  # APB2ENR: SYSCFG
            (0x40013808, 0),
            (0x40013C08, 1),
            (0x40013C0C, 1),
            (0x40013C14, 1),
            (0x40013C00, 1),
        ],
    ),
    "longan_nano": (
        "GPIO.B + 7",
        [
            (0x40021018, 1),
            (0x4001000C, 0x1000),
            (0x40010408, 0x80),
            (0x4001040C, 0x80),
            (0x40010414, 0x80),
            (0x40010400, 0x80),
        ],
    ),
    "ch32v003evt": (
        "GPIO.D + 4",
        [
            (0x40021018, 1),
            (0x40010008, 0x300),
            (0x40010408, 0x10),
            (0x4001040C, 0x10),
            (0x40010414, 0x10),
            (0x40010400, 0x10),
        ],
    ),
    "pico": ("9", [(0x400140F4, 0xC0), (0x40014104, 0xC0)]),  # INTR1, PROC0_INTE1
    "microbit": ("17", [(0x40006510, 0x31101), (0x40006100, 0), (0x40006304, 1)]),  # CONFIG, EVENTS_IN, INTENSET
    "nrf52840dk": ("42", [(0x40006510, 0x32A01), (0x40006100, 0), (0x40006304, 1)]),
    "lm3s6965evb": ("GPIO.F + 1", [(0x40025408, 2), (0x4002541C, 2), (0x40025410, 2)]),  # GPIOIBE, ICR, IM
    "hifive1": ("18", [(0x1001201C, 1 << 18), (0x10012024, 1 << 18), (0x10012018, 1 << 18), (0x10012020, 1 << 18)]),
}


@pytest.mark.parametrize("board", SWITCHED_ON)
def test_registers(board: str) -> None:
    pin, written = SWITCHED_ON[board]
    _, chip = play(board, "ChipEdge, GPIO", f"ChipEdge.SwitchOn({pin})")
    assert chip.written == written


@pytest.mark.parametrize(("on", "states"), [((), 28961), (("-b", "uno", "--no-record"), 26885)])
def test_a_wheel_holds(on: tuple[str, ...], states: int) -> None:
    done = lfc("check", EXAMPLE, "--env", BENCH, "--time", "ordered", *on)
    assert done.exit == 0 and f"\n{states} states, " in done.out, done.out


KNOB = """MODULE Knob;
IMPORT Edge, GPIO;
CONST PIN* = GPIO.BUTTON;
PORT line : Edge.Line;
VAR ups*, downs* : 0 .. 3; is* : BOOLEAN;
PROCESS Count SERVER;
VAR high : BOOLEAN;
BEGIN
  LOOP
    line?edge(high);
    ASSERT(high # is);
    is := high;
    IF high THEN INC(ups) ELSE INC(downs) END;
    high := FALSE
  END
END Count;
BEGIN
  GPIO.Configure(PIN, GPIO.input);
  NEW(line);
  CREATE Edge.Watch(PIN, Edge.both, line);
  CREATE Count
END Knob.
"""
TURNS = """ENVIRONMENT MODULE Turns;
IMPORT Clock, EnvEdge, EnvGPIO, Knob;
PROPERTY all = EVENTUALLY ALWAYS ((Knob.ups = 2) & (Knob.downs = 1) & Knob.is);
PROCESS Turn;
BEGIN
  Clock.Sleep(1);
  EnvEdge.Drive(Knob.PIN, TRUE);
  EnvEdge.Drive(Knob.PIN, FALSE);
  Clock.Sleep(1);
  EnvEdge.Drive(Knob.PIN, TRUE)
END Turn;
BEGIN
  EnvGPIO.Drive(Knob.PIN, FALSE);
  CREATE Turn
END Turns.
"""
KEEP_A_PULSE = (
    "pico",
    "microbit",
    "nrf52840dk",
    "lm3s6965evb",
    "redv",
    "bluepill",
    "blackpill",
    "longan_nano",
    "ch32v003evt",
)


def turned(board: str, folder: Path, turns: str = TURNS) -> Outcome:
    (folder / "Knob.lf").write_text(KNOB)
    (folder / "Turns.lf").write_text(turns)
    on = ["-b", board, "--no-record"] if board else []
    asked = ["--env", "Turns.lf", "--time", "ordered", "--fairness", "weak"]
    return lfc("check", "Knob.lf", *asked, *on, cwd=folder)


@pytest.mark.parametrize("board", ["", *KEEP_A_PULSE])
def test_boards_have_the_states_of_this_machine(board: str, tmp_path: Path) -> None:
    done = turned(board, tmp_path)
    assert done.exit == 0 and "\n146 states, 332 transitions" in done.out, done.out


def test_a_pulse_that_nobody_sees_leaves_no_trace_on_an_atmega(tmp_path: Path) -> None:
    done = turned("uno", tmp_path)
    assert done.exit == 5 and "`all` does not hold" in done.out
    slowly = TURNS.replace("Knob.PIN, TRUE);\n", "Knob.PIN, TRUE);\n  Clock.Sleep(1);\n")
    assert turned("uno", tmp_path, slowly).exit == 0


@pytest.mark.parametrize("board", ["bluepill", "lm3s6965evb", "redv"])
def test_another_pin_does_not_interrupt(board: str, tmp_path: Path) -> None:
    done = turned(board, tmp_path, TURNS.replace("EnvEdge.Drive(Knob.PIN,", "EnvEdge.Drive(Knob.PIN - 1,"))
    assert done.exit == 5 and "`all` does not hold" in done.out


SEEDS = {
    "tells the wrong level": ("now := high[me] # ODD(edges[me])", "now := high[me]"),
    "waits though there is one": ("WHILE edges[me] = 0 DO wakes[me]?wake END", "wakes[me]?wake"),
}


@pytest.mark.parametrize("seed", SEEDS.values(), ids=[name.replace(" ", "-") for name in SEEDS])
def test_a_seeded_fault_is_found(seed: tuple[str, str], tmp_path: Path) -> None:
    text = (ROOT / "lfc" / "library" / "Edge.lf").read_text()
    assert text.count(seed[0]) == 1
    (tmp_path / "Edge.lf").write_text(text.replace(*seed))
    done = lfc("check", EXAMPLE, "--env", BENCH, "--time", "ordered", "--path", tmp_path)
    assert done.has_counterexample, done.out


@pytest.mark.parametrize("board", ["uno", "mega2560"])
def test_in_simavr(board: str) -> None:
    assert console(run_in_simavr(load_board(board), image_of(board, TOGGLED), seconds=0.05)) == "4 3\n"


def test_boards_without_it_say_so(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(
        "MODULE T; IMPORT Edge; PORT p : Edge.Line; BEGIN NEW(p); CREATE Edge.Watch(1, Edge.both, p); p?edge END T."
    )
    done = lfc("check", "--syntax-only", "T.lf", "-b", "esp32c3", "--no-record", cwd=tmp_path)
    assert "`Edge` knows no pins that interrupt of the board esp32c3" in done.err
    lacking = [name for name in board_names() if "ChipEdge" in chip_modules(load_board(name)).lacking]
    assert lacking == ["esp32c3", "esp32c6", "nucleo_g071rb", "nucleo_l476rg", "pico2", "xiao", "zero", "zero_usb"]
