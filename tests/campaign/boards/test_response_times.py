"""A share of the campaign of response times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.boards.response_times import compare
from tests.mcheck.response.boards import compile_answers
from tests.support.seeds import seed_of_this_run


@pytest.mark.parametrize("scheduler", ["rr", "edf"])
def test_no_answer_comes_later_than_the_bound(scheduler: str, tmp_path: Path) -> None:
    for c in compare(compile_answers(tmp_path), "mega2560", scheduler, 500, seed_of_this_run()):
        assert max(c.swept, c.by_chance) <= c.bound
        assert c.swept >= 0.9 * c.bound
