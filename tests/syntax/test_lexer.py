"""Tokens, and what is wrong below the level of tokens."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tree
from lfc.syntax.grammar.lexer import REPORTED_AT_MOST, Tokens, cut_into_tokens
from lfc.syntax.grammar.terminals import TERMINALS
from tests.syntax.tree_text import parsed, reports, shown


def cut(text: str) -> tuple[Tokens, list[str]]:
    diagnostics = Diagnostics()
    tokens = cut_into_tokens(Source("Test.lf", text), diagnostics)
    return tokens, reports(diagnostics)


def words(text: str) -> list[str]:
    tokens, said = cut(text)
    assert not said
    return [tokens.text(i) for i in range(len(tokens.kinds) - 1)]


def kinds(text: str) -> list[str]:
    tokens, _ = cut(text)
    return [TERMINALS[k] if k < len(TERMINALS) else "?" for k in tokens.kinds[:-1]]


def test_longest_token_wins() -> None:
    assert words("a:=b..c.d<=e<>f->g<->h[]i>=j") == "a := b .. c . d <= e <> f -> g <-> h [] i >= j".split()
    assert words("0..7 1 ..n 2FFH..0FFH") == ["0", "..", "7", "1", "..", "n", "2FFH", "..", "0FFH"]
    assert words("a<-1") == ["a", "<", "-", "1"]
    assert words("x(*c*)y (**) z") == ["x", "y", "z"]
    assert words("a\t\r\nb\fc") == ["a", "b", "c"]


def test_kinds() -> None:
    assert kinds("END end MAX TRUE a_1 _b") == ["END", "IDENT", "MAX", "IDENT", "IDENT", "IDENT"]
    assert kinds("1 0AH 41X 'a' '' 'ab' \"a\"") == ["INTEGER", "INTEGER", "CHARACTER", "CHARACTER"] + ["STRING"] * 3
    assert kinds("[] <> -> <->") == ["ALWAYS", "EVENTUALLY", "IMPLIES", "IFF"]


POINT = "decimal digits stand on both sides of its point, and nothing else"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a (* b (* c *)", ["1:3 LF0102 this comment is never closed: `*)` is missing"]),
        ("a *) b", ["1:3 LF0106 this closes no comment: there is no `(*` before it"]),
        ("a @@$ b ? \\", [
            "1:3 LF0101 these characters have no meaning in LF: `@` `@` `$`",
            "1:11 LF0101 this character has no meaning in LF: `\\`",
        ]),
        ("a % b", ["1:3 LF0101 this character has no meaning in LF: `%`"]),
        ("a\0b", ["1:2 LF0101 this character has no meaning in LF: U+0000"]),
        ("\ufffd", ["1:1 LF0101 this character has no meaning in LF: bytes that are not UTF-8"]),
        ("größe", ["1:3 LF0101 these characters have no meaning in LF: `ö` `ß`"]),
        ("0xff", ["1:1 LF0104 `0xff` is no number; a hexadecimal number is written `0FFH`"]),
        ("0x1", ["1:1 LF0104 `0x1` is no number; a hexadecimal number is written `1H`"]),
        ("2fh", ["1:1 LF0104 `2fh` is no number; a hexadecimal number is written `2FH`"]),
        ("0FF", ["1:1 LF0104 `0FF` is no number; a hexadecimal number is written `0FFH`"]),
        ("12abz", ["1:1 LF0104 `12abz` is no number"]),
        ("1.5 0.25 00.10", []),
        ("1.5e3", [f"1:1 LF0104 `1.5e3` is no number: {POINT}"]),
        ("1.00000000000000000000", ["1:1 LF0107 `1.00000000000000000000` has more than 20 digits"]),
        ("4294967295 0FFFFFFFFH 00000000001", []),
        ("4294967296", ["1:1 LF0107 `4294967296` fits no integer type: 4294967295 is the largest"]),
        ("0100000000H", ["1:1 LF0107 `0100000000H` fits no integer type: 4294967295 is the largest"]),
        ("100X", ["1:1 LF0105 `100X` is no character: the largest is `0FFX`"]),
        ("'é'", ["1:1 LF0105 'é' is not in ASCII: a character is one byte, written as `0E9X` for code 233"]),
        ('"é"', []),
    ],
)  # fmt: skip
def test_reports(text: str, expected: list[str]) -> None:
    assert cut(text)[1] == expected


@pytest.mark.parametrize(
    ("line", "string"),
    [
        ('Out.String("abc);', '"abc"'),
        ('Out.String("abc", x);', None),
        ("Out.String('abc);", '"abc"'),
        ('IF c THEN Out.String("abc) END;', '"abc"'),
        ('x := "abc; (* a comment *)', '"abc"'),
    ],
)
def test_string_without_an_end_stops_before_the_punctuation(line: str, string: str | None) -> None:
    module, said = parsed(f"MODULE M; BEGIN\n{line}\nx := 1\nEND M.")
    assert [s.split(" ")[1] for s in said] == (["LF0103"] if string else [])
    if string:
        assert f", [{string}])" in shown(module) or f"Assign(x, {string})" in shown(module)


def test_lexical_errors_bring_no_syntax_errors() -> None:
    for expression in ("0xff + 1", "12abz", "1.5H * 2", "@a", "a $ b", "a @ @ b", "'é'", "99999999999"):
        _, said = parsed(f"MODULE M;\nBEGIN\n  x := {expression};\n  y := 2\nEND M.")
        assert {s.split(" ")[1][:4] for s in said} == {"LF01"}, said
    _, said = parsed("MODULE M; BEGIN x := 1; (* y := 2; END M.")
    assert [s.split(" ")[1] for s in said] == ["LF0102"]


def test_malformed_number_becomes_an_error_expression() -> None:
    module, _ = parsed("MODULE M; BEGIN x := 0xff; y := 1FFX END M.")
    assert module.body is not None
    assert [type(s.value) for s in module.body if isinstance(s, tree.Assign)] == [tree.ErrorExpr, tree.ErrorExpr]


def test_numbers_of_any_length() -> None:
    module, said = parsed(f"MODULE M; BEGIN x := {'0' * 5000}7; y := {'0' * 5000}7H END M.")
    assert said == []
    assert module.body is not None
    assert [s.value.value for s in module.body if isinstance(s, tree.Assign) and isinstance(s.value, tree.IntLit)] == [
        7,
        7,
    ]
    assert [s.split(" ")[1] for s in cut("9" * 5000)[1]] == ["LF0107"]


def test_number_of_reports_is_limited() -> None:
    assert len(cut("12a " * 1000)[1]) == REPORTED_AT_MOST


@pytest.mark.parametrize(
    ("text", "separators"),
    [
        ("CHOICE a OR b END", 0),
        ("CHOICE a\nOR b END", 1),
        ("CHOICE a\n  (* why *) OR b END", 1),
        ("CHOICE a; OR b; OR c END", 2),
        ("CHOICE (a\nOR b) END", 0),
        ("CHOICE a[i\nOR j] END", 0),
        ("CHOICE IF a\nOR b THEN c END\nOR d END", 1),
        ("CHOICE REPEAT a\nUNTIL b;\nOR c END", 1),
        ("IF a\nOR b THEN END", 0),
        ("CHOICE LOOP CHOICE a\nOR b END END\nOR c END\nOR d", 2),
        ("CHOICE a; PROCESS P; b\nOR c END", 0),
    ],
)
def test_or_separates_branches(text: str, separators: int) -> None:
    assert kinds(text).count("OR_BRANCH") == separators
