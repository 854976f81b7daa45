"""CI's share of the campaign of generated programs."""

from __future__ import annotations

import pytest

from tests.campaign.compiled.naive_programs import campaign
from tests.naive.queens import solutions
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    ends, results = campaign(seed_of_this_run(), 60, most_states=500)
    assert ends.total() == 60 and results.total() == 12
    assert len(ends) >= 2, "all programs end alike"


@pytest.mark.slow
def test_eight_queens() -> None:
    assert solutions(8) == 92
