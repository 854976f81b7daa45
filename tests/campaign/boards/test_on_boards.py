"""CI's share of the campaign of compiled programs on emulated boards."""

from __future__ import annotations

import pytest

from lfc.boards.descriptions.board import load_board
from tests.campaign.boards.on_boards import GOES_ON, try_seeds
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "emulator"),
    [
        ("microbit", "qemu"),
        ("lm3s6965evb", "qemu"),
        ("hifive1", "qemu"),
        ("pico", "rp2040js"),
        ("uno", "simavr"),
        ("stm32vldiscovery", "builtin"),
    ],
)
def test_share_of_the_campaign(board: str, emulator: str) -> None:
    first = seed_of_this_run() * 1_000_000
    result = try_seeds(load_board(board), emulator, range(first, first + 6))
    assert result.failures == []
    assert sum(result.ends[end] for end in ("ended", "blocked", "fault", GOES_ON)) >= 2
