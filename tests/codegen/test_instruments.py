"""What only the checker asks for are lines that can be left out again: the rest is the program as it runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lfc.codegen.program import generate, without_instruments
from lfc.run.native import host_target
from lfc.semantics.model import typed
from tests.actions.machines import machine_of_file, machine_of_text
from tests.conftest import ROOT

RUNS = host_target()
ASKED = {
    "as it runs": RUNS,
    "for an image's check": replace(RUNS, explores=True),
}
CHECKED = replace(RUNS, explores=True, notes_blocks=True, tells_accesses=True, splits_inputs=True)


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.lf")), ids=lambda f: f.stem)
def test_it_is_what_is_generated_without_them(file: Path) -> None:
    machine = machine_of_file(file)
    if machine is None:
        pytest.skip("a part of another program")
    checked = generate(machine, replace(CHECKED, splits_inputs=machine.environment is None))
    for target in ASKED.values():
        made, wanted = without_instruments(checked, target), generate(machine, target)
        assert made.ir == wanted.ir != checked.ir and made.policies == wanted.policies
        assert [(s.kind, s.span.start, s.text) for s in made.sites] == [
            (s.kind, s.span.start, s.text) for s in wanted.sites
        ]


def test_a_program_that_reads_inputs_is_generated_anew() -> None:
    text = "MODULE Main; VAR x : UINT8; BEGIN x := PORTIN(10H) {} END Main."
    derivable = []
    for more in ("", "; ASSERT(PORTIN(11H) < 3)"):
        machine = machine_of_text(text.replace("{}", more))
        checked = generate(machine, CHECKED)
        assert checked.parts is not None
        derivable.append(checked.parts.unit.derivable)
        assert without_instruments(checked, RUNS).ir == generate(machine, RUNS).ir
    assert derivable == [True, False]


def test_formulas_are_left_out_too() -> None:
    machine = machine_of_text("MODULE Main; VAR x : ARRAY 3 OF BOOLEAN; BEGIN x[2] := x[1] END Main.")
    assigned = machine.program.main.body[0]
    assert isinstance(assigned, typed.Assign)
    checked = generate(machine, CHECKED, atoms=[assigned.value])
    made, wanted = without_instruments(checked, RUNS), generate(machine, RUNS)
    assert "@lf_atoms" in checked.ir and made.ir == wanted.ir and len(made.sites) == len(wanted.sites)
