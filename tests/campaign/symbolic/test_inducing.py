"""CI's share of the campaign of induction."""

from __future__ import annotations

import pytest

from tests.campaign.symbolic.inducing import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 12)
    assert result.failures == []
    assert result.kinds["validated"] >= 2
    assert result.kinds["with errors"] >= 2
