"""The formulas of programs: which parts become atoms, and what these stand for."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.mcheck.ltl.atoms import ProgramFormula, formula_of
from lfc.semantics.model import typed
from lfc.semantics.model.visit import subexpressions

PROGRAM = """MODULE Atoms;
TYPE Ball = [ball(UINT8)];
PORT q : Ball;
VAR i : UINT8; a : ARRAY 4 OF UINT8; b : BOOLEAN;
PROPERTY p = %s;
PROCESS Q;
VAR x : UINT8;
BEGIN x := 1; q!ball(x)
END Q;
PROCESS R;
VAR x : UINT8;
BEGIN q?ball(x); i := x; b := ~b; a[0] := 1
END R;
BEGIN NEW(q); CREATE Q; CREATE R
END Atoms.
"""


def converted(formula: str) -> ProgramFormula:
    diagnostics = Diagnostics()
    program = check_source(Source("Atoms.lf", PROGRAM % formula), diagnostics)
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    (found,) = program.main.properties
    assert found.formula is not None
    return formula_of(found.formula)


@pytest.mark.parametrize(
    ("formula", "atoms"),
    [
        ("ALWAYS (b IMPLIES EVENTUALLY ~b)", ["b"]),
        ("ALWAYS ((i  <  4) & b IMPLIES EVENTUALLY ~(i<4))", ["i < 4", "b"]),
        ("ALWAYS (i < 4 IMPLIES a[i] = 0)", ["i < 4 IMPLIES a[i] = 0"]),
        ("b & (i < 4) & (a[i] = (* one (* two *) *) 2) UNTIL b", ["b & (i < 4) & (a[i] = 2)", "b"]),
        ("(a[1] = 0) & b", ["a[1] = 0", "b"]),
        ("[]<>TAKEN(q.ball) -> <>(READY(Q) OR WAITING(R[0]) OR ENDED(Q))",
         ["TAKEN(q.ball)", "READY(Q)", "WAITING(R[0])", "ENDED(Q)"]),
        ("EVENTUALLY (Q.x = 1) & ~(R.x = 1)", ["Q.x = 1", "R.x = 1"]),
        ("b IFF NEXT (TRUE & b)", ["b"]),
        ("(i + 1 > 3) & ((i + 1 > 3) IFF NEXT (i + 1 > 3))", ["i + 1 > 3"]),
    ],
)  # fmt: skip
def test_atoms(formula: str, atoms: list[str]) -> None:
    found = converted(formula)
    assert list(found.atoms) == atoms


def test_atoms_have_a_value() -> None:
    found = converted("ALWAYS ((i < 4 IFF b) IMPLIES (b IMPLIES a[i] = 0))")
    ((name, value),) = found.atoms.items()
    assert name == "(i < 4 IFF b) IMPLIES (b IMPLIES a[i] = 0)"
    assert not any(isinstance(e, typed.Temporal) for e in subexpressions(value))
