"""Every example with each reduction and with all; and CI's share of the campaign of their mutants."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.reduction.reduced_examples import Result, campaign, programs, try_example
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
@pytest.mark.parametrize("file", programs(), ids=lambda f: f.stem)
def test_an_example_has_the_same_verdict(file: Path) -> None:
    result = Result()
    try_example(file, result)
    assert result.failures == [] and result.compared == 1


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 12)
    assert result.failures == []
    assert result.compared >= 4 and result.violating, result.text()
