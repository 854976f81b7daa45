"""A seeded share of the campaign of images."""

from __future__ import annotations

import random

from tests.campaign.boards.images import differences, pairs
from tests.support.seeds import seed_of_this_run

MANY_STATES = {"philosophers_ok", "philosophers", "sieve", "blink", "leader", "echo", "gpio_blink"}
SHARE = 3


def test_images_do_what_their_programs_do() -> None:
    quick = [p for p in pairs() if p[0] not in MANY_STATES]
    for name, board in random.Random(seed_of_this_run()).sample(quick, SHARE):
        assert differences(name, board) == []
