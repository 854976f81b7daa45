"""`lfc run -b BOARD --energy`: the cycles in which nothing is executed, and the currents and days that follow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import BoardError, load_board, load_board_file
from lfc.boards.emulators.builtin import Simulation, Source
from lfc.boards.emulators.chips.console import Happened
from tests.cli.lfc import lfc
from tests.library.images import image_of

SLEEPY = """MODULE T;
IMPORT Clock;
BEGIN
  LOOP Clock.Sleep(10) END
END T.
"""
BUSY = "MODULE T;\nBEGIN LOOP RESCHEDULE END END T.\n"


@pytest.mark.parametrize("name", ["uno", "microbit", "hifive1", "esp32c3"])
def test_what_is_not_executed_is_sleep(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = load_board(name)
    simulation = Simulation(board, image_of(name, SLEEPY), lambda said: None, Source())
    executed, processor = 0, simulation.processor
    original = processor.run

    def run(most: int) -> Happened:
        nonlocal executed
        before = processor.cycles
        happened = original(most)
        executed += processor.cycles - before
        return happened

    monkeypatch.setattr(processor, "run", run)
    simulation.run(board.cpu.clock // 20, None, False)
    assert simulation.asleep == simulation.cycles - executed
    assert 0.9 < simulation.asleep / simulation.cycles < 1


def test_who_never_waits_never_sleeps() -> None:
    board = load_board("uno")
    simulation = Simulation(board, image_of("uno", BUSY), lambda said: None, Source())
    simulation.run(board.cpu.clock // 100, None, False)
    assert simulation.asleep == 0


def test_currents_and_days(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(SLEEPY)
    (tmp_path / "mine.toml").write_text('inherits = "uno"\n[power]\nactive = 20\nidle = 4.5\n')
    options = ("--board-file", "mine.toml", "--clock", "virtual", "--seconds", "1", "--battery", "1200", "--json")
    done = lfc("run", "T.lf", *options, cwd=tmp_path)
    *lines, document = done.err.splitlines()
    energy = json.loads(document)["energy"]
    cycles, asleep = energy["cycles"], energy["cycles_asleep"]
    assert cycles == pytest.approx(16_000_000, abs=2)
    average = (20 * (cycles - asleep) + 4.5 * asleep) / cycles
    assert energy["milliamperes"] == pytest.approx(average, abs=1e-6)
    assert energy["days"] == pytest.approx(1200 / average / 24, abs=1e-6)
    assert lines == [
        "stopped: time limit reached (--seconds)",
        f"energy: awake {100 * (cycles - asleep) / cycles:.3g} % of 1.000 s: {cycles - asleep} of {cycles} cycles",
        f"  about {average:.3g} mA on average (20 awake, 4.5 asleep): an estimate, without what hangs on the pins",
        f"  about {1200 / average / 24:.3g} days on a battery of 1200 mAh",
    ]


def test_a_board_without_currents_tells_the_cycles(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(SLEEPY)
    options = ("--clock", "virtual", "--seconds", "0.1", "--energy")
    done = lfc("run", "T.lf", "-b", "microbit", *options, cwd=tmp_path)
    assert done.err.splitlines()[1].startswith("energy: awake ")
    assert "no `[power]`" in done.err.splitlines()[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-b", "microbit", "--battery", "9"), "the description of microbit has no `[power]`"),
        (("-b", "uno", "--energy", "--emulator", "simavr"), "leave --emulator simavr out"),
        (("-b", "uno", "--energy", "--trace"), "--trace excludes --energy"),
        (("--energy",), "--energy is for boards"),
        (("-b", "uno", "--battery", "0"), "0.0 is not in the range"),
    ],
)
def test_what_is_refused(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    (tmp_path / "T.lf").write_text(SLEEPY)
    done = lfc("run", "T.lf", *options, cwd=tmp_path)
    assert done.exit == 2 and message in done.err


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("active = -1\nidle = 2", "`power.active`: -1 is not in 0 to 10000"),
        ("active = 3", "`power.idle`: is missing"),
        ('active = "3"\nidle = 2', "must be a number"),
        ("active = 3\nidle = 2\nasleep = 1", "`power.asleep`: is not known"),
        ("active = nan\nidle = 2", "`power.active`: nan is not in 0 to 10000"),
    ],
)
def test_wrong_currents(tmp_path: Path, lines: str, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'inherits = "microbit"\n[power]\n{lines}\n')
    with pytest.raises(BoardError) as error:
        load_board_file(file)
    assert message in str(error.value)
