"""CI's share of the campaign of properties that measure time, and an error that it must find."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lfc.mcheck.properties import product
from lfc.mcheck.request.property import Watched
from tests.campaign.checking.deadlines import campaign
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 30)
    assert result.failures == []
    assert result.compared >= 20
    assert result.kinds["property"] >= 5 and result.kinds["holds"] >= 5


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["longer", "latest"])
def test_wrong_timers_are_found(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = product.automaton_for_engine

    def broken(w: Watched, closed: bool) -> object:
        for n, t in enumerate(w.timers):
            w.timers[n] = (
                replace(t, milliseconds=t.milliseconds + 1) if wrong == "longer" else replace(t, earliest=False)
            )
        return right(w, closed)

    monkeypatch.setattr(product, "automaton_for_engine", broken)
    assert campaign(1, 12).failures
