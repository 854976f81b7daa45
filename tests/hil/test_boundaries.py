"""Tests at the limits of classes: which there are, that each can be done, and what they catch that others do not."""

from __future__ import annotations

import random

import pytest

from lfc.actions.model.machine import Machine
from lfc.front_end.chip_modules import chip_modules
from lfc.hil.boundaries import classes_to_cover, limits_of
from lfc.hil.coverage import CLASSES, TRANSITIONS, Covered, goal_text
from lfc.hil.mutants import mutants_of_program
from lfc.hil.mutation import judge_all
from lfc.hil.suite import suite_for
from lfc.hil.walks import graph_to_cover
from tests.actions.machines import machine_of_text
from tests.hil.followed import follow

HEATING = """MODULE Heating;
IMPORT SYSTEM;
CONST ADC = 78H; HEATER = 25H;
VAR on* : BOOLEAN;
PROCESS Control SERVER;
VAR v : UINT16;
BEGIN
  LOOP
    v := PORTIN16(ADC);
    RESCHEDULE;
    IF v < 180 THEN on := TRUE ELSIF v > 220 THEN on := FALSE END;
    PORTOUT(HEATER, UINT8(ORD(on)));
    RESCHEDULE
  END
END Control;
BEGIN CREATE Control END Heating.
"""
DIVISION = """(* With a fault that one value has, and a number with a sign. *)
MODULE Division;
CONST ADC = 78H;
VAR x : INT8;
PROCESS P SERVER;
BEGIN
  LOOP x := INT8(PORTIN(ADC) MOD 128); RESCHEDULE; x := INT8(100 DIV (x - 7)); RESCHEDULE END
END P;
BEGIN CREATE P END Division.
"""


def limits(machine: Machine, covered: Covered, name: str) -> set[tuple[object, object]]:
    return {(g[3], g[4]) for g in covered.goals if g[2] == name}


def test_each_class_has_its_limits_with_each_truth_value() -> None:
    machine = machine_of_text(HEATING)
    covered = classes_to_cover(machine, 1000)
    expected = {(v, f"Heating.on = {on}") for v in (0, 179, 180, 220, 221, 65535) for on in ("FALSE", "TRUE")}
    assert limits(machine, covered, "Control.v") == expected
    assert "Heating.Control at line 10: Control.v = 180 with Heating.on = TRUE" in [
        goal_text(machine, CLASSES, g) for g in covered.goals
    ]


@pytest.mark.parametrize("text", [HEATING, DIVISION])
def test_all_can_be_done(text: str) -> None:
    machine = machine_of_text(text)
    covered = classes_to_cover(machine, 1000)
    together = 0
    for test in suite_for(covered):
        follow(machine, covered, test)
        together |= test.goals
    assert together == (1 << len(covered.goals)) - 1 > 0


def test_the_value_that_faults_is_tried() -> None:
    machine = machine_of_text(DIVISION)
    covered = classes_to_cover(machine, 1000)
    faulty = [e.goals for edges in covered.edges for e in edges if e.target is None]
    assert {g[3] for b, g in enumerate(covered.goals) if any(goals >> b & 1 for goals in faulty)} == {7}


def caught(machine: Machine, covered: Covered) -> set[str]:
    mutants = [m for m in mutants_of_program(machine.program) if m.line >= 9]
    judged = judge_all(mutants, machine, covered, suite_for(covered), (), chip_modules(None), len(mutants))
    return {j.mutant.told for j in judged if j.fate == "caught"}


def test_they_catch_limits_that_are_off_by_one() -> None:
    machine = machine_of_text(HEATING)
    by_classes = caught(machine, classes_to_cover(machine, 1000))
    by_transitions = caught(machine, graph_to_cover(machine, TRANSITIONS, 200))
    off_by_one = {f"`{n}` becomes `{n + d}`" for n in (180, 220) for d in (1, -1)}
    assert off_by_one <= by_classes
    assert not off_by_one <= by_transitions


def test_limits_of_sets() -> None:
    r = random.Random(1)
    for _ in range(50):
        runs = tuple((20 * i + r.randrange(5), 20 * i + 5 + r.randrange(5)) for i in range(r.randrange(1, 9)))
        assert limits_of(runs) == [x for run in runs for x in run]
    assert len(limits_of(tuple((3 * i, 3 * i) for i in range(100)))) == 8
