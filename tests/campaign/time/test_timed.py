"""CI's share of the campaign of the checker's time."""

from __future__ import annotations

import pytest

from tests.campaign.time.timed import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 30)
    assert result.failures == []
    assert result.compared >= 40
    assert result.kinds["stuck"] and result.kinds["ordered"] and result.kinds["discrete"]
