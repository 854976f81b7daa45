"""Reductions of programs with PROCEDUREs: the same verdicts; a slice keeps what its procedures need, and compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.semantics.model import typed
from lfc.semantics.model.visit import root_variable
from tests.cli.lfc import lfc
from tests.mcheck.reduction.slices import checked, kept

TEXT = """MODULE Program;
TYPE Msg = [m(INTEGER)];
VAR
  a, b, seed, other : INTEGER;
PORT c : Msg;

PROCEDURE Twice(x : INTEGER) : INTEGER;
BEGIN
  RETURN x + b
END Twice;

PROCEDURE Unused(x : INTEGER) : INTEGER;
BEGIN
  RETURN x + other
END Unused;

PROCEDURE Next(x : INTEGER) : INTEGER WRITES seed, other;
BEGIN
  other := (other + 1) MOD 5;
  seed := (seed + x) MOD 4;
  IF seed = 3 THEN RETURN 0 END;
  RETURN seed
END Next;

PROCESS P(out : Msg);
VAR i, k : INTEGER;
BEGIN
  LOOP
    i := Next(1);
    k := Unused(i);
    other := k MOD 3;
    out!m(Twice(i))
  END
END P;

PROCESS Q(in : Msg);
VAR x : INTEGER;
BEGIN
  LOOP in?m(x); a := x END
END Q;

PROPERTY p = ALWAYS (Twice(a) < 9);
PROPERTY q = ALWAYS (a < 2);
BEGIN
  b := 2;
  other := Unused(3) * 0;
  NEW(c);
  CREATE P(c);
  CREATE Q(c)
END Program.
"""


@pytest.mark.parametrize("reductions", [("por",), ("dead",), ("chains",), ("sym",), ("slice",)])
def test_a_reduction_keeps_the_verdicts(reductions: tuple[str, ...]) -> None:
    full = checked(TEXT, reductions=(), keep_going=True)
    assert (full.verdict, full.states, full.transitions) == ("property", 42, 56)
    result = checked(TEXT, reductions=reductions, keep_going=True)
    assert result.verdict == full.verdict
    assert {str(p["name"]): p["verdict"] for p in result.properties} == {"p": "holds", "q": "property"}


def test_a_slice_keeps_what_a_called_procedure_reads() -> None:
    found = kept(TEXT, "p")
    assert {v.name for v in found.variables} >= {"a", "b", "seed"} and "other" not in {v.name for v in found.variables}
    result = checked(TEXT, "p")
    assert (result.verdict, result.states, result.transitions) == ("holds", 18, 24)


def test_a_slice_is_written_as_a_program(tmp_path: Path) -> None:
    file = tmp_path / "Program.lf"
    file.write_text(TEXT)
    written = tmp_path / "out" / "Program.lf"
    written.parent.mkdir()
    done = lfc("slice", file, "--for", "p", "-o", written)
    assert done.exit == 0, done.err
    text = written.read_text()
    assert "Unused" not in text and "PROCEDURE Twice" in text and "IF seed = 3 THEN RETURN 0 END" in text
    checked_again = lfc("check", written)
    assert checked_again.exit == 0 and "18 states, 24 transitions" in checked_again.out + checked_again.err


FAULTS = """MODULE Program;
VAR x, y : INTEGER;
PROCEDURE Third(d : INTEGER) : INTEGER;
BEGIN
  {check};
  RETURN 100 DIV {divisor}
END Third;
PROCEDURE Outer(d : INTEGER) : INTEGER; BEGIN RETURN Third(d) END Outer;
PROCESS P SERVER;
BEGIN
  LOOP y := Outer(x); x := (x + 3) MOD 5; RESCHEDULE END
END P;
BEGIN x := 2; CREATE P END Program.
"""


@pytest.mark.parametrize(
    ("check", "divisor", "verdict"),
    [("x := x", "d", "fault"), ("ASSERT(d # 3)", "7", "assertion"), ("ASSERT(d # 9)", "7", "holds")],
)
def test_what_fails_in_a_function_whose_value_nobody_needs_is_found(check: str, divisor: str, verdict: str) -> None:
    text = FAULTS.format(check=check.replace("x := x", "ASSERT(TRUE)"), divisor=divisor)
    assert checked(text, reductions=("slice",)).verdict == verdict
    assert checked(text, reductions=()).verdict == verdict


def test_a_function_that_cannot_fail_leaves_with_its_value() -> None:
    text = FAULTS.format(check="IF d > 3 THEN RETURN 1 END", divisor="7")
    found = kept(text)
    gone = [s.target for s in found.all_statements if id(s) not in found.statements and isinstance(s, typed.Assign)]
    assert [root_variable(t).name for t in gone] == ["y"]  # type: ignore[union-attr]
