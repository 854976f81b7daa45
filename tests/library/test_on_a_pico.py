"""The drivers of devices on a Pico, in rp2040js with devices on its hooks: the same sources as on an Uno in simavr."""

from __future__ import annotations

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.javascript import run_in_javascript
from lfc.boards.emulators.outcome import EmulatorError
from tests.conftest import ROOT
from tests.library.drivers import weather_registers
from tests.library.images import TOGGLED, console, image_of


def run(text: str, *parts: str, faults: tuple[str, ...] = (), seconds: float = 0.03) -> tuple[str, bytes]:
    elf = image_of("pico", text)
    done = run_in_javascript(load_board("pico"), elf, "rp2040js", seconds=seconds, parts=parts, bus_faults=faults)
    return console(done), done.parts[0]


def example(name: str) -> str:
    return (ROOT / "examples" / f"{name}.lf").read_text()


@pytest.mark.parametrize("faults", [(), ("absent:3", "refused:9", "lost:6")], ids=str)
def test_a_clock(faults: tuple[str, ...]) -> None:
    said, _ = run(
        example("i2c/Clock3231"), "registers:0x68:59592307311299" + "00" * 8 + "0800f5c0", faults=faults, seconds=0.05
    )
    assert said == "23:59:59 31.12.99 -1025\n"


def test_an_expander() -> None:
    said, registers = run(example("i2c/Expander"), "registers:0x20:ffff" + "00" * 16 + "0082", faults=("absent:2",))
    assert said == "00008200\n"
    assert (registers[0:2], registers[0x0C:0x0E], registers[0x14:0x16]) == (b"\x00\xff", b"\x00\x01", b"\x81\x00")


def test_a_memory() -> None:
    said, cells = run(example("i2c/Memory"), "memory:0x50", faults=("refused:4",), seconds=0.06)
    assert said == "40 42 44 \n"
    assert cells.replace(b"\xff", b"").hex() == "282a2c"


def test_the_weather() -> None:
    part = "registers:0x76:" + weather_registers(415148, 519888, 30000)
    assert run(example("i2c/Weather"), part, seconds=0.06)[0] == "2508 100656 5583\n" * 2


def test_a_display() -> None:
    text = example("spi/Counter").replace("GPIO.B + 2", "5")
    assert run(text, "display:5", seconds=0.02)[1].hex() == "007e" + "00" * 7 + "000707010000" + "00"


def test_a_pin_that_interrupts() -> None:
    text = TOGGLED.replace("GPIO.B + 2", "8").replace("GPIO.output", "GPIO.input").replace("GPIO.Toggle(PIN); ", "")
    assert run(text, "signal:8:2000:4")[0] == "4 4\n"


def test_a_part_that_is_none() -> None:
    with pytest.raises(EmulatorError, match="there is no part piano:8"):
        run(TOGGLED.replace("GPIO.B + 2", "8"), "piano:8")
