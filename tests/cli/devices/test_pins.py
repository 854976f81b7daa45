"""`lfc run -b BOARD --pins`, `--vcd FILE` and `--input FILE`: what the pins of a board do and what they are given,
in the built-in simulator."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest
from vcd.reader import TokenKind, tokenize

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.outputs import OUTPUTS, pin_name
from lfc.boards.descriptions.simulated import CHIPS
from lfc.boards.emulators.builtin import Simulation, Source
from lfc.cli.devices.shown_pins import read_script
from tests.cli.lfc import lfc
from tests.library.images import image_of

LAMP = """MODULE Lamp;
IMPORT Clock, GPIO;
VAR i : UINT8;
BEGIN
  GPIO.Configure(GPIO.LED, GPIO.output);
  FOR i := 1 TO 2 DO
    GPIO.Light(TRUE); Clock.Sleep(10);
    GPIO.Light(FALSE); Clock.Sleep(10)
  END;
  GPIO.Configure(GPIO.LED, GPIO.input);
  GPIO.Configure(GPIO.BUTTON, GPIO.pulledUp);
  Clock.Sleep(10)
END Lamp.
"""
ONE_OF_EACH_CHIP = {load_board(name).cpu.chip: name for name in board_names() if load_board(name).cpu.chip in OUTPUTS}


def test_every_simulated_chip_is_known_but_one() -> None:
    """The LM3S6965's levels are addressed by the bits of the address, which the simulator does not follow."""
    assert CHIPS - OUTPUTS.keys() == {"lm3s6965"} and OUTPUTS.keys() <= CHIPS


@pytest.mark.parametrize("name", ONE_OF_EACH_CHIP.values())
def test_a_light(name: str) -> None:
    """On, off, on, off, each for ten milliseconds; then it is not driven any more. No other pin is told of but where
    the light or the console needs it, and no input is."""
    board = load_board(name)
    seen: list[tuple[float, int, bool | None]] = []
    elf = image_of(name, LAMP.replace("Lamp", "T"))

    def told(cycles: int, pin: int, level: bool | None) -> None:
        seen.append((cycles / board.cpu.clock, pin, level))

    Simulation(board, elf, lambda said: None, Source(), told).run(board.cpu.clock // 12, None, False)
    light = [(moment, level) for moment, pin, level in seen if pin == board.pins.led]
    levels = [level for _, level in light]
    on = not board.pins.led_low
    assert levels[-5:] == [on, not on, on, not on, None]
    assert set(levels[:-5]) <= {False}  # as it is at first
    moments = [moment for moment, _ in light][-5:]
    assert all(0.0085 <= b - a <= 0.0115 for a, b in zip(moments, moments[1:], strict=False))
    others = {pin for _, pin, _ in seen} - {board.pins.led, board.pins.led_return}
    assert others <= set(board.console.pins or ()) and board.pins.button not in others


def test_lines_and_a_file_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "Lamp.lf").write_text(LAMP)
    done = lfc("run", "Lamp.lf", "-b", "esp32c3", "--clock", "virtual", "--pins", "--vcd", "lamp.vcd", cwd=tmp_path)
    assert done.exit == 0
    lines = re.findall(r"^(\d+\.\d{6}) s  (\S+) (high|low|not driven)$", done.err, re.M)
    assert [(pin, level) for _, pin, level in lines[-5:]] == [
        *[("IO7", "high"), ("IO7", "low")] * 2,
        ("IO7", "not driven"),
    ]
    found, moment, names = [], 0, {}
    for token in tokenize(io.BytesIO((tmp_path / "lamp.vcd").read_bytes())):
        if token.kind is TokenKind.VAR:
            names[token.var.id_code] = token.var.reference
        elif token.kind is TokenKind.CHANGE_TIME:
            moment = token.time_change
        elif token.kind is TokenKind.CHANGE_SCALAR and moment:
            level = {"1": "high", "0": "low", "z": "not driven"}[token.scalar_change.value]
            found.append((f"{moment / 1e9:.6f}", names[token.scalar_change.id_code], level))
    assert found == lines


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("-b", "lm3s6965evb", "--vcd", "a.vcd"),
            "--vcd: the built-in simulator does not know the pins of lm3s6965evb",
        ),
        (("-b", "uno", "--pins", "--emulator", "simavr"), "--pins is for the built-in simulator: leave --emulator"),
        (("-b", "uno", "--pins", "--trace"), "--trace excludes --pins, --vcd and --input"),
        (("--pins",), "--pins is for boards: name one with -b BOARD"),
        (("-b", "uno", "--input", "nowhere"), "--input: nowhere cannot be read"),
        (("-b", "pico", "--pins", "--emulator", "rp2040js"), "--pins is for the built-in simulator: leave --emulator"),
    ],
)
def test_what_cannot_be_shown_is_refused(arguments: tuple[str, ...], told: str) -> None:
    done = lfc("run", "examples/prodcons.lf", *arguments)
    assert done.exit == 2 and told in done.err


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "Lamp.lf").write_text(LAMP)
    done = lfc("run", "Lamp.lf", "-b", "uno", "--clock", "virtual", "--vcd", "no/lamp.vcd", cwd=tmp_path)
    assert done.exit == 2 and "no/lamp.vcd" in done.err and "Traceback" not in done.err


