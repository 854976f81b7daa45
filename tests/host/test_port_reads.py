"""Steps say which port was read: the address, and the name of the register there."""

from __future__ import annotations

from typing import Any

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.program import generate
from lfc.mcheck.check import check
from lfc.mcheck.report.json_document import finding_as_data
from lfc.mcheck.report.step_lines import told_steps
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from lfc.run.chart import Deed, chart_of
from lfc.run.native import host_target
from lfc.run.port_reads import NO_PORT, PortReads, port_text
from lfc.run.running import HostRun
from lfc.run.steps import StepPrinter
from lfc.trace.items import Item
from tests.differential.stepwise import machine_of_source

PORTS = """MODULE Ports;
VAR a AT 20H : UINT8; b AT 21H : UINT16; x, y : UINT8; seen NONATOMIC : UINT8;
BEGIN
  IF PORTIN(40H) > 3 THEN x := 1 END; IF a = 7 THEN y := 1 END; RESCHEDULE;
  a := 7; PORTOUT(31H, 8); IF seen = 5 THEN INC(x) END;
  ASSERT((b < 1000) OR (x + y < 3))
END Ports.
"""


def initial_block(machine: Machine) -> bytes:
    return HostRun(generate(machine, host_target()), 0).block


def test_a_way_names_the_ports_that_it_reads() -> None:
    machine = machine_of_source(Source("Ports.lf", PORTS))
    result = check(machine, request_from(threads=1, inputs="split"))
    lines = tell(machine, result).splitlines()
    first = next(line for line in lines if line.startswith("     1 "))
    last = next(line for line in lines if line.startswith("     2 "))
    assert "port 40H = 4; port 20H (a) = 7; reaches 4:65" in first
    assert "port 20H (a) := 7; port 31H := 8; input = 5; port 21H (b) = 1000; the assertion failed" in last


def test_reads_that_are_told_once() -> None:
    """A loop that polls a port, and another port in between."""
    text = """MODULE Loop; VAR i : INTEGER;
BEGIN FOR i := 1 TO 9 DO IF PORTIN(5H) = 0 THEN END END; IF PORTIN(6H) = 0 THEN END; IF PORTIN(5H) = 0 THEN END
END Loop.
"""
    machine = machine_of_source(Source("Loop.lf", text))
    before = initial_block(machine)
    items = [Item("run", (0,)), *[Item("in8", (3,))] * 11]
    told = StepPrinter(machine, before).step(items, before)
    assert "port 5H = 3 (9 times); port 6H = 3; port 5H = 3;" in told
    assert PortReads(machine).of_step(before, items) == [5] * 9 + [6, 5]


LONG = """MODULE Long; VAR status AT 20H : UINT8; data AT 21H : UINT8; i, sum : INTEGER;
BEGIN
  FOR i := 1 TO {times} DO IF status = 0 THEN INC(sum) END; IF data > 5 THEN INC(sum) END END;
  ASSERT(sum < {times})
END Long.
"""


def test_reads_in_turn_are_told_once() -> None:
    """For people, in the line of a step and in the chart; the record has each of them."""
    machine = machine_of_source(Source("Long.lf", LONG.format(times=12)))
    (finding,) = check(machine, request_from(threads=1, inputs="split")).findings
    (step,) = told_steps(machine, finding)
    once = "port 20H (status) = 0; port 21H (data) = 0"
    assert step.text.told == f"{once} (these 2, 12 times); the assertion failed"
    assert step.text.deed == "; ".join([once] * 12) + "; the assertion failed"
    chart = chart_of(machine, finding.steps, finding.blocks, finding.message)
    assert [row.text for row in chart.rows if isinstance(row, Deed)] == [
        "port 20H (status) = 0",
        "port 21H (data) = 0 (these 2, 12 times)",
        "the assertion failed",
    ]
    document: dict[str, Any] = finding_as_data(machine, finding)
    assert document["steps"][0]["deed"] == step.text.deed and len(document["trace"][0]) == 25


def test_what_cannot_be_known_is_not_said() -> None:
    """A step that the program does not do, as a file may hold."""
    machine = machine_of_source(Source("Ports.lf", PORTS))
    reads = PortReads(machine)
    before = initial_block(machine)
    items = [Item("run", (0,)), Item("in8", (3,)), Item("in16", (3,))]
    assert reads.of_step(before, items)[0] == 0x40
    assert reads.of_step(before, [Item("run", (0,)), Item("choice", (1,)), Item("in8", (3,))]) == [None]
    assert [port_text(machine, 8, at) for at in (0x20, 0x21, None, NO_PORT)] == [
        "port 20H (a)",
        "port 21H",
        "port",
        "input",
    ]
