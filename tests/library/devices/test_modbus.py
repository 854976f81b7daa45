"""Modbus RTU: master and slave hold against peers that do everything wrong, and the slave answers on a board."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.emulators.simavr import run_in_simavr
from tests.cli.lfc import lfc
from tests.library.devices.modbus import BENCHES, EXAMPLES, SEEDS, checksum, is_found, look, mega_at


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_holds(name: str, tmp_path: Path) -> None:
    done = look(name, tmp_path)
    assert done.exit == 0, done.out
    assert f"\n{BENCHES[name]} states, " in done.out


# A share of the faults; all of them: tests/campaign/checking/drivers.py.
@pytest.mark.parametrize("seed", SEEDS[4::4], ids=lambda s: s.name.replace(" ", "-"))
def test_a_seeded_fault_is_found(seed: object, tmp_path: Path) -> None:
    assert is_found(seed, tmp_path)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("drive")
    done = lfc("build", "-b", "mega2560", "-o", folder / "drive.elf", EXAMPLES / "DriveBoard.lf")
    assert done.exit == 0, done.err
    return (folder / "drive.elf").read_bytes()


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("11 06 0002 1234", "11 06 0002 1234"),
        ("11 03 0000 0003", "11 03 06 0000 0000 0000"),
        ("11 10 0001 0002 04 0007 FFFE", "11 10 0001 0002"),
        ("11 03 0003 0002", "11 83 02"),
        ("11 05 0000 FF00", "11 85 01"),
        ("12 03 0000 0001", ""),
        ("00 06 0000 0001", ""),
    ],
)
def test_a_slave_on_a_board(drive: bytes, request_: str, answer: str) -> None:
    sent, expected = bytes.fromhex(request_), bytes.fromhex(answer)
    done = run_in_simavr(mega_at(19_200), drive, console_input=sent + checksum(sent), seconds=0.3, usart=1)
    assert done.console.hex(" ") == (expected + checksum(expected) if expected else b"").hex(" ")


def test_a_request_with_a_wrong_checksum_is_not_answered(drive: bytes) -> None:
    sent = bytes.fromhex("11 03 0000 0003")
    done = run_in_simavr(mega_at(19_200), drive, console_input=sent + b"\x12\x34", seconds=0.3, usart=1)
    assert done.console == b""


def test_the_checksum_of_the_standard() -> None:
    assert checksum(bytes.fromhex("02 07")) == bytes.fromhex("41 12")  # the example of the specification
