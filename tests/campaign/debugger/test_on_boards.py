"""A share of the campaign of runs there and back on emulated boards."""

from __future__ import annotations

import pytest

from tests.campaign.debugger.on_boards import campaign


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_back_is_where_it_was(board: str) -> None:
    assert campaign(board, 2, 5, of_one=2).total() == 2
