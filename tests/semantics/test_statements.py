"""Statements, calls, communication."""

from __future__ import annotations

import pytest

from lfc.semantics.analyse import analyse_text
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from tests.semantics.show import codes, program, show, statement, statement_codes


@pytest.mark.parametrize(
    ("text", "low", "high", "by", "limit"),
    [
        ("FOR i := 1 TO 9 DO END", "1:INTEGER", "9:INTEGER", 1, None),
        ("FOR u8 := 9 TO 0 BY -2 DO END", "9:UINT8", "0:UINT8", -2, None),
        ("FOR i := u8 TO i8 DO END", "INTEGER(u8)", "INTEGER(i8)", 1, "INTEGER"),
        ("FOR d := 0 TO 99 DO END", "0:Digit", "99:INTEGER", 1, None),
        ("FOR d := i TO j DO END", "Digit!(i)", "j", 1, "INTEGER"),
        ("FOR c := red TO c2 DO END", "red:Color", "c2", 1, "Color"),
        ("FOR ch := 'a' TO \"z\" DO END", "'a':CHAR", "'z':CHAR", 1, None),
        ("FOR i := 0 TO LEN(row) - 1 DO END", "0:INTEGER", "3:INTEGER", 1, None),
    ],
)
def test_for(text: str, low: str, high: str, by: int, limit: str | None) -> None:
    found = statement(text)
    assert isinstance(found, typed.For)
    assert (show(found.low), show(found.high), found.by) == (low, high, by)
    assert (found.limit.type.name if found.limit else None) == limit


def test_hidden_limits_have_names_of_their_own() -> None:
    text = "MODULE T; PROCESS P; VAR i, n : INTEGER; BEGIN FOR i := 0 TO n DO END; FOR i := 0 TO n DO END END P; END T."
    process = program(text).main.processes[0]
    assert [(v.name, v.kind) for v in process.locals] == [
        ("i", typed.VariableKind.LOCAL),
        ("n", typed.VariableKind.LOCAL),
        ("i'limit", typed.VariableKind.LIMIT),
        ("i'limit2", typed.VariableKind.LIMIT),
    ]


def test_case_labels() -> None:
    found = statement("CASE ch OF 'a' .. 'c', \"x\": i := 1 | 0X: i := 2 END")
    assert isinstance(found, typed.Case)
    assert [labels for labels, _ in found.branches] == [[(97, 99), (120, 120)], [(0, 0)]]
    assert found.otherwise is None
    found = statement("CASE d OF 0 .. 4: | five: ELSE END")
    assert isinstance(found, typed.Case)
    assert show(found.selector) == "INTEGER(d)" and found.otherwise == []


