"""CI's share of the campaign of the checker's engine."""

from __future__ import annotations

import pytest

from tests.campaign.checking.checker import KINDS, campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 24)
    assert result.failures == []
    assert result.violating * 5 >= result.compared
    assert sum(result.kinds[k] > 0 for k in KINDS) >= 2, result.mix()
