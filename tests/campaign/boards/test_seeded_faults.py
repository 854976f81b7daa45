"""A share of the campaign of faults that are put into boards."""

from __future__ import annotations

import pytest

from tests.campaign.boards.seeded_faults import changed_instructions, compiler_faults, flips
from tests.support.seeds import seed_of_this_run


@pytest.mark.parametrize("board", ["uno", "mega2560"])
def test_flipped_bits_are_found(board: str) -> None:
    found, silent = flips(board, 2, seed_of_this_run())
    assert not silent and found.total() == 2


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("microbit", "qemu")])
def test_what_changes_a_step_is_found(board: str, emulator: str) -> None:
    """What is not found was not executed, or left every byte of every state as it should be."""
    for seeded in (changed_instructions, compiler_faults):
        outcome = seeded(board, emulator, 1, seed_of_this_run())
        assert not outcome.missed and outcome.counted.total() == 1
