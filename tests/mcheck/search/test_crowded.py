"""An action that does more than can be kept, or waited for, is named with its inputs."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.counterexample.oversized_action import crowded_reason
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import machine_of_source

MANY = """MODULE Many;
VAR a AT 20H : UINT8; x, y, z : UINT8;
PROCESS P;
BEGIN
  RESCHEDULE;
  x := a; y := PORTIN(21H); z := PORTIN(22H);
  RESCHEDULE
END P;
BEGIN CREATE P END Many.
"""


@pytest.mark.parametrize(
    "limits",
    [
        request_from(scratch=1),
        request_from(scratch=1, threads=2, least_shared=0),
        request_from(scratch=1, strategy="depth"),
        request_from(scratch=1, strategy="best"),
        request_from(scratch=1, inputs="all"),
    ],
)
def test_more_outcomes_than_there_is_room_for(limits: Request) -> None:
    machine = machine_of_source(Source("Many.lf", MANY))
    search = Search(machine, limits)
    try:
        stop = search.run()
        reason = crowded_reason(machine, search, stop)
    finally:
        search.close()
    assert stop is Stop.MEMORY
    assert reason.startswith("one action has more outcomes than fit in memory: ")
    assert " alternatives of the action of P that begins at Many.lf:5:3 were tried; it has" in reason
    assert "; it has 3 inputs (port 20H (a), port 21H, port 22H): " in reason and "--assume" in reason
    assert ("--inputs split" in reason) == (limits.world.inputs == "all")


def test_memory_that_is_used_up_by_states_is_another_matter() -> None:
    machine = machine_of_source(Source("Many.lf", MANY.replace("z := PORTIN(22H)", "")))
    result = check(machine, request_from(memory=1 << 20, threads=1))
    assert (result.verdict, result.reason) == ("inconclusive", "memory limit reached (--memory)")


def test_the_time_is_over_within_an_action() -> None:
    """It is looked at while the action runs, too: it has 16 million outcomes."""
    machine = machine_of_source(Source("Many.lf", MANY.replace("RESCHEDULE;", "")))
    result = check(machine, request_from(seconds=0.01, threads=1))
    assert result.verdict == "inconclusive"
    assert result.reason.startswith("time limit reached (--time) within one action: ")
    assert " alternatives of the action of P" in result.reason


def test_more_decisions_than_can_be_numbered() -> None:
    text = """MODULE Reads; VAR i : INTEGER;
PROCESS P;
BEGIN
  WHILE i < 130 DO IF PORTIN(32) > 250 THEN i := 130 ELSE INC(i) END END
END P;
BEGIN CREATE P END Reads.
"""
    result = check(machine_of_source(Source("Reads.lf", text)), request_from(threads=1))
    assert result.verdict == "inconclusive"
    assert result.reason.startswith(
        "an action makes more decisions than the checker can encode: the action of P that begins at Reads.lf:2:9; "
        "it has 128 inputs (port 20H, ...): "
    )


def test_limits_are_looked_at_after_a_million_steps_of_few_states() -> None:
    text = """MODULE Wide;
VAR x : UINT16; n : UINT8;
PROCESS P; BEGIN LOOP x := PORTIN16(20H); n := (n + 1) MOD 50; RESCHEDULE END END P;
BEGIN CREATE P END Wide.
"""
    search = Search(
        machine_of_source(Source("Wide.lf", text)), request_from(strategy="depth", states=5, keep_going=True)
    )
    assert search.run() is Stop.STATES
    assert (search.statistics.states, search.statistics.transitions) == (18, 17 * 65_536 + 1)
    search.close()


def test_an_attempt_of_many_inputs_meets_a_partner() -> None:
    """Which of its 32,896 outcomes meet somebody is found by one look at each; comparing all with all takes minutes."""
    text = """MODULE Driver;
TYPE Bytes = [byte(UINT8)];
PORT rx : Bytes;
PROCESS Reads(out : Bytes);
VAR status, data : UINT8;
BEGIN
  LOOP
    RESCHEDULE;
    status := PORTIN(40H);
    IF ODD(status) THEN data := PORTIN(41H); out!byte(data) END
  END
END Reads;
PROCESS Takes(in : Bytes) SERVER;
VAR x : UINT8;
BEGIN
  LOOP in?byte(x); ASSERT(x # 255) END
END Takes;
BEGIN NEW(rx); CREATE Reads(rx); CREATE Takes(rx) END Driver.
"""
    options = request_from(reductions=("dead",), threads=1)
    result = check(machine_of_source(Source("Driver.lf", text)), options)
    assert (result.verdict, result.states, result.transitions) == ("assertion", 774, 66_565)
    assert result.seconds < 20
