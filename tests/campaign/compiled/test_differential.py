"""CI's share of the campaign of compiled programs against the naive evaluator."""

from __future__ import annotations

import pytest

from tests.campaign.compiled.differential import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 16)
    assert result.failures == []
    assert result.programs == 16
    assert result.steps > 600, "the programs do nothing"
    assert result.explored >= 1
