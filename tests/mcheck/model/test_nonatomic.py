"""Device registers are ports, and reads that may overlap a write are any value."""

from __future__ import annotations

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from lfc.semantics.analyse import analyse_text
from tests.actions.machines import machine_of_text

PROGRAM = """MODULE Main;
VAR reg AT 20H ATTRIBUTE : TYPE; ticks NONATOMIC : UINT32; few NONATOMIC : UINT8; x : TYPE; y : UINT8; b : BOOLEAN;
BEGIN
  RESCHEDULE;
  BODY
END Main.
"""
DEVICE = """ENVIRONMENT MODULE Device;
IMPORT SYSTEM;
VAR reads : UINT8;
PROCESS Register SERVER;
BEGIN LOOP SYSTEM.IOPORT?PORTIN(WIDTH, 20H); INC(reads); SYSTEM.IOPORT!VALUE(7) END END Register;
BEGIN CREATE Register END Device.
"""


def program(body: str, attribute: str = "", of_type: str = "UINT16") -> str:
    return PROGRAM.replace("BODY", body).replace("ATTRIBUTE", attribute).replace("TYPE", of_type)


def checked(text: str, environment: str | None = None) -> CheckResult:
    return check(machine_of_text(text, environment), request_from(threads=1))


@pytest.mark.parametrize(
    ("attribute", "of_type", "condition", "verdict"),
    [
        ("", "UINT16", "reg = 7", "holds"),  # the environment answers it whole
        ("NONATOMIC", "UINT16", "reg = 7", "assertion"),
        ("NONATOMIC", "UINT16", "reg # 65535", "assertion"),
        ("NONATOMIC", "UINT8", "reg = 7", "holds"),  # one byte is read at once
    ],
)
def test_a_register_that_can_be_torn(attribute: str, of_type: str, condition: str, verdict: str) -> None:
    device = DEVICE.replace("WIDTH", of_type.removeprefix("UINT"))
    assert checked(program(f"ASSERT({condition})", attribute, of_type), device).verdict == verdict


def test_the_device_is_asked_all_the_same() -> None:
    machine = machine_of_text(program("b := reg > 3", "NONATOMIC"), DEVICE.replace("WIDTH", "16"))
    search = Search(machine, request_from())
    assert search.run() is Stop.COMPLETE
    assert machine.environment is not None
    at = next(o for v, o in machine.environment.layout.variables.items() if v.name == "reads")
    assert {b[at] for b in search.all_blocks()} == {0, 1}
    search.close()


@pytest.mark.parametrize("register", ["reg", "PORTIN16(20H)"])
def test_registers_are_ports(register: str) -> None:
    """The same values and alternatives."""
    machine = machine_of_text(program(f"b := {register} > 300; RESCHEDULE; x := {register}"))
    search = Search(machine, request_from())
    assert search.run() is Stop.COMPLETE
    assert (search.statistics.states, search.statistics.transitions) == (2 + 2 + 2 * 65536, 1 + 2 + 2 * 65536)
    search.close()


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("ASSERT(ticks # 123456)", "assertion"),
        ("ASSERT((ticks < 10) OR (ticks >= 0))", "holds"),
        ("ASSERT((ticks < 10) OR (ticks >= 10))", "assertion"),  # two reads
        ("IF ticks DIV 1024 > 3 THEN b := TRUE END", "holds"),
        ("y := few; ASSERT(y # 200)", "assertion"),
        ("x := UINT16(ticks MOD 65536)", "holds"),  # the other bits are not asked for
    ],
)
def test_variables_that_others_write(body: str, verdict: str) -> None:
    assert checked(program(body)).verdict == verdict


def test_what_is_given_to_c_may_be_written_by_it_whatever_the_program_writes() -> None:
    """Else nobody but the program knows where it lies, and a write is two actions."""
    text = program("ticks := 5; ASSERT(ticks = 5)")
    assert checked(text).verdict == "holds"
    c = "PROCESS Start EXTERNAL WRITES ticks;\nBEGIN\n  Start;"
    assert checked(text.replace("BEGIN", c, 1)).verdict == "assertion"
    array = text.replace("ticks NONATOMIC : UINT32", "ticks NONATOMIC : ARRAY 2 OF UINT8").replace("ticks = 5", "TRUE")
    found = analyse_text(array.replace("ticks := 5", "ticks[0] := 5").replace("BEGIN", c, 1))[1]
    assert [d.message for d in found.items if d.code == "LF0420"] == [
        "`ticks` is NONATOMIC and C may write it, so it is a number, a CHAR or a set, not ARRAY 2 OF UINT8"
    ]
