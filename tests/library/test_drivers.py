"""Drivers of devices: each holds against its device on a bus on which anything goes wrong, and works in simavr."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import run_in_simavr
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.library.drivers import DRIVERS, EXAMPLES, Driver, Seed, endless, found, weather_registers
from tests.library.images import console, image_of


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda d: d.module)
def test_a_driver_holds(driver: Driver) -> None:
    done = lfc("check", driver.program_file, "--env", driver.bench_file, *driver.options)
    assert done.exit == 0, done.out
    assert f"\n{driver.states} states, " in done.out


@pytest.mark.parametrize("driver", [d for d in DRIVERS if d.endless], ids=lambda d: d.module)
def test_it_ends_when_the_device_never_answers(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "Bench.lf").write_text(endless(driver).replace(driver.bench_file.stem, "Bench"))
    done = lfc("check", driver.program_file, "--env", tmp_path / "Bench.lf", "--path", driver.folder, *driver.options)
    assert done.exit == 0 and "property ends: holds" in done.out, done.out


# A share of the faults; all of them: tests/campaign/checking/drivers.py.
SHARE = [(driver, seed) for driver in DRIVERS for seed in driver.seeds[7::10]]


@pytest.mark.parametrize(
    ("driver", "seed"), SHARE, ids=lambda x: getattr(x, "module", None) or x.name.replace(" ", "-")
)
def test_a_seeded_fault_is_found(driver: Driver, seed: Seed, tmp_path: Path) -> None:
    assert found(driver, seed, tmp_path)


def test_every_driver_has_ten_seeds_and_they_are_faults_of_it() -> None:
    for driver in DRIVERS:
        assert len({s.name for s in driver.seeds}) == len(driver.seeds) >= 10
        for seed in driver.seeds:
            assert driver.seeded(seed) != driver.file.read_text()


def run(example: str, part: str, *faults: str) -> tuple[str, bytes]:
    elf = image_of("uno", (EXAMPLES / f"{example}.lf").read_text())
    done = run_in_simavr(load_board("uno"), elf, seconds=0.5, parts=[part], bus_faults=faults)
    return console(done), done.parts[0]


@pytest.mark.parametrize("faults", [[], ["absent:3"], ["refused:9"], ["stuck:12"]])
def test_a_clock(faults: list[str]) -> None:
    """It goes, at the end of 2099, and it is a little too cold."""
    said, _ = run("Clock3231", "registers:0x68:59592307311299" + "00" * 8 + "0800f5c0", *faults)
    assert said == "23:59:59 31.12.99 -1025\n"


def test_a_clock_that_stood_still_is_set() -> None:
    said, registers = run("Clock3231", "registers:0x68:00000001010100" + "00" * 8 + "88001900")
    assert said == "12:0:0 9.2.0 2500\n"
    assert registers[:7].hex() == "00001205090200" and registers[15] == 0


def test_a_clock_of_simavrs_own() -> None:
    """A DS1338, whose temperature is what lies in its memory there: the time that was set is read back."""
    text = (
        (EXAMPLES / "Clock3231.lf")
        .read_text()
        .replace("  LookOnce;\n  tried", "  DS3231.Set(start, error);\n  LookOnce;\n  tried")
    )
    done = run_in_simavr(load_board("uno"), image_of("uno", text), seconds=0.2, parts=["clock:0x68"])
    assert console(done).startswith("12:0:0 9.2.0 ")


@pytest.mark.parametrize("faults", [[], ["absent:2"], ["refused:14"], ["stuck:20"]])
def test_an_expander(faults: list[str]) -> None:
    said, registers = run("Expander", "registers:0x20:ffff" + "00" * 16 + "0082", *faults)
    assert said == "00008200\n"
    assert (registers[0:2], registers[0x0C:0x0E], registers[0x14:0x16]) == (b"\x00\xff", b"\x00\x01", b"\x81\x00")


@pytest.mark.parametrize(("milliseconds", "shown"), [(50, "0001"), (350, "0008"), (1050, "0400"), (1550, "8000")])
def test_lights(milliseconds: int, shown: str) -> None:
    """Which of sixteen is lit, after so long."""
    elf = image_of("uno", (ROOT / "examples" / "env" / "Lights.lf").read_text())
    done = run_in_simavr(load_board("uno"), elf, seconds=milliseconds / 1000, parts=["shift:B:1:2:3"])
    assert done.parts[0][1::-1].hex() == shown


def reference(p: int, t: int, h: int) -> tuple[float, float, float]:
    """The maker's formulas in floating point: degrees, Pascal, percent."""
    fine = (t / 16384 - 27504 / 1024) * 26435 + (t / 131072 - 27504 / 8192) ** 2 * -1000
    a = fine / 2 - 64000
    b = (a * a * -7 / 32768 + a * 140 * 2) / 4 + 2855 * 65536
    a = (1 + (3024 * a * a / 524288 + -10685 * a) / 524288 / 32768) * 36477
    q = (1048576 - p - b / 4096) * 6250 / a
    q += (6000 * q * q / 2147483648 + q * -14600 / 32768 + 15500) / 16
    x = fine - 76800
    x = (h - (0x13A * 64 + 0x32 / 16384 * x)) * (370 / 65536 * (1 + 30 / 67108864 * x * (1 + 0 * x)))
    return fine / 5120, q, max(0, min(100, x * (1 - 75 * x / 524288)))


@pytest.mark.parametrize("raw", [(415148, 519888, 30000), (430000, 400000, 25000), (400000, 600000, 33000)])
def test_the_weather_is_the_makers(raw: tuple[int, int, int]) -> None:
    said, _ = run("Weather", "registers:0x76:" + weather_registers(*raw))
    temperature, pressure, humidity = map(int, re.findall(r"-?\d+", said.splitlines()[0]))
    degrees, pascal, percent = reference(*raw)
    assert abs(temperature - 100 * degrees) <= 1.5
    assert abs(pressure - pascal) <= 6
    assert abs(humidity - 100 * percent) <= 5


def test_the_weather_on_a_bus_that_hangs() -> None:
    part = "registers:0x76:" + weather_registers(415148, 519888, 30000)
    for fault in ("absent:5", "refused:60", "hangs:30", "stuck:90"):
        assert run("Weather", part, fault)[0] == "2508 100656 5583\n" * 2


@pytest.mark.parametrize(
    ("z", "faults", "words"),
    [(8000, [], "up 3499\n"), (-8000, ["absent:9"], "down 3499\n"), (100, ["stuck:30"], "aslant 3499\n")],
)
def test_which_side_is_up(z: int, faults: list[str], words: str) -> None:
    content = bytearray(128)
    content[0x75] = 0x68
    content[0x3F:0x43] = (z & 0xFFFF).to_bytes(2, "big") + (-521 & 0xFFFF).to_bytes(2, "big")
    said, registers = run("Tilt", "registers:0x68:" + content.hex(), *faults)
    assert said == words
    assert (registers[0x1A:0x1D].hex(), registers[0x6B]) == ("030808", 1)
