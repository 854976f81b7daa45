"""The driver in examples/uart: checked against models of two chips, with faults put in; and run on both chips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.load import load_program
from lfc.image.firmware import build_firmware
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.statistics.coverage import Unmet
from tests.conftest import ROOT

HERE = ROOT / "examples" / "uart"
BOARDS = ("uno", "stm32vldiscovery")
Changes = dict[str, tuple[str, str]]


def machine_of(folder: Path, board: str, changes: Changes, with_model: bool) -> Machine:
    """`changes`: by file, from and to."""
    for file in [*HERE.glob("*.lf"), *(HERE / board).glob("*.lf")]:
        text = file.read_text(encoding="utf-8")
        old, new = changes.get(file.stem, ("", ""))
        assert old in text
        (folder / file.name).write_text(text.replace(old, new) if old else text, encoding="utf-8")
    diagnostics = Diagnostics()
    program = load_program(
        folder / "UartReader.lf",
        diagnostics,
        environments=[folder / "UartModel.lf"] if with_model else [],
        chip=chip_modules(load_board(board)),
    )
    assert program is not None and not diagnostics.has_errors, [(d.code, d.message) for d in diagnostics.items]
    return build_machine(program, diagnostics)


def checked(folder: Path, board: str, changes: Changes) -> CheckResult:
    return check(machine_of(folder, board, changes, with_model=True), request_from())


def burst(n: int, late: bool = False) -> tuple[str, str]:
    """In the model: at most so many bytes before the reader has read one, and whether the driver may be late."""
    return (
        BURST_AND_LATE,
        BURST_AND_LATE.replace("BURST = 7", f"BURST = {n}").replace("TRUE", "TRUE" if late else "FALSE"),
    )


BURST_AND_LATE = """BURST = 7; (* so many bytes at most come before the reader has read one of them *)
  LATE = TRUE;"""
TOLD = "Uart.lost OR (byte = expected)"
NOTHING_LOST = {"UartReader": (TOLD, "~Uart.lost & (byte = expected)")}
OFF_BY_ONE = ("ring[(first + count) MOD SIZE] := byte;", "ring[(first + count + 1) MOD SIZE] := byte;")
ASKED_LATE = (
    """      IF overrun THEN lost := TRUE END;
      IF ~isThere THEN EXIT END;
      UartPorts.Take(byte);
""",
    """      IF ~isThere THEN EXIT END;
      UartPorts.Take(byte);
      UartPorts.Ask(isThere, overrun);
      IF overrun THEN lost := TRUE END;
""",
)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"UartModel": burst(4, late=True)}, "holds"),  # what is lost is told
        ({"UartModel": burst(3)} | NOTHING_LOST, "holds"),  # below capacity nothing is
        ({"UartModel": burst(4)} | NOTHING_LOST, "assertion"),  # above it something is
        ({"UartModel": burst(3, late=True)} | NOTHING_LOST, "assertion"),  # and when the driver is late
        ({"UartModel": burst(3), "Uart": OFF_BY_ONE}, "assertion"),
        ({"UartModel": burst(4, late=True), "Uart": ASKED_LATE}, "assertion"),  # the flag is gone with the byte
    ],
    ids=["told", "below", "above", "late", "off by one", "flag asked too late"],
)
def test_the_driver_against_a_model(tmp_path: Path, board: str, changes: Changes, verdict: str) -> None:
    assert checked(tmp_path, board, changes).verdict == verdict


def test_what_a_device_answered_was_reached(tmp_path: Path) -> None:
    result = check(machine_of(tmp_path, "uno", {"UartModel": burst(3)}, with_model=True), request_from(report=True))
    assert result.beside is not None
    clauses: list[Unmet] = result.beside.unreached.clauses
    assert [c.text for c in clauses] == []


GOOD = bytes(n % 8 for n in range(21))


@pytest.mark.parametrize("board", BOARDS)
def test_the_driver_on_a_board(tmp_path: Path, board: str) -> None:
    """One byte too far behind the others is noticed, and nothing before it."""
    description = load_board(board)
    machine = machine_of(tmp_path, board, {}, with_model=False)
    firmware = build_firmware(description, machine)
    elf = firmware.image.elf
    (offset,) = [at for v, at in machine.layout.variables.items() if v.name == "taken"]
    sent = GOOD + bytes([7])
    if board == "uno":
        slow = replace(description, console=replace(description.console, baud=9600))
        elf = build_firmware(slow, machine).image.elf
        done = run_in_simavr(slow, elf, console_input=sent, seconds=1, symbols=("lf_memory",))
        assert done.console.decode().startswith("gap 5 7")
    else:
        one_by_one = replace(description.console, receive_buffer=2)  # QEMU's lines have no speed, and the ring is small
        second = replace(description, emulator=replace(description.emulator, qemu_serial=1), console=one_by_one)
        done = run_in_qemu(second, elf, console_input=sent, seconds=10, symbols=("lf_memory",))
    assert (done.end, done.memory["lf_memory"][firmware.block_offset + offset]) == ("halted", 21 % 8)
