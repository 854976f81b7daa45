"""The product of docs/how-to/motor-drive.md: its control holds, faults in it are found, and it answers in simavr."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.emulators.simavr import run_in_simavr
from tests.cli.lfc import Outcome, lfc
from tests.library.devices.modbus import checksum, mega_at
from tests.library.devices.motor_drive import EXAMPLES, SEEDS, SHORT, check, is_found
from tests.library.drivers import Seed


# All of them: tests/campaign/checking/drivers.py.
@pytest.mark.parametrize("seed", SEEDS[:1], ids=lambda s: s.name.replace(" ", "-"))
def test_a_seeded_fault_is_found(seed: Seed, tmp_path: Path) -> None:
    assert is_found(seed, tmp_path)


def test_the_whole_drive_holds_whatever_its_contacts_are() -> None:
    bench = EXAMPLES / "MotorDriveBench.lf"
    done = lfc("check", EXAMPLES / "MotorDrive.lf", "--env", bench, "--time", "ordered", "--no-record")
    assert done.exit == 0 and "property stops: holds" in done.out, done.out


def obeys(folder: Path) -> Outcome:
    bench, played = EXAMPLES / "OrdersBench.lf", EXAMPLES / "played"
    world = ("--env", bench, "--time", "ordered", "--path", played, "--path", folder)
    return lfc("check", folder / "MotorDrive.lf", *world, *SHORT, "--no-record", "--reductions", "none")


@pytest.mark.slow
def test_a_drive_that_obeys_a_master_holds() -> None:
    done = obeys(EXAMPLES)
    assert done.exit == 0 and "\n2463821 states, 6314226 transitions" in done.out, done.out
    assert "vacuous" not in done.out


def test_a_drive_that_does_not_see_the_stop_is_found(tmp_path: Path) -> None:
    (tmp_path / "MotorDrive.lf").write_text((EXAMPLES / "MotorDrive.lf").read_text())
    (tmp_path / "Control.lf").write_text(SEEDS[0].put_into((EXAMPLES / "Control.lf").read_text()))
    done = obeys(tmp_path)
    assert done.has_counterexample and "`stops` does not hold" in done.out, done.out


def test_a_board_with_open_contacts_is_stopped_and_tells_its_current(tmp_path: Path) -> None:
    """State 4 is stopped, cause 1 the emergency stop; 4 of 5 volts are 818 of 1023."""
    done = lfc("build", "-b", "mega2560", "-o", tmp_path / "drive.elf", EXAMPLES / "MotorDriveBoard.lf")
    assert done.exit == 0, done.err
    sent = bytes.fromhex("11 03 0000 0007")
    ran = run_in_simavr(
        mega_at(19_200),
        (tmp_path / "drive.elf").read_bytes(),
        console_input=sent + checksum(sent),
        seconds=0.4,
        usart=1,
        voltages={0: 4000},
    )
    answer = bytes.fromhex("11 03 0e 0000 0000 0000 0004 0000 0001 0332")
    assert ran.console.hex(" ") == (answer + checksum(answer)).hex(" ")


@pytest.mark.slow
def test_the_control_holds() -> None:
    assert check(EXAMPLES).exit == 0
