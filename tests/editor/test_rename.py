"""Renaming: there and back on every program leaves it as it was, and what would change its meaning is refused."""

from __future__ import annotations

import random

import pytest

from lfc.editor.features.rename import Refused, edit_of, rename
from tests.campaign.editor.renames import PROGRAMS, there_and_back
from tests.editor.text import with_cursor
from tests.support.seeds import seed_of_this_run


def test_there_and_back_leaves_examples_as_they_were() -> None:
    """A share of the campaign: every declaration of some of the files."""
    chance = random.Random(seed_of_this_run())
    count = sum(there_and_back(file) for file in chance.sample(PROGRAMS, 3))
    assert count > 6


TEXT = """MODULE Test;
CONST N = 3;
VAR x, y : INTEGER;
PROCESS P(VAR z : INTEGER);
BEGIN
  z := x + N
END P;
BEGIN
  P(y)
END Test.
"""


@pytest.mark.parametrize(
    ("where", "new", "why"),
    [
        ("x, y", "y", "`y` already stands for something else where `x` is used"),
        ("z :=", "x", "`x` already stands for something else where `z` is used"),
        ("x + N", "z", "`z` already stands for something else where `x` is used"),
        ("x + N", "MODULE", "`MODULE` is a keyword"),
        ("x + N", "2x", "`2x` is no name"),
        ("INTEGER;\nPROCESS", "Number", "`INTEGER` is predeclared"),
        ("Test;", "Other", "The name of a module is that of its file"),
    ],
)
def test_refused(where: str, new: str, why: str) -> None:
    analysis, position = with_cursor(TEXT.replace(where, "|" + where))
    with pytest.raises(Refused) as refused:
        rename(analysis, position, new, lambda _: [analysis], [])
    assert why in str(refused.value)


def test_a_wrong_text_is_left_alone() -> None:
    analysis, position = with_cursor(TEXT.replace("x, y", "|x, y").replace("BEGIN\n  z", "BEGIN (\n  z"))
    with pytest.raises(Refused, match="First mend the errors of syntax"):
        rename(analysis, position, "fine", lambda _: [analysis], [])


def test_what_shadows_may_be_renamed_apart() -> None:
    """A name of an inner scope may become one that stands for something else outside, where that is not used."""
    analysis, position = with_cursor(TEXT.replace("z :=", "|z :="))
    edit = edit_of(rename(analysis, position, "y", lambda _: [analysis], []), "y")
    assert edit.changes is not None
    ((_, edits),) = edit.changes.items()
    assert [(e.range.start.line, e.range.start.character, e.new_text) for e in edits] == [(3, 14, "y"), (5, 2, "y")]
