"""Fixed point: what is stored, what results are computed in, how values are shown."""

from __future__ import annotations

import pytest

from lfc.actions.build import build_machine
from lfc.base.source import Source
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics, Severity
from lfc.run.names import data_values, values
from lfc.run.report import out_of_range
from lfc.run.running import HostRun, Mode
from lfc.semantics.analyse import analyse
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import expressions_of, subexpressions

TYPES = """MODULE M;
TYPE
  A = -40.0 .. 125.0 BY 0.01;
  B = 0.0 .. 100.0 BY 0.5;
  C = -2000000.0 .. 2000000.0 BY 0.001;
  D = 2.5 .. 10.0 BY 0.125;
VAR a : A; b : B; c : C; d : D; n : INTEGER;
"""


def analysed(text: str) -> typed.Program:
    diagnostics = Diagnostics()
    program = analyse(Source("M.lf", text), diagnostics)
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    return program


def computed_in(statement: str) -> set[int]:
    """Bits of the types that the statement computes in."""
    program = analysed(f"{TYPES}BEGIN\n  {statement}\nEND M.")
    found = [e for s in program.main.body for x in expressions_of(s) for e in subexpressions(x)]
    return {8 * e.type.size for e in found if isinstance(e.type, ty.ExactType)}


@pytest.mark.parametrize(
    ("statement", "bits"),
    [
        ("a := a + b", {16}),
        ("ASSERT(a + a + b <= 12)", {16, 32}),  # 12500 + 12500 + 10000
        ("b := 100 - b", {16}),
        ("b := b / 2 * 2", set()),  # the same steps
        ("a := a * 1", set()),
        ("c := c + a", {32}),
        ("ASSERT(c + c < 1)", {64}),
        ("ASSERT(a * b <= 12)", {32}),
        ("c := ROUND(C, c * c)", {64}),
        ("b := SATURATE(B, -a)", {16}),
    ],
)
def test_the_smallest_type_that_holds_all_results(statement: str, bits: set[int]) -> None:
    assert computed_in(statement) == bits


def test_bytes_and_first_values() -> None:
    types = {t.name: t.type for t in analysed(f"{TYPES}END M.").main.types}
    assert [ty.size_and_signedness(types[n]) for n in "ABCD"] == [(2, True), (1, False), (4, True), (1, False)]
    assert [ty.initial_value(types[n]) for n in "ABCD"] == [0, 0, 0, 20]


def test_values_are_shown_as_decimal_numbers() -> None:
    diagnostics = Diagnostics()
    text = f"{TYPES}BEGIN\n  a := -1.5;\n  b := 99.5;\n  c := 0.007\nEND M."
    machine = build_machine(analysed(text), diagnostics, with_environment=False)
    run = HostRun(generate(machine, HOST, "edf"), 0, Mode.RANDOM, 1)
    run.step()
    shown = {"a": "-1.50", "b": "99.5", "c": "0.007", "d": "2.500", "n": "0"}
    assert {n: v for n, v in values(machine, run.block).items() if n in shown} == shown
    assert data_values(machine, run.block)["a"] == "-1.50"


def test_a_fault_tells_the_decimal_number() -> None:
    assert out_of_range("A, in steps of 0.01", -12345) == "the value -123.45 is out of the range of its type (A)"
    assert out_of_range("A, in steps of 5", 3) == "the value 15 is out of the range of its type (A)"
    assert out_of_range("A", 3) == "the value 3 is out of the range of its type (A)"


@pytest.mark.parametrize("statement", ["n := a", "n := a + 1", "r.n := a", "Q(a)", "n := P(0)"])
def test_a_number_of_steps_is_no_whole_number(statement: str) -> None:
    """Steps are stored in the type that INTEGER is: 2.5 must not become 250 by itself."""
    text = f"""{TYPES}  r : RECORD n : INTEGER END;
PROCEDURE P(x : INTEGER) : INTEGER; BEGIN RETURN {"a" if "P(" in statement else "x"} END P;
PROCESS Q(x : INTEGER); BEGIN END Q;
BEGIN
  {statement}
END M."""
    diagnostics = Diagnostics()
    analyse(Source("M.lf", text), diagnostics)
    assert [d.code for d in diagnostics.items if d.severity is Severity.ERROR] == ["LF0401"], diagnostics.items
