"""A seeded share of the campaign of images that are wrong."""

from __future__ import annotations

from tests.campaign.image_mutants import campaign
from tests.campaign.seeds import seed_of_this_run


def test_wrong_images_are_caught_or_do_the_same() -> None:
    outcome = campaign(12, 2, seed_of_this_run(), [("mutex", "uno")])
    assert outcome.missed == []
    assert outcome.caught.total() >= 3
    assert outcome.caught.total() + len(outcome.same) == 14
