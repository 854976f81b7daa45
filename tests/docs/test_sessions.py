"""The sessions of pages: every command is run, and prints what the page says. (The README's: tests/project.)"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT, Golden
from tests.docs.sessions import PAGES, as_run, commands_of, new_clone


@pytest.mark.parametrize("page", PAGES)
def test_the_sessions_of_a_page(page: str, tmp_path: Path, golden: Golden) -> None:
    file = ROOT / "docs" / f"{page}.md"
    text = file.read_text(encoding="utf-8")
    assert commands_of(text)
    golden(file, as_run(text, new_clone(tmp_path / "clone")))
