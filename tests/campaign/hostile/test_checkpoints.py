"""The share of the campaign of damaged checkpoints that runs with the tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.hostile.checkpoints import PROGRAMS, ends_of_mutants
from tests.support.seeds import seed_of_this_run

PINNED = {"steps": {"refused": 57, "a verdict": 3}, "walkers": {"refused": 57, "a verdict": 3}}


@pytest.mark.parametrize("name", PROGRAMS)
def test_pinned(name: str, tmp_path: Path) -> None:
    """Without a look at what is loaded, some of these crash the engine, and some make it go on for ever."""
    assert ends_of_mutants(name, 60, 1, tmp_path) == PINNED[name]


@pytest.mark.parametrize("name", PROGRAMS)
def test_share_of_the_campaign(name: str, tmp_path: Path) -> None:
    ends = ends_of_mutants(name, 30, seed_of_this_run(), tmp_path)
    assert set(ends) <= {"refused", "a verdict"}
