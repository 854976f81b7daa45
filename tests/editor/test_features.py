"""What the editor shows, on small texts with a cursor."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from lfc.editor.features.completion import completion
from lfc.editor.features.folding import folding_ranges
from lfc.editor.features.hover import hover
from lfc.editor.features.inlay_hints import inlay_hints
from lfc.editor.features.navigation import definition, highlights, type_definition
from lfc.editor.features.predeclared import PREDECLARED
from lfc.editor.features.semantic_tokens import MODIFIERS, placed
from lfc.editor.features.signature import signature_help
from lfc.editor.features.symbols import document_symbols
from lfc.semantics.names.universe import PREDECLARED_TYPES as TYPES
from lfc.semantics.names.universe import PSEUDO_MODULES, SLOPPY_SPELLINGS, UNIVERSE
from tests.editor.text import analysed, with_cursor

PART = """(* Counts. *)
MODULE Part;
CONST LIMIT* = 3; (* at most *)
TYPE
  Msg* = [data(INTEGER, BOOLEAN), stop];
  Pair* = RECORD first*, second* : INTEGER END;
VAR total* : INTEGER;

(* Adds to the total. *)
PROCESS Add*(n : INTEGER; VAR sum : INTEGER);
BEGIN
  total := total + n;
  sum := total
END Add;

END Part.
"""
MAIN = """MODULE Test;
IMPORT Part, SYSTEM;
CONST TWO = 2; FOUR = TWO * TWO;
TYPE Colour = (red, green);
PORT out : Part.Msg;
VAR pair : Part.Pair; colour : Colour; i : INTEGER;

PROCESS Worker(port : Part.Msg; VAR n : INTEGER);
VAR ok : BOOLEAN;
BEGIN
  port?data(n, ok);
  IF ok THEN
    Part.Add(n, n)
  END
END Worker;

PROPERTY small = ALWAYS (i < 10);

BEGIN
  NEW(out);
  CREATE Worker(out, i);
  out!data(pair.first, TRUE);
  Part.Add(FOUR, i);
  colour := red
