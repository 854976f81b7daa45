"""Mutants of a program: which there are, and what becomes of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.hil.coverage import ACTIONS, TRANSITIONS, explored
from lfc.hil.mutants import KINDS, Mutant, mutants_of, mutants_of_program, shuffled
from lfc.hil.mutation import Judged, judge_all
from lfc.hil.suite import suite_for
from lfc.semantics.modules import HOST
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source

PROGRAM = """MODULE Some;
IMPORT Out;
TYPE T = [go(INTEGER)];
PORT c : T;
VAR n, k : INTEGER;
PROPERTY p = ALWAYS n < 100;

PROCESS Taker;
VAR x : INTEGER;
BEGIN
  c?go(x)
END Taker;

BEGIN
  n := 5;
  IF n > 3 THEN k := 1 ELSE k := 2 END;
  REPEAT INC(n) UNTIL n >= 7;
  IF TRUE & (k = 1) THEN Out.Char("a") ELSE Out.Char("b") END
END Some.
"""
LATE = """MODULE Late;
IMPORT Out;
VAR n : UINT8;
BEGIN
  LOOP
    IF n = 2 THEN Out.Char("x") END;
    n := (n + 1) MOD 4;
    RESCHEDULE
  END
END Late.
"""


def fates(text: str, cover: str, mutants: list[Mutant] | None = None) -> dict[str, Judged]:
    machine = machine_of_source(Source("M.lf", text))
    covered = explored(machine, cover, 500)
    found = mutants_of(machine.program.main.source) if mutants is None else mutants
    judged = judge_all(found, machine, covered, suite_for(covered), (), HOST, 1000)
    return {f"{j.mutant.line}: {j.mutant.told}": j for j in judged}


def test_what_a_program_may_become() -> None:
    found = {f"{m.kind} {m.line}: {m.told}" for m in mutants_of(Source("M.lf", PROGRAM))}
    assert {
        "operator 16: `n > 3` becomes `n >= 3`",
        "operator 16: `n > 3` becomes `n < 3`",
        "constant 15: `5` becomes `4`",
        "guard 16: `n > 3` becomes `~(n > 3)`",
        "swapped branch 16: `k := 1` changes places with the next branch",
        "guard 17: `n >= 7` becomes `~(n >= 7)`",
        "operator 18: `TRUE & (k = 1)` becomes `TRUE OR (k = 1)`",
        "constant 18: `TRUE` becomes `FALSE`",
    } <= found
    assert not any(" 6: " in m or " 3: " in m for m in found)  # neither properties nor types


def test_each_mutant_differs_in_one_place_and_all_kinds_occur() -> None:
    kinds = Counter[str]()
    for file in ("prodcons", "buffer", "mutex", "philosophers_ok", "semaphore"):
        source = Source.read(ROOT / "examples" / f"{file}.lf")
        found = mutants_of(source)
        assert len({m.text for m in found}) == len(found) and all(m.text != source.text for m in found)
        kinds.update(m.kind for m in found)
    assert set(kinds) == set(KINDS)
    source = Source.read(ROOT / "examples" / "buffer.lf")
    assert shuffled(mutants_of(source), 1) == shuffled(mutants_of(source), 1) != shuffled(mutants_of(source), 2)


def test_fates() -> None:
    found = fates(PROGRAM.replace("PORT c : T;\n", "").replace("  c?go(x)\n", ""), TRANSITIONS)
    by = {told: (j.fate, j.by) for told, j in found.items()}
    assert by["14: `n > 3` becomes `n >= 3`"] == ("equivalent", "")
    assert by["14: `n > 3` becomes `n < 3`"] == ("caught", "outputs")
    assert by["16: `TRUE & (k = 1)` becomes `TRUE OR (k = 1)`"] == ("equivalent", "")
    assert by["16: `TRUE` becomes `FALSE`"] == ("caught", "outputs")
    assert by["15: `n >= 7` becomes `n > 7`"][0] == "caught"


def test_what_comes_late_survives_a_weak_suite() -> None:
    """All actions are covered by a few rounds; what happens in the third is only in the states."""
    mutant = next(m for m in mutants_of(Source("M.lf", LATE)) if m.told == "`2` becomes `3`")
    (judged,) = fates(LATE, ACTIONS, [mutant]).values()
    assert judged.fate == "survived"


def test_what_an_action_without_end_does_is_caught() -> None:
    mutants = [m for m in mutants_of(Source("M.lf", PROGRAM)) if "~(n >= 7)" in m.told]
    (judged,) = fates(PROGRAM, TRANSITIONS, mutants).values()
    assert judged.fate == "caught"


@pytest.mark.parametrize("name", ["mutex", "buffer"])
def test_a_suite_of_an_example_catches_nearly_all(name: str) -> None:
    text = (ROOT / "examples" / f"{name}.lf").read_text()
    mutants = shuffled(mutants_of(Source("M.lf", text)), 3)[:7]
    ends = Counter(j.fate for j in fates(text, TRANSITIONS, mutants).values())
    assert ends["caught"] >= 0.8 * (ends.total() - ends["equivalent"])


COUNTS = """MODULE Counts;
VAR n* : UINT8;
PROCESS Up*; BEGIN IF n < 3 THEN INC(n) ELSE n := 0 END END Up;
END Counts.
"""
USES = """MODULE Uses;
IMPORT Counts, Out;
BEGIN
  LOOP Counts.Up; IF Counts.n = 2 THEN Out.Char("x") END; RESCHEDULE END
END Uses.
"""


def test_imported_modules_of_the_project_have_mutants_and_the_library_none(tmp_path: Path) -> None:
    (tmp_path / "Counts.lf").write_text(COUNTS)
    (tmp_path / "Uses.lf").write_text(USES)
    machine = machine_of(tmp_path / "Uses.lf")
    found = mutants_of_program(machine.program)
    assert {Path(m.file).name for m in found} == {"Counts.lf", "Uses.lf"}
    covered = explored(machine, TRANSITIONS, 500)
    judged = judge_all(found, machine, covered, suite_for(covered), (), HOST, 1000)
    by = {(Path(j.mutant.file).name, j.mutant.told): (j.fate, j.by) for j in judged}
    assert by["Counts.lf", "`n < 3` becomes `n > 3`"] == ("caught", "state")
    assert by["Counts.lf", "`INC(n)` changes places with the next branch"] == ("caught", "state")
    assert by["Counts.lf", "`n < 3` becomes `n <= 3`"] == ("survived", "")  # the suite covers no fourth round
    assert by["Uses.lf", "`Counts.n = 2` becomes `Counts.n # 2`"] == ("caught", "outputs")
    assert (tmp_path / "Counts.lf").read_text() == COUNTS  # nothing is written


def test_mutants_of_imported_modules_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "Counts.lf").write_text(COUNTS)
    (tmp_path / "Uses.lf").write_text(USES)
    done = lfc("hil", "test", "Uses.lf", "-b", "uno", "--emulated", "--mutants", "30", "--json", cwd=tmp_path)
    assert done.exit == 0, done.err
    mutants = json.loads(done.err.splitlines()[-1])["mutants"]
    told = {f"{m['file']}:{m['line']}: survived: {m['told']}" for m in mutants if m["fate"] == "survived"}
    assert {m["file"] for m in mutants} == {"Counts.lf", "Uses.lf"}
    assert "Counts.lf:3: survived: `n < 3` becomes `n <= 3`" in told
    assert told == {line.strip() for line in done.err.splitlines() if "survived: " in line}
