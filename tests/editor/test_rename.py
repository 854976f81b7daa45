"""Renaming: there and back on every program leaves it as it was, and what would change its meaning is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from lfc.editor.analysis.names import name_of
from lfc.editor.features.rename import Refused, edit_of, edited_text, rename
from lfc.editor.server.session import Session
from tests.conftest import ROOT
from tests.editor.text import with_cursor

PROGRAMS = sorted((ROOT / "examples").rglob("*.lf"))
NEW = "a_new_name_of_mine"


def renamed(session: Session, file: Path, position: lsp.Position, new: str) -> dict[str, str]:
    """The texts of all files that change."""
    analysis = session.analysis_of(str(file))
    assert analysis is not None

    def around(name: str) -> list[object]:
        return list(session.analyses_with(str(file), name))

    uses = rename(analysis, position, new, around, session.buffers.sources())  # type: ignore[arg-type]
    return {path: edited_text(spans[0].source.text, spans, new) for path, spans in uses.items()}


def test_there_and_back_leaves_every_example_as_it_was() -> None:
    """Of each declaration that a file has: its uses in all files of the examples follow."""
    count = 0
    for file in PROGRAMS:
        session = Session(folders=[str(file.parent)])
        analysis = session.analysis_of(str(file))
        assert analysis is not None and analysis.is_complete, file
        seen = set[int]()
        for named in analysis.names.all:
            if id(named.entity) in seen:
                continue
            seen.add(id(named.entity))
            old, position = name_of(named.entity), analysis.lines.position(named.span.start)
            try:
                there = renamed(Session(folders=session.folders, known=session.known), file, position, NEW)
            except Refused as why:
                assert "predeclared" in str(why) or "module" in str(why) or "library" in str(why), (file, old, why)
                continue
            count += 1
            assert there and all(NEW in text for text in there.values())
            assert all(text.count("*") == read(path).count("*") for path, text in there.items())
            after = Session(folders=session.folders)
            for path, text in there.items():
                after.put(Path(path).as_uri(), text, 1)
            back = renamed(after, file, moved(position, there, file), old)
            assert back == {path: read(path) for path in there}, (file, old)
    assert count > 400


def read(path: str) -> str:
    return Path(path).read_bytes().decode()


def moved(position: lsp.Position, texts: dict[str, str], file: Path) -> lsp.Position:
    """The first place on the same line where the new name stands."""
    return lsp.Position(position.line, texts[str(file)].splitlines()[position.line].index(NEW))


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
