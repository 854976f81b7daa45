"""Monitors: events, what they see, states and counts, and that the firmware stays what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.as_data import program_digest
from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.diagnostics.model import Diagnostics
from lfc.image.firmware import build_firmware
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.result.finding import Verdict
from lfc.semantics.analyse import analyse
from tests.campaign.checking.monitors import campaign, monitored
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.mcheck.agreement import compare_machine, expectation
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions, explore
from tests.naive.state import State
from tests.support.seeds import seed_of_this_run

BUS = """MODULE Bus;
CONST DATA = 40H;
TYPE Line = [go(UINT8), stop];
PORT a, b : Line;
VAR control AT 41H : SET8; last : UINT8; flag : BOOLEAN;

PROCESS Start(address : UINT8);
BEGIN
  PORTOUT(DATA, address)
END Start;

PROCESS Halt;
BEGIN
  RESCHEDULE;
  INCL(control, 3)
END Halt;

PROCESS Sender(to : Line; n : UINT8);
BEGIN
  to!go(n);
  to!stop
END Sender;

BEGIN
  NEW(a);
  NEW(b);
  CREATE Sender(a, 3);
  CREATE Sender(b, 4);
  a?go(last);
  Start(last);
  b?go(last);
  Start(last + 1);
  Halt;
  SELECT
    WHEN a?stop THEN b?stop
    WHEN b?stop THEN a?stop
  END;
  flag := PORTIN(DATA) + PORTIN(DATA) > 9;
  WHILE PORTIN(DATA) = 1 DO RESCHEDULE END
