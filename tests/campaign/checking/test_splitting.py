"""CI's share of the campaign of split inputs."""

from __future__ import annotations

import pytest

from tests.campaign.checking.splitting import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 10)
    assert result.failures == []
    assert result.kinds["fewer"] >= 5
    assert result.split * 2 < result.all
