"""What syntax errors say, where, and what is left of the text. Expectations: recovery/*.expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.render_text import render_text
from lfc.syntax.grammar import tree
from lfc.syntax.parser import parse_module
from tests.conftest import Golden
from tests.syntax.tree_text import parsed, reports, shown

HERE = Path(__file__).parent / "recovery"

# In the statements of a module; one line each, so that the column is telling.
STATEMENTS = [
    # Missing.
    "x := 1 y := 2",
    "IF a x := 1 END",
    "WHILE a x := 1 END",
    "FOR i := 0 9 DO END",
    "CASE x 1: END",
    "x 1",
    "x := ",
    "P(1, )",
    "P(1",
    "x := (1 + 2",
    "x := a[1",
    "c!",
    "c?data(x",
    "SELECT WHEN c?data(x) P END",
    "SELECT WHEN c?data(x) & (x > 0 THEN P END",
    "CREATE",
    "x := 1 +",
    # Too much.
    "x := 1)",
    "x := 1 2",
    "P((1)",
    "x := a]]",
    "IF a THEN THEN x := 1 END",
    "x := a + * b",
    "ELSE x := 1",
    # One for another.
    "x = 1",
    "x : 1",
    "x =: 1",
    "x == 1",
    "IF a = 1 DO P END",
    "IF a <> b THEN P END",
    "IF a != b THEN P END",
    "IF a && b THEN P END",
    "WHILE a THEN P END",
    "FOR i = 0 TO 3 DO P END",
    "FOR i := 0..3 DO P END",
    "a(1) := 2",
    "NEXT := 1",
    "x := a * -b",
    "x := a & ALWAYS b",
    "c!data[x]",
    # Misspelt.
    "WHLIE a DO P END",
    "while a do P end",
    "IF a THNE P END",
    "IF a THEN P ELES Q END",
    "IF a THEN P; ELSEIF b THEN Q END",
    "REPEAT P UNTILL a",
    "SELCT WHEN c?m THEN P END",
    # Other languages.
    "x += 1",
    "x++",
    "if (x == 1) { y = 2; }",
    "return 1",
    "RETURN 1",
    "BEGIN x := 1 END",
    "WHILE a DO P ELSIF b DO Q END",
    "x := a ? b : c",
    "goto l",
    "IF a AND b THEN P END",
    "x := not a",
    "x := !a",
    "// a comment",
    "c <- 1",
    "x := <-c",
    "go P(c)",
    "CASE x OF 1: P; DEFAULT: Q END",
    "P; VAR y : INTEGER; y := 1",
    "x := c?data",
    "IF c?data(x) THEN P END",
    "ASSERT x = 1",
    "NEW c",
    "P /* a comment */",
    "IF a THEN P ELSE IF b THEN Q END",
    # What is special in LF.
    "IF a = b & c = d THEN P END",
    "IF a < 1 OR b[i = 1] > c THEN P END",
    "x := 1 < a < 3",
    "SELECT WHEN c?data(x) & x > 0 THEN P END",
    "SELECT ELSE P END",
    "SELECT END",
]

DECLARATIONS = [
    "VAR x INTEGER;",
    "VAR x : ;",
    "VAR x; y : INTEGER;",
    "VAR x : INTEGER = 3;",
    "VAR x : INTEGER := 3;",
    "VAR x : a[3];",
    "VAR x : ARRAY OF INTEGER;",
    "VAR x : ARRAY 3 INTEGER;",
    "VAR x, : INTEGER;",
    "VAR END : INTEGER;",
    "int x;",
    "x : INTEGER;",
    "CONST a := 1;",
    "CONST a : 1;",
    "CONST a = ;",
    "TYPE T : INTEGER;",
    "TYPE T = (a, b;",
    "TYPE T = RECORD x : INTEGER; TYPE U = INTEGER;",
    "TYPE T = [a(INTEGER, b];",
    "TYPE T = [];",
    "TYPE T = (1)..2;",
    "PORT p : [a];",
    "PROCESS (x : T); END P;",
    "PROCESS P(x T); END P;",
    "PROCESS P(x : T; END P;",
    "PROCESS P(x : T) END P;",
    "PROCESS P(x : T); VAR y : T; y := 1 END P;",
    "PROCESS P(x : T); BEGIN y := 1 P;",
    "PROCESS P(x : T); BEGIN y := 1; PROCESS Q; END Q;",
    "PROCEDURE P; END P;",
    "PROCESS P(x : T) : T; END P;",
    "VAR int x;",
    "VAR x : ARRAY 1..3 OF INTEGER;",
    "VAR x : ARRAY [1..3] OF INTEGER;",
    "TYPE T = POINTER TO U;",
    "TYPE T = CHANNEL OF U;",
    "VAR c : CHAN U;",
    "TYPE T = [a(x : INTEGER)];",
    "PROCESS P(INTEGER x); END P;",
    "PROPERTY p ALWAYS a;",
    "PROPERTY p = ALWAYS;",
]


def all_reports(template: str, parts: list[str]) -> str:
    found = []
    for part in parts:
        module, said = parsed(template.format(part))
        body = module.declarations if module.body is None else module.body
        found.append("\n  ".join([part, *said, "= " + shown(body)]))
    return "\n\n".join(found) + "\n"


def test_statements(golden: Golden) -> None:
    golden(HERE / "statements.expected", all_reports("MODULE M; BEGIN\n{}\nEND M.", STATEMENTS))


def test_declarations(golden: Golden) -> None:
    golden(HERE / "declarations.expected", all_reports("MODULE M;\n{}\nEND M.", DECLARATIONS))


@pytest.mark.parametrize("path", sorted(HERE.glob("*.lf")), ids=lambda p: p.stem)
def test_programs(path: Path, golden: Golden) -> None:
    """Whole programs with mistakes in their blocks, rendered."""
    source = Source(path.name, path.read_text(encoding="utf-8"))
    diagnostics = Diagnostics()
    parse_module(source, diagnostics)
    golden(path.with_suffix(".expected"), render_text(diagnostics) + "\n")


def test_declared_names_survive_an_error_in_their_type() -> None:
    module, said = parsed("MODULE M; VAR x : ; y : ARRAY OF CHAR; TYPE T = ; END M.")
    assert len(said) >= 2
    variables, types = module.declarations
    assert isinstance(variables, tree.Section) and isinstance(types, tree.Section)
    assert shown(variables.declarations).startswith("[VarDecl([x], -, ErrorTypeNode()")
    assert shown(types.declarations) == "[TypeDecl(T, ErrorTypeNode())]"


def test_what_follows_an_error_is_checked() -> None:
    _, said = parsed("MODULE M;\nBEGIN\n  x = 1;\n  P;\n  y := (2;\n  Q\nEND M.")
    assert [s.split(" ")[0] for s in said] == ["3:5", "5:10"]


def test_fix_gives_a_program_without_the_error() -> None:
    wrong = "MODULE M;\nVAR x INTEGER;\nBEGIN\n  IF x = 1 x := 2 END;\n  x = 2;\n  x := (3 + x;\n"
    wrong += "  WHLIE x > 0 DO DEC(x)) END\nEND M."
    diagnostics = Diagnostics()
    parse_module(Source("M.lf", wrong), diagnostics)
    text = wrong
    for d in reversed(sorted(diagnostics.items, key=lambda d: d.span.start)):
        assert d.fix is not None, d
        text = text[: d.fix.span.start] + d.fix.replacement + text[d.fix.span.end :]
    after = Diagnostics()
    parse_module(Source("M.lf", text), after)
    assert len(diagnostics.items) >= 6 and reports(after) == []


def test_number_of_errors_is_limited() -> None:
    _, said = parsed("MODULE M; BEGIN\n" + "  x = 1;\n" * 200 + "END M.")
    assert len(said) <= 21


def test_no_parser_internals_in_messages() -> None:
    """Names of terminals and placeholders never show."""
    _, statements = parsed("MODULE M; BEGIN\n" + ";\n".join(STATEMENTS[:20]) + "\nEND M.")
    for text in STATEMENTS:
        statements += parsed(f"MODULE M; BEGIN\n{text}\nEND M.")[1]
    for text in DECLARATIONS:
        statements += parsed(f"MODULE M;\n{text}\nEND M.")[1]
    for word in ("RPAR", "LSQB", "SEMICOLON", "IDENT", "ERROR_", "OR_BRANCH", "$END", "BECOMES", "VBAR", "None"):
        assert not any(word in message for message in statements), word
