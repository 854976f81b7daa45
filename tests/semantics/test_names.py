"""Scopes, misspellings, modules."""

from __future__ import annotations

import pytest

from lfc.diagnostics.model import Diagnostic
from lfc.semantics.analyse import analyse_text
from lfc.semantics.model import typed
from tests.semantics.show import codes, program


def only(text: str, **more: object) -> Diagnostic:
    _, diagnostics = analyse_text(text, **more)  # type: ignore[arg-type]
    assert len(diagnostics.items) == 1, [(d.code, d.message) for d in diagnostics.items]
    return diagnostics.items[0]


def test_a_name_unknown_many_times_is_reported_once() -> None:
    assert codes("MODULE T;\nVAR x : INTEGER;\nBEGIN\n  x := y; x := y + 1;\n  y := 2\nEND T.") == [("LF0301", 4)]


def test_a_misspelt_use_points_at_the_use() -> None:
    d = only("MODULE T;\nVAR count : INTEGER;\nBEGIN\n  count := 1;\n  count := cuont\nEND T.")
    assert (d.code, d.span.line, d.message) == ("LF0301", 5, "`cuont` is not declared; did you mean `count`?")
    assert d.fix is not None and d.fix.replacement == "count"


def test_a_misspelt_declaration_points_at_the_declaration() -> None:
    d = only("MODULE T;\nVAR cuont : INTEGER;\nBEGIN\n  count := 1;\n  INC(count)\nEND T.")
    assert (d.code, d.span.line) == ("LF0301", 2)
    assert d.message == "`cuont` is declared but never used, and `count` is used 2 times but not declared"
    assert d.fix is not None and d.fix.replacement == "count"


@pytest.mark.parametrize(
    ("statement", "note"),
    [
        ("BREAK", "EXIT leaves a LOOP"),
        ("x := nil", "there are no pointers; a port that names no channel cannot be written"),
        ("writeln(x)", "module `Out` writes: `Out.String`, `Out.Int`, `Out.Ln`"),
        ("Clock.Wait(x)", "it has `Now`, `After`, `Sleep`, `Spin`"),
        ("p.send(x)", "a message is sent with `p!message` and received with `p?message`"),
    ],
)
def test_words_of_other_languages(statement: str, note: str) -> None:
    d = only(f"MODULE T;\nIMPORT Clock;\nTYPE L = [m];\nVAR x : INTEGER;\nPORT p : L;\nBEGIN\n  {statement}\nEND T.")
    assert [n.message for n in d.notes] == [note]


def test_a_misspelt_message_points_at_its_declaration() -> None:
    text = "MODULE T;\nTYPE L = [dtaa(INTEGER)];\nPORT q : L;\nBEGIN\n  NEW(q); q!data(1); q!data(2)\nEND T."
    d = only(text)
    assert (d.code, d.span.line) == ("LF0602", 2)


def test_capitals_matter_and_are_suggested() -> None:
    assert only("MODULE T; VAR Total : INTEGER; BEGIN Total := 1; total := 2 END T.").message.endswith("`Total`?")


