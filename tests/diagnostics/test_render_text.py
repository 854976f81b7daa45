"""Diagnostics as text: golden output, alignment, long lines, characters that a terminal must not see."""

from __future__ import annotations

import re
import time
from pathlib import Path

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.diagnostics.render_text import render_text
from lfc.diagnostics.visible import width
from tests.conftest import Golden
from tests.diagnostics.samples import sample, span_of

HERE = Path(__file__).parent


def one(text: str, start: int, end: int, message: str = "here") -> Diagnostics:
    diagnostics = Diagnostics()
    diagnostics.report("LF0903", Span(Source("a.lf", text), start, end), message)
    return diagnostics


def marked(text: str) -> tuple[int, int]:
    """The columns that the carets stand under, in the first excerpt."""
    line = next(line for line in text.splitlines() if re.fullmatch(r"      \| *\^+", line))
    return line.index("^") - 8, len(line) - 8


def test_plain(golden: Golden) -> None:
    golden(HERE / "golden" / "sample.txt", render_text(sample()) + "\n")


def test_colored_differs_in_nothing_but_escapes() -> None:
    colored = render_text(sample(), color=True)
    assert "\x1b[1;31m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == render_text(sample())


def test_tabs_and_wide_characters_align() -> None:
    source = Source("a.lf", '\tx := "\u6f22\u5b57" + y')
    span = span_of(source, "y")
    text = render_text(one(source.text, span.start, span.end))
    shown = text.splitlines()[1][8:]
    low, high = marked(text)
    assert width(shown[: shown.index("y")]) == low and high == low + 1
    assert "\t" not in text


def test_control_characters_are_made_visible() -> None:
    text = render_text(one("x := \x1b[31m\x00 \u202e y", 5, 6, "bad \x1b[2J character\nand more"))
    assert "\x1b" not in text and "\x00" not in text and "\u202e" not in text
    assert "\u241b[31m\u2400 <U+202E> y" in text
    assert "bad \u241b[2J character\u240aand more" in text


def test_a_megabyte_in_one_line_is_cut_around_the_span() -> None:
    size = 1_000_000
    diagnostics = Diagnostics()
    source = Source("a.lf", "x" * size + "\u6f22" * size + "+" + "\x01" * size)
    for start, end in [(0, 1), (500, 600), (size - 5, size + 5), (2 * size, 2 * size + 1), (3 * size, 3 * size + 1)]:
        diagnostics.report("LF0903", Span(source, start, end), "here")
    diagnostics.report("LF0904", Span(source, 10, 3 * size), "nearly all")
    begun = time.perf_counter()
    text = render_text(diagnostics, width=100)
    assert time.perf_counter() - begun < 1
    assert all(width(line) <= 100 for line in text.splitlines())
    plus = text.split("a.lf:1:2000001:")[1].splitlines()
    assert plus[2].index("^") - 8 == width(plus[1][8 : plus[1].index("+")])


def test_every_span_of_a_small_text_can_be_shown() -> None:
    text = "a\tb\r\n\n \u6f22\x00\n"
    for low in range(len(text) + 2):  # past the end too: a span is never trusted so far that it ends in an error
        for high in range(low, len(text) + 2):
            diagnostics = one(text, low, high)
            fix = Fix(diagnostics.items[0].span, "new\ntext", "write it so")
            diagnostics.report("LF0904", Span(Source("b.lf", text), low, high), "there", fix=fix)
            assert render_text(diagnostics, width=40).endswith("2 errors")


def test_only_so_many_are_shown_and_errors_first() -> None:
    source = Source("a.lf", "x\n" * 50)
    diagnostics = Diagnostics()
    for i in range(0, 60, 2):
        diagnostics.report("LF0906", Span(source, i, i + 1), "a warning")
    for i in range(60, 70, 2):
        diagnostics.report("LF0903", Span(source, i, i + 1), "an error")
    text = render_text(diagnostics, max_shown=6)
    assert text.count("error LF0903") == 5 and text.count("warning LF0906") == 1
    assert text.endswith("... and 29 more (--max-errors 0 shows all)\n5 errors, 30 warnings")
    assert render_text(diagnostics).count("LF0906") == 30


def test_a_fix_that_inserts_and_one_that_deletes() -> None:
    source = Source("a.lf", "x := 1 y := 2")
    diagnostics = Diagnostics()
    diagnostics.report("LF0903", Span(source, 6, 6), "missing", fix=Fix(Span(source, 6, 6), ";", "insert `;`"))
    diagnostics.report("LF0904", Span(source, 7, 13), "extra", Note("a note"), fix=Fix(Span(source, 6, 13), "", "cut"))
    lines = render_text(diagnostics).splitlines()
    assert "    1 | x := 1; y := 2" in lines and "      |       +" in lines
    assert "    1 | x := 1" in lines
