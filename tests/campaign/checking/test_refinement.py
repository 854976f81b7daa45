"""CI's share of the campaign of refinement."""

from __future__ import annotations

import pytest

from tests.campaign.checking.refinement import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 16)
    assert result.failures == [] and result.compared == 16
    kinds = {verdict.partition(": ")[2] for verdict in result.verdicts}
    assert kinds >= {"refines", "event", "refusal"}, result.verdicts
