"""What is accepted with a warning that says how to write it, and with a fix that does."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics, Severity
from lfc.syntax.grammar.tree import same_tree
from lfc.syntax.parser import parse_module
from tests.syntax.tree_text import reports

RIGHT = """MODULE Good;
CONST a = 1;
TYPE T = [m];
VAR x : INTEGER;
PORT p : T;

PROCESS P;
CONST b = 2;
BEGIN
  x := a + b
END P;

PROPERTY q;
BEGIN
  LOOP RESCHEDULE END
END q;

BEGIN
  P
END Good.
"""


def parsed_with_fixes(text: str) -> tuple[str, Diagnostics]:
    """The text after all fixes, and what was reported before."""
    diagnostics = Diagnostics()
    parse_module(Source("Good.lf", text), diagnostics)
    fixes = [d.fix for d in diagnostics.items if d.fix is not None]
    for fix in reversed(sorted(fixes, key=lambda f: f.span.start)):
        text = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
    return text, diagnostics


@pytest.mark.parametrize(
    ("right", "sloppy", "expected"),
    [
        ("a = 1;\n", "a = 1\n", ["2:12 LF0211 the last constant of a section ends with a semicolon, too"]),
        ("b = 2;\n", "b = 2\n", ["8:12 LF0211 the last constant of a section ends with a semicolon, too"]),
        ("END P;", "END;", ["11:4 LF0212 a process is closed with its name: `END P`"]),
        ("END q;", "END ;", ["16:4 LF0212 a property is closed with its name: `END q`"]),
        ("END Good.", "END.", ["20:4 LF0212 a module is closed with its name: `END Good`"]),
        ("END Good.", "END .", ["20:4 LF0212 a module is closed with its name: `END Good`"]),
        ("END Good.", "END;", ["20:4 LF0212 a module is closed with its name: `END Good`"]),
        ("END P;", "END Prod;", ["11:5 LF0213 process `P` is closed by the name `Prod`: write `END P`"]),
        ("END q;", "END Q;", ["16:5 LF0213 property `q` is closed by the name `Q`: write `END q`"]),
        ("END Good.", "END Bad.", ["20:5 LF0213 module `Good` is closed by the name `Bad`: write `END Good`"]),
        ("END Good.", "END Good", ["20:9 LF0214 a module ends with a full stop"]),
        ("END Good.\n", "END", [
            "20:4 LF0212 a module is closed with its name: `END Good`",
            "20:4 LF0214 a module ends with a full stop",
        ]),
        ("Good.\n", "Good. See [1].", ["20:11 LF0215 text after the end of the module is ignored"]),
        ("x := a + b", ";; x := a + b;", []),
        ("END Good.", "END Good;", []),
    ],
)  # fmt: skip
def test_sloppy_text(right: str, sloppy: str, expected: list[str]) -> None:
    assert RIGHT.count(right) == 1
    text = RIGHT.replace(right, sloppy)
    fixed, diagnostics = parsed_with_fixes(text)
    assert reports(diagnostics) == expected
    assert all(d.severity is Severity.WARNING for d in diagnostics.items)
    assert same_tree(
        parse_module(Source("a", fixed), again := Diagnostics()), parse_module(Source("b", RIGHT), Diagnostics())
    )
    if "LF0215" not in "".join(expected):
        assert reports(again) == []


def test_all_of_it_at_once() -> None:
    text = (
        RIGHT.replace("a = 1;", "a = 1").replace("END P;", "END;").replace("END Good.", "END").replace("true", "TRUE")
    )
    _, diagnostics = parsed_with_fixes(text)
    assert [d.code for d in diagnostics.items] == ["LF0211", "LF0212", "LF0212", "LF0214"]


@pytest.mark.parametrize(
    ("right", "wrong", "where"), [("[m];", "[m]", "3:13"), ("R;", "R", "4:16"), ("T;", "T", "5:11")]
)
def test_only_constants_may_lack_the_last_semicolon(right: str, wrong: str, where: str) -> None:
    text = RIGHT.replace(f"{right}\n", f"{wrong}\n")
    assert text != RIGHT
    assert reports(parsed_with_fixes(text)[1]) == [f"{where} LF0201 a semicolon is missing"]
