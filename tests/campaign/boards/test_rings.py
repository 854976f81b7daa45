"""A seeded share of the campaign of who waits where, and that it finds a table or a distance that is wrong."""

from __future__ import annotations

import pytest

from lfc.actions.model.machine import Point, PointClause
from lfc.codegen.bodies import partners
from lfc.codegen.bodies.offers import Offer, places_by_channel
from lfc.codegen.module.unit import Unit
from tests.campaign.boards.rings import look
from tests.generate.neighbours import text_of_neighbours
from tests.support.seeds import seed_of_this_run


def test_images_look_where_somebody_can_wait() -> None:
    seed = seed_of_this_run()
    found = look(range(seed, seed + 10))
    assert found.differences == [] and found.known > 0


def test_a_wrong_place_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(unit: Unit, o: Offer) -> dict[int, int] | None:
        places = places_by_channel(unit, o)
        return places and {channel: (place + 1) % o.record.slots for channel, place in places.items()}

    monkeypatch.setattr(partners, "places_by_channel", wrong)
    assert look(range(1, 6)).differences


def test_a_wrong_distance_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = partners.distance_of_partner

    def wrong(unit: Unit, point: Point, clause: PointClause, o: Offer) -> int | None:
        distance = right(unit, point, clause, o)
        return None if distance is None else distance + (1 if distance < 0 else -1)

    assert not look(range(1, 4), text_of_neighbours).differences
    monkeypatch.setattr(partners, "distance_of_partner", wrong)
    assert look(range(1, 4), text_of_neighbours).differences
