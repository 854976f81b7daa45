"""CI's share of the campaign of the effects table."""

from __future__ import annotations

import pytest

from tests.campaign.compiled.effects import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    actions, failures = campaign(seed_of_this_run(), 8)
    assert failures == []
    assert actions > 50
