"""A share of the campaign of runs there and back."""

from __future__ import annotations

from tests.campaign.debugger.there_and_back import campaign
from tests.support.seeds import seed_of_this_run


def test_back_is_where_it_was() -> None:
    ends = campaign(60, seed_of_this_run())
    assert ends.total() == 60
