"""The greenhouse: its parts hold against their worlds, seeded faults are found, and it runs on an emulated board."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board_file
from lfc.boards.emulators.simavr import run_in_simavr
from tests.cli.lfc import lfc
from tests.library.devices.displays import Points, writes
from tests.library.devices.greenhouse import CHECKS, FOLDER, SEEDS, is_found
from tests.library.drivers import weather_registers


@pytest.mark.parametrize("name", CHECKS)
def test_a_part_holds(name: str) -> None:
    states, options = CHECKS[name]
    done = lfc("check", f"{name}Test.lf", "--env", f"{name}Bench.lf", "--no-record", *options, cwd=FOLDER)
    assert done.exit == 0, done.out
    assert f"\n{states} states, " in done.out and "vacuous" not in done.out


# A share of the faults; all of them: tests/campaign/checking/drivers.py.
@pytest.mark.parametrize("seed", SEEDS[1::3], ids=lambda s: s[1].replace(" ", "-"))
def test_a_seeded_fault_is_found(seed: tuple[str, str, str, str], tmp_path: Path) -> None:
    assert is_found(seed, tmp_path)


def test_a_mark_that_says_nothing_is_found(tmp_path: Path) -> None:
    """Either half of what guards a change would do for this memory; without both a torn change is taken for one."""
    for file in FOLDER.glob("*.lf"):
        (tmp_path / file.name).write_text(file.read_text())
    text = (FOLDER / "Settings.lf").read_text()
    for old, new in (
        ("EEPROM.Write(INTEGER(at) + 3, INVALID, kept);", "kept := TRUE;"),
        ("(cells[at + 3] = Mark(cells[at], cells[at + 1], cells[at + 2]))", "(cells[at + 3] # INVALID)"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "Settings.lf").write_text(text)
    done = lfc("check", "SettingsTest.lf", "--env", "SettingsBench.lf", "--no-record", cwd=tmp_path)
    assert done.exit == 5, done.out


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("greenhouse") / "greenhouse.elf"
    done = lfc("build", "--board-file", FOLDER / "greenhouse.toml", "-o", out, FOLDER / "Greenhouse.lf")
    assert done.exit == 0, done.err
    return out.read_bytes()


def state(
    image: bytes, soil: int, water: int, seconds: float = 2.5, signal: str | None = None
) -> tuple[bool, list[str]]:
    """Whether the pump runs, and what the display shows in the lines of the soil and the pump."""
    parts = ["registers:0x76:" + weather_registers(415148, 519888, 30000), "listener:0x3c"]
    done = run_in_simavr(
        load_board_file(FOLDER / "greenhouse.toml"),
        image,
        seconds=seconds,
        parts=parts,
        voltages={0: 50 * soil, 1: 50 * water},
        registers=(0x24, 2),
        signal=signal,
    )
    display = Points()
    for write in writes(done.parts[1]):
        display.take(write)
    return bool(done.registers[0] & done.registers[1] & 1), display.picture(6, 8)


@pytest.mark.parametrize(
    ("soil", "water", "pumps"), [(10, 90, True), (50, 90, False), (10, 10, False), (0, 90, False), (29, 21, True)]
)
def test_the_pump_on_a_board(image: bytes, soil: int, water: int, pumps: bool) -> None:
    """At 30 percent of the soil, 20 of the tank; a broken wire shows 0."""
    runs, _ = state(image, soil, water)
    assert runs == pumps


def test_the_pump_stops_after_twenty_seconds(image: bytes) -> None:
    assert state(image, 10, 90, 19)[0] and not state(image, 10, 90, 23)[0]


def test_the_pump_needs_no_sensor_and_no_display(image: bytes) -> None:
    done = run_in_simavr(
        load_board_file(FOLDER / "greenhouse.toml"), image, seconds=3, voltages={0: 500, 1: 4500}, registers=(0x24, 2)
    )
    assert done.registers[0] & done.registers[1] & 1


def test_the_button_on_a_board(image: bytes) -> None:
    """At 35 percent nothing is to be done, until somebody chooses 40."""
    assert not state(image, 35, 90)[0]
    assert state(image, 35, 90, signal="B:1:1600000:1")[0]


def test_the_display_on_a_board(image: bytes) -> None:
    _, picture = state(image, 10, 90, 7)
    assert [line[:5].rstrip(".") for line in picture[:7]] == ["####", "#...#", "#...#", "####", "#", "#", "#"]