def test_steps() -> None:
    for text, amount, down in (
        ("INC(i8)", "1:INT8", False),
        ("DEC(u32, u8)", "UINT32(u8)", True),
        ("INC(d, 2)", "2:INTEGER", False),
        ("DEC(c)", "1:INTEGER", True),
        ("INC(ch, i)", "i", False),
    ):
        found = statement(text)
        assert isinstance(found, typed.Step)
        assert (show(found.amount), found.down) == (amount, down)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q!data(u8)", "INTEGER(u8)"),
        ("q!digit(i)", "!"),
        ("q!digit(3)", "3:Digit"),
        ("ports[1]!end", ""),
        ('q!text("ab")', '"ab":Name'),
        ("q!both(i8, 'x')", "INT16(i8) 'x':CHAR"),
        ("q!pass(q2)", "q2"),
    ],
)
def test_send(text: str, expected: str) -> None:
    found = statement(text)
    assert isinstance(found, typed.Send)
    shown = " ".join(show(v) for v in found.values)
    assert expected in shown
    assert [v.type for v in found.values] == found.message.types


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("q?data(i)", [("i", None)]),
        ("q?byte(i)", [("i", "widen")]),
        ("q?byte(u8)", [("u8", None)]),
        ("q?data(d)", [("d", "check")]),
        ("q?digit(i8)", [("i8", "widen")]),
        ("q?digit(d)", [("d", None)]),
        ("q?both(7, ch)", [("7:INT16", None), ("ch", None)]),
        ("q?both(row[2], 'a')", [("row[2:INTEGER]", "widen"), ("'a':CHAR", None)]),
        ("q?text(name)", [("name", None)]),
        ("q?pass(q2)", [("q2", None)]),
    ],
)
def test_receive(text: str, expected: list[tuple[str, str | None]]) -> None:
    found = statement(text)
    assert isinstance(found, typed.Receive)
    shown = [(show(t.designator or t.constant), t.conversion) for t in found.targets]  # type: ignore[arg-type]
    assert shown == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("IF i THEN END", ["LF0401"]),
        ("WHILE i DO END", ["LF0401"]),
        ("REPEAT UNTIL 1", ["LF0401"]),
        ("EXIT", ["LF0612"]),
        ("LOOP EXIT END", []),
        ("LOOP WHILE b DO EXIT END END", []),
        ("RETURN", []),
        ("FOR b := FALSE TO TRUE DO END", ["LF0423"]),
        ("FOR i := 0 TO u32 DO END", ["LF0402"]),
        ("FOR u8 := 0 TO 300 DO END", ["LF0502"]),
        ("FOR i := 0 TO 9 BY 0 DO END", ["LF0509"]),
        ("FOR i := 0 TO 9 BY j DO END", ["LF0503"]),
        ("CASE s OF {1}: END", ["LF0422"]),
        ("CASE i OF 1: | 0 .. 3: END", ["LF0507"]),
        ("CASE i OF 3 .. 1: END", ["LF0508"]),
        ("CASE u8 OF 256: END", ["LF0508"]),
        ("CASE d OF 9: | 10: | 11 .. 12: END", []),
        ("CASE c OF 1: END", ["LF0401"]),
        ("CASE i OF j: END", ["LF0503"]),
        ("five := 4", ["LF0416"]),
        ("i := 3; row[4] := i", ["LF0504"]),
        ("row[-1] := 0", ["LF0504"]),
        ("i := j DIV 0", ["LF0505"]),
        ("i := j MOD (5 - five)", ["LF0505"]),
        ("d := 10", ["LF0506"]),
        ("d := -1", ["LF0506"]),
        ("c := Color(3)", ["LF0506"]),
        ("ch := CHR(256)", ["LF0506"]),
        ("INCL(s8, 8)", ["LF0506"]),
        ("INCL(i, 8)", ["LF0421"]),
        ("INC(b)", ["LF0421"]),
        ("INC(u8, i)", ["LF0402"]),
        ("INC(u8, -1)", ["LF0502"]),
        ("INC(5)", ["LF0416"]),
        ("INC(i, 1, 2)", ["LF0412"]),
        ("NEW(i)", ["LF0604"]),
        ("NEW(ports)", ["LF0604"]),
        ("NEW(ports[0])", []),
        ("NEW(matrix[1, 2])", []),
        ("ports[0] := matrix[0, 0]; q := q2", []),
        ("ASSERT(i)", ["LF0401"]),
        ("ABS(i)", ["LF0425"]),
        ("i := INC(i)", ["LF0425"]),
        ("PORTOUT(25H, u8)", []),
        ("PORTOUT(25H, i)", ["LF0402"]),
        ("PORTOUT16(i, 0FFFFH)", []),
        ("PORTOUT(-1, 0)", ["LF0502"]),
        ("register := {1}; INCL(register, 2)", []),
        ("Clock.Sleep(100); Clock.Sleep(i)", []),
        ("Clock.Sleep(-1)", ["LF0502"]),
        ("Clock.After(3)", ["LF0614"]),
        ("i := Clock.After(3)", ["LF0614"]),
        ("SYSTEM.WRITE('a'); SYSTEM.READ(ch)", []),
        ("SYSTEM.READ(i)", ["LF0413"]),
        ("SYSTEM.INT[3]?INTERRUPT", []),
        ("SYSTEM.INT[3]!INTERRUPT", ["LF0808"]),
        ("SYSTEM.INT[i]?INTERRUPT", ["LF0503"]),
        ("SYSTEM.INT[256]?INTERRUPT", ["LF0613"]),
        ("SYSTEM.INT?INTERRUPT", ["LF0613"]),
        ("SYSTEM.INT[3]?TICK", ["LF0602"]),
        ("SYSTEM.IOPORT?PORTIN(8, u32)", ["LF0808"]),
        ("b := SYSTEM.INT[3] = q", ["LF0613"]),
        ("SYSTEM.Foo(1)", ["LF0302"]),
        ("q!data", ["LF0603"]),
        ("q!data(1, 2)", ["LF0603"]),
        ("q!dat(1)", ["LF0602"]),
        ("q!data(b)", ["LF0401"]),
        ("q!byte(i)", ["LF0402"]),
        ("i!data(1)", ["LF0604"]),
        ("ports!data(1)", ["LF0604"]),
        ("q?data(i + 1)", ["LF0615"]),
        ("q?data(b)", ["LF0401"]),
        ("q?data(i8)", ["LF0402"]),
        ("q?byte(256)", ["LF0502"]),
        ('q?text("ab")', ["LF0615"]),
        ("SELECT WHEN q?data(i) & (i > 0) THEN WHEN Clock.After(i) & (b) THEN END", []),
        ("SELECT WHEN q?data(i) & (q = q2) THEN END", ["LF0611", "LF0611"]),
        ("SELECT WHEN q?data(i) & (PORTIN(1) = 0) THEN END", ["LF0611"]),
        ("SELECT WHEN q?data(i) & (Clock.Now > 0) THEN END", ["LF0611"]),
        ("SELECT WHEN q?data(i) & (1 IN register) THEN END", ["LF0611"]),
        ("SELECT WHEN q?data(i) & (LEN(ports) = 2) THEN END", []),
        ("SELECT WHEN q?data(i) & (i) THEN END", ["LF0401"]),
        ("SELECT WHEN q?end THEN EXIT END", ["LF0612"]),
        ("CHOICE i := 1 | i := 2 END", []),
        ("ACCEPT", ["LF0803"]),
        ("NOMOVE", ["LF0803"]),
        ("b := READY(P)", ["LF0804"]),
        ("CREATE i", ["LF0608"]),
        ("CREATE ABS(1)", ["LF0608"]),
        ("i(1)", ["LF0609"]),
        ("i", ["LF0609"]),
        ("Color(1)", ["LF0609"]),
        ("INTEGER := 1", ["LF0308"]),
        ("i := Color", ["LF0308"]),
        ("i := ABS", ["LF0308"]),
    ],
)
def test_checks(text: str, expected: list[str]) -> None:
    assert statement_codes(text) == expected


