"""What cannot fault where it stands: by line of a text, with the text beside it in which it can."""

from __future__ import annotations

import pytest

from lfc.actions.analysis.may_fault import takes_bits_as_they_are
from lfc.actions.analysis.value_ranges import Owner, harmless
from lfc.base.source import Source
from lfc.semantics.model.visit import statements
from tests.differential.stepwise import machine_of_source

TEXT = """MODULE Program;
IMPORT Clock, SYSTEM;
CONST POWERS : ARRAY 3 OF UINT32 = [100, 10, 1]; ZEROS : ARRAY 3 OF UINT32 = [4, 0, 2];
TYPE Level = 0 .. 9; Colour = (red, green); T = [m(INTEGER)];
VAR n, k : INTEGER; level : Level; cells : ARRAY 4 OF UINT8; u : UINT32; colour : Colour;
PORT port : T;
PROCEDURE Half(x : INTEGER) : INTEGER; BEGIN RETURN x DIV 2 END Half;
PROCEDURE Part(x, y : INTEGER) : INTEGER; BEGIN RETURN x DIV y END Part;
PROCEDURE Quarter(x : INTEGER) : INTEGER; BEGIN RETURN Half(Half(x)) END Quarter;
PROCESS Other; BEGIN n := -1; RESCHEDULE; n := k END Other;
PROCESS Lend(VAR x : INTEGER); BEGIN x := 70 END Lend;
PROCESS P(a, b : INTEGER);
VAR i, x : INTEGER; d : UINT32;
BEGIN
{body}
END P;
BEGIN NEW(port); CREATE Other; CREATE P(n, k) END Program.
"""
LAST = "LAST"


def cannot_fault(body: str) -> bool:
    """The statement behind which LAST stands."""
    text = TEXT.format(body=body)
    line = next(i for i, row in enumerate(text.splitlines(), 1) if LAST in row)
    program = machine_of_source(Source("Program.lf", text.replace(LAST, ""))).program
    owners: list[Owner] = [*program.modules, *program.all_processes()]
    within = not takes_bits_as_they_are(s for o in owners for s in statements(o.body))
    found = harmless(program, owners, within)
    s = next(s for o in owners for s in statements(o.body) if s.span.line == line)
    return id(s) in found


@pytest.mark.parametrize(
    ("body", "other"),
    [
        ("IF n < 9 THEN\nINC(n) LAST\nEND", "IF n < 9 THEN RESCHEDULE;\nINC(n) LAST\nEND"),
        ("IF n < 9 THEN\nINC(n) LAST\nEND", "IF n > 9 THEN\nINC(n) LAST\nEND"),
        ("IF a < 9 THEN RESCHEDULE;\nINC(a) LAST\nEND", "IF n < 9 THEN Lend(x);\nINC(n) LAST\nEND"),
        ("x := 5;\nINC(x) LAST", "x := 5; Lend(x);\nINC(x) LAST"),
        ("d := POWERS[1];\nu := u DIV d LAST", "d := ZEROS[1];\nu := u DIV d LAST"),
        ("FOR i := 0 TO 3 DO\ncells[i] := 1 LAST\nEND", "FOR i := 0 TO 4 DO\ncells[i] := 1 LAST\nEND"),
        ("FOR i := 3 TO 0 BY -1 DO\ncells[i] := 1 LAST\nEND", "FOR i := 3 TO -1 BY -1 DO\ncells[i] := 1 LAST\nEND"),
        ("FOR i := 0 TO 3 DO\ncells[i] := 1 LAST\nEND", "FOR i := 0 TO 3 DO INC(i, k);\ncells[i] := 1 LAST\nEND"),
        ("FOR i := 0 TO level DO\nx := i + 1 LAST\nEND", "FOR i := 0 TO k DO\nx := i + 1 LAST\nEND"),
        ("IF a > 0 THEN\nx := 7 DIV a LAST\nEND", "IF a >= 0 THEN\nx := 7 DIV a LAST\nEND"),
        ("IF a < 0 THEN\nx := -(a + 1) LAST\nEND", "IF a < 0 THEN\nx := -a LAST\nEND"),
        (
            "IF (a < 0) OR (a > 3) THEN RETURN END;\ncells[a] := 0 LAST",
            "IF (a < 0) & (a > 3) THEN RETURN END;\ncells[a] := 0 LAST",
        ),
        ("WHILE a < 3 DO\nINC(a) LAST\nEND", "WHILE a # 3 DO\nINC(a) LAST\nEND"),
        ("IF ~(level = 9) THEN\nINC(level) LAST\nEND", "IF ~(level = 8) THEN\nINC(level) LAST\nEND"),
        ("x := 1; LOOP\nx := 7 DIV 2 LAST\nEND", "x := 1; LOOP IF x = 4 THEN EXIT END;\nINC(x) LAST\nEND"),
        ("x := 3;\nLOOP EXIT END;\nx := 7 DIV x LAST", "x := 3;\nLOOP x := 0; EXIT END;\nx := 7 DIV x LAST"),
        ("n := Half(k) LAST", "n := Part(k, a) LAST"),
        ("n := Quarter(k) LAST", "n := Quarter(Part(k, a)) LAST"),
        ("ASSERT((a # 0) OR (n = 1));\nn := 7 DIV 7 LAST", "ASSERT(a # 0);\nn := 7 DIV a LAST"),
        ("ASSERT((k > 0) & (7 DIV k > 3)) LAST", "ASSERT((k > 0) OR (7 DIV k > 3)) LAST"),
        ("port?m(x);\nIF x > 0 THEN n := 1 END;\nx := 7 DIV 1 LAST", "x := 3; port?m(x);\nx := 7 DIV x LAST"),
        (
            "CASE level OF 0 .. 4: x := 1 | 5 .. 9: x := 2 END LAST",
            "CASE level OF 0 .. 4: x := 1 | 5 .. 8: x := 2 END LAST",
        ),
        ("CASE a MOD 2 OF 0: x := 1 | 1: x := 2 END LAST", "CASE a OF 0: x := 1 | 1: x := 2 END LAST"),
        (
            "IF a < 10 THEN x := a ELSE x := 10 END;\nx := x + 1 LAST",
            "IF a < 10 THEN x := a ELSE x := b END;\nx := x + 1 LAST",
        ),
    ],
)  # fmt: skip
def test_one_cannot_fault_and_the_other_can(body: str, other: str) -> None:
    assert cannot_fault(body)
    assert not cannot_fault(other)


def test_bits_that_no_type_bounds() -> None:
    """SYSTEM.VAL makes a value of the subrange that it does not have."""
    made = "level := SYSTEM.VAL(Level, UINT8(n MOD 256)); RESCHEDULE;"
    assert cannot_fault("IF level # 9 THEN\nINC(level) LAST\nEND")
    assert not cannot_fault(made + "IF level # 9 THEN\nINC(level) LAST\nEND")