def test_a_module_that_is_not_imported_has_a_fix() -> None:
    text = "MODULE T;\nBEGIN\n  Out.Ln\nEND T."
    d = only(text)
    assert d.message == "module `Out` is not imported" and d.fix is not None
    fixed = text[: d.fix.span.start] + d.fix.replacement + text[d.fix.span.end :]
    assert codes(fixed) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("VAR x : INTEGER; x : CHAR;\nBEGIN x := 1 END T.", [("LF0303", 2)]),
        ("VAR P : INTEGER;\nPROCESS P; END P;\nBEGIN P END T.", [("LF0303", 3)]),
        ("TYPE R = RECORD a : INTEGER; a : CHAR END;\nEND T.", [("LF0303", 2)]),
        ("TYPE L = [a, a];\nEND T.", [("LF0303", 2)]),
        ("PROCESS P(x, x : INTEGER);\nEND P; END T.", [("LF0303", 2)]),
        ("TYPE E = (red, red);\nEND T.", [("LF0303", 2)]),
        ("VAR a : ARRAY n OF CHAR;\nCONST n = 3;\nEND T.", [("LF0304", 2)]),
        ("PROCESS P; BEGIN x := 1 END P;\nVAR x : INTEGER;\nEND T.", [("LF0304", 2)]),
        ("BEGIN P END T.", [("LF0301", 2)]),
        ("VAR x : INTEGER;\nBEGIN x := T END T.", [("LF0301", 3)]),
        ("VAR x : P;\nPROCESS P; END P;\nEND T.", [("LF0308", 2)]),
        ("TYPE R = RECORD r : R END;\nEND T.", [("LF0405", 2)]),
        ("TYPE R = ARRAY 2 OF R;\nEND T.", [("LF0405", 2)]),
        ("TYPE L = [a(L), b(K)]; K = [c(L)];\nEND T.", []),
        ("TYPE L = [a(K)];\nTYPE K = [c(L)];\nEND T.", [("LF0304", 2)]),
        ("PROCESS P; BEGIN Q END P;\nPROCESS Q; BEGIN P END Q;\nEND T.", []),
        ("VAR x* : INTEGER;\nPROCESS P; VAR x* : CHAR; BEGIN x := 'a' END P;\nEND T.", [("LF0312", 3)]),
        # an outer name until the inner one is declared
        ("CONST n = 2;\nPROCESS P; VAR a : ARRAY n OF CHAR; n : INTEGER; BEGIN n := 1; a[1] := 'x' END P;\nEND T.", []),
        # predeclared names can be redeclared
        ("VAR INC, ABS, INTEGER : CHAR;\nBEGIN INC := 'a'; ABS := INC; INTEGER := ABS END T.", []),
        ("VAR b : BOOLEAN;\nBEGIN b := true; b := false END T.", [("LF0309", 3), ("LF0309", 3)]),
        ("CONST true = 3; VAR x : INTEGER;\nBEGIN x := true END T.", []),
        # an error silences what follows from it
        ("VAR x : Strange; y : INTEGER;\nBEGIN x := 1; x[2] := y; y := x.f + 1; x(3) END T.", [("LF0301", 2)]),
        ("CONST c = 1 DIV 0; VAR x : ARRAY c OF INTEGER;\nBEGIN x[0] := c END T.", [("LF0501", 2)]),
        ("VAR r : RECORD a : Strange; b : INTEGER END;\nBEGIN r.a := 1; r.b := 2 END T.", [("LF0301", 2)]),
    ],
)
def test_scopes(text: str, expected: list[tuple[str, int]]) -> None:
    assert codes(f"MODULE T;\n{text}") == expected


