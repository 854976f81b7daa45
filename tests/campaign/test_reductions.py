"""CI's share of the campaign of the reductions; and that it would see what is left out of them."""

from __future__ import annotations

import pytest

from lfc.mcheck.reductions import Faults
from tests.campaign.reductions import campaign, try_errors, try_properties
from tests.campaign.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 24)
    assert result.failures == []
    assert result.violating * 5 >= result.compared
    assert result.smaller * 10 >= 3 * result.compared, result.mix()


@pytest.mark.parametrize(
    ("faults", "seed"), [(Faults(proviso=True), 35), (Faults(proviso=True), 153), (Faults(dependency=True), 149)]
)
def test_what_is_left_out_is_seen(faults: Faults, seed: int) -> None:
    assert try_errors([seed]).failures == []
    assert len(try_errors([seed], faults).failures) == 1


@pytest.mark.slow
def test_share_of_the_campaign_with_properties() -> None:
    result = campaign(seed_of_this_run(), 16, properties=True)
    assert result.failures == []
    assert result.smaller and result.violating, result.mix()


def test_an_invisible_change_of_what_is_asked_is_seen() -> None:
    assert try_properties([49]).failures == []
    assert len(try_properties([49], Faults(visibility=True)).failures) == 1
