"""A share of the campaign of test suites."""

from __future__ import annotations

import pytest

from lfc.hil.coverage import COVERS
from tests.campaign.boards.suites import HARDWARE, NAMES, run_one
from tests.hil.boards import EVERYWHERE
from tests.support.seeds import seed_of_this_run

CASES = [
    (n, c, b, e) for n in [*NAMES, "gpio_blink", "traffic"] for c in COVERS for b, e in HARDWARE.get(n, EVERYWHERE)
]
SHARE, STEP = 4, 101
FIRST = seed_of_this_run() * SHARE


@pytest.mark.parametrize(
    ("name", "cover", "board", "emulator"), [CASES[(FIRST + i) * STEP % len(CASES)] for i in range(SHARE)]
)
def test_an_example_passes_its_tests(name: str, cover: str, board: str, emulator: str) -> None:
    done, failed = run_one(name, cover, board, emulator)
    assert not failed and (done["tests"] > 0) == (done["goals"] > 0)


def test_the_share_comes_to_every_case() -> None:
    assert len({i * STEP % len(CASES) for i in range(len(CASES))}) == len(CASES)
