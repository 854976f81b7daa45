"""CI's share of the campaign of properties that measure time, and errors that it must find."""

from __future__ import annotations

import pytest

from lfc.mcheck.engine import abi
from lfc.mcheck.properties import product
from lfc.mcheck.request.property import Watched
from tests.campaign.time.deadlines import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 20)
    assert result.failures == []
    assert result.compared >= 12
    assert result.kinds["property"] >= 4 and result.kinds["holds"] >= 4


@pytest.mark.slow
@pytest.mark.parametrize(("field", "change"), [("most", 1), ("earliest", -1)])
def test_wrong_timers_are_found(field: str, change: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = product.automaton_for_engine

    def broken(w: Watched, closed: bool) -> abi.Automaton:
        found = right(w, closed)
        for n in range(len(w.timers)):
            value = max(0, getattr(found.timer[n], field) + change)
            setattr(found.timer[n], field, value)
        return found

    monkeypatch.setattr(product, "automaton_for_engine", broken)
    assert campaign(1, 15).failures
