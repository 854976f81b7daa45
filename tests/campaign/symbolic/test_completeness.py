"""CI's share of the campaign of copied data, and a fault that it catches."""

from __future__ import annotations

import pytest

from lfc.mcheck.symbolic.execution.paths import Path, Split
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import Term
from tests.campaign.symbolic.completeness import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 40)
    assert result.failures == []
    assert result.kinds["sets"] >= 30
    assert result.kinds["several boxes"] >= 60
    assert result.kinds["all classes"] >= 20
    assert min(result.kinds["order"], result.kinds["equality"]) >= 10


def test_needless_splits_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Path._truth_of_one

    def splits_more(path: Path, condition: Term) -> bool:
        (number,) = condition.symbols
        low = sets.intersection(path.box[number], sets.interval(0, 100))
        high = sets.difference(path.box[number], low)
        if low and high:
            raise Split([{number: low}, {number: high}])
        return ask(path, condition)

    monkeypatch.setattr(Path, "_truth_of_one", splits_more)
    assert len(campaign(1, 12).failures) >= 2
