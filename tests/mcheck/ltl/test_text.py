"""Formulas as text: read, printed, and refused with the place of the error."""

from __future__ import annotations

from random import Random

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.ltl.formula import atoms_of, text_of
from lfc.mcheck.ltl.parse import parse_formula
from tests.mcheck.ltl.published import parse
from tests.mcheck.ltl.words import NAMES, random_formula

SAME = [
    ("[]<>p", "ALWAYS EVENTUALLY p"),
    ("G F p -> G F q", "ALWAYS EVENTUALLY p IMPLIES ALWAYS EVENTUALLY q"),
    ("[] p & q", "ALWAYS p & q"),
    ("[] p /\\ q", "(ALWAYS p) & q"),
    ("p U q /\\ r", "(p UNTIL q) & r"),
    ("p & q U r", "p & q UNTIL r"),
    ("a U b U c", "a UNTIL b UNTIL c"),
    ("(a U b) U c", "(a UNTIL b) UNTIL c"),
    ("a -> b -> c", "a IMPLIES b IMPLIES c"),
    ("(a -> b) -> c", "(a IMPLIES b) IMPLIES c"),
    ("a <-> b <-> c", "a IFF b IFF c"),
    ("a V b \\/ a W b", "(a RELEASE b) OR (a WEAKUNTIL b)"),
    ("![]p", "~(ALWAYS p)"),
    ("!p U q", "~p UNTIL q"),
    ("~~p", "~~p"),
    ("X X p", "NEXT NEXT p"),
    ("p || q && r", "p OR q & r"),
    ("READY( P[ 1 ] ) -> TAKEN(q . data)", "READY(P[1]) IMPLIES TAKEN(q.data)"),
    ("[](x = 3 -> <>(y # 0))", "ALWAYS (x = 3 IMPLIES EVENTUALLY (y # 0))"),
    ('"x + 1 > y" U p', '"x + 1 > y" UNTIL p'),
    ("true U FALSE", "TRUE UNTIL FALSE"),
]


@pytest.mark.parametrize(("text", "expected"), SAME)
def test_read_and_printed(text: str, expected: str) -> None:
    assert text_of(parse(text)) == expected or parse(expected) is parse(text)
    assert parse(text_of(parse(text))) is parse(text)


def test_random_formulas_are_read_as_they_were_printed() -> None:
    for seed in range(300):
        f = random_formula(Random(seed), 12, NAMES)
        text = text_of(f).replace("STRONGRELEASE", "M")
        assert parse(text) is f, text


def test_atoms_in_the_order_of_the_text() -> None:
    assert atoms_of(parse("c U (b -> [] a) & c & d")) == ["c", "b", "a", "d"]


WRONG = [
    ("", 0, "LF0201", "formula is empty"),
    ("p U", 3, "LF0201", "operand"),
    ("p & []q", 4, "LF0202", "binds weaker"),
    ("(p -> q", 7, "LF0201", "`)`"),
    ("p)", 1, "LF0202", "without a `(`"),
    ("p q", 2, "LF0202", "is unexpected"),
    ("p $ q", 2, "LF0101", "`$`"),
    ("-> p", 0, "LF0203", "missing before `->`"),
    ("[] 3", 3, "LF0203", "number"),
    ("x = 3 & y = 4", 6, "LF0202", "binds tighter"),
    ("p & x = 4", 6, "LF0202", "compares two values"),
    ("x = U", 4, "LF0203", "operator"),
    ("READY(P", 7, "LF0201", "`)`"),
    ("P[]", 1, "LF0202", "is unexpected"),
    ("P[&]", 2, "LF0201", "index"),
    ("P. ", 2, "LF0201", "name"),
    ('"abc', 0, "LF0103", "is not terminated"),
    ('""', 0, "LF0201", "a quoted atom is empty"),
    ("(" * 300, 200, "LF0207", "deeper"),
    ("X " * 300 + "p", 600, "LF0207", "deeper"),
]


@pytest.mark.parametrize(("text", "offset", "code", "part"), WRONG)
def test_errors_say_where(text: str, offset: int, code: str, part: str) -> None:
    diagnostics = Diagnostics()
    assert parse_formula(Source("<formula>", text), diagnostics) is None
    (found,) = diagnostics.items
    assert (found.code, found.span.start) == (code, offset)
    assert part in found.message


def test_whatever_the_text_there_is_an_answer() -> None:
    random = Random(5)
    pieces = ["p", "U", "[]", "<>", "(", ")", "&", "/\\", "!", "->", "x", "=", "3", '"', "[", "]", ".", ",", "?", " "]
    for _ in range(3000):
        diagnostics = Diagnostics()
        text = "".join(random.choice(pieces) for _ in range(random.randint(0, 12)))
        assert (parse_formula(Source("<formula>", text), diagnostics) is None) == diagnostics.has_errors, text