END Bus.
"""


def kinds_of(monitor: str, text: str = BUS) -> set[str] | None:
    """As the naive explorer says, which must say the same as the engine; ports give 0 or 1."""
    machine = monitored(text, monitor)
    assert machine is not None
    start = State.initial(machine.program, bounds_of(machine))
    naive = explore(machine.program, Conventions(port_values=(0, 1)), start)
    ports = ("40H in 0..1", "41H in 0..1")
    options = request_from(keep_going=True, reductions="none", assume=ports, inputs=Inputs.ALL)
    found = check(machine, options)
    assert (found.states, found.transitions) == expectation(machine, naive).counts[:2]
    assert bool(naive.kinds) is (found.verdict is not Verdict.HOLDS)
    return naive.kinds


@pytest.mark.parametrize(
    ("handlers", "right", "wrong"),
    [
        ("ON Start DO x := address", "AT END ASSERT(x = 5)", "AT END ASSERT(x = 4)"),
        ("ON RETURN Halt DO INC(x)", "AT END ASSERT(x = 1)", "ON Halt DO ASSERT(x = 1)"),
        ("ON Line.go(n) DO x := x + n", "AT END ASSERT(x = 7)", "ON Line.stop DO ASSERT(x = 0)"),
        ("ON b.go(n) DO x := x + n", "AT END ASSERT(x = 4)", "ON a.go(3) DO ASSERT(FALSE)"),
        ("ON Line.stop DO INC(x)", "AT END ASSERT(x = 2)", "ON a.stop DO ASSERT(x = 0)"),
        ("ON PORTOUT(8, DATA, v) DO x := UINT8(v)", "AT END ASSERT(x = 5)", "ON PORTOUT(8, DATA, 3) DO ASSERT(x = 0)"),
        ("ON PORTOUT(w, at, v) DO INC(x, UINT8(at - 40H))", "AT END ASSERT(x = 1)", "AT END ASSERT(x = 0)"),
        ("ON PORTIN(8, 41H, v) DO x := UINT8(v)", "AT END ASSERT(x < 2)", "AT END ASSERT(x = 0)"),
        ("ON PORTIN(8, DATA, v) DO x := UINT8(v)", "AT END ASSERT(x = 0)", "AT END ASSERT(flag)"),
        ("ON Start, Halt DO INC(x)", "AT END ASSERT(x = 3)", "AT END ASSERT(x = 2)"),
        ("ON a.go(3), b.go(4) DO INC(x)", "AT END ASSERT(x = 2)", "ON a.go(3), Start DO ASSERT(x = 0)"),
    ],
)
def test_events(handlers: str, right: str, wrong: str) -> None:
    head = "MONITOR Watch OF Bus;\nVAR x : UINT8;\n"
    assert kinds_of(f"{head}{handlers}\n{right}\nEND Watch.") == set()
    assert kinds_of(f"{head}{handlers}\n{wrong}\nEND Watch.") == {"assertion"}


SEND = """MODULE Send;
TYPE Line = [m(UINT8)];
PORT p : Line;
VAR got : UINT8;
PROCESS P SERVER; BEGIN LOOP p!m(1); p!m(2) END END P;
PROCESS Q; BEGIN p?m(got); p?m(got) END Q;
BEGIN NEW(p); CREATE P; CREATE Q; CREATE Q END Send.
"""


def test_a_meeting_is_seen_when_it_happens_not_when_its_processes_go_on() -> None:
    """Between two meetings no other can be missed: their values come in turn."""
    monitor = "MONITOR W OF Send;\nVAR last : UINT8;\nON p.m(v) DO ASSERT(v # last); last := v\nEND W.\n"
    assert compare_machine(machine_of(SEND, monitor)) == set()
    assert compare_machine(machine_of(SEND, monitor.replace("#", "="))) == {"assertion"}


def test_without_variables_the_counts_are_those_of_the_program() -> None:
    silent = machine_of(SEND, "MONITOR W OF Send;\nON p.m(v) DO ASSERT(v < 3)\nON Q DO ASSERT(TRUE)\nEND W.\n")
    plain = machine_of_source(Source("Send.lf", SEND))
    options = request_from(reductions="none")
    assert (check(silent, options).states, check(plain, options).states) == (53, 53)


def machine_of(text: str, monitor: str, **build: bool) -> Machine:
    diagnostics = Diagnostics()
    program = analyse(Source("P.lf", text), diagnostics, environments=[Source("W.lf", monitor)])
    assert program is not None and not diagnostics.has_errors, diagnostics.items
    return build_machine(program, diagnostics, **build)


WATCH = "MONITOR W OF Send;\nVAR n : UINT8;\nON Q, p.m DO INC(n)\nAT END ASSERT(n > 3)\nEND W.\n"


def test_the_image_is_the_same_to_the_byte() -> None:
    board = load_board("uno")
    alone = build_firmware(board, machine_of_source(Source("P.lf", SEND)))
    beside = build_firmware(board, machine_of(SEND, WATCH, with_environment=False))
    assert alone.image == beside.image
    assert program_digest(machine_of(SEND, WATCH)) == program_digest(machine_of_source(Source("P.lf", SEND)))


def test_the_words_of_monitors_are_names_elsewhere() -> None:
    text = "MODULE Names;\nCONST ON = 2;\nVAR MONITOR : INTEGER;\nBEGIN MONITOR := ON; ASSERT(MONITOR = 2) END Names.\n"
    assert compare_machine(machine_of_source(Source("Names.lf", text))) == set()


def test_from_the_command_line(tmp_path: Path) -> None:
    """The counterexample names the monitor's line, and the firmware replays it."""
    (tmp_path / "Send.lf").write_text(SEND)
    (tmp_path / "W.lf").write_text(WATCH.replace("n > 3", "n = 7"))
    done = lfc("check", "Send.lf", "--monitor", "W.lf", "--trace", "x.trace", cwd=tmp_path)
    assert done.exit == 4
    assert done.out.startswith("W.lf:4:8: an assertion can fail: the assertion failed\n")
    assert lfc("run", "Send.lf", "--schedule", "x.trace", cwd=tmp_path).exit == 0
    with_rules = lfc("run", "Send.lf", "--monitor", "W.lf", "--schedule", "x.trace", cwd=tmp_path)
    assert with_rules.exit != 0 and "W.lf:4:8: fault: the assertion failed" in with_rules.out + with_rules.err


USE = """MODULE Use;
IMPORT I2C;
VAR out, in : ARRAY 2 OF UINT8; error : I2C.Error;
BEGIN
  I2C.Transfer(50H, out, 1, in, 0, error);
  I2C.Start(100000)
END Use.
"""


def test_the_rules_that_the_library_ships_with_a_driver(tmp_path: Path) -> None:
    (tmp_path / "Use.lf").write_text(USE)
    done = lfc("check", "Use.lf", "--monitor", "RulesI2C", cwd=tmp_path)
    assert done.exit == 4
    assert "RulesI2C.lf:11:3: an assertion can fail" in done.out


def test_reductions_that_read_the_text_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "Send.lf").write_text(SEND)
    (tmp_path / "W.lf").write_text(WATCH)
    done = lfc("check", "Send.lf", "--monitor", "W.lf", "--reductions", "dead", cwd=tmp_path)
    assert "a monitor watches the program (--monitor)" in done.out + done.err


def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 2)
    assert result.failures == []
