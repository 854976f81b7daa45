"""Two grammars of others' kinds, TextMate and Pygments, against the lexer: on every program that there is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Text, _TokenType

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.editor.pygments_lexer import LFLexer
from lfc.syntax.grammar.lexer import cut_into_tokens
from lfc.syntax.grammar.terminals import KEYWORDS, NUMBER, OF_MONITORS
from tests.conftest import ROOT
from tests.editor import textmate

PROGRAMS = sorted(
    f for room in ("examples", "tests/corpus/right", "lfc/library") for f in (ROOT / room).rglob("*.lf") if f.is_file()
)
IDENT, INTEGER, CHARACTER, STRING = (NUMBER[n] for n in ("IDENT", "INTEGER", "CHARACTER", "STRING"))
WORDS = {*KEYWORDS.values()}
Piece = tuple[int, int, str]  # start, end, kind


def of_lexer(text: str) -> list[Piece]:
    """Comments, keywords, names, numbers, characters and strings."""
    tokens = cut_into_tokens(Source("Test.lf", text), Diagnostics())
    found = [(start, end, "comment") for start, end in tokens.comments]
    kinds = {IDENT: "name", INTEGER: "number", CHARACTER: "text", STRING: "text", NUMBER["OR_BRANCH"]: "keyword"}
    kinds[NUMBER["DECIMAL"]] = "number"
    kinds |= {number: "keyword" for number in WORDS}
    kinds |= dict.fromkeys(OF_MONITORS.values(), "name")  # names in all other texts
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if kind in kinds and (kind not in WORDS or text[start].isalpha()):
            found.append((start, end, kinds[kind]))
    return sorted(found)


def pieces(parts: Iterator[tuple[int, str, str]]) -> list[Piece]:
    """Neighbours of one kind that nothing lies between are one, if it is a comment or a text."""
    found: list[Piece] = []
    for start, kind, text in parts:
        if found and found[-1][1] == start and found[-1][2] == kind == "comment":
            found[-1] = (found[-1][0], start + len(text), kind)
        else:
            found.append((start, start + len(text), kind))
    return found


# --- Pygments --------------------------------------------------------------------------------------------------------


def of_pygments(text: str) -> list[Piece]:
    def parts() -> Iterator[tuple[int, str, str]]:
        for start, kind, part in LFLexer().get_tokens_unprocessed(text):
            assert kind is not Error, (start, part)
            if kind not in Text and kind not in Operator and kind not in Punctuation:
                yield start, named(kind, part), part

    return pieces(parts())


def named(kind: _TokenType, part: str) -> str:
    if kind in Comment:
        return "comment"
    if kind in String:
        return "text"
    if kind in Number:
        return "number"
    is_name = kind in Name or kind in Keyword.Type or kind in Keyword.Constant
    return "name" if is_name and part != "MAX" else "keyword"


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda f: f.name)
def test_both_see_what_the_lexer_sees(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    expected = of_lexer(text)
    assert of_pygments(text) == expected
    assert of_textmate(text) == expected


def test_pygments_finds_the_lexer() -> None:
    assert isinstance(get_lexer_by_name("lf"), LFLexer)
    assert LFLexer.analyse_text("MODULE M;\nEND M.\n") > 0.5 > LFLexer.analyse_text("target C;\nreactor A {}\n")


# --- TextMate --------------------------------------------------------------------------------------------------------

KIND_OF_SCOPE = {"comment": "comment", "string": "text", "constant.character": "text", "constant.numeric": "number"}


def of_textmate(text: str) -> list[Piece]:
    """As an editor follows the grammar: line by line, the rule that matches first, and of these the first rule."""
    grammar = textmate.grammar()
    patterns, depth = grammar["patterns"], 0
    assert isinstance(patterns, list)
    rules = [(re.compile(r["match"]), r["name"]) for r in patterns if "match" in r]
    texts = [(re.compile(r["begin"]), re.compile(r["end"], re.MULTILINE), r["name"]) for r in patterns if "begin" in r]
    bracket = re.compile(r"\(\*|\*\)")
    found: list[tuple[int, str, str]] = []
    at = 0
    while at < len(text):
        if depth:
            close = bracket.search(text, at)
            after = len(text) if close is None else close.end()
            found.append((at, "comment", text[at:after]))
            depth += 0 if close is None else 1 if close[0] == "(*" else -1
            at = after
            continue
        if text.startswith("(*", at):
            found.append((at, "comment", "(*"))
            at, depth = at + 2, 1
            continue
        match = next(((m, n) for r, n in rules if (m := r.match(text, at))), None)
        if match is not None and match[0].end() > at:
            kind = kind_of(match[1], match[0][0])
            if kind:
                found.append((at, kind, match[0][0]))
            at = match[0].end()
            continue
        for begin, stop, _ in texts:
            if begin.match(text, at):
                end = stop.search(text, at + 1)
                assert end is not None
                found.append((at, "text", text[at : end.end()]))
                at = end.end()
                break
        else:
            at += 1
    return pieces(iter(found))


def kind_of(scope: str, part: str) -> str:
    for prefix, kind in KIND_OF_SCOPE.items():
        if scope.startswith(prefix):
            return kind
    if not part[0].isalpha() and part[0] != "_":
        return ""
    return "keyword" if part in KEYWORDS else "name"


def test_the_grammar_of_the_extension_is_current() -> None:
    assert textmate.FILE.read_text(encoding="utf-8") == textmate.text(), "python -m tests.editor.textmate"


def test_the_extension_knows_its_files() -> None:
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    (language,) = package["contributes"]["languages"]
    first = re.compile(language["firstLine"])
    without = [f.name for f in PROGRAMS if not first.search(f.read_text(encoding="utf-8").split("\n")[0])]
    assert without == []
    assert not first.search("target C;") and not first.search("target Python {")
    sources = "".join(f.read_text() for f in (ROOT / "editors" / "vscode" / "src").glob("*.js"))
    for command in package["contributes"]["commands"]:
        assert f'"{command["command"]}"' in sources
