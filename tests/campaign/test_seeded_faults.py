"""A share of the campaign of faults that are put into boards, another one each day."""

from __future__ import annotations

import pytest

from tests.campaign.seeded_faults import flips
from tests.campaign.seeds import seed_of_this_run


@pytest.mark.parametrize("board", ["uno", "mega2560"])
def test_flipped_bits_are_found(board: str) -> None:
    found, silent = flips(board, 2, seed_of_this_run())
    assert not silent and found.total() == 2
