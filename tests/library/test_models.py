"""Models of the world: the same program with the same model on this machine and with the drivers of boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT

ENV = ROOT / "examples" / "env"
BOARDS = ("host", "uno", "mega2560")
CONVERTERS = ("bluepill", "netduinoplus2", "lm3s6965evb", "pico", "microbit")  # one for each way to convert voltages
BANKS = (  # for each way to have pins, boards that differ
    *("ch32v003evt", "esp32c3", "hifive1", "lm3s6965evb", "longan_nano", "microbit", "nrf52840dk", "nucleo_l476rg"),
    *("pico2", "stm32f4discovery", "zero"),
)


def check(program: Path, board: str, *more: str | Path) -> str:
    on = [] if board == "host" else ["-b", board, "--no-record"]
    done = lfc("check", program, *on, *more)
    assert done.exit in (0, 3, 4, 5), done.out + done.err
    return done.out


@pytest.mark.parametrize(
    "board", [*BOARDS, "bluepill", "microbit2"]
)  # the light of the former is on when the pin is low
def test_a_button(board: str) -> None:
    assert "\n73 states, 181 transitions" in check(ENV / "Lamp.lf", board, "--env", ENV / "Finger.lf")


@pytest.mark.parametrize(("board", "states"), [("host", 563), *[(b, 703) for b in ("uno", "mega2560", *CONVERTERS)]])
def test_a_plant(board: str, states: int) -> None:
    """A chip's converter may be asked twice whether it is ready."""
    said = check(ENV / "Heater.lf", board, "--env", ENV / "Room.lf", "--time", "ordered")
    assert said.startswith("holds") and f"\n{states} states, " in said
    assert "neverHot: holds" in said and "neverColdAgain: holds" in said


@pytest.mark.parametrize("board", BOARDS)
def test_a_plant_finds_what_is_wrong(board: str, tmp_path: Path) -> None:
    """Off too late by three: found. And the bounds are the closest ones."""
    heater, room = ((ENV / f"{name}.lf").read_text() for name in ("Heater", "Room"))
    wrong = [(heater.replace(">= WARM", ">= WARM + 3"), room)]
    wrong += [(heater, room.replace(*bound)) for bound in (("WARM + 4", "WARM + 3"), ("COLD - 3", "COLD - 2"))]
    for program, world in wrong:
        assert (program, world) != (heater, room)
        (tmp_path / "Heater.lf").write_text(program)
        (tmp_path / "Room.lf").write_text(world)
        said = check(tmp_path / "Heater.lf", board, "--env", tmp_path / "Room.lf", "--time", "ordered")
        assert "verdict: property" in said


def test_a_parser() -> None:
    assert "\n9625 states, " in check(ENV / "CommandsTest.lf", "host")


def test_a_parser_without_a_bound(tmp_path: Path) -> None:
    """A speed of more than 100: found."""
    text = (ENV / "Commands.lf").read_text()
    assert text.count(" & (value <= FASTEST)") == 1
    (tmp_path / "Commands.lf").write_text(text.replace(" & (value <= FASTEST)", ""))
    (tmp_path / "CommandsTest.lf").write_text((ENV / "CommandsTest.lf").read_text())
    assert "a fault can occur" in check(tmp_path / "CommandsTest.lf", "host").splitlines()[0]


@pytest.mark.parametrize("board", BOARDS)
def test_a_model_by_its_name(board: str) -> None:
    assert check(ROOT / "examples" / "gpio_blink.lf", board, "--env", "EnvGPIO").startswith("holds")


def test_a_name_that_is_no_model() -> None:
    done = lfc("check", ROOT / "examples" / "gpio_blink.lf", "--env", "EnvNone")
    assert done.exit == 1 and "there is no file `EnvNone`" in done.err


PINS = """
MODULE T;
IMPORT GPIO;
VAR a, b, c : BOOLEAN;
BEGIN
  GPIO.Configure(GPIO.B + 1, GPIO.pulledUp);
  GPIO.Get(GPIO.B + 1, a);
  GPIO.Get(GPIO.B + 2, b);
  GPIO.Get(GPIO.B + 3, c);
  ASSERT(a & b);
  GPIO.Configure(GPIO.B + 4, GPIO.output);
  GPIO.Set(GPIO.B + 4, TRUE);
  GPIO.Get(GPIO.B + 4, a);
  ASSERT(a);
  GPIO.Toggle(GPIO.B + 4);
  GPIO.Get(GPIO.B + 4, a);
  ASSERT(~a);
  ASSERT(~c)
END T.
"""
WIRES = """
ENVIRONMENT MODULE Wires;
IMPORT EnvGPIO, GPIO;
BEGIN
  EnvGPIO.Drive(GPIO.B + 2, TRUE);
  FLOATS
END Wires.
"""


