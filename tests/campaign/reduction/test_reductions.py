"""CI's share of the campaign of the reductions; and that it would see what is left out of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from tests.campaign.reduction import reductions
from tests.campaign.reduction.reductions import (
    MODES,
    Disagreement,
    Result,
    campaign,
    compare,
    compare_properties,
    try_created,
    try_driven,
    try_errors,
    try_properties,
    try_symmetric,
    usual,
)
from tests.differential.stepwise import machine_of_source
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.compositions import composed
from tests.support.seeds import seed_of_this_run


@contextmanager
def missing(fault: Fault) -> Iterator[None]:
    """Ways are not replayed: what is found must tell."""
    with seeded(fault), patch.object(reductions, "replay", lambda *_: None):
        yield


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 16)
    assert result.failures == []
    assert result.violating * 5 >= result.compared
    assert result.smaller["por"] >= 2 and result.smaller["all"] >= 2, result.mix()  # of so few; see `campaign`


@pytest.mark.parametrize(
    ("fault", "seed"),
    [
        (Fault.PROVISO, 25),
        (Fault.PROVISO, 26),
        (Fault.LIVENESS, 51),
        (Fault.LIVENESS, 57),
        (Fault.CHAIN, 8),
    ],
)
def test_what_is_left_out_is_seen(fault: Fault, seed: int) -> None:
    assert try_errors([seed]).failures == []
    with missing(fault):
        assert "Disagreement: " in try_errors([seed]).failures[0]


@pytest.mark.parametrize("seed", [25, 35])
def test_actions_that_are_taken_for_independent_are_seen(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for mode in [m for m in MODES if m not in ("por", "all")]:
        monkeypatch.delitem(MODES, mode)
    assert try_errors([seed]).failures == []
    with missing(Fault.DEPENDENCY):
        assert "Disagreement: por" in try_errors([seed]).failures[0]


@pytest.mark.slow
def test_share_of_the_campaign_with_processes_that_come_and_go() -> None:
    result = campaign(seed_of_this_run(), 8, kind="created")
    assert result.failures == []
    assert result.violating and result.smaller["all"] >= 2, result.mix()


@pytest.mark.slow
def test_share_of_the_campaign_with_calls() -> None:
    result = campaign(seed_of_this_run(), 5, kind="calling")
    assert result.failures == []
    assert result.smaller["all"] >= 2, result.mix()


def test_dependencies_of_those_who_come_and_go_that_are_left_out_are_seen() -> None:
    assert try_created([12]).failures == []
    with missing(Fault.DEPENDENCY):
        assert "Disagreement: " in try_created([12]).failures[0]


@pytest.mark.slow
def test_share_of_the_campaign_with_instances_that_can_be_exchanged() -> None:
    result = campaign(seed_of_this_run(), 12, kind="symmetric")
    assert result.failures == []
    assert result.smaller["sym"] * 10 >= 3 * result.compared and result.violating, result.mix()


@pytest.mark.parametrize("seed", [2, 49])
def test_references_that_are_not_rewritten_are_seen(seed: int) -> None:
    assert try_symmetric([seed]).failures == []
    with missing(Fault.REFERENCES):
        assert "Disagreement: " in try_symmetric([seed]).failures[0]


NUMBERED = """MODULE Numbered;
VAR i, sum : UINT8;
PROCESS P(me : UINT8);
BEGIN
  RESCHEDULE;
  sum := sum + me;
  ASSERT(sum # 3)
END P;
BEGIN
  FOR i := 1 TO 2 DO CREATE P(i) END
END Numbered.
"""


def test_a_number_that_is_computed_with_and_is_taken_for_a_name_is_seen() -> None:
    machine = machine_of_source(Source("Numbered.lf", NUMBERED))
    compare(machine, Result())
    with pytest.raises(Disagreement), missing(Fault.NAMES):
        compare(machine, Result())


@pytest.mark.parametrize(
    ("fault", "seed"),
    [
        (Fault.ORDER, 91),
        (Fault.ORDER, 156),
        (Fault.CONSTANTS, 103),
        (Fault.CONSTANTS, 108),
        (Fault.SETTLED, 278),
    ],
)
def test_numbers_that_are_taken_for_names_are_seen(fault: Fault, seed: int) -> None:
    assert try_errors([seed], recipe="named").failures == []
    with missing(fault):
        assert "Disagreement: " in try_errors([seed], recipe="named").failures[0]


WAITING = """MODULE Waiting;
TYPE Ch = [ask(UINT8)];
PORT c : Ch;
VAR i, owner : UINT8;
PROCESS P(me : UINT8);
BEGIN
  RESCHEDULE;
  IF owner = 0 THEN owner := me; c!ask(me) END
END P;
PROCESS Serve(c : Ch);
VAR x : UINT8;
BEGIN
  c?ask(x);
  ASSERT(x = owner)
END Serve;
BEGIN
  NEW(c);
  FOR i := 1 TO 3 DO CREATE P(i) END;
  CREATE Serve(c)
END Waiting.
"""


def test_a_name_with_which_somebody_waits_and_is_not_rewritten_is_seen() -> None:
    machine = machine_of_source(Source("Waiting.lf", WAITING))
    compare(machine, Result())
    with pytest.raises(Disagreement), missing(Fault.REFERENCES):
        compare(machine, Result())


@pytest.mark.slow
def test_share_of_the_campaign_with_properties() -> None:
    result = campaign(seed_of_this_run(), 8, kind="properties")
    assert result.failures == []
    assert result.smaller["all"] and result.violating, result.mix()


def test_a_lasso_that_is_kept_with_instances_exchanged_is_told_step_by_step() -> None:
    """With chains beside `sym` a step of it was not there in the program."""
    assert try_properties([41000027]).failures == []


PASSING = """MODULE Passing;
VAR g : UINT8;
PROCESS P; BEGIN g := 1; RESCHEDULE; g := 2 END P;
PROCESS Q; BEGIN ASSERT(g # 1) END Q;
BEGIN
  CREATE P; CREATE Q
END Passing.
"""


def test_a_dependency_that_is_left_out_is_seen() -> None:
    machine = machine_of_source(Source("Passing.lf", PASSING))
    compare(machine, Result())
    with pytest.raises(Disagreement), missing(Fault.DEPENDENCY):
        compare(machine, Result())


BOTH_AT_ONE = """MODULE Both;
VAR a, b : UINT8;
PROCESS P; BEGIN a := 1; RESCHEDULE; a := 2 END P;
PROCESS Q; BEGIN b := 1; RESCHEDULE; b := 2 END Q;
PROPERTY never = ALWAYS ~((a = 1) & (b = 1));
BEGIN
  CREATE P; CREATE Q
END Both.
"""


def test_a_change_of_what_is_asked_that_does_not_count_as_one_is_seen() -> None:
    machine = machine_of_source(Source("Both.lf", BOTH_AT_ONE))
    compare_properties(machine, Result())
    with pytest.raises(Disagreement), missing(Fault.VISIBILITY):
        compare_properties(machine, Result())


GIFT = """MODULE Gift;
TYPE Ch = [m(UINT8)]; Give = [give(Ch)];
PORT c : Ch; h : Give;
PROCESS Gets(c : Ch); VAR y, z : UINT8; BEGIN c?m(y); ASSERT(y = 1); c?m(z) END Gets;
PROCESS Sends(c : Ch); BEGIN c!m(1) END Sends;
PROCESS Gives(c : Ch; h : Give); BEGIN h!give(c) END Gives;
PROCESS Takes(h : Give); PORT d : Ch; BEGIN h?give(d); d!m(2) END Takes;
BEGIN
  NEW(c); NEW(h);
  CREATE Gets(c); CREATE Sends(c); CREATE Gives(c, h); CREATE Takes(h)
END Gift.
"""


def test_a_port_that_comes_in_a_message_and_is_forgotten_is_seen() -> None:
    machine = machine_of_source(Source("Gift.lf", GIFT))
    compare(machine, Result())
    with pytest.raises(Disagreement), missing(Fault.GIFTS):
        compare(machine, Result())


ENTANGLED = """MODULE Entangled;
TYPE Ch = [m(UINT8)];
PORT a, b : Ch;
VAR x : UINT8;
PROCESS Serves(a, b : Ch);
VAR y : UINT8;
BEGIN
  SELECT
    WHEN a?m(y) THEN y := 0
    WHEN b?m(y) THEN ASSERT(y # 1)
  END
END Serves;
PROCESS Sets(a : Ch); BEGIN x := 1; a!m(0) END Sets;
PROCESS Tells(b : Ch); VAR y : UINT8; BEGIN y := x; b!m(y) END Tells;
BEGIN
  NEW(a); NEW(b);
  CREATE Serves(a, b); CREATE Sets(a); CREATE Tells(b)
END Entangled.
"""


def test_an_attempt_that_touches_what_is_shared_and_does_not_count_as_one_is_seen() -> None:
    machine = machine_of_source(Source("Entangled.lf", ENTANGLED))
    compare(machine, Result())
    with pytest.raises(Disagreement), missing(Fault.ENTANGLED):
        compare(machine, Result())


@pytest.mark.slow
def test_share_of_the_campaign_with_devices() -> None:
    result = campaign(seed_of_this_run(), 10, kind="devices")
    assert result.failures == []
    assert result.violating and result.smaller["por"] >= 2, result.mix()


@pytest.mark.parametrize(
    ("fault", "seed"),
    [
        (Fault.ANSWERS, 217),
        (Fault.ANSWERS, 294),
        (Fault.TOUCHED, 33),
        (Fault.TOUCHED, 41),
        (Fault.RAISED, 17),
        (Fault.RAISED, 24),
    ],
)
def test_what_devices_do_that_is_left_out_is_seen(fault: Fault, seed: int) -> None:
    assert try_driven([seed]).failures == []
    with missing(fault):
        assert "Disagreement" in try_driven([seed]).failures[0]


STEERED = """MODULE Main;
VAR x : UINT8;
PROCESS P; BEGIN RESCHEDULE; x := PORTIN(1); ASSERT(x # 1) END P;
BEGIN CREATE P END Main.
"""
STEERS = """ENVIRONMENT MODULE Devices;
IMPORT SYSTEM, Main;
VAR held : UINT32;
PROCESS Answers SERVER; BEGIN LOOP SYSTEM.IOPORT?PORTIN(8, 1); SYSTEM.IOPORT!VALUE(held) END END Answers;
PROCESS Changes; BEGIN RESCHEDULE; held := 1; RESCHEDULE; held := 0 END Changes;
BEGIN CREATE Answers; CREATE Changes END Devices.
"""
HANDLED = """MODULE Main;
IMPORT SYSTEM;
VAR g : UINT8;
PROCESS Sets; BEGIN RESCHEDULE; g := 1; RESCHEDULE; g := 2 END Sets;
PROCESS Handles SERVER; BEGIN SYSTEM.INT[1]?INTERRUPT; ASSERT(g # 1) END Handles;
BEGIN CREATE Sets; CREATE Handles END Main.
"""
RAISES = """ENVIRONMENT MODULE Devices;
IMPORT SYSTEM, Main;
PROCESS Raises; BEGIN RESCHEDULE; SYSTEM.INT[1]!INTERRUPT END Raises;
BEGIN CREATE Raises END Devices.
"""
ALONE = """MODULE Main;
VAR x : UINT8;
PROCESS P; BEGIN RESCHEDULE; x := 1; RESCHEDULE; ASSERT(x # 1) END P;
BEGIN CREATE P END Main.
"""
EACH_OTHER = """ENVIRONMENT MODULE Devices;
IMPORT SYSTEM, Main;
VAR v : UINT32;
PROCESS A; BEGIN LOOP SYSTEM.IOPORT?PORTOUT(8, 1, v); RESCHEDULE; PORTOUT(2, 0) END END A;
PROCESS B; BEGIN LOOP RESCHEDULE; PORTOUT(1, 0); SYSTEM.IOPORT?PORTOUT(8, 2, v) END END B;
BEGIN CREATE A; CREATE B END Devices.
"""


@pytest.mark.parametrize(
    ("text", "environment", "fault"),
    [
        (STEERED, STEERS, Fault.ANSWERS),
        (STEERED, STEERS, Fault.TOUCHED),
        (HANDLED, RAISES, Fault.RAISED),
        (ALONE, EACH_OTHER, Fault.PROVISO),
        (ALONE, EACH_OTHER, Fault.PASSED),
    ],
)
def test_what_the_environment_does_that_is_left_out_is_seen(text: str, environment: str, fault: Fault) -> None:
    machine = composed(text, environment)
    compare(machine, Result())
    with pytest.raises(Disagreement), missing(fault):
        compare(machine, Result())


WRITES = """MODULE Main;
VAR a* : UINT8;
PROCESS P; BEGIN PORTOUT(1, 1); RESCHEDULE; PORTOUT(1, 2) END P;
PROCESS Q; BEGIN a := 1; RESCHEDULE; a := 2 END Q;
BEGIN CREATE P; CREATE Q END Main.
"""
IS_WRITTEN = """ENVIRONMENT MODULE Devices;
IMPORT SYSTEM, Main;
VAR b : UINT32;
PROPERTY never = ALWAYS ~((Main.a = 1) & ({asked} = 1));
PROCESS D SERVER; VAR v : UINT32; BEGIN LOOP SYSTEM.IOPORT?PORTOUT(8, 1, v); b := v END END D;
BEGIN CREATE D END Devices.
"""


@pytest.mark.parametrize("asked", ["b", "D.v"])
def test_a_change_by_an_answer_of_what_is_asked_that_does_not_count_as_one_is_seen(asked: str) -> None:
    machine = composed(WRITES, IS_WRITTEN.format(asked=asked))
    compare_properties(machine, Result())
    with pytest.raises(Disagreement), missing(Fault.VISIBILITY):
        compare_properties(machine, Result())


def test_all_errors_are_told_in_an_order_that_does_not_depend_on_the_search() -> None:
    """The fault that is nearest with all orders of steps is not the one that is nearest with some."""
    machine = machine_of_source(Source("Program.lf", usual(4)))
    results = [check(machine, request_from(keep_going=True, reductions=r, threads=1)) for r in ((), ("por",))]
    full, reduced = ([(f.kind, f.span.start) for f in r.findings] for r in results)
    assert full == reduced == [("fault", 698), ("fault", 1267), ("fault", 2778), ("fault", 3008)]
    assert results[0].verdict == results[1].verdict == "fault"
