"""Every name of every example is renamed, and then renamed back: all files are as they were, to the byte.

python -m tests.campaign.editor.renames
"""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.names import Named, name_of
from lfc.editor.features.rename import Refused, edited_text, rename
from lfc.editor.server.session import Session
from tests.conftest import ROOT

PROGRAMS = sorted((ROOT / "examples").rglob("*.lf"))
NEW = "a_new_name_of_mine"
NO_NAMES_OF_A_PROGRAM = ("predeclared", "module", "library")


def renamed(session: Session, file: Path, position: lsp.Position, new: str) -> dict[str, str]:
    """The texts of all files that change."""
    analysis = session.analysis_of(str(file))
    assert analysis is not None

    def around(name: str) -> list[Analysis]:
        return list(session.analyses_with(str(file), name))

    uses = rename(analysis, position, new, around, session.buffers.sources())
    return {path: edited_text(spans[0].source.text, spans, new) for path, spans in uses.items()}


def there_and_back(file: Path) -> int:
    """How many names: each thing that the file names, where it does so first."""
    session = Session(folders=[str(file.parent)])
    analysis = session.analysis_of(str(file))
    assert analysis is not None and analysis.is_complete, file
    first: dict[int, Named] = {}
    for named in analysis.names.all:
        first.setdefault(id(named.entity), named)
    count = 0
    for named in first.values():
        old, position = name_of(named.entity), analysis.lines.position(named.span.start)
        try:
            there = renamed(session, file, position, NEW)
        except Refused as why:
            assert any(word in str(why) for word in NO_NAMES_OF_A_PROGRAM), (file, old, why)
            continue
        count += 1
        assert there and all(NEW in text for text in there.values())
        after = Session(folders=session.folders)
        for path, text in there.items():
            after.put(Path(path).as_uri(), text, 1)
        back = renamed(after, file, on_same_line(position, there[str(file)]), old)
        assert back == {path: Path(path).read_bytes().decode() for path in there}, (file, old)
    return count


def on_same_line(position: lsp.Position, text: str) -> lsp.Position:
    """The first place where the new name stands."""
    return lsp.Position(position.line, text.splitlines()[position.line].index(NEW))


def main() -> None:
    count = sum(map(there_and_back, PROGRAMS))
    print(f"{count} names of {len(PROGRAMS)} files renamed there and back: every file is as it was")


if __name__ == "__main__":
    main()
