"""The exact tree of every construct. Expectations: trees/*.expected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Golden
from tests.syntax.tree_text import declaration, expression, formula, parsed, shown, statement

EXPRESSIONS = [
    "1 + 2 * 3",
    "a - b - c",
    "-a + b",
    "+1",
    "~a & b OR c",
    "a < b + 1",
    "x IN {0, 2..4}",
    "{}",
    "a.b[i, j + 1].c",
    "a[1][2]",
    "f(x, y)",
    "f()",
    "M.f(1)",
    "INT16(x) + SYSTEM.VAL(T, y)",
    "MAX(a, b)",
    "MIN(INTEGER)",
    "((1))",
    "2FFH",
    "41X",
    "'a'",
    "'''",
    '"text"',
    "'it'",
    "'\"'",
    "a # b",
    "a <= b",
    "a >= b",
    "a DIV b MOD c / d",
    "TRUE & false",
    "~(a = b)",
    "Clock.Now",
    "(ALWAYS p)",
    "LEN(a, 0)",
]

FORMULAS = [
    "ALWAYS a",
    "[] <> a",
    "a -> b -> c",
    "a <-> b <-> c",
    "a IFF b IMPLIES c UNTIL d",
    "ALWAYS a UNTIL b",
    "a UNTIL b WEAKUNTIL c RELEASE d",
    "NEXT a & b = c",
    "ALWAYS (READY(P[1]) IMPLIES EVENTUALLY TAKEN(p.data))",
    "P[i].x = 1",
    "(a UNTIL b) OR ~(<> c)",
    "a < -1",
]

STATEMENTS = [
    "x := 1",
    "a[i].b := y",
    "P",
    "P()",
    "P(x, y + 1)",
    "M.P",
    "Out.Ln; Out.Int(3)",
    "c!stop",
    "c!stop STRONG",
    "c?data(x) WEAK LIVE",
    "c!data(1, x)",
    "c[i]?data(x, 3)",
    "c?stop",
    "SYSTEM.INT[2]?INTERRUPT",
    "SYSTEM.IOPORT?PORTIN(8, addr)",
    "CREATE P",
    "CREATE P(x) DEADLINE 10 * n",
    "IF a THEN x := 1 END",
    "IF a THEN x := 1 ELSIF b THEN ELSE y := 2; z := 3 END",
    "CASE x OF END",
    "CASE x OF 1, 3..5: a := 1 | 2: | 'a': b := 1 ELSE c := 1 END",
    "CASE x OF | red: P | M.blue: Q END",
    "WHILE x < 3 DO INC(x) END",
    "REPEAT x := 1 UNTIL x = 1",
    "REPEAT UNTIL (a UNTIL b)",
    "FOR i := 0 TO 9 DO P(i) END",
    "FOR i := 9 TO 0 BY -1 DO END",
    "LOOP EXIT END",
    "RETURN",
    "RESCHEDULE; ACCEPT; NOMOVE",
    "SELECT WHEN c?data(x) & (x > 0) THEN P WHEN d!go THEN END",
    "SELECT WHEN Clock.After(t + 1) THEN P ELSE Q END",
    "SELECT WHEN Clock.After(t) & (on) THEN END",
    "CHOICE a := 1 | b := 2 END",
    "CHOICE a := 1\nOR b := 2\nOR\nEND",
    "CHOICE a := 1; OR b := c OR d END",
    "CHOICE IF a\nOR b THEN END\nOR x := (a\nOR b) END",
    "CHOICE CASE x OF 1: | 2: END | LOOP END END",
    ";;x := 1;",
    "",
]

DECLARATIONS = [
    "CONST a* = 1; b = a + 1;",
    "CONST",
    "TYPE T = INTEGER; U* = M.T;",
    "TYPE T = ARRAY 3, 4 OF ARRAY n OF CHAR;",
    "TYPE T = RECORD x*, y : INTEGER; z : M.T; END;",
    "TYPE T = RECORD END;",
    "TYPE T = (red, green);",
    "TYPE T = 0..7;",
    "TYPE T = 1 .. n - 1;",
    "TYPE T = -5..M.top;",
    "TYPE T = [data(INTEGER, M.T), stop, port(T)];",
    "VAR a, b* : INTEGER; c : ARRAY 2 OF T;",
    "VAR ddrb AT 24H : SET8;",
    "VAR t AT 84H NONATOMIC : UINT16;",
    "VAR a : RECORD x : INTEGER END;",
    "PORT p : T; q : ARRAY 2 OF ARRAY 3 OF M.T MAX 8;",
    "PROCESS P; END P;",
    "PROCESS P*(); BEGIN END P;",
    "PROCESS P(a, b : T; VAR c : ARRAY OF ARRAY OF CHAR) MAX 3 SERVER; VAR x : INTEGER; PROCESS Q; END Q;"
    " BEGIN x := 1 END P;",
    "PROCESS P WEAK; END P;",
    "PROCESS P MAX MAX(2, n) STRONG; END P;",
    "PROCESS P(a : T) EXTERNAL; PROCESS Q EXTERNAL MAX 2; VAR x : T;",
    "PROPERTY p; VAR b : BOOLEAN; BEGIN CHOICE ACCEPT | NOMOVE END END p;",
    "VAR a : T; CONST c = 1; VAR b : T;",
]

MODULES = [
    "MODULE M; END M.",
    "MODULE M; END M;",
    "MODULE M; IMPORT A, b := C; BEGIN END M.",
    "ENVIRONMENT MODULE M; VAR x : T; BEGIN x := 1 END M.",
]


def module(text: str) -> str:
    tree, said = parsed(text)
    assert not said, said
    return shown(tree)


@pytest.mark.parametrize(
    ("name", "programs", "show"),
    [
        ("expressions", EXPRESSIONS, expression),
        ("formulas", FORMULAS, formula),
        ("statements", STATEMENTS, statement),
        ("declarations", DECLARATIONS, declaration),
        ("modules", MODULES, module),
    ],
)
def test_trees(name: str, programs: list[str], show: Callable[[str], str], golden: Golden) -> None:
    found = "\n\n".join(f"{program}\n  {show(program)}" for program in programs)
    golden(Path(__file__).parent / "trees" / f"{name}.expected", found + "\n")


def test_comments_are_kept_in_order() -> None:
    tree, said = parsed("(* a *) MODULE M; (* b (* c *) *)\n(**) END M. (* d *)")
    assert not said
    assert [c.text for c in tree.comments] == ["(* a *)", "(* b (* c *) *)", "(**)", "(* d *)"]
    assert [(c.span.line, c.span.column) for c in tree.comments] == [(1, 1), (1, 19), (2, 1), (2, 13)]
