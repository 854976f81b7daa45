"""A seeded share of the campaign of images that are wrong."""

from __future__ import annotations

import pytest

from tests.campaign.boards.image_mutants import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1"])
def test_wrong_images_are_caught_or_do_the_same(board: str) -> None:
    outcome = campaign(12, 2, seed_of_this_run(), [("mutex", board)])
    assert outcome.missed == []
    assert outcome.caught.total() >= 3
    assert outcome.caught.total() + len(outcome.same) == 14
