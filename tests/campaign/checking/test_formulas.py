"""CI's share of the campaign of random formulas."""

from __future__ import annotations

from tests.campaign.checking.formulas import campaign
from tests.support.seeds import seed_of_this_run


def test_share_of_the_campaign() -> None:
    found = campaign(seed_of_this_run(), 200)
    assert found.wrong == []
    assert len(found.kinds) == 5, "some class of formulas never came"
