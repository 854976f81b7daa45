"""A share of the campaign of edits."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.editor.edits import run
from tests.support.seeds import seed_of_this_run


def test_edits_by_chance(tmp_path: Path) -> None:
    assert run(250, seed_of_this_run(), tmp_path).asked == 250
