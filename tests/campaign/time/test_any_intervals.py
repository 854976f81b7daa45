"""CI's share of the campaign of any intervals, and an error in them that the comparison finds."""

from __future__ import annotations

import pytest

from lfc.base.source import Span
from lfc.mcheck.reduction.slicing.untimed import Rewriting
from lfc.semantics.model import typed
from lfc.semantics.model.types import BOOLEAN
from tests.actions.machines import machine_of_text
from tests.campaign.time.any_intervals import campaign, compare


def test_share_of_the_campaign() -> None:
    """The seed is pinned: with others one action may have very many ways."""
    result = campaign(1, 6)
    assert result.failures == []
    assert (result.compared, result.kinds["asked"], result.kinds["deadlock"]) == (6, 6, 1)


LONG = """MODULE Long;
IMPORT Clock;
VAR t : UINT32; n : 0 .. 3;
PROCESS P SERVER;
BEGIN LOOP IF Clock.Now - t >= 20 THEN INC(n); t := Clock.Now END; Clock.Sleep(10) END END P;
BEGIN CREATE P END Long.
"""


def always_short(rewriting: Rewriting, at: Span, if_old: bool) -> typed.Expr:
    return typed.Constant(at, BOOLEAN, int(not if_old))


def test_intervals_that_are_never_long_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of_text(LONG)
    assert compare(machine) == {"fault", "asked"}
    monkeypatch.setattr(Rewriting, "either", always_short)
    with pytest.raises(AssertionError):
        compare(machine)