END Test.
"""


def at(words: str, behind: int = 0) -> str:
    """MAIN with the cursor in front of these words, or so many characters behind their start."""
    assert MAIN.count(words) == 1, words
    where = MAIN.index(words) + behind
    return MAIN[:where] + "|" + MAIN[where:]


def hovered(text: str) -> str:
    told = hover(*with_cursor(text, Part=PART))
    assert told is not None and isinstance(told.contents, lsp.MarkupContent)
    return told.contents.value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (at("Add(n, n)"), ["PROCESS Add*(n : INTEGER; VAR sum : INTEGER)", "Adds to the total.", "- writes `total`"]),
        (at("Worker(port"), ["- receives `port?data`", "- calls `Add`"]),
        (at("pair : Part", 1), ["VAR pair : Pair", "variable of `Test`", "fields: `first : INTEGER`"]),
        (at("n : INTEGER)"), ["VAR n : INTEGER", "VAR parameter of `Worker`"]),
        (at("FOUR, i"), ["CONST FOUR = 4"]),
        (at("data(n, ok)"), ["data(INTEGER, BOOLEAN)", "message"]),
        (at("NEW(out)"), ["NEW(p)", "makes a channel"]),
        (at("red\n"), ["value 0 of Colour"]),
        (at("INTEGER;\n\nPROCESS"), ["-2147483648 to 2147483647; 4 bytes"]),
        (at("Part, SYSTEM"), ["IMPORT Part"]),
        (at("small ="), ["PROPERTY small = ALWAYS (i < 10)"]),
        (at("Colour = (red"), ["TYPE Colour = (red, green)", "1 byte"]),
    ],
)
def test_hover(text: str, said: list[str]) -> None:
    told = hovered(text)
    assert [s for s in said if s not in told] == [], told


def test_hover_on_an_error_shows_its_page() -> None:
    text = "MODULE Test;\nVAR x : INTEGER;\nBEGIN\n  x := |yy\nEND Test.\n"
    assert "**LF0301" in hovered(text)


def test_definition_goes_into_the_other_module() -> None:
    found = definition(*with_cursor(at("Add(n, n)"), Part=PART))
    assert found is not None
    assert (found.uri, found.range.start) == ("file:///nowhere/Part.lf", lsp.Position(9, 8))
    found = definition(*with_cursor(at("Part, SYSTEM"), Part=PART))
    assert found is not None and (found.uri, found.range.start.line) == ("file:///nowhere/Part.lf", 1)
    found = type_definition(*with_cursor(at("pair.first", 1), Part=PART))
    assert found is not None and (found.uri, found.range.start) == ("file:///nowhere/Part.lf", lsp.Position(5, 2))


def test_highlights_are_all_uses_in_the_text() -> None:
    found = highlights(*with_cursor(at("n : INTEGER)"), Part=PART))
    assert [(h.range.start.line, h.range.start.character) for h in found] == [(7, 36), (10, 12), (12, 13), (12, 16)]


def labels(text: str) -> list[str]:
    return [i.label for i in completion(*with_cursor(text, Part=PART))]


def test_completion_knows_the_messages_of_a_port() -> None:
    assert labels(at("data(n, ok)")) == ["data", "stop"]
    assert labels(MAIN.replace("out!data(pair.first, TRUE)", "out!|")) == ["data", "stop"]  # half written
    assert labels(MAIN.replace("out!data(pair.first, TRUE)", "out!da|")) == ["data", "stop"]


def test_completion_knows_members() -> None:
    assert labels(MAIN.replace("colour := red", "pair.|")) == ["first", "second"]
    assert labels(MAIN.replace("colour := red", "Part.|")) == ["Add", "LIMIT", "Msg", "Pair", "total"]
    assert labels(MAIN.replace("i < 10", "Worker.|")) == ["port", "n", "ok"]
    assert labels(MAIN.replace("colour := red", "SYSTEM.|")) == ["VAL", "INT", "IOPORT", "WRITE", "READ"]


def test_completion_knows_the_scope() -> None:
    inside, outside = labels(at("IF ok THEN")), labels(at("NEW(out)"))
    assert {"ok", "n", "port", "i", "Worker", "Part", "ABS", "IF"} <= {*inside}
    assert "ok" not in outside and "i" in outside
    assert "colour" not in labels(at("Part.Msg;\nVAR pair"))  # declared later
    assert "TAKEN" not in inside and "TAKEN" in labels(at("i < 10"))


def test_completion_of_modules_creates_ends_and_texts() -> None:
    assert {"Clock", "SYSTEM", "Out", "GPIO"} <= {*labels(at("Part, SYSTEM"))}
    assert labels(at("Worker(out, i)")) == ["Part", "SYSTEM", "Worker"]
    assert labels(MAIN.replace("END Worker;", "END |;"))[:2] == ["Worker", "Test"]
    assert labels(MAIN.replace("PORT out", "(* about | *) PORT out")) == []


def test_signature_help_follows_the_commas() -> None:
    for text, label, active in [
        (at("FOUR, i"), "Part.Add(n : INTEGER; VAR sum : INTEGER)", 0),
        (at("FOUR, i", 6), "Part.Add(n : INTEGER; VAR sum : INTEGER)", 1),
        (at("pair.first, TRUE", 12), "data(INTEGER; BOOLEAN)", 1),
        (at("out);\n"), "NEW(p)", 0),
        (MAIN.replace("colour := red", "Part.Add(1, |"), "Part.Add(n : INTEGER; VAR sum : INTEGER)", 1),
    ]:
        told = signature_help(*with_cursor(text, Part=PART))
        assert told is not None
        assert (told.signatures[0].label, told.active_parameter) == (label, active)


def test_outline() -> None:
    (module,) = document_symbols(analysed(MAIN, Part=PART))
    assert (module.name, module.kind) == ("Test", lsp.SymbolKind.Module)
    assert module.children is not None
    assert [(c.name, c.detail) for c in module.children] == [
        ("TWO", "2"),
        ("FOUR", "TWO * TWO"),
        ("Colour", "(red, green)"),
        ("out", "Part.Msg"),
        ("pair", "Part.Pair"),
        ("colour", "Colour"),
        ("i", "INTEGER"),
        ("Worker", "(port : Part.Msg; VAR n : INTEGER)"),
        ("small", "ALWAYS (i < 10)"),
    ]


def test_inlay_hints_name_parameters_and_values() -> None:
    analysis = analysed(MAIN, Part=PART)
    found = inlay_hints(analysis, analysis.lines.whole())
    assert [(h.label, h.position.line) for h in found] == [
        ("= 4", 2),
        ("VAR sum:", 12),
        ("port:", 20),
        ("VAR n:", 20),
        ("n:", 22),
        ("VAR sum:", 22),
    ]


def test_folding() -> None:
    found = folding_ranges(analysed(MAIN, Part=PART))
    assert [(f.start_line, f.end_line) for f in found] == [(7, 14), (11, 13)]
    assert [f.kind for f in folding_ranges(analysed("(* a\n b *)\nMODULE M; END M."))] == [lsp.FoldingRangeKind.Comment]


def test_colours_by_meaning() -> None:
    text = 'MODULE Test;\nIMPORT Out;\nVAR x : INTEGER; (* 😀 *) BEGIN Out.String("😀"); x := 1 END Test.\n'
    found = [
        (line, column, length, name, [m for n, m in enumerate(MODIFIERS) if modifiers >> n & 1])
        for line, column, length, name, modifiers in placed(analysed(text))
        if line == 2
    ]
    assert found == [
        (2, 0, 3, "keyword", []),
        (2, 4, 1, "variable", ["declaration", "static"]),
        (2, 8, 7, "type", ["defaultLibrary"]),
        (2, 17, 8, "comment", []),
        (2, 26, 5, "keyword", []),
        (2, 32, 3, "namespace", []),
        (2, 36, 6, "function", []),
        (2, 43, 4, "string", []),
        (2, 50, 1, "variable", ["static"]),
        (2, 55, 1, "number", []),
        (2, 57, 3, "keyword", []),
        (2, 61, 4, "namespace", []),
    ]


def test_every_predeclared_name_is_explained() -> None:
    there = {*UNIVERSE.names} - {*TYPES} - {*SLOPPY_SPELLINGS} | {*PSEUDO_MODULES}
    there |= {m.name for pseudo in PSEUDO_MODULES.values() for m in pseudo.members.values()}
    assert there == {*PREDECLARED}
