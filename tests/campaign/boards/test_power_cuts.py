"""A share of the campaign of power cuts, and a fault that it finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.boards.power_cuts import RECORDS, Boot, image, try_cuts, violation
from tests.campaign.boards.power_cuts import __file__ as campaign
from tests.library.devices.field_logger import SEEDS
from tests.mcheck.response.boards import build_tool
from tests.support.seeds import seed_of_this_run

OVERWRITES = next(s for s in SEEDS if s.name == "overwrites the newest")


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tool(Path(campaign).with_suffix(".c"), tmp_path_factory.mktemp("tool"))


def test_what_was_kept_survives(tool: Path, tmp_path: Path) -> None:
    tried, wrong = try_cuts(tool, image(tmp_path, RECORDS.read_text()), 200, seed_of_this_run())
    assert wrong is None, wrong
    assert tried.cuts == 200 and tried.torn > 100 and tried.changed > 30 and tried.kept > 150


def test_a_seeded_fault_is_found(tool: Path, tmp_path: Path) -> None:
    _, wrong = try_cuts(tool, image(tmp_path, OVERWRITES.put_into(RECORDS.read_text())), 20, 1)
    assert wrong == "after 1 cuts: the newest record is 0, not 1 or the one that was begun then"


def test_what_is_claimed() -> None:
    assert violation(Boot([5, 4, 3], [], True, []), 5, 9) is None
    assert violation(Boot([6, 5, 4, 3], [], True, []), 5, 9) is None
    assert violation(Boot([1, 9, 8, 7], [], True, []), 9, 9) is None
    assert violation(Boot([], [], True, []), 0, 0) is None
    assert (
        violation(Boot([4, 3, 2], [], True, []), 5, 9) == "the newest record is 4, not 5 or the one that was begun then"
    )
    assert violation(Boot([5, 3], [], True, []), 5, 9) == "behind 5 comes 3"
    assert violation(Boot([5, 4], [], True, []), 5, 9) == "only 2 of 4 records are left"
    assert violation(Boot([5], [3], True, []), 5, 9) == "record 3 is none that was written"
