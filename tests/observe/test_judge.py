"""Three answers about a run that is not over."""

from __future__ import annotations

from tests.campaign.checking.observed import campaign
from tests.support.seeds import seed_of_this_run


def test_judges_say_what_the_tableau_and_the_naive_evaluator_say() -> None:
    """And every answer occurs."""
    wrong, ends = campaign(seed_of_this_run(), 150)
    assert wrong == []
    assert set(ends) == {"violated", "met", "open"}