BUTTON = """MODULE T;
IMPORT Clock, GPIO, In, Out;
VAR on, was : BOOLEAN; c : CHAR; n : UINT8;
BEGIN
  GPIO.Configure(GPIO.LED, GPIO.output);
  GPIO.Light(FALSE);
  GPIO.Configure(GPIO.BUTTON, GPIO.pulledUp);
  In.Char(c); Out.Char(c); In.Char(c); Out.Char(c);
  REPEAT
    GPIO.Pressed(on);
    IF on # was THEN GPIO.Light(on); was := on; INC(n) END;
    Clock.Sleep(1)
  UNTIL n = 4
END T.
"""
SILENT = BUTTON.replace(", In, Out", "").replace("  In.Char(c); Out.Char(c); In.Char(c); Out.Char(c);\n", "")
SCRIPT = """# the button, twice; and what the program waits for
0 BUTTON released
0.005 console "x"

0.010 console "\\n"
0.030 BUTTON pressed
0.040 BUTTON released
0.050 BUTTON pressed
0.060 BUTTON released
"""


@pytest.mark.parametrize("name", ONE_OF_EACH_CHIP.values())
def test_a_button(name: str, tmp_path: Path) -> None:
    """The light follows it within two milliseconds."""
    board = load_board(name)
    (tmp_path / "script").write_text(SCRIPT)
    seen: list[tuple[float, bool | None]] = []
    said = bytearray()

    def told(cycles: int, pin: int, level: bool | None) -> None:
        if pin == board.pins.led and cycles > board.cpu.clock // 50:
            seen.append((cycles / board.cpu.clock, level))

    text = BUTTON if board.console.is_there else SILENT
    simulation = Simulation(board, image_of(name, text), said.extend, Source(), told)
    simulation.events = [*read_script(board, str(tmp_path / "script"))]
    simulation.run(board.cpu.clock // 10, None, False)
    on = not board.pins.led_low
    assert [level for _, level in seen] == [on, not on] * 2
    assert all(at <= moment <= at + 0.002 for at, (moment, _) in zip((0.03, 0.04, 0.05, 0.06), seen, strict=True))
    assert said.decode() == ("x\n" if board.console.is_there else "")


def test_a_script_on_the_command_line(tmp_path: Path) -> None:
    """What is still to come keeps the program waiting; then it ends as ever."""
    (tmp_path / "T.lf").write_text(BUTTON)
    (tmp_path / "script").write_text(SCRIPT)
    done = lfc("run", "T.lf", "-b", "longan_nano", "--clock", "virtual", "--input", "script", cwd=tmp_path)
    assert (done.exit, done.out, done.err) == (0, "x\n", "")
    (tmp_path / "script").write_text("0.01 console 'xy'\n")
    done = lfc("run", "T.lf", "-b", "uno", "--clock", "virtual", "--seconds", "1", "--input", "script", cwd=tmp_path)
    assert done.out == "xy" and "time limit" in done.err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("soon D13 high", "script:2: `soon D13 high` is no line of the form SECONDS PIN high|low"),
        ("1 D13", "is no line of the form"),
        ("1 D77 high", "script:2: uno has no pin `D77`; it has LED, BUTTON, D0, D1"),
        ("1 D2 pressed", "`pressed` is not one of high, low"),
        ("1 BUTTON down", "`down` is not one of high, low, pressed, released"),
        ("1 console x", "what the console is given is a text in quotes"),
        ("1 console 7", "what the console is given is a text in quotes"),
        (r'1 console "\ud800"', "what the console is given is a text in quotes"),
        ("1 console " + "-" * 200_000 + "1", "what the console is given is a text in quotes"),
    ],
)
def test_a_wrong_script(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "T.lf").write_text(LAMP)
    (tmp_path / "script").write_text(f"# wrong\n{line}\n")
    done = lfc("run", "T.lf", "-b", "uno", "--input", "script", cwd=tmp_path)
    assert done.exit == 2 and told in done.err and "Traceback" not in done.err


def test_a_script_that_is_no_file(tmp_path: Path) -> None:
    """Nobody writes to the pipe, and nobody waits for it."""
    (tmp_path / "T.lf").write_text(LAMP)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "noise").write_bytes(b"\xda\xff")
    for name, why in (("pipe", "it is a pipe, not a file"), ("noise", "it is no text in UTF-8")):
        done = lfc("run", "T.lf", "-b", "uno", "--input", name, cwd=tmp_path)
        assert done.exit == 2 and f"--input: {name} cannot be read: {why}" in done.err


def test_names_of_pins() -> None:
    assert [
        pin_name(load_board(b), n) for b, n in (("uno", 21), ("uno", 22), ("stm32f4discovery", 45), ("esp32c6", 25))
    ] == [*("D13", "PB6", "PC13", "25")]