COUNTER = """MODULE Counter;
TYPE Color* = (red, green); Hidden = INTEGER; Point* = RECORD x* : INTEGER; y : INTEGER END;
CONST limit* = 7; secret = 8;
VAR value* : INTEGER; hidden : INTEGER; color* : Color; point* : Point;
TYPE Line* = [tick(INTEGER)];
PORT line* : Line;
PROCESS Reset*(VAR x : INTEGER); BEGIN x := 0; value := 0; hidden := secret END Reset;
BEGIN NEW(line)
END Counter.
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BEGIN ASSERT(Counter.value = Counter.limit)", []),
        ("BEGIN ASSERT(Counter.color = Counter.red)", []),
        ("VAR c : Counter.Color; BEGIN c := Counter.green", []),
        ("VAR x : INTEGER; BEGIN Counter.Reset(x)", []),
        ("BEGIN Counter.line!tick(1)", []),
        ("VAR x : INTEGER; BEGIN Counter.line?tick(x)", []),
        ("VAR x : INTEGER; BEGIN x := Counter.point.x", []),
        ("VAR x : INTEGER; BEGIN x := Counter.point.y", ["LF0411"]),
        ("BEGIN Counter.value := 1", ["LF0310"]),
        ("BEGIN INC(Counter.value)", ["LF0310"]),
        ("BEGIN Counter.line?tick(Counter.value)", ["LF0310"]),
        ("BEGIN Counter.Reset(Counter.value)", ["LF0310"]),
        ("BEGIN NEW(Counter.line)", ["LF0310"]),
        ("BEGIN FOR Counter := 0 TO 1 DO END", ["LF0308"]),
        ("BEGIN ASSERT(Counter.hidden = 0)", ["LF0302"]),
        ("BEGIN ASSERT(Counter.secret = 0)", ["LF0302"]),
        ("VAR x : Counter.Hidden; BEGIN x := 1", ["LF0302"]),
        ("BEGIN ASSERT(Counter.valeu = 0)", ["LF0302"]),
        ("BEGIN Counter.INC(1)", ["LF0302"]),
        ("BEGIN ASSERT(Counter = 0)", ["LF0308"]),
    ],
)
def test_imported_names(text: str, expected: list[str]) -> None:
    found = codes(f"MODULE T; IMPORT Counter; {text} END T.", files={"Counter.lf": COUNTER})
    assert [code for code, _ in found] == expected


def test_modules_come_after_those_that_they_import() -> None:
    files = {
        "A.lf": "MODULE A; IMPORT C, B; END A.",
        "B.lf": "MODULE B; IMPORT C; END B.",
        "c.lf": "MODULE C; END C.",
    }
    found = program("MODULE T; IMPORT X := A, B; END T.", files=files)
    assert [m.name for m in found.modules] == ["C", "B", "A", "T"]
    assert found.main.name == "T"
    assert [(i.alias, i.module.name if i.module else None) for i in found.main.imported_names] == [
        ("X", "A"),
        ("B", "B"),
    ]


@pytest.mark.parametrize(
    ("text", "files", "expected"),
    [
        ("IMPORT Missing; BEGIN Missing.Go(1); Missing.x := Missing.y", {}, ["LF0305"]),
        ("IMPORT Otu;", {}, ["LF0305"]),
        ("IMPORT T;", {}, ["LF0306"]),
        ("IMPORT A;", {"A.lf": "MODULE A; IMPORT B; END A.", "B.lf": "MODULE B; IMPORT A; END B."}, ["LF0306"]),
        ("IMPORT A;", {"A.lf": "MODULE B; END B."}, ["LF0307"]),
        ("IMPORT A;", {"A.lf": "ENVIRONMENT MODULE A; END A."}, ["LF0311"]),
        ("IMPORT A, A := Out;", {"A.lf": "MODULE A; END A."}, ["LF0303"]),
    ],
)
def test_imports(text: str, files: dict[str, str], expected: list[str]) -> None:
    assert [code for code, _ in codes(f"MODULE T; {text} END T.", files=files)] == expected


def test_a_module_with_errors_of_syntax_says_nothing_else() -> None:
    files = {"A.lf": "MODULE A; VAR x* : ; END A."}
    found, diagnostics = analyse_text("MODULE T; IMPORT A; BEGIN A.x := 1; A.y := 2 END T.", files=files)
    assert found is None
    assert {d.span.source.path for d in diagnostics.items} == {"A.lf"}


def test_environments_come_last() -> None:
    text = "MODULE T; VAR x* : INTEGER; END T."
    found = program(text, environments=["ENVIRONMENT MODULE E; IMPORT T; BEGIN ASSERT(T.x = 0) END E."])
    assert [(m.name, m.environment) for m in found.modules] == [("T", False), ("E", True)]
    assert codes(text, environments=["MODULE E; END E."]) == [("LF0809", 1)]


def test_used_marks() -> None:
    declarations = "CONST a = 1; b = a; TYPE X = INTEGER; Y = X; VAR v : INTEGER;"
    text = f"MODULE T; IMPORT Out, SYSTEM; {declarations} BEGIN v := b END T."
    main = program(text).main
    assert [(c.name, c.used) for c in main.constants] == [("a", True), ("b", True)]
    assert [(t.name, t.used) for t in main.types] == [("X", True), ("Y", False)]
    assert [(i.alias, i.used) for i in main.imported_names] == [("Out", False), ("SYSTEM", False)]
    assert isinstance(main.variables[0], typed.Variable)
