"""CI's share of the campaign of compositions."""

from __future__ import annotations

import pytest

from tests.campaign.systems.compositions import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 6, 1)
    assert result.failures == [] and result.compared == 6
    assert len(result.verdicts) > 1, result.verdicts
