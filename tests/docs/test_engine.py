"""The page on the checker's engine names every C source, in its folder."""

from __future__ import annotations

import re

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "contributing" / "engine.md").read_text(encoding="utf-8")
ENGINE = ROOT / "mcheck" / "engine"


def test_the_table_of_folders_names_every_source() -> None:
    rows = re.findall(r"^\| `(\w+)/` \| ([^|]*) \|", PAGE, re.MULTILINE)
    named = [f"{folder}/{file}" for folder, files in rows for file in re.findall(r"`(\w+\.[ch])`", files)]
    assert sorted(named) == sorted(set(named))
    assert [f for f in named if not (ENGINE / f).exists()] == []
    assert {f.relative_to(ENGINE).as_posix() for f in ENGINE.rglob("*.c")} - set(named) == set()