PROCESSES = """MODULE T;
TYPE Name = ARRAY 8 OF CHAR; L = [m(INTEGER)]; Row = ARRAY 2 OF INTEGER;
VAR i : INTEGER; i8 : INT8; name : Name; a : ARRAY 3 OF INTEGER; rows : ARRAY 2 OF Row; reg AT 20H : UINT8;
PORT q : L; qs : ARRAY 2 OF L;
PROCESS Value(x : INTEGER); BEGIN x := 1 END Value;
PROCESS Var(VAR x : INTEGER); BEGIN x := 1 END Var;
PROCESS Byte(VAR x : UINT8); BEGIN x := 1 END Byte;
PROCESS Text(s : ARRAY OF CHAR); BEGIN ASSERT(LEN(s) > 0) END Text;
PROCESS Numbers(VAR s : ARRAY OF INTEGER); BEGIN s[0] := 1 END Numbers;
PROCESS Ports(p : ARRAY OF L); BEGIN p[0]!m(1) END Ports;
PROCESS Fixed(s : ARRAY 8 OF CHAR; t : Name); BEGIN s[0] := t[0] END Fixed;
PROCESS Port(p : L); BEGIN p!m(1) END Port;
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Value(i8)", []),
        ("Value(3)", []),
        ("Value", ["LF0412"]),
        ("Value(name)", ["LF0401"]),
        ("Var(i)", []),
        ("Var(a[1])", []),
        ("Var(i8)", ["LF0413"]),
        ("Var(3)", ["LF0416"]),
        ("Var(i + 1)", ["LF0416"]),
        ("Byte(reg)", ["LF0413"]),
        ('Text("hello")', []),
        ("Text('x')", []),
        ("Text(name)", []),
        ("Text(a)", ["LF0401"]),
        ("Numbers(a)", []),
        ("Numbers(rows[1])", []),
        ("Numbers(name)", ["LF0413"]),
        ("Ports(qs)", []),
        ("Ports(q)", ["LF0401"]),
        ("Port(qs[1])", []),
        ("Port(qs)", ["LF0401"]),
        ('Fixed("abc", "abc")', []),
        ("Fixed(name, name)", ["LF0401"]),
        ("i := Value(1)", ["LF0610"]),
        ("CREATE Value(3) DEADLINE 10", []),
        ("CREATE Value(3) DEADLINE -10", ["LF0502"]),
        ("CREATE Var(i)", []),
        ('CREATE Text("hello")', []),
        ("CREATE Ports(qs)", []),
    ],
)
def test_arguments(text: str, expected: list[str]) -> None:
    assert [c for c, _ in codes(f"{PROCESSES}BEGIN\n{text}\nEND T.")] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # arguments that do not outlive their process
        ("PROCESS P; VAR x : INTEGER; BEGIN CREATE Var(x) END P;", ["LF0606"]),
        ("PROCESS P(VAR x : INTEGER); BEGIN CREATE Var(x) END P;", ["LF0606"]),
        ("PROCESS P; VAR x : Name; BEGIN CREATE Text(x) END P;", ["LF0606"]),
        ('PROCESS P; VAR x : Name; BEGIN CREATE Fixed("a", x) END P;', []),
        # open arrays by value cannot be changed
        ("PROCESS P(x : ARRAY OF INTEGER); BEGIN x[0] := 1 END P;", ["LF0416"]),
        ("PROCESS P(x : ARRAY OF INTEGER); BEGIN Numbers(x) END P;", ["LF0416"]),
        ("PROCESS P(VAR x : ARRAY OF INTEGER); BEGIN Numbers(x) END P;", []),
        ("PROCESS P(VAR x, y : ARRAY OF INTEGER); BEGIN x := y END P;", ["LF0416"]),
        ("PROCESS P(x : ARRAY OF ARRAY OF INTEGER); END P;", ["LF0417"]),
        # nested processes
        ("PROCESS P; VAR x : INTEGER; PROCESS Q; BEGIN x := 1 END Q; BEGIN Q END P;", []),
        ("PROCESS P; VAR x : INTEGER; PROCESS Q; BEGIN x := 1 END Q; BEGIN CREATE Q END P;", ["LF0607"]),
        (
            "PROCESS P; VAR x : CHAR; PROCESS R; BEGIN x := 0X END R; PROCESS Q; BEGIN R END Q; BEGIN CREATE Q END P;",
            ["LF0607"],
        ),
        ("PROCESS P; PROCESS Q; VAR x : INTEGER; BEGIN x := i END Q; BEGIN CREATE Q END P;", []),
        (
            "PROCESS P; PROCESS Q; VAR x : CHAR; PROCESS R; BEGIN x := 0X END R; BEGIN R END Q; BEGIN CREATE Q END P;",
            [],
        ),
        ("PROCESS P; PROCESS Q; END Q; BEGIN CREATE Q END P; PROCESS S; BEGIN Q END S;", ["LF0301"]),
        # attributes
        ("PROCESS P MAX 0; END P;", ["LF0510"]),
        ("PROCESS P MAX i; END P;", ["LF0503"]),
        ("PORT p : L MAX 0;", ["LF0510"]),
        # ports and types
        ("VAR p : L;", ["LF0601"]),
        ("VAR p : ARRAY 2 OF L;", ["LF0601"]),
        ("VAR r : RECORD p : L END;", ["LF0601"]),
        ("PORT p : INTEGER;", ["LF0605"]),
        ("VAR x AT 20H : BOOLEAN;", ["LF0420"]),
        ("VAR x AT -1 : UINT8;", ["LF0502"]),
        ("VAR x : ARRAY 0 OF CHAR;", ["LF0407"]),
        ("VAR x : ARRAY 65537 OF CHAR;", ["LF0406"]),
        ("VAR x : ARRAY 300 OF ARRAY 300 OF CHAR;", ["LF0406"]),
        ("VAR x : RECORD END;", ["LF0419"]),
        ("VAR x : 5 .. 3;", ["LF0408"]),
        ("VAR x : 0 .. 3000000000;", ["LF0408"]),
        ("VAR x : 0 .. 'a';", ["LF0408"]),
        ("VAR x : TRUE .. 1;", ["LF0408"]),
    ],
)
def test_declarations(text: str, expected: list[str]) -> None:
    assert [c for c, _ in codes(f"{PROCESSES}{text}\nEND T.")] == expected


def test_attributes() -> None:
    text = """MODULE T;
