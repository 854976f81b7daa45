"""Sites of faults have the same numbers on the host and on every board: one table of them explains both."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.codegen.module.target import BOARD_TARGETS, Target
from lfc.codegen.program import generate
from lfc.link.fault_options import FaultOptions, fault_module
from lfc.run.native import host_target
from tests.actions.machines import machine_of_file, machine_of_text
from tests.conftest import ROOT

LOOP = """MODULE Main;
VAR i, n : INTEGER; a : ARRAY 5 OF INTEGER;
BEGIN
  FOR i := 0 TO 1 DO RESCHEDULE; n := n + 3 END;
  n := a[n]
END Main.
"""
ELEMENTS = """MODULE Main;
TYPE Msg = [m(INTEGER)];
PORT c : ARRAY 2 OF Msg; VAR n : INTEGER;
PROCESS P; BEGIN c[1]!m(n); n := n + 1 END P;
PROCESS Q; BEGIN c[1]?m(n) END Q;
BEGIN
  NEW(c[0]); NEW(c[1]); CREATE P; CREATE Q
END Main.
"""
EXTERNAL = """MODULE Main;
VAR x : UINT8; a : ARRAY 3 OF UINT8;
PROCESS Double(n : UINT8; VAR r : UINT8) EXTERNAL;
BEGIN
  Double(1, x);
  a[x] := 1
END Main.
"""


def sites(machine: Machine, target: Target) -> list[tuple[int, int, str]]:
    return [(s.kind, s.span.start, s.text) for s in generate(machine, target).sites]


@pytest.mark.parametrize("text", [LOOP, ELEMENTS], ids=["rounds", "known elements"])
def test_checks_that_a_board_needs_not_keep_their_numbers(text: str) -> None:
    machine = machine_of_text(text)
    on_host = sites(machine, host_target())
    for target in BOARD_TARGETS.values():
        assert sites(machine, target) == on_host


@pytest.mark.parametrize("file", sorted((ROOT / "examples" / "ordinary").glob("*.lf")), ids=lambda f: f.stem)
def test_of_ordinary_programs(file: Path) -> None:
    machine = machine_of_file(file)
    if machine is None or machine.environment is not None:
        pytest.skip("not on a board by itself")
    assert sites(machine, BOARD_TARGETS["avr-unknown-unknown-eabi"]) == sites(machine, host_target())


def test_texts_of_faults_that_no_board_raises_are_empty() -> None:
    """C that writes what is not declared, and actions without end, are found on the host alone."""
    target = BOARD_TARGETS["avr-unknown-unknown-eabi"]
    machine = machine_of_text(EXTERNAL)
    generated = generate(machine, target)
    text = fault_module(FaultOptions(texts=True), generated.sites, machine.program.main.source, target)
    kinds = [s.kind for s in generated.sites]
    places = [s.span.line for s in generated.sites]
    assert (kinds, places) == ([12, 14, 1], [5, 5, 6])
    told = "".join(f"\\{byte:02X}" for byte in b"\0\0Main.lf:6:3: index out of bounds\0")
    assert f'c"{told}"' in text
