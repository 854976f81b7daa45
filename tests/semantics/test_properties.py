"""Properties and environments."""

from __future__ import annotations

import pytest

from tests.semantics.show import codes, program, show

HEAD = """MODULE T;
IMPORT Clock;
TYPE L = [m(INTEGER), end];
VAR x : INTEGER; b, c : BOOLEAN; reg AT 20H : UINT8;
PORT q : L; qs : ARRAY 2 OF L;
"""
TAIL = """
PROCESS P(n : INTEGER); VAR v : INTEGER; PROCESS N; VAR w : INTEGER; BEGIN w := 1 END N; BEGIN v := n; N END P;
BEGIN CREATE P(1)
END T.
"""


def formula(text: str) -> str:
    found = program(f"{HEAD}PROPERTY p = {text};{TAIL}").main.properties[0].formula
    assert found is not None
    return show(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALWAYS b", "(ALWAYS b)"),
        ("[] b", "(ALWAYS b)"),
        ("<> b", "(EVENTUALLY b)"),
        ("ALWAYS (b IMPLIES EVENTUALLY c)", "(ALWAYS (IMPLIES b (EVENTUALLY c)))"),
        ("b -> c -> b", "(IMPLIES b (IMPLIES c b))"),
        ("b UNTIL c", "(UNTIL b c)"),
        ("b <-> NEXT c", "(IFF b (NEXT c))"),
        ("~b & (x > 1)", "(& BOOLEAN (~ BOOLEAN b) (> INTEGER x 1:INTEGER))"),
        ("ALWAYS P.v = P[1].n", None),
        ("ALWAYS (P.v = P[1].n)", "(ALWAYS (= INTEGER P.v P[1:INTEGER].n))"),
        ("ALWAYS (P.N.w = 0)", "(ALWAYS (= INTEGER N.w 0:INTEGER))"),
        ("READY(P) OR WAITING(P[x]) OR ENDED(P)", "(OR BOOLEAN (OR BOOLEAN READY(P) WAITING(P[x])) ENDED(P))"),
        ("TAKEN(q.m) OR TAKEN(qs[1].end)", "(OR BOOLEAN TAKEN(q.m) TAKEN(qs[1:INTEGER].end))"),
    ],
)
def test_formulas(text: str, expected: str | None) -> None:
    if expected is not None:
        assert formula(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PROPERTY p = x;", ["LF0401"]),
        ("PROPERTY p = ALWAYS x;", ["LF0401"]),
        ("PROPERTY p = ALWAYS (PORTIN(1) = 0);", ["LF0807"]),
        ("PROPERTY p = ALWAYS (Clock.Now = 0);", []),  # the checker may keep the clock with the states
        ("PROPERTY p = ALWAYS (reg = 0);", ["LF0807"]),
        ("PROPERTY p = ALWAYS READY(x);", ["LF0805"]),
        ("PROPERTY p = ALWAYS ENDED(P[1]);", ["LF0805"]),
        ("PROPERTY p = ALWAYS TAKEN(q);", ["LF0805"]),
        ("PROPERTY p = ALWAYS TAKEN(x.m);", ["LF0805"]),
        ("PROPERTY p = ALWAYS TAKEN(q.mm);", ["LF0602"]),
        ("PROPERTY p = ALWAYS (P.z = 0);", ["LF0410"]),
        ("PROPERTY p = ALWAYS (Q.z = 0);", ["LF0301"]),
        ("PROPERTY p = b; PROPERTY p = c;", ["LF0303"]),
        ("PROPERTY p = b = (EVENTUALLY c);", ["LF0403"]),
        ("PROPERTY p = ORD((b -> c)) = 1;", ["LF0403"]),
        ("PROPERTY p = ~(ALWAYS b) & ((NEXT b) OR c);", []),
        ("PROPERTY A; VAR n : INTEGER; BEGIN n := x + P.v; IF ENDED(P) THEN ACCEPT END; NOMOVE END A;", []),
        ("PROPERTY A; BEGIN LOOP CHOICE RESCHEDULE | NOMOVE END END END A;", []),
        ("PROPERTY A; BEGIN x := 1 END A;", ["LF0801"]),
        ("PROPERTY A; BEGIN INC(x) END A;", ["LF0801"]),
        ("PROPERTY A; BEGIN P.v := 1 END A;", ["LF0801"]),
        ("PROPERTY A; BEGIN FOR x := 1 TO 2 DO END END A;", ["LF0801"]),
        ("PROPERTY A; VAR i : INTEGER; BEGIN FOR i := 1 TO x DO END END A;", []),
        ("PROPERTY A; BEGIN NEW(q) END A;", ["LF0801"]),
        ("PROPERTY A; BEGIN q!end END A;", ["LF0802"]),
        ("PROPERTY A; BEGIN SELECT WHEN q?end THEN END END A;", ["LF0802"]),
        ("PROPERTY A; BEGIN P(1) END A;", ["LF0802"]),
        ("PROPERTY A; BEGIN CREATE P(1) END A;", ["LF0802"]),
        ("PROPERTY A; BEGIN Clock.Sleep(1) END A;", ["LF0802"]),
        ("PROPERTY A; BEGIN PORTOUT(1, 2) END A;", ["LF0802"]),
        ("PROPERTY A; VAR n : INTEGER; BEGIN n := PORTIN(1) END A;", ["LF0807"]),
        ("PROPERTY A; PROCESS Q; END Q; BEGIN NOMOVE END A;", ["LF0806"]),
        ("PROCESS R; PROPERTY p = b; BEGIN x := 1 END R;", ["LF0806"]),
        ("PROCESS R; BEGIN x := P.v END R;", ["LF0804"]),
        ("PROCESS R; BEGIN A END R; PROPERTY A; BEGIN NOMOVE END A;", ["LF0308"]),
    ],
)
def test_property_checks(text: str, expected: list[str]) -> None:
    assert [c for c, _ in codes(f"{HEAD}{text}{TAIL}")] == expected


