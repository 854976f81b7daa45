"""No text makes the parser raise, hang or nest without limit; what recovery makes is always a text of the grammar."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tree
from lfc.syntax.grammar.lexer import cut_into_tokens
from lfc.syntax.grammar.tables import load_tables
from lfc.syntax.grammar.terminals import KEYWORDS, OPERATORS
from lfc.syntax.nesting import NESTING_LIMIT
from lfc.syntax.parser import parse_module
from lfc.syntax.recovery.recover import repair_tokens
from lfc.syntax.recovery.stack import BOTTOM, shift
from tests.conftest import ROOT

HEAD = "MODULE M;\nVAR x : INTEGER;\nBEGIN\n  "
N = 10_000
SLOWEST = 10.0  # seconds; most take a hundredth of that

NASTY = {
    "space at the end": "MODULE M;\nEND M." + "\v" * 1_000_000,
    "nothing but space": " " * 1_000_000,
    "parentheses": HEAD + "x := " + "(" * N + "1" + ")" * N + "\nEND M.",
    "open parentheses": HEAD + "x := " + "(" * N + "\nEND M.",
    "nested IF": HEAD + "IF x = 1 THEN\n" * N + "END;" * N + "\nEND M.",
    "open IF": HEAD + "IF x = 1 THEN\n" * N,
    "long sum": HEAD + "x := " + "1+" * N + "1\nEND M.",
    "negations": HEAD + "x := " + "~" * N + "1\nEND M.",
    "fields": HEAD + "x := a" + ".b" * N + "\nEND M.",
    "indices": HEAD + "x := a" + "[1]" * N + "\nEND M.",
    "sets": HEAD + "x := " + "{" * N + "\nEND M.",
    "arrays": "MODULE M;\nVAR x : " + "ARRAY 2 OF " * N + "INTEGER;\nEND M.",
    "records": "MODULE M;\nVAR x : " + "RECORD a : " * N + "INTEGER" + " END" * N + ";\nEND M.",
    "processes": "MODULE M;\n" + "PROCESS P;\n" * N + "END P;\n" * N + "END M.",
    "long sum in a monitor": "MONITOR M;\nON PORTIN DO x := " + "1+" * N + "1\nEND M.",
    "implications": "MODULE M;\nPROPERTY p = " + "x IMPLIES " * N + "x;\nEND M.",
    "always": "MODULE M;\nPROPERTY p = " + "ALWAYS " * N + "x;\nEND M.",
    "brackets": "[" * 10 * N,
    "open comments": "(*" * 10 * N,
    "ends": "END " * N,
    "semicolons": ";" * 10 * N,
    "else": HEAD + "ELSE " * N,
    "case": HEAD + "CASE x OF " * 3000,
    "select": HEAD + "SELECT WHEN " * 3000,
    "choice": HEAD + "CHOICE\n" * 1000 + "OR\n" * 1000 + "END M.",
    "one line of 1 MB": HEAD + "x := 1; " * 130_000 + "\nEND M.",
    "one wrong line of 1 MB": HEAD + "x = 1; " * 150_000 + "\nEND M.",
    "long name": HEAD + "x" * 1_000_000 + " := 1 END M.",
    "long number": HEAD + "x := " + "1" * 1_000_000 + " END M.",
    "long hexadecimal number": HEAD + "x := " + "0F" * 500_000 + "H END M.",
    "quotes": '"\n' * N,
    "long open string": HEAD + 'x := "' + "; )]" * 100_000,
    "NUL": "\0" * 1_000_000,
    "NUL and spaces": "\0 " * 100_000,
    "junk": "".join(random.Random(1).choice("abc $%=;.,:()[]\n") for _ in range(300_000)),
    "blanks of 1 MB": " \t\v\n" * 250_000,
    "empty": "",
    "blank": " \n\t ",
    "half a comment": "(* a (* b *)",
    "byte order mark": "\ufeffMODULE M; END M.",
    "lone surrogate": "MODULE M; \ud800 END M.",
}


def depth(module: tree.Module) -> int:
    level: list[tree.Node] = [module]
    levels = 0
    while level:
        level = [child for node in level for child in tree.children(node)]
        levels += 1
    return levels


def checked(text: str) -> Diagnostics:
    diagnostics = Diagnostics()
    module = parse_module(Source("M.lf", text), diagnostics)
    assert depth(module) <= NESTING_LIMIT + 2
    for diagnostic in diagnostics.items:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert len(diagnostic.message) < 400
    if not diagnostics.items:
        return diagnostics
    tokens = repair_tokens(cut_into_tokens(Source("M.lf", text), Diagnostics()), Diagnostics())
    stack = BOTTOM
    for kind in tokens.kinds:
        after = shift(stack, kind)
        assert after is not None
        stack = after
    assert stack[0] == load_tables().accept
    return diagnostics


@pytest.mark.parametrize("name", NASTY)
def test_nasty_text(name: str) -> None:
    begin = time.process_time()
    diagnostics = checked(NASTY[name])
    assert time.process_time() - begin < SLOWEST
    assert len(diagnostics.items) <= 45
    if name not in ("one line of 1 MB", "long name", "space at the end"):
        assert diagnostics.has_errors


@pytest.mark.parametrize("name", ["parentheses", "nested IF", "long sum", "fields", "arrays", "processes", "always"])
def test_deep_nesting_is_one_kind_of_error(name: str) -> None:
    assert {d.code for d in checked(NASTY[name]).items} == {"LF0207"}


def test_what_nests_less_deeply_is_fine() -> None:
    text = HEAD + "x := " + "(" * 150 + "1" + ")" * 150 + " + 1" * 30 + "\nEND M."
    assert not checked(text).items
    text = HEAD + "IF x = 1 THEN\n" * 90 + "END;" * 90 + "\nEND M."
    assert not checked(text).items


WORDS = [
    *KEYWORDS,
    *OPERATORS,
    "a",
    "b",
    "42",
    "0FH",
    "41X",
    "'a'",
    '"s"',
    "(*",
    "*)",
    "\n",
    '"',
    "$",
    "\0",
    "é",
    "end",
]
TEXTS = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.lf"))]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_soup_of_words(words: list[str]) -> None:
    checked(" ".join(words))
    checked("MODULE M; " + " ".join(words))
    checked("MODULE M; BEGIN " + " ".join(words) + " END M.")


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    checked(text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_examples_with_holes_and_insertions(text: str, chance: random.Random) -> None:
    for _ in range(chance.randrange(1, 12)):
        at = chance.randrange(len(text) + 1)
        words = " ".join(chance.choice(WORDS) for _ in range(chance.randrange(3)))
        text = text[:at] + words + text[at + chance.randrange(30) :]
    checked(text)
