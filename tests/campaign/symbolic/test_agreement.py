"""CI's share of the campaign of undetermined data."""

from __future__ import annotations

import pytest

from tests.campaign.symbolic.agreement import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 12)
    assert result.failures == []
    assert result.kinds["sets"] >= 6
    assert result.kinds["counted"] >= 6
    assert result.kinds["wide"] >= 2
