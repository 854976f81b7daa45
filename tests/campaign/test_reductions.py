"""CI's share of the campaign of the reductions; and that it would see what is left out of them."""

from __future__ import annotations

import pytest

from lfc.mcheck.reductions import Faults
from tests.campaign.reductions import campaign, try_seeds
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
    assert try_seeds([seed]).failures == []
    assert len(try_seeds([seed], faults).failures) == 1
