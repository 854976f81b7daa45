"""CI's share of the campaign of systems that are followed in the simulator."""

from __future__ import annotations

import pytest

from tests.campaign.systems.followed import campaign, random_systems
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(20_000, seed_of_this_run(), 1.0, 100, ("",))
    assert result.failures == [] and 20_000 <= result.actions < 20_100
    assert result.steps > 400 and result.runs == {"uno, uno, microbit": 1}


@pytest.mark.slow
def test_random_systems() -> None:
    result = random_systems(seed_of_this_run(), 2, 0.2, 60)
    assert result.failures == [] and sum(result.runs.values()) == 2 and result.steps > 0
