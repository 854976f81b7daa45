"""CI's share of the campaign of programs with fixed-point numbers."""

from __future__ import annotations

import pytest

from lfc.semantics.expressions import fixed as typing
from tests.campaign.compiled.fixed import campaign
from tests.generate.values.fixed import fixed
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 6)
    assert result.failures == []
    assert result.programs == 6 and result.runs.total() == 12


def test_rounding_the_wrong_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = typing._rounded
    monkeypatch.setattr(typing, "_rounded", lambda span, e, step, up: right(span, e, step, False))
    assert campaign(1, 6).failures


def test_the_programs_have_all_constructs() -> None:
    programs = [fixed(seed) for seed in range(1, 60)]
    text = "".join(p.text for p in programs)
    for construct in (
        "ROUND(T",
        "FLOOR(T",
        "SATURATE(T",
        "ROUND(INT16",
        " / v",
        "MIN(",
        "ABS(",
        "SYSTEM.VAL(",
        "Twice",
    ):
        assert construct in text, construct
    assert any(p.faults for p in programs)
