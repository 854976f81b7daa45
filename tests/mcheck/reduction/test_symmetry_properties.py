"""Symmetry and properties: those that tell no instances apart are looked for in the states that are kept, and cycles of
these are gone round until they close in the program; the others are looked for without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.properties import unwind_lasso as exchanged_runs
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.mcheck.properties.naive_runs import violates
from tests.mcheck.reduction.seeded import Fault, seeded

PASSING_ON = """MODULE Passing;
TYPE Ch = [n];
PORT c, over : Ch;
VAR i, g, rounds : UINT8;

PROCESS P;
VAR mine : BOOLEAN;
BEGIN
  LOOP c?n; g := 1; RESCHEDULE; g := 0; rounds := (rounds + 1) MOD 3; c!n END
END P;

PROCESS First;
BEGIN c!n; IF rounds = 5 THEN over!n END
END First;

PROPERTY {property};
BEGIN
  NEW(c); NEW(over);
  FOR i := 1 TO {count} DO CREATE P END;
  CREATE First
END Passing.
"""


def machine_for(name: str, formula: str, count: int = 3) -> Machine:
    return machine_of_source(Source("Passing.lf", PASSING_ON.format(property=f"{name} = {formula}", count=count)))


def checked(machine: Machine, *reductions: str, **more: object) -> CheckResult:
    options = request_from(threads=1, reductions=reductions).changed(**more)
    return check(machine, options)


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("ALWAYS EVENTUALLY (g = 1)", "holds"),
        ("EVENTUALLY ALWAYS (g = 0)", "property"),
        ("ALWAYS EVENTUALLY (rounds = 3)", "property"),
        ("ALWAYS (TAKEN(c.n) IMPLIES NEXT NEXT (g = 1))", "property"),
        ("EVENTUALLY ENDED(P)", "property"),
        ("EVENTUALLY ENDED(First)", "property"),
        ("ALWAYS (rounds < 2)", "property"),
    ],
)
def test_the_verdict_is_that_of_all_states(formula: str, verdict: str) -> None:
    machine = machine_for("p", formula)
    full, kept = checked(machine), checked(machine, "sym")
    assert full.verdict == kept.verdict == verdict
    assert kept.states * 2 < full.states
    assert kept.properties[0]["states"] < full.properties[0]["states"]  # type: ignore[operator]
    assert kept.reductions[0].not_for == {}
    for finding in kept.findings:
        assert violates(machine, finding)


def test_a_cycle_is_gone_round_until_it_closes() -> None:
    """Nobody hands over to himself: what is one round in the states that are kept are two or more of the program."""
    machine = machine_for("p", "EVENTUALLY ALWAYS (g = 0)", count=2)
    (finding,) = checked(machine, "sym").findings
    run = finding.run
    assert run is not None and not run.lost
    assert run.blocks[-1] == run.blocks[run.cycle]
    (other,) = checked(machine).findings
    assert other.run is not None
    assert len(run.steps) - run.cycle == len(other.run.steps) - other.run.cycle


def test_a_cycle_that_takes_too_many_rounds_is_looked_for_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_for("p", "EVENTUALLY ALWAYS (g = 0)")
    monkeypatch.setattr(exchanged_runs, "MOST_STEPS", 8)
    found = checked(machine, "sym")
    assert found.verdict == "property"
    assert violates(machine, found.findings[0])


def test_a_way_that_other_orders_could_make_shorter_is_not_said_to_be_the_shortest() -> None:
    machine = machine_for("p", "ALWAYS (rounds < 2)")
    (kept,), (full,) = checked(machine, "sym").findings, checked(machine).findings
    assert kept.run is not None and full.run is not None and kept.run.shortest and full.run.shortest
    assert len(kept.run.steps) == len(full.run.steps)
    (reduced,) = checked(machine, "por", "sym").findings
    assert reduced.run is not None and not reduced.run.shortest


APART = """p = ALWAYS ((g = 1) IMPLIES EVENTUALLY READY(P[1]));
PROPERTY q = ALWAYS (rounds < 3);
PROPERTY r = ALWAYS ~(P.mine & READY(P[0]))"""


def test_what_tells_instances_apart_is_looked_for_without_it() -> None:
    machine = machine_of_source(Source("Passing.lf", PASSING_ON.format(property=APART, count=3)))
    full, kept = checked(machine, keep_going=True), checked(machine, "sym", keep_going=True)
    assert [(p["name"], p["verdict"]) for p in full.properties] == [(p["name"], p["verdict"]) for p in kept.properties]
    assert [p["verdict"] for p in kept.properties] == ["property", "holds", "holds"]
    sizes = [(p["states"], q["states"]) for p, q in zip(full.properties, kept.properties, strict=True)]
    assert sizes[0][0] == sizes[0][1] and sizes[2][0] == sizes[2][1] and sizes[1][0] > sizes[1][1]  # type: ignore[operator]
    assert kept.states < full.states
    assert kept.reductions[0].not_for == dict.fromkeys("pr", "refers to one of several `P`")
    assert "not for `p`, which refers to one of several `P`" in tell(machine, kept)
    assert violates(machine, kept.findings[0])
    assert kept.beside == full.beside


def test_conditions_that_never_hold_are_told_of_properties_that_are_looked_for_without_it() -> None:
    machine = machine_for("p", "ALWAYS (P[1].mine IMPLIES EVENTUALLY (g = 1))")
    full, kept = checked(machine), checked(machine, "sym")
    assert full.verdict == kept.verdict == "holds"
    assert "never" in tell(machine, full)
    assert [x for x in tell(machine, full).splitlines() if "P[1].mine" in x] == [
        x for x in tell(machine, kept).splitlines() if "P[1].mine" in x and not x.startswith("reduction")
    ]


@pytest.mark.parametrize(
    ("formula", "fair", "verdict", "apart"),
    [
        ("EVENTUALLY ENDED(First)", "weak First", "holds", ""),
        ("EVENTUALLY ENDED(First)", "weak P", "property", "assumes fairness for each `P`"),
        ("EVENTUALLY ALWAYS (g = 0)", "strong First", "property", ""),
    ],
)
def test_fairness_for_several_instances_is_not_for_it(formula: str, fair: str, verdict: str, apart: str) -> None:
    machine = machine_for("p", formula)
    full, kept = checked(machine, fair=(fair,)), checked(machine, "sym", fair=(fair,))
    assert full.verdict == kept.verdict == verdict
    assert list(kept.reductions[0].not_for.values()) == [apart] * bool(apart)


def test_what_asks_for_ports_is_looked_for_without_it() -> None:
    text = PASSING_ON.format(property="p = ALWAYS (last # c)", count=2).replace("VAR i", "PORT last : Ch;\nVAR i", 1)
    text = text.replace("NEW(over);", "NEW(over); last := over;").replace("g := 0;", "g := 0; last := c;")
    machine = machine_of_source(Source("Passing.lf", text))
    kept = checked(machine, "sym")
    assert kept.verdict == checked(machine).verdict == "property"
    assert kept.reductions[0].not_for == {"p": "refers to ports"}


def test_a_property_process_is_looked_for_without_it(tmp_path: Path) -> None:
    text = PASSING_ON.replace(
        "PROPERTY {property};", "PROPERTY p;\nBEGIN LOOP IF g = 2 THEN ACCEPT END; RESCHEDULE END END p;"
    )
    (tmp_path / "Passing.lf").write_text(text.format(count=3))
    found = lfc("check", "Passing.lf", "--reductions", "sym", "--json", cwd=tmp_path)
    said = json.loads(found.out)["reductions"][0]
    assert said["used"] and said["not_for"] == {"p": "is a monitor process, which may observe any instance"}


STAGES = """MODULE Stages;
VAR i, sum : UINT8;
PROCESS P;
VAR stage : UINT8;
BEGIN
  RESCHEDULE; stage := 1; RESCHEDULE; stage := 2; RESCHEDULE; sum := sum + stage; RESCHEDULE
