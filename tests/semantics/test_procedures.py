"""PROCEDUREs: what they read, what is constant, and where they may stand."""

from __future__ import annotations

import pytest

from lfc.diagnostics.model import Severity
from lfc.semantics.analyse import analyse_text
from lfc.semantics.model import typed

DECLARED = """MODULE Test;
CONST K = 3;
TYPE Msg = [m(INTEGER)]; Colour = (red, green);
VAR a, b, seed : INTEGER; status AT 25H : UINT8; word : UINT8; line : INTEGER;
PORT p : Msg;

PROCEDURE Plain(x : INTEGER) : INTEGER; BEGIN RETURN x + K END Plain;
PROCEDURE Reads(x : INTEGER) : INTEGER; BEGIN RETURN Plain(x) + a END Reads;
PROCEDURE Deep(x : INTEGER) : INTEGER; BEGIN RETURN Reads(x) * Later(x) END Deep;
PROCEDURE Later(x : INTEGER) : INTEGER; BEGIN RETURN x + b END Later;
PROCEDURE Loops(x : INTEGER) : INTEGER; VAR n : INTEGER;
BEGIN WHILE n * n < x DO INC(n) END; RETURN n END Loops;
PROCEDURE Over(x : INTEGER) : INTEGER; BEGIN RETURN Loops(x) END Over;
PROCEDURE Back(x : INTEGER) : INTEGER; VAR i : INTEGER; BEGIN FOR i := 0 TO x DO i := 0 END; RETURN i END Back;
PROCEDURE Next(x : INTEGER) : INTEGER WRITES seed; BEGIN seed := seed + x; RETURN seed END Next;
PROCEDURE Status() : UINT8 READS status; BEGIN RETURN status END Status;
PROCEDURE Half(x : INTEGER; VAR rest : INTEGER) : INTEGER; BEGIN rest := x MOD 2; RETURN x DIV 2 END Half;
"""


def analysed(more: str, body: str = "") -> tuple[typed.Program | None, list[str]]:
    program, diagnostics = analyse_text(f"{DECLARED}{more}\nBEGIN\n{body}\nEND Test.")
    return program, [d.code for d in diagnostics.items if d.severity is Severity.ERROR]


def test_what_a_function_reads_counts_with_its_calls() -> None:
    program, codes = analysed("")
    assert program is not None and codes == []
    functions = {f.name: f for f in program.main.functions}
    reads = {name: {v.name for v in f.reads} for name, f in functions.items()}
    assert reads == {
        "Plain": set(),
        "Reads": {"a"},
        "Deep": {"a", "b"},
        "Later": {"b"},
        "Loops": set(),
        "Over": set(),
        "Back": set(),
    }
    assert [name for name, f in functions.items() if f.may_not_end is not None] == ["Loops", "Over", "Back"]
    assert [p.name for p in program.main.processes] == ["Next", "Status", "Half"]


@pytest.mark.parametrize(
    ("constant", "value"),
    [
        ("Plain(4)", 7),
        ("Plain(Plain(K)) * 2", 18),
        ("Loops(90)", 10),
        ("Over(K * 100) + 1", 19),
        ("BXOR(Plain(4), 0FFH)", None),  # an INTEGER has no bits
        ("Reads(1)", None),
        ("Plain(2147483647)", None),
        ("Below(1)", None),
        ("Round(1)", None),
    ],
)
def test_a_call_of_constants_is_constant(constant: str, value: int | None) -> None:
    above = "PROCEDURE Round(x : INTEGER) : INTEGER; BEGIN RETURN Round(x) END Round;" if "Round" in constant else ""
    below = "PROCEDURE Below(x : INTEGER) : INTEGER; BEGIN RETURN x END Below;"
    program, codes = analysed(f"{above}CONST C = {constant};\n{below}")
    assert program is not None
    found = [c.value for c in program.main.constants if c.name == "C"]
    assert (found, bool(codes)) == (([], True) if value is None else ([value], False))


@pytest.mark.parametrize(
    ("more", "body", "codes"),
    [
        ("", "a := Next(1)", []),
        ("", "a := Half(7, b)", []),
        ("", "word := Status()", []),
        ("", "a := Next(1) + 1", ["LF0624"]),
        ("", "IF Half(a, b) > 1 THEN a := 1 END", ["LF0624"]),
        ("", "word := Next(1)", ["LF0413"]),
        ("", "status := Status()", ["LF0413"]),
        ("", "Plain(1)", ["LF0425"]),
        ("", "CREATE Plain(1)", ["LF0608"]),
        ("", "a := Plain", ["LF0308"]),
        ("", "a := Plain(1, 2)", ["LF0412"]),
        ("PROPERTY q = ALWAYS (Deep(a) < 3);", "", []),
        ("PROPERTY q = ALWAYS (Over(a) < 3);", "", ["LF0625"]),
        ("PROPERTY q = ALWAYS (Back(a) < 3);", "", ["LF0625"]),
        ("PROPERTY q = ALWAYS (Next(a) < 3);", "", ["LF0624"]),
        ("", "SELECT WHEN p?m(a) & (Reads(a) > 3) THEN END", []),
        ("", "SELECT WHEN p?m(a) & (Loops(a) > 3) THEN END", ["LF0625"]),
        ("PROCEDURE F() : INTEGER; BEGIN p!m(1); RETURN 1 END F;", "", ["LF0622"]),
        ("PROCEDURE F() : INTEGER; BEGIN RESCHEDULE; RETURN 1 END F;", "", ["LF0622"]),
        ("PROCEDURE F() : INTEGER; BEGIN RETURN PORTIN(3) END F;", "", ["LF0622"]),
        ("PROCEDURE F(q : Msg) : INTEGER; BEGIN RETURN 1 END F;", "", ["LF0622"]),
        ("PROCEDURE F() : INTEGER; BEGIN a := 1; RETURN 1 END F;", "", ["LF0623"]),
        ("PROCEDURE F() : UINT8; BEGIN RETURN status END F;", "", ["LF0623"]),
        ("PROCEDURE F() : INTEGER; VAR x : INTEGER; BEGIN x := Next(1); RETURN x END F;", "", ["LF0623"]),
        ("PROCEDURE F() : INTEGER WRITES seed; VAR x : INTEGER; BEGIN x := Next(1); RETURN x END F;", "", []),
        ("PROCEDURE F() : INTEGER READS a; BEGIN RETURN a END F;", "", ["LF0618"]),
        ("PROCEDURE F() : INTEGER; BEGIN IF a > 1 THEN RETURN 1 END END F;", "", ["LF0621"]),
        ("PROCEDURE F() : INTEGER; BEGIN LOOP IF a > 1 THEN RETURN 1 END END END F;", "", []),
        ("PROCEDURE F() : INTEGER; BEGIN RETURN END F;", "", ["LF0621"]),
        ("PROCESS P; BEGIN RETURN 1 END P;", "", ["LF0621"]),
        ("PROCEDURE F() : INTEGER; BEGIN RETURN G() END F; PROCEDURE G() : INTEGER; BEGIN RETURN F() END G;", "",
         ["LF0626", "LF0626"]),
        ("PROCESS P; VAR x : INTEGER; PROCEDURE F() : INTEGER; BEGIN RETURN x END F; BEGIN x := F() END P;", "",
         ["LF0622"]),
    ],
)  # fmt: skip
def test_where_procedures_may_stand(more: str, body: str, codes: list[str]) -> None:
    assert analysed(more, body)[1] == codes