def test_a_property_sees_what_is_declared_further_down() -> None:
    text = "MODULE T; PROPERTY p = ALWAYS (x < limit); CONST limit = 3; VAR x : INTEGER; BEGIN x := 1 END T."
    formula = program(text).main.properties[0].formula
    assert formula is not None and show(formula) == "(ALWAYS (< INTEGER x 3:INTEGER))"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SYSTEM.IOPORT?PORTIN(8, a); SYSTEM.IOPORT!VALUE(1)", []),
        ("SYSTEM.IOPORT?PORTOUT(8, 25H, a); SYSTEM.INT[2]!INTERRUPT", []),
        ("SELECT WHEN SYSTEM.IOPORT?PORTIN(8, 25H) THEN SYSTEM.IOPORT!VALUE(u) END", []),
        ("SYSTEM.IOPORT!PORTIN(8, 1)", ["LF0602"]),
        ("SYSTEM.IOPORT?VALUE(a)", ["LF0602"]),
        ("SYSTEM.IOPORT?PORTIN(8)", ["LF0603"]),
        ("SYSTEM.IOPORT?PORTIN(u, a)", []),
        ("SYSTEM.IOPORT?PORTIN(8, u)", ["LF0402"]),
        ("SYSTEM.IOPORT!VALUE(i)", ["LF0402"]),
        ("a := SYSTEM.IOPORT", ["LF0613"]),
    ],
)
def test_environments(text: str, expected: list[str]) -> None:
    found = codes(f"ENVIRONMENT MODULE E; IMPORT SYSTEM; VAR a : UINT32; u : UINT8; i : INTEGER; BEGIN {text} END E.")
    assert [c for c, _ in found] == expected


def test_properties_of_two_modules_do_not_share_a_name() -> None:
    """One that holds would answer for the other, which is violated: what is told of a property is told by its name."""
    main = "MODULE T; IMPORT O; VAR v : UINT8; PROPERTY safe = ALWAYS (v < 10); BEGIN v := O.w END T."
    other = "MODULE O; VAR w* : UINT8; PROPERTY safe = EVENTUALLY (w = 77); BEGIN w := 1 END O."
    beside = "ENVIRONMENT MODULE E; IMPORT O; PROPERTY safe = ALWAYS (O.w < 2); END E."
    assert codes(main, files={"O.lf": other}) == [("LF0303", 1)]
    other = other.replace("safe", "shows")
    assert codes(main, files={"O.lf": other}) == []
    assert codes(main, files={"O.lf": other}, environments=[beside]) == [("LF0303", 1)]
    assert codes(main, files={"O.lf": other}, environments=[beside.replace("safe", "stays")]) == []
