"""A board at a serial port: a pseudo-terminal with an emulated chip in real time behind it, by the real code."""

from __future__ import annotations

from lfc.actions.as_data import program_digest
from lfc.boards.board import load_board
from lfc.boards.line import line_of_port
from lfc.boards.simavr import SimavrOnTerminal, flash_content
from lfc.hil.conform import Conduct, bytes_for_board, conform
from lfc.hil.host_side import HostSide
from lfc.hil.session import BoardSession
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
        session.greet(program_digest(machine.program).hex(), machine.layout.size, "rr")
        conduct = Conduct(seconds=30, more_input=bytes_for_board(b"abc."), on_output=said.append)
        result = conform(session, host, firmware.generated.sites, conduct)
    assert (result.verdict, result.end, b"".join(said)) == ("agrees", "ended", b"ABC\n"), result.reason


def test_the_command_at_a_port() -> None:
    firmware = traced("uno", machine_of(ROOT / "examples" / "hanoi.lf"))
    with SimavrOnTerminal(UNO, flash_content(firmware.image.elf)) as chip:
        done = lfc("hil", "conform", "examples/hanoi.lf", "-b", "uno", "-p", chip.port)
    assert (done.exit, done.out.splitlines()[-1]) == (0, "15 moves"), done.err
    assert f"image {firmware.digest[:16]}" in done.err


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
