"""Sessions with an emulated board, and with one at a port: steps there and back, and what is told when it differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import SimavrOnTerminal, flash_content
from tests.cli.lfc import ROOT
from tests.debugger.client import Client, Failed
from tests.differential.stepwise import machine_of
from tests.hil.boards import traced

PHILOSOPHERS = ROOT / "examples" / "philosophers.lf"
ECHO = ROOT / "examples" / "echo.lf"

CONSTANT = """\
MODULE Constant;
IMPORT Out;
VAR n, last : INTEGER;
BEGIN
  Out.Char('!');
  WHILE n < 5 DO
    n := n + 1;
    IF n = 3 THEN last := 90 END;
    RESCHEDULE
  END;
  ASSERT(last = 8)
END Constant.
"""


@pytest.fixture
def constant(tmp_path: Path) -> Path:
    file = tmp_path / "Constant.lf"
    file.write_text(CONSTANT)
    return file


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_a_deadlock_and_the_message_before_it_found_backwards(board: str) -> None:
    """As on this machine; behind each step back, the board goes the same way again."""
    with Client() as here, Client() as there:
        told = []
        for client, where in ((here, {}), (there, {"on": "emulator", "board": board})):
            client.launch(PHILOSOPHERS, stopOnEntry=True, **where)
            said = [client.start(), client.go("stepIn"), client.go("continue")]
            client.ask("setFunctionBreakpoints", breakpoints=[{"name": "get"}])
            said += [client.go("reverseContinue"), *client.frames(), client.go("stepIn"), client.go("continue")]
            client.type("go 7")
            said += [client.stop(), *client.threads(), client.type("choices")]
            client.ask("evaluate", expression="take 2", context="repl")
            told.append([*said, client.stop(), client.go("continue"), client.type("way all")])
        assert told[0] == told[1]
        assert "exception: deadlock: every process waits for another (step 21)" in told[0]


def test_input_of_an_emulated_board_is_read_again_behind_a_step_back() -> None:
    with Client() as c:
        c.launch(ECHO, on="emulator", board="uno", input="ab")
        assert c.start().startswith("pause: the program waits for input")
        assert c.printed == "AB"
        c.go("stepBack")
        c.go("continue")
        c.type("input c.")
        assert c.go("continue").startswith("pause: the program has ended")
        assert c.printed == "ABC\n"


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("microbit", "qemu")])
def test_an_assertion_that_fails_on_both(constant: Path, board: str, emulator: str) -> None:
    with Client() as c:
        c.launch(constant, on="emulator", board=board, emulator=emulator)
        assert c.start() == "exception: the assertion failed (step 5)"
        c.data_breakpoint("last")
        assert c.go("reverseContinue") == "data breakpoint: the next step: last: 0 to 90 (step 2)"
        assert c.go("stepIn") == "data breakpoint: last: 0 to 90 (step 3)"
        c.ask("setDataBreakpoints", breakpoints=[])
        assert c.go("continue") == "exception: the assertion failed (step 5)"


def with_another_constant(flash: bytes) -> bytes:
    """The instruction that loads 90 loads 91 (LDI: 1110 KKKK dddd KKKK)."""
    found = [i for i in range(0, len(flash) - 1, 2) if flash[i] & 0xF == 0xA and flash[i + 1] == 0xE5]
    assert len(found) == 1
    return flash[: found[0]] + bytes([flash[found[0]] ^ 1]) + flash[found[0] + 1 :]


def test_a_board_at_a_port_that_differs(constant: Path) -> None:
    """It is reset over the line; the first step that differs is shown, with both values."""
    uno = load_board("uno")
    flash = with_another_constant(flash_content(traced("uno", machine_of(constant)).image.elf))
    with SimavrOnTerminal(uno, flash) as chip, Client() as c:
        c.launch(constant, on="board", board="uno", port=chip.port, stopOnEntry=True)
        c.start()
        assert c.go("stepIn") == "step: step (step 1)"
        assert c.go("stepIn") == "step: step (step 2)"
        assert c.go("stepBack") == "step: step (step 1)"
        assert c.printed == "!"
        assert c.go("continue") == "exception: after step 3: last is 90 on the host, 91 on the board (step 3)"
        assert c.ask("exceptionInfo", threadId=c.thread)["exceptionId"] == "board differs"
        assert c.go("stepBack") == "step: step (step 2)"
        assert c.go("continue") == "exception: after step 3: last is 90 on the host, 91 on the board (step 3)"
        c.ask("continue", threadId=c.thread)
        assert c.wait("exited") == {"exitCode": 5}


def test_where_no_board_can_be_reached(constant: Path) -> None:
    program = str(constant)
    with Client() as c:
        c.ask("initialize")
        for arguments, said in (
            ({"on": "moon"}, "`on` is 'moon': it is one of host, emulator, board"),
            ({"on": "emulator"}, "Which board?"),
            ({"on": "emulator", "board": "bluepill"}, "bluepill"),
            ({"on": "emulator", "board": "uno", "emulator": "rp2040js"}, "does not run in rp2040js"),
            ({"on": "emulator", "board": "uno", "env": ["Env.lf"]}, "`env` is for `on`: `host`"),
            ({"on": "board", "board": "uno", "port": "/dev/there-is-none"}, "there is no port /dev/there-is-none"),
        ):
            with pytest.raises(Failed, match=said):
                c.ask("launch", program=program, **arguments)
