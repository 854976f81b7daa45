"""The protocols in examples/models: what is known of each, and what is known to go wrong when a constant is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.run.names import live_processes
from tests.conftest import ROOT

MODELS = ROOT / "examples" / "models"


def machine_of(folder: Path, model: str, *changes: tuple[str, str]) -> Machine:
    text = (MODELS / f"{model}.lf").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / f"{model}.lf").write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()
    program = load_program(folder / f"{model}.lf", diagnostics)
    assert program is not None and not diagnostics.has_errors, [(d.code, d.message) for d in diagnostics.items]
    return build_machine(program, diagnostics)


def checked(folder: Path, model: str, *changes: tuple[str, str]) -> CheckResult:
    return check(machine_of(folder, model, *changes), request_from(threads=1))


def offset_of(machine: Machine, variable: str) -> int:
    (found,) = [offset for v, offset in machine.layout.variables.items() if v.name == variable]
    return found


STATES = "closed listen synSent synReceived established finWait1 finWait2 closing timeWait closeWait lastAck".split()


@pytest.mark.parametrize(
    ("cells", "early", "states", "left"),
    [
        (1, "FALSE", 5611, {"finWait2", "closing"}),
        (2, "FALSE", 8303, None),
        (2, "TRUE", 21727, {"finWait2", "closing"}),
        (3, "TRUE", 22714, None),
    ],
)
def test_closing_from_both_sides(tmp_path: Path, cells: int, early: str, states: int, left: set[str] | None) -> None:
    machine = machine_of(tmp_path, "tcp", ("CELLS = 1;", f"CELLS = {cells};"), ("EARLY = FALSE", f"EARLY = {early}"))
    result = check(machine, request_from(threads=1))
    assert (result.verdict, result.states) == ("deadlock" if left else "holds", states)
    if left:
        at = offset_of(machine, "state")
        last = result.findings[0].blocks[-1]
        assert {STATES[last[at + i]] for i in range(2)} == left


def test_code_spreads_to_two_motes(tmp_path: Path) -> None:
    assert checked(tmp_path, "trickle").verdict == "holds"


def test_code_does_not_spread_round_a_ring(tmp_path: Path) -> None:
    """And who must be treated fairly is seen to be, on the cycle."""
    machine = machine_of(tmp_path, "trickle", ("MOTES = 2;", "MOTES = 3;"))
    finding = check(machine, request_from(threads=1)).findings[0]
    assert finding.kind == "property" and finding.run is not None
    ran = {s[0].operands[0] for s in finding.run.steps[finding.run.cycle :]}
    (after,) = {p.slot for p in live_processes(machine, finding.run.blocks[-1]) if "Update" in p.name}
    others = {p.slot for p in live_processes(machine, finding.run.blocks[-1])} - {after}
    assert len(others) == 6 and others <= ran
    at = finding.run.blocks[finding.run.cycle]
    versions = offset_of(machine, "version")
    assert at[versions] < at[versions + 1]  # mote 0 is behind


@pytest.mark.parametrize(
    ("line", "verdict"),
    [("Lossy", "holds"), ("Duplicating", "holds"), ("Reordering", "assertion"), ("Corrupting", "assertion")],
)
def test_the_alternating_bit_over_bad_lines(tmp_path: Path, line: str, verdict: str) -> None:
    result = checked(tmp_path, "abp", ("Links.Lossy", f"Links.{line}"), ("COUNT = 4;", "COUNT = 3;"))
    assert result.verdict == verdict
