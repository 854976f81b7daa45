"""Two interrupts at about the same time, of a board that sleeps: none of them waits for something else to come."""

from __future__ import annotations

from pathlib import Path

from lfc.boards.emulators.chips.console import Happened
from lfc.mcheck.response.simulated import Chip
from tests.mcheck.response.boards import made

BOTH = """
MODULE Both;
IMPORT SYSTEM;
PROCESS One SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; PORTOUT(25H, 1) END END One;
PROCESS Two SERVER;
BEGIN LOOP SYSTEM.INT[2]?INTERRUPT; PORTOUT(28H, 2) END END Two;
BEGIN PORTOUT(69H, 15); PORTOUT(3DH, 3); CREATE One; CREATE Two END Both.
"""
LATER = range(0, 120, 3)  # cycles from the first interrupt to the second one: until the board would sleep again


def test_the_second_one_does_not_wait_for_a_third(tmp_path: Path) -> None:
    """Behind who has taken the first one comes the turn of somebody else: if nobody is ready, it must not sleep."""
    (tmp_path / "Both.lf").write_text(BOTH)
    board = made(tmp_path / "Both.lf").graph.board
    waited = []
    for first, second in ((1, 2), (2, 1)):
        for later in LATER:
            chip = Chip(board)
            until_it_sleeps(chip)
            chip.flags.add(first)
            run(chip, later)
            chip.flags.add(second)
            until_it_sleeps(chip)
            if board.came(board.state_of(chip.core, {})):
                waited.append((first, second, later))
    assert not waited


def until_it_sleeps(chip: Chip) -> None:
    run(chip, 10_000)


def run(chip: Chip, cycles: int) -> None:
    most = chip.cycles + cycles
    while chip.cycles < most:
        chip.look_for_interrupts()
        if chip.go_on(max(1, most - chip.cycles)) is Happened.SLEPT:
            chip.skip_to(most)
