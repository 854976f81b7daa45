"""CI's share of the campaign of the states that symmetry keeps; and that it would see what is left out of it."""

from __future__ import annotations

import pytest

from lfc.mcheck.reductions import Faults
from tests.campaign.kept_states import campaign
from tests.campaign.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    first = seed_of_this_run() * 1_000_000
    result = campaign(range(first, first + 12))
    assert result.failures == [] and result.kept < result.states, str(result)


@pytest.mark.parametrize(
    ("faults", "seed"),
    [
        (Faults(order=True), 258),
        (Faults(names=True), 219),
        (Faults(constants=True), 205),
        (Faults(settled=True), 201),
        (Faults(references=True), 202),
    ],
)
def test_what_is_left_out_is_seen(faults: Faults, seed: int) -> None:
    assert campaign([seed]).failures == []
    assert campaign([seed], faults).failures == [seed]
