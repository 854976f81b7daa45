"""CI's share of the campaign of symmetry with properties."""

from __future__ import annotations

import pytest

from tests.campaign.reduction.symmetric_properties import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 6)
    assert result.failures == []
    assert result.under_symmetry and result.violating, str(result)