END P;
PROPERTY p = ALWAYS ((P[{slot}].stage = 1) IMPLIES NEXT (P[{slot}].stage > 0));
BEGIN
  FOR i := 1 TO 3 DO CREATE P END
END Stages.
"""


def test_one_that_tells_instances_apart_and_is_looked_for_all_the_same_is_seen() -> None:
    found = []
    for slot in range(3):
        machine = machine_of_source(Source("Stages.lf", STAGES.format(slot=slot)))
        assert checked(machine).verdict == checked(machine, "sym").verdict == "holds"
        with seeded(Fault.APART):
            found.append(checked(machine, "sym").verdict)
    assert "property" in found


UNNAMED = """MODULE Unnamed;
TYPE Ch = [n];
PORT a, b : Ch; all : ARRAY 2 OF Ch MAX 1;
PROCESS Sends(c : Ch); BEGIN c!n END Sends;
PROCESS Takes(c : Ch); BEGIN c?n END Takes;
PROPERTY never = ALWAYS ~TAKEN({port}.n);
BEGIN
  NEW(a); NEW(b);
  all[0] := b; all[1] := a;
  CREATE Sends(a); CREATE Takes(a); CREATE Sends(a); CREATE Takes(a)
END Unnamed.
"""


@pytest.mark.parametrize(("port", "verdict"), [("a", "property"), ("b", "holds")])
def test_a_port_that_only_a_formula_names_keeps_its_channel(port: str, verdict: str) -> None:
    machine = machine_of_source(Source("Unnamed.lf", UNNAMED.format(port=port)))
    assert checked(machine).verdict == checked(machine, "sym").verdict == verdict


EACH = """MODULE Each;
TYPE Ch = [n];
PORT c : Ch;
VAR g, i : UINT8;
PROCESS P; VAR k : UINT8; BEGIN LOOP k := (k + 1) MOD 3; RESCHEDULE; c!n END END P;
PROCESS Q; VAR k : UINT8; BEGIN LOOP k := (k + 1) MOD 3; RESCHEDULE END END Q;
PROCESS Counts; BEGIN LOOP c?n; g := (g + 1) MOD 2 END END Counts;
PROPERTY neither = ALWAYS (g < 2);
PROPERTY one = ALWAYS (Q[0].k < 3);
PROPERTY steps = EVENTUALLY ALWAYS ((g = 1) OR (NEXT (g = 0)) OR (NEXT (NEXT (g = 1))));
PROPERTY both = ALWAYS ((Q[0].k # 1) OR (NEXT (Q[0].k = 1)) OR (NEXT (Q[0].k = 2)));
BEGIN
  NEW(c);
  FOR i := 1 TO 2 DO CREATE P; CREATE Q END;
  CREATE Counts
END Each.
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_each_property_is_looked_for_with_all_reductions_that_are_for_it(threads: int) -> None:
    machine = machine_of_source(Source("Each.lf", EACH))

    def sizes(*reductions: str) -> dict[str, object]:
        found = checked(machine, *reductions, keep_going=True, threads=threads)
        verdicts = [p["verdict"] for p in found.properties]
        assert verdicts == ["holds", "holds", "property", "holds"]
        for finding in found.findings:
            assert violates(machine, finding)
        return {str(p["name"]): p["states"] for p in found.properties}

    full, por, sym, kept = sizes(), sizes("por"), sizes("sym"), sizes("por", "sym")
    assert kept["one"] == por["one"] != full["one"]
    assert kept["steps"] == sym["steps"] != full["steps"]
    assert kept["both"] == full["both"]
    assert kept["neither"] not in (full["neither"], por["neither"], sym["neither"])
