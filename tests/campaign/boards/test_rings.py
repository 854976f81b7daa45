"""A seeded share of the campaign of who waits where, and that it finds a table that is wrong."""

from __future__ import annotations

import pytest

from lfc.codegen.bodies import attempts
from lfc.codegen.bodies.offers import Offer, places_by_channel
from lfc.codegen.module.unit import Unit
from tests.campaign.boards.rings import look
from tests.support.seeds import seed_of_this_run


def test_images_look_where_somebody_can_wait() -> None:
    seed = seed_of_this_run()
    found = look(range(seed, seed + 10))
    assert found.differences == [] and found.known > 0


def test_a_wrong_place_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(unit: Unit, o: Offer) -> dict[int, int] | None:
        places = places_by_channel(unit, o)
        return places and {channel: (place + 1) % o.record.slots for channel, place in places.items()}

    monkeypatch.setattr(attempts, "places_by_channel", wrong)
    assert look(range(1, 6)).differences
