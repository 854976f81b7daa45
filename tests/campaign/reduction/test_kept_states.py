"""CI's share of the campaign of the states that symmetry keeps; and that it would see what is left out of it."""

from __future__ import annotations

import pytest

from tests.campaign.reduction.kept_states import campaign
from tests.mcheck.reduction.seeded import Fault
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    first = seed_of_this_run() * 1_000_000
    result = campaign(range(first, first + 12))
    assert result.failures == [] and result.kept < result.states, str(result)


@pytest.mark.parametrize(
    ("fault", "seed"),
    [
        (Fault.ORDER, 258),
        (Fault.NAMES, 219),
        (Fault.CONSTANTS, 205),
        (Fault.SETTLED, 201),
        (Fault.REFERENCES, 202),
    ],
)
def test_what_is_left_out_is_seen(fault: Fault, seed: int) -> None:
    assert campaign([seed]).failures == []
    assert campaign([seed], fault).failures == [seed]
