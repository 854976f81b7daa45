"""CI's share of the campaign of the checker's ages, and errors in the rules of ages that it must find."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from lfc.mcheck.model import stamps
from lfc.semantics.model import typed
from tests.actions.machines import machine_of_text
from tests.campaign.time.ages import campaign
from tests.mcheck.aged_agreement import compare_ages
from tests.mcheck.agreement import Disagreement
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 25)
    assert result.failures == []
    assert result.compared >= 15
    assert result.kinds["ages"] >= 10
    assert result.kinds["old"] and result.kinds["never old"]


Most = Callable[[typed.Expr, Mapping[typed.Variable, int]], int]


def too_young(e: typed.Expr, constants: Mapping[typed.Variable, int], most: Most = stamps.most_of) -> int:
    return max(0, most(e, constants) - 1)


@pytest.mark.slow
def test_bounds_that_are_too_low_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamps, "most_of", too_young)
    assert campaign(2, 20).failures


LATE = """MODULE Late;
IMPORT Clock;
VAR n : UINT8;
PROCESS Q; VAR tx : UINT32; BEGIN IF Clock.Now - tx <= 2 THEN n := 1 END END Q;
PROCESS P; BEGIN Clock.Sleep(5); CREATE Q END P;
BEGIN CREATE P END Late.
"""


def test_a_zero_that_is_read_late_is_as_old_as_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of_text(LATE)
    assert compare_ages(machine, 100) == {"ages", "old"}
    monkeypatch.setattr(stamps, "is_read_first", lambda body, v: False)
    with pytest.raises(Disagreement):
        compare_ages(machine, 100)
