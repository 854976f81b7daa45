"""CI's share of the campaign of properties over undetermined data."""

from __future__ import annotations

import pytest

from tests.campaign.symbolic.agreement import eager
from tests.campaign.symbolic.properties import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 10)
    assert result.failures == []
    assert result.kinds["decided"] >= 8
    assert result.kinds["violated"] >= 2


@pytest.mark.slow
def test_share_with_ranges() -> None:
    with eager():
        result = campaign(seed_of_this_run() + 1, 6, 0)
    assert result.failures == []
    assert result.kinds["decided"] >= 3
