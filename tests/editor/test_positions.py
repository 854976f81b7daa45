"""Positions of the protocol against Python's own UTF-16 codec."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position

from lfc.editor.analysis.positions import Lines

TEXTS = st.text(alphabet="aβ😀\n\r\t\u2028\x0c ;(*", max_size=60)


def lines_of(text: str) -> list[str]:
    """Without their ends, which are those of the protocol and no others."""
    return re.split(r"\r\n|\n|\r", text)


@given(TEXTS)
def test_every_offset_and_back(text: str) -> None:
    lines = Lines(text)
    whole = lines_of(text)
    for offset in range(len(text) + 1):
        p = lines.position(offset)
        assert p.character <= len(whole[p.line].encode("utf-16-le")) // 2
        is_in_line_end = text[offset - 1 : offset + 1] == "\r\n"
        assert lines.offset(p) == (offset - 1 if is_in_line_end else offset)
        before = whole[p.line].encode("utf-16-le")[: 2 * p.character].decode("utf-16-le")
        assert text[: lines.offset(p)].endswith(before)


@given(TEXTS, st.integers(0, 9), st.integers(0, 70))
def test_what_is_out_of_range_becomes_the_nearest(text: str, line: int, character: int) -> None:
    lines = Lines(text)
    offset = lines.offset(Position(line, character))
    assert 0 <= offset <= len(text)
    whole = lines_of(text)
    if line < len(whole) and character >= len(whole[line].encode("utf-16-le")) // 2:
        assert lines.position(offset) == Position(line, len(whole[line].encode("utf-16-le")) // 2)


def test_a_character_of_two_units_is_not_cut() -> None:
    assert Lines("a😀b").offset(Position(0, 2)) == 1
    assert Lines("a😀b").offset(Position(0, 3)) == 2