@pytest.mark.parametrize("board", BOARDS)
def test_pins(board: str, tmp_path: Path) -> None:
    """Pulled up, driven, in the air, an output; on the mega the registers of ports L and H lie apart."""
    for port in "BL" if board == "mega2560" else "B":
        (tmp_path / "T.lf").write_text(PINS.replace("GPIO.B", f"GPIO.{port}"))
        for floats, verdict in (("", "holds"), ("EnvGPIO.Float(GPIO.B + 3)", "T.lf:18:3: an assertion can fail")):
            wires = WIRES.replace("FLOATS", floats).replace("GPIO.B", f"GPIO.{port}")
            (tmp_path / "Wires.lf").write_text(wires)
            said = check(tmp_path / "T.lf", board, "--env", tmp_path / "Wires.lf")
            assert verdict in said.splitlines()[0], said


LAST_PINS = """
MODULE T;
IMPORT GPIO;
CONST P = GPIO.LED DIV 16 * 16;
VAR a, b, c, d : BOOLEAN;
BEGIN
  GPIO.Configure(P + 1, GPIO.pulledUp);
  GPIO.Configure(P + 2, GPIO.input);
  GPIO.Configure(P + 3, GPIO.input);
  GPIO.Configure(P + 5, GPIO.pulledUp);
  GPIO.Get(P + 1, a);
  GPIO.Get(P + 2, b);
  GPIO.Get(P + 3, c);
  GPIO.Get(P + 5, d);
  ASSERT(a & b & ~d);
  GPIO.Configure(P + 4, GPIO.output);
  GPIO.Set(P + 4, TRUE);
  GPIO.Get(P + 4, a);
  ASSERT(a);
  GPIO.Toggle(P + 4);
  GPIO.Get(P + 4, a);
  ASSERT(~a);
  GPIO.Configure(P + 4, GPIO.pulledUp);
  GPIO.Get(P + 4, a);
  ASSERT(a);
  ASSERT(~c)
END T.
"""
LAST_WIRES = """
ENVIRONMENT MODULE Wires;
IMPORT EnvGPIO, GPIO;
CONST P = GPIO.LED DIV 16 * 16;
BEGIN
  EnvGPIO.Drive(P + 2, TRUE);
  EnvGPIO.Float(P + 3);
  EnvGPIO.Press(P + 5)
END Wires.
"""


@pytest.mark.parametrize("board", ["host", "uno", *BANKS])
def test_pins_of_every_kind_of_chip(board: str, tmp_path: Path) -> None:
    """Only what is in the air can differ: that is said last."""
    (tmp_path / "T.lf").write_text(LAST_PINS)
    (tmp_path / "Wires.lf").write_text(LAST_WIRES)
    said = check(tmp_path / "T.lf", board, "--env", tmp_path / "Wires.lf")
    assert "T.lf:26:3: an assertion can fail" in said.splitlines()[0], said
    (tmp_path / "Wires.lf").write_text(LAST_WIRES.replace("EnvGPIO.Float(P + 3)", "EnvGPIO.LetGo(P + 3)"))
    if board in ("host", "ch32v003evt"):
        assert check(tmp_path / "T.lf", board, "--env", tmp_path / "Wires.lf").startswith("holds")


VOLTAGES = """
MODULE T;
IMPORT ADC;
VAR a, b : UINT16;
BEGIN
  ADC.Read(1, a);
  ASSERT((a = 7) OR (a = 8));
  ADC.Read(0, b);
  ASSERT(b = 3);
  ADC.Read(1, a);
  ASSERT(a = 7)
END T.
"""
HELD = """
ENVIRONMENT MODULE Held;
IMPORT EnvADC;
BEGIN
  EnvADC.Hold(0, 3);
  EnvADC.Range(1, 7, 8)
END Held.
"""


@pytest.mark.parametrize("board", ["host", "uno", *CONVERTERS])
def test_each_channel_has_its_voltage(board: str, tmp_path: Path) -> None:
    """The model of the pins comes by itself, where a channel is one of them."""
    (tmp_path / "T.lf").write_text(VOLTAGES)
    (tmp_path / "Held.lf").write_text(HELD)
    said = check(tmp_path / "T.lf", board, "--env", tmp_path / "Held.lf")
    assert "T.lf:11:3: an assertion can fail" in said.splitlines()[0], said


def test_a_part_of_a_millisecond(tmp_path: Path) -> None:
    """SysTick counts down: the program sees what it sees of a timer that counts up."""
    text = "MODULE T; IMPORT Micros; VAR a : UINT32; BEGIN Micros.Now(a); ASSERT(BOUND) END T."
    world = "ENVIRONMENT MODULE World; IMPORT EnvMicros; BEGIN EnvMicros.Coarse(90) END World."
    (tmp_path / "World.lf").write_text(world)
    for board in ("host", "pico"):
        for bound, verdict in (
            ("a <= 999", "holds"),
            ("a # 999", "T.lf:1:63"),
            ("a # 90", "T.lf:1:63"),
            ("a # 0", "T.lf"),
        ):
            (tmp_path / "T.lf").write_text(text.replace("BOUND", bound))
            said = check(tmp_path / "T.lf", board, "--env", tmp_path / "World.lf", "--time", "discrete")
            assert verdict in said.splitlines()[0], said
