"""CI's share of the campaign of slicing; and that it would see a control dependence that is missing."""

from __future__ import annotations

import pytest

from lfc.mcheck.reductions import Faults
from lfc.source import Source
from tests.campaign.seeds import seed_of_this_run
from tests.campaign.slices import Disagreement, Result, compare, try_seeds
from tests.differential.stepwise import machine_of_source


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    first = seed_of_this_run() * 1_000_000
    result = try_seeds(range(first, first + 8))
    assert result.failures == []
    assert result.smaller["safe"] >= 2, result.mix()


DECIDES = """MODULE Decides;
VAR a, b : UINT8;
PROCESS P; BEGIN IF b = 1 THEN a := 3 END END P;
PROCESS Q; BEGIN b := 1 END Q;
PROPERTY safe = ALWAYS (a # 3);
BEGIN CREATE P; CREATE Q END Decides.
"""


def test_a_control_dependence_that_is_missing_is_seen() -> None:
    machine = machine_of_source(Source("Decides.lf", DECIDES))
    result = Result()
    compare(machine, result)
    assert result.smaller["all"] == 0
    with pytest.raises(Disagreement):
        compare(machine, result, Faults(control=True))
