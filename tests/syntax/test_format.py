"""The formatter: canonical layout of each construct, and what holds for every program: same tree, same comments."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostic, Diagnostics
from lfc.syntax.format import format_module
from lfc.syntax.format.layout import WIDTH
from lfc.syntax.grammar import tree
from lfc.syntax.parser import parse_module
from tests.conftest import Golden
from tests.syntax.random_text import RandomText

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = sorted(
    [*ROOT.glob("examples/**/*.lf"), *ROOT.glob("tests/corpus/right/**/*.lf"), *ROOT.glob("lfc/library/*.lf")]
)


def parsed(text: str) -> tree.Module:
    diagnostics = Diagnostics()
    module = parse_module(Source("Test.lf", text), diagnostics)
    assert module is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items] + [text]
    return module


def formatted(text: str) -> str:
    return format_module(parsed(text))


def comments_of(module: tree.Module) -> list[list[str]]:
    """Their words: the indentation of a comment's further lines may change."""
    return [c.text.split() for c in module.comments]


def check_format(text: str) -> None:
    module = parsed(text)
    once = format_module(module)
    again = parsed(once)
    assert comments_of(again) == comments_of(module), once
    assert format_module(again).split("\n") == once.split("\n")
    assert once.endswith("\n") and not once.endswith("\n\n")
    assert not [line for line in once.split("\n") if line != line.rstrip()]
    if not warnings_of(text) and not has_small_truths(module):
        assert tree.same_tree(module, again), once


def warnings_of(text: str) -> list[Diagnostic]:
    """Sloppy forms change their tree when they are written properly."""
    diagnostics = Diagnostics()
    parse_module(Source("Test.lf", text), diagnostics)
    return diagnostics.items


def has_small_truths(node: tree.Node) -> bool:
    if isinstance(node, tree.Ident):
        return node.name in ("true", "false")
    return any(has_small_truths(child) for child in tree.children(node))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_programs(path: Path) -> None:
    check_format(path.read_text(encoding="utf-8"))


def test_layout(golden: Golden) -> None:
    """Every construct, on one line and on several, with comments at all kinds of places."""
    text = (HERE / "layout.input").read_text(encoding="utf-8")
    check_format(text)
    golden(HERE / "layout.expected", formatted(text))


def body(text: str) -> str:
    """The statements of a module, formatted."""
    lines = formatted(f"MODULE M;\nBEGIN\n{text}\nEND M.").splitlines()
    return "\n".join(line[2:] for line in lines[2:-1])


LONG = " + ".join(f"number{n}" for n in range(12))
STATEMENTS = [
    # What shared a line still does; a compound statement does if it was on one line and fits.
    ("x:=1;y:=2", "x := 1; y := 2"),
    ("x:=1;\ny:=2", "x := 1;\ny := 2"),
    ("WHILE x<3 DO INC(x);y END", "WHILE x < 3 DO INC(x); y END"),
    ("WHILE x<3 DO INC(x);y\nEND", "WHILE x < 3 DO\n  INC(x); y\nEND"),
    ("LOOP a END; LOOP b END", "LOOP a END;\nLOOP b END"),
    ("x;;;y;", "x; y"),
    # Lines end behind operators and commas.
    (
        f"x := {LONG}",
        "x := number0 + number1 + number2 + number3 + number4 + number5 + number6 + number7 + number8 +\n"
        "    number9 + number10 + number11",
    ),
    # OR separates branches where it is the first word of a line, and only there.
    ("CHOICE a; OR b END", "CHOICE a | b END"),
    ("CHOICE a | b\nEND", "CHOICE\n  a\nOR\n  b\nEND"),
    ("CHOICE\n a := b OR (* c *)\n c END", "CHOICE\n  a := b OR (* c *)\n      c\nEND"),
    ("a := b\n(* why *)\nOR c", "a := b OR (* why *)\n    c"),
    # A CASE without branches.
    ("CASE x OF END", "CASE x OF END"),
    ("CASE x OF | (* no *) | ELSE y END", "CASE x OF (* no *) ELSE y END"),
    # Comments.
    ("LOOP (* idle *) END", "LOOP (* idle *) END"),
    ("x (* a *); (* b *) y", "x (* a *); (* b *) y"),
    ("x; (* a *)\ny", "x; (* a *)\ny"),
    ("IF a THEN b\n  (* deep *)\n(* flat *)\nELSE c END", "IF a THEN\n  b\n  (* deep *)\n(* flat *)\nELSE\n  c\nEND"),
    ("IF a THEN\n b (* end *) END", "IF a THEN\n  b (* end *)\nEND"),
    ("     (* one\n        two *)\nx", "(* one\n   two *)\nx"),
    ("p((* none *)\n  1)", "p((* none *) 1)"),
    # One below the other if they were, at the ends of lines.
    ("x;         (* a *)\nyy := z;   (* b *)\nv (* c *)", "x;       (* a *)\nyy := z; (* b *)\nv (* c *)"),
    ("x := 1;  (* a *)\ny := z;  (* b *)", "x := 1; (* a *)\ny := z  (* b *)"),
    ("x := 1;  (* a *)\n\ny := 10; (* b *)", "x := 1; (* a *)\n\ny := 10 (* b *)"),
    # Empty lines: one at most, none at the ends of a body.
    ("\n\nx;\n\n\n\ny\n\n", "x;\n\ny"),
    ("x;\n\n(* c *)\n\ny", "x;\n\n(* c *)\n\ny"),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS)
def test_statements(text: str, expected: str) -> None:
    assert body(text) == expected
    assert body(expected) == expected


def test_the_page_on_the_layout_shows_it() -> None:
    page = (ROOT / "docs" / "reference" / "formatter.md").read_text(encoding="utf-8")
    shown = page.split("```lf\n")[1].split("\n```")[0]
    assert body(shown) == shown


def test_lines_are_short_where_they_can_be() -> None:
    arguments = ", ".join(f"argument{n} * (factor{n} + 1)" for n in range(20))
    lines = body(f"Call({arguments})").splitlines()
    assert len(lines) > 3 and all(len(line) + 2 <= WIDTH for line in lines)


def test_sloppy_forms_are_written_as_they_should() -> None:
    text = "MODULE M; CONST c = true VAR x : BOOLEAN; PROCESS P; BEGIN END Q; BEGIN x := false END;"
    assert formatted(text) == (
        "MODULE M;\nCONST c = TRUE;\nVAR x : BOOLEAN;\nPROCESS P;\nBEGIN\nEND P;\nBEGIN\n  x := FALSE\nEND M.\n"
    )


def test_a_name_that_a_module_declares_stays() -> None:
    assert "x := true" in formatted("MODULE M; VAR true, x : BOOLEAN; BEGIN x := true END M.")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_texts(random: Random) -> None:
    check_format(RandomText(random).module())


@pytest.mark.parametrize("seed", range(60))
def test_larger_random_texts(seed: int) -> None:
    check_format(RandomText(Random(seed)).module())
