"""CI's share of the campaign of programs with much of the language at once; and that it compares what it says."""

from __future__ import annotations

import pytest

from tests.campaign.reduction.mixed import Result, compare, try_seeds
from tests.campaign.reduction.slices import Disagreement
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    first = seed_of_this_run() * 1_000_000
    result = try_seeds(range(first, first + 9))
    assert result.failures == []
    assert result.compared >= 7, result.mix()
    assert result.violating >= 2, result.mix()


LOOKS = """MODULE Looks;
TYPE Ch = [m(UINT8)];
PORT c : Ch; VAR g, d : UINT8;
PROCESS P; VAR y : UINT8; BEGIN CHOICE y := 0 | y := 1 END; RESCHEDULE; IF y = 1 THEN g := 1 END; c!m(d) END P;
PROCESS Q; VAR k : UINT8; BEGIN c?m(k); d := k; IF g = 1 THEN ASSERT(FALSE) END END Q;
PROPERTY safe = ALWAYS (g # 1);
BEGIN NEW(c); CREATE P; CREATE Q END Looks.
"""


@pytest.mark.parametrize("fault", [Fault.LIVENESS, Fault.CONTROL])
def test_what_is_missing_is_seen(fault: Fault) -> None:
    result = Result()
    compare(LOOKS, result)
    assert set(result.of) >= {"dead", "slice", "for an assert", "for deadlock"}
    with pytest.raises(Disagreement, match="instead of"), seeded(fault):
        compare(LOOKS, Result())
