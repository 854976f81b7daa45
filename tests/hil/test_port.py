"""A board at a serial port: a pseudo-terminal with an emulated chip in real time behind it, by the real code."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.as_data import program_digest
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.line import line_of_port
from lfc.boards.emulators.simavr import SimavrOnTerminal, flash_content
from lfc.hil import session as session_module
from lfc.hil.conform import Conduct, bytes_for_board, conform
from lfc.hil.host_side import HostSide
from lfc.hil.session import BoardSession
from lfc.image.firmware import build_firmware
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of
from tests.hil.boards import traced

UNO = load_board("uno")


def test_conformance_at_a_port() -> None:
    machine = machine_of(ROOT / "examples" / "echo.lf")
    firmware, host, said = traced("uno", machine), HostSide(machine, "rr"), list[bytes]()
    with SimavrOnTerminal(UNO, flash_content(firmware.image.elf)) as chip, line_of_port(UNO, chip.port) as line:
        session = BoardSession(line)
        session.greet(program_digest(machine).hex(), machine.layout.size, "rr")
        conduct = Conduct(seconds=30, more_input=bytes_for_board(b"abc."), on_output=said.append)
        result = conform(session, host, firmware.generated.sites, conduct)
    assert (result.verdict, result.end, b"".join(said)) == ("agrees", "ended", b"ABC\n"), result.reason


def test_the_command_at_a_port() -> None:
    firmware = traced("uno", machine_of(ROOT / "examples" / "hanoi.lf"))
    with SimavrOnTerminal(UNO, flash_content(firmware.image.elf)) as chip:
        done = lfc("hil", "conform", "examples/hanoi.lf", "-b", "uno", "-p", chip.port)
    assert (done.exit, done.out.splitlines()[-1]) == (0, "15 moves"), done.err
    assert f"image {firmware.digest[:16]}" in done.err


def test_a_second_session_on_a_board_that_nobody_resets(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the middle of the first; and the first command may have been cut off in the middle of a frame."""
    monkeypatch.setattr(session_module, "BEFORE_RESET", 0.3)
    machine = machine_of(ROOT / "examples" / "prodcons.lf")
    firmware = traced("uno", machine)
    with SimavrOnTerminal(UNO, flash_content(firmware.image.elf)) as chip, line_of_port(UNO, chip.port) as line:
        for _ in range(3):  # the line stays open: to open it resets this chip
            session, host = BoardSession(line), HostSide(machine, "rr")
            session.greet(firmware.program.hex(), machine.layout.size, "rr", may_reset=True)
            result = conform(session, host, firmware.generated.sites, Conduct(most_steps=20, seconds=30))
            line.write(b"\x05\x84")
            assert (result.verdict, result.end, result.steps) == ("agrees", "limit", 20), result.reason


def test_c_that_is_linked_in(tmp_path: Path) -> None:
    """On the board as here; other C is another program, which all the same has the same layout and actions."""
    example = ROOT / "examples" / "external" / "meter.lf"
    driver, other = example.with_suffix(".c"), tmp_path / "meter.c"
    text = driver.read_text()
    assert text.count("0x1021u") == 1
    other.write_text(text.replace("0x1021u", "0x1023u"))
    firmware = build_firmware(UNO, machine_of(example), trace=True, c_files=[str(driver)])
    with SimavrOnTerminal(UNO, flash_content(firmware.image.elf)) as chip:
        done = lfc("hil", "conform", example, "-b", "uno", "-p", chip.port, "--with", driver)
        assert done.exit == 0 and "every byte of it before the first, and after the last one" in done.err, done.err
    with SimavrOnTerminal(UNO, flash_content(firmware.image.elf)) as chip:
        done = lfc("hil", "conform", example, "-b", "uno", "-p", chip.port, "--with", other)
        assert done.exit == 6 and "runs another program" in done.err


def test_another_program_is_no_success() -> None:
    firmware = traced("uno", machine_of(ROOT / "examples" / "hanoi.lf"))
    with SimavrOnTerminal(UNO, flash_content(firmware.image.elf)) as chip:
        done = lfc("hil", "conform", "examples/sieve.lf", "-b", "uno", "-p", chip.port)
    assert done.exit == 6 and "runs another program" in done.err


def test_no_port() -> None:
    done = lfc("hil", "conform", "examples/sieve.lf", "-b", "uno", "-p", "/dev/there-is-none")
    assert done.exit == 9 and "there is no port /dev/there-is-none" in done.err
    done = lfc("hil", "conform", "examples/sieve.lf", "-b", "lm3s6965evb")
    assert done.exit == 9 and "no port matches the board lm3s6965evb" in done.err