TYPE L = [m];
PORT a, b : L MAX 3;
PROCESS P MAX 4 SERVER; END P;
PROCESS Q(VAR x : INTEGER; y : L); VAR z : CHAR; PORT p : L; END Q;
END T."""
    main = program(text).main
    assert [(v.name, v.max_channels, v.declaration is main.variables[0].declaration) for v in main.variables] == [
        ("a", 3, True),
        ("b", 3, True),
    ]
    p, q = main.processes
    assert (p.max_stated, p.server, q.max_stated, q.server) == (4, True, None, False)
    assert [(v.name, v.kind.value, v.type.name) for v in q.formals] == [
        ("x", "VAR parameter", "INTEGER"),
        ("y", "value parameter", "L"),
    ]
    assert [v.name for v in q.locals] == ["z", "p"]


def test_large_enumerations_take_two_bytes() -> None:
    names = ", ".join(f"v{i}" for i in range(300))
    main = program(f"MODULE T; TYPE E = ({names}); VAR e : E; BEGIN e := v299 END T.").main
    assert ty.size_and_alignment(main.variables[0].type) == (2, 2)


def test_a_port_as_variable_has_a_fix() -> None:
    from lfc.semantics.analyse import analyse_text

    text = "MODULE T; TYPE L = [m]; VAR p : L; BEGIN NEW(p) END T."
    _, diagnostics = analyse_text(text)
    fix = diagnostics.items[0].fix
    assert fix is not None
    assert codes(text[: fix.span.start] + fix.replacement + text[fix.span.end :]) == []


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("MAX 2 SERVER WEAK", []),
        ("SERVER SERVER", ["LF0202"]),
        ("MAX 2 SERVER MAX 3", ["LF0202"]),
        ("WEAK STRONG", ["LF0202"]),
    ],
)
def test_attributes_are_stated_once(attributes: str, expected: list[str]) -> None:
    assert [c for c, _ in codes(f"MODULE T; PROCESS P {attributes}; BEGIN END P; BEGIN CREATE P END T.")] == expected


@pytest.mark.parametrize(
    ("declarations", "expected"),
    [
        ("TYPE L = [m]; PORT p : L; x : INTEGER; y : CHAR; z : INTEGER; BEGIN x := z", [("LF0605", "VAR ")]),
        ("TYPE L = [m]; VAR x : INTEGER; p : L; q : L; BEGIN p!m; q?m; x := 1", [("LF0601", "PORT ")]),
        ("TYPE L = [m]; VAR p : L; BEGIN p!m", [("LF0601", "PORT")]),
        ("PORT x : INTEGER; BEGIN x := 1", [("LF0605", "VAR")]),
    ],
)
def test_a_section_of_the_wrong_kind_is_one_error(declarations: str, expected: list[tuple[str, str]]) -> None:
    _, diagnostics = analyse_text(f"MODULE T; {declarations} END T.")
    assert [(d.code, d.fix.replacement if d.fix else None) for d in diagnostics.items] == expected


def test_types_as_arguments_of_what_is_not_known_are_silent() -> None:
    text = "MODULE T; VAR x : INTEGER; BEGIN x := Unknown.VAL(INTEGER, x); Unknown.P(INTEGER, y) END T."
    assert [c for c, _ in codes(text)] == ["LF0301", "LF0301"]


def test_a_missing_environment_is_one_error() -> None:
    for statements in ("SYSTEM.IOPORT?PORTIN(8, 1); SYSTEM.INT[1]!INTERRUPT", "SYSTEM.INT[1]!INTERRUPT"):
        text = f"MODULE T; IMPORT SYSTEM; BEGIN {statements} END T."
        assert [c for c, _ in codes(text)] == ["LF0808"]


def test_what_is_external_is_called_and_not_created() -> None:
    text = "MODULE T; VAR x : INTEGER; PROCESS P(VAR a : INTEGER) EXTERNAL; BEGIN P(x); CREATE P(x) END T."
    assert [c for c, _ in codes(text)] == ["LF0608"]


@pytest.mark.parametrize(
    ("constant", "expected"), [("5", []), ("6", ["LF0502"]), ("-1", ["LF0502"]), ("'a'", ["LF0401"])]
)
def test_a_constant_to_match_is_one_that_can_be_sent(constant: str, expected: list[str]) -> None:
    declarations = f"TYPE C = [m(0 .. 5)]; PORT c : C; PROCESS P; BEGIN c?m({constant}) END P;"
    _, diagnostics = analyse_text(f"MODULE T; {declarations} BEGIN NEW(c); CREATE P; c!m(1) END T.")
    assert [d.code for d in diagnostics.items] == expected
