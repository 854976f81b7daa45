"""CI's share of the campaign of partial order reduction with fairness; and that it would see what is left out of it."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from tests.campaign.reduction.fair_orders import Result, campaign, try_seed
from tests.differential.stepwise import machine_of_source
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.compositions import composed
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 24)
    assert result.failures == []
    assert result.smaller * 2 >= result.compared and result.verdicts["property"], result.text()


def test_fairness_that_is_forgotten_is_seen() -> None:
    kept, forgotten = Result(), Result()
    try_seed(3000179, kept)
    with seeded(Fault.FAIRNESS):
        try_seed(3000179, forgotten)
    assert kept.failures == [] and len(forgotten.failures) == 1


LEAVES = """MODULE Leaves;
TYPE Ch = [m];
PORT c : Ch;
VAR done : BOOLEAN;
PROCESS Gives(c : Ch); BEGIN c!m END Gives;
PROCESS Takes(c : Ch); BEGIN c?m; done := TRUE END Takes;
PROCESS Tick; BEGIN LOOP RESCHEDULE END END Tick;
PROPERTY comes = EVENTUALLY done;
BEGIN
  NEW(c); CREATE Gives(c); CREATE Takes(c); CREATE Tick
END Leaves.
"""


@pytest.mark.parametrize(
    ("fair", "verdict", "forgotten"),
    [
        ((), "property", "property"),
        # whoever may stay ready for ever must not be let act for others: it would let go who may not stay
        (("weak Takes",), "property", "holds"),
        (("weak Takes", "strong Tick"), "property", "holds"),
        (("weak Takes", "weak Gives"), "holds", "holds"),
        (("weak Takes", "weak Gives 5"), "holds", "holds"),
        (("strong Takes c?m",), "property", "property"),
        (("strong Takes c?m", "weak Gives"), "property", "property"),  # it may stay behind the communication
        (("strong Takes c?m", "weak Takes", "weak Gives"), "holds", "holds"),
    ],
)
def test_who_stays_ready_for_ever_lets_nobody_go(fair: tuple[str, ...], verdict: str, forgotten: str) -> None:
    machine = machine_of_source(Source("Leaves.lf", LEAVES))

    def checked(reductions: tuple[str, ...]) -> tuple[str, int]:
        options = request_from(fair=fair, reductions=reductions, allow_deadlocks=True)
        found = check(machine, options)
        return found.verdict, found.states

    full, reduced = checked(()), checked(("por",))
    assert full[0] == reduced[0] == verdict
    assert reduced[1] < full[1]
    with seeded(Fault.FAIRNESS):
        assert checked(("por",))[0] == forgotten


OFFERS = """MODULE Offers;
TYPE Ch = [m];
PORT c : Ch;
PROCESS Comes(c : Ch); BEGIN RESCHEDULE; RESCHEDULE; c!m WEAK LIVE END Comes;
PROCESS Tick; BEGIN LOOP RESCHEDULE END END Tick;
PROPERTY runs; BEGIN LOOP ACCEPT; RESCHEDULE END END runs;
PROPERTY nothing = ALWAYS TRUE;
BEGIN
  NEW(c); CREATE Comes(c); CREATE Tick
END Offers.
"""


@pytest.mark.parametrize(("name", "verdict"), [("runs", "property"), ("nothing", "holds")])
def test_a_property_that_asks_nothing_is_still_about_fair_runs(name: str, verdict: str) -> None:
    """Only who never comes to offer anything is treated fairly: nobody ever takes it."""
    machine = machine_of_source(Source("Offers.lf", OFFERS))

    def checked() -> str:
        options = request_from(properties=(name,), reductions=("por",), allow_deadlocks=True)
        return check(machine, options).verdict

    assert checked() == verdict
    with seeded(Fault.FAIRNESS):
        assert checked() == "inconclusive"


TAKES = """MODULE Main;
IMPORT SYSTEM;
VAR done : BOOLEAN;
PROCESS Takes; BEGIN SYSTEM.INT[1]?INTERRUPT; done := TRUE END Takes;
PROCESS Tick; BEGIN LOOP RESCHEDULE END END Tick;
PROPERTY comes = EVENTUALLY done;
BEGIN
  CREATE Takes; CREATE Tick
END Main.
"""
RAISES = """ENVIRONMENT MODULE Env;
IMPORT SYSTEM;
PROCESS Gives; BEGIN RESCHEDULE; SYSTEM.INT[1]!INTERRUPT END Gives;
BEGIN CREATE Gives END Env.
"""


def test_beside_an_environment_fairness_is_looked_at_in_all_orders() -> None:
    machine = composed(TAKES, RAISES)
    found = check(machine, request_from(fair=("weak Takes",), reductions=("por",), allow_deadlocks=True))
    assert found.verdict == "property"
    assert found.reductions[0].why_not == ""
    assert found.reductions[0].not_for == {"comes": "assumes fairness where an environment answers within actions"}
    assert check(machine, request_from(fairness="weak", reductions=("por",))).verdict == "holds"
