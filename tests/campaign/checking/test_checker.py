"""CI's share of the campaign of the checker's engine."""

from __future__ import annotations

import pytest

from lfc.codegen.expressions import values
from tests.campaign.checking.checker import KINDS, campaign
from tests.mcheck.agreement import Disagreement, compare_with_the_naive_explorer
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 24)
    assert result.failures == []
    assert result.violating * 5 >= result.compared
    assert sum(result.kinds[k] > 0 for k in KINDS) >= 2, result.mix()


@pytest.mark.slow
def test_writes_that_take_two_actions() -> None:
    assert campaign(seed_of_this_run(), 8, recipe="torn").failures == []


ALWAYS_SETTLED = """MODULE Settled;
VAR x NONATOMIC : 0 .. 3; y : 0 .. 3;
PROCESS W; BEGIN x := 1 END W;
PROCESS R; BEGIN y := x; ASSERT(y < 2) END R;
BEGIN CREATE W; CREATE R END Settled.
"""


def test_a_read_that_is_always_settled_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare_with_the_naive_explorer(ALWAYS_SETTLED, 100) == {"assertion"}
    monkeypatch.setattr(values, "read_while_written", lambda s, t, found: found)
    with pytest.raises(Disagreement, match="counts"):
        compare_with_the_naive_explorer(ALWAYS_SETTLED.replace("Settled", "Settles"), 100)
