"""Programs that measure time, without --time: proved where each interval may be short or long, and only there."""

from __future__ import annotations

import pytest

from lfc.base.source import Source, Span
from lfc.mcheck.check import check
from lfc.mcheck.reduction.slicing.untimed import UNUSED, Rewriting
from lfc.mcheck.request.request import AUTO, request_from
from lfc.mcheck.result import reasons
from lfc.mcheck.result.result import CheckResult
from lfc.semantics.model import typed
from lfc.semantics.model.types import BOOLEAN, UINT8, UINT32
from tests.differential.stepwise import machine_of_source

TEXT = """MODULE Program;
IMPORT Clock;
TYPE T = [m];
PORT c : T;
VAR t, u : UINT32; on, expired, bad : BOOLEAN; n : 0 .. 3; got : 0 .. 1;
PROCESS P SERVER;
BEGIN
  t := Clock.Now;
  LOOP
    {body};
    Clock.Sleep(10)
  END
END P;
PROCESS Q; BEGIN {other} END Q;
PROPERTY safe = ALWAYS ~bad;
BEGIN NEW(c); CREATE P; CREATE Q END Program.
"""


def checked(body: str, other: str = "got := 1") -> CheckResult:
    machine = machine_of_source(Source("Program.lf", TEXT.format(body=body, other=other)))
    return check(machine, request_from(threads=1, reductions=(AUTO,)))


@pytest.mark.parametrize(
    "body",
    [
        "IF Clock.Now - t > 30 THEN on := ~on; t := Clock.Now END; bad := FALSE",
        "IF 30 < Clock.Now - t THEN ASSERT(~bad); u := t END; IF Clock.Now - u <= 5 THEN on := TRUE END",
        "IF (Clock.Now - t >= 30) & (n < 3) THEN INC(n) ELSE n := 0 END",
    ],
)
def test_what_holds_however_long_anything_takes(body: str) -> None:
    result = checked(body)
    assert result.verdict == "holds"
    assert reasons.ANY_INTERVAL in result.assumptions
    assert reasons.CLOCK_READS_0 not in result.assumptions


@pytest.mark.parametrize(
    "body",
    [
        "bad := Clock.Now - t > 30",
        "bad := ~(Clock.Now - t <= 30)",
        "IF 30 = Clock.Now - t THEN bad := TRUE END",
        "IF Clock.Now - t > 30 THEN INC(n) END",
        "IF Clock.Now - t > 30 THEN LOOP on := ~on END END",
    ],
)
def test_what_an_interval_may_violate_is_not_said_to_hold(body: str) -> None:
    result = checked(body)
    assert (result.verdict, result.reason) == ("inconclusive", reasons.FEW_INPUTS)
    assert reasons.CLOCK_READS_0 in result.assumptions


@pytest.mark.parametrize(
    "body",
    [
        "IF t = Clock.Now THEN on := TRUE END",
        "u := Clock.Now - t",
        "t := 5; ASSERT((Clock.Now - t > 4) OR ~bad)",
    ],
)
def test_other_uses_of_the_clock_are_left_to_discrete_time(body: str) -> None:
    assert checked(body).verdict == "inconclusive"


FAULTY = """MODULE Program;
IMPORT Clock;
VAR s, t : UINT32; all : ARRAY 3 OF UINT32; i : UINT8 := {first}; on : BOOLEAN;
BEGIN
  s := Clock.Now;
  LOOP
    Clock.Sleep(3);
    IF Clock.Now - s > 5 THEN
      i := {then};
      IF {asked} THEN on := ~on END
    END
  END
END Program.
"""


@pytest.mark.parametrize(
    ("asked", "harmless", "harmful"),
    [("Clock.Now - all[i] > 2", 2, 3), ("Clock.Now - t > 10 DIV i", 1, 0), ("10 DIV i >= Clock.Now - t", 1, 0)],
)
def test_a_comparison_of_an_interval_may_fault(asked: str, harmless: int, harmful: int) -> None:
    for then, verdict in ((harmless, "holds"), (harmful, "inconclusive")):
        text = FAULTY.format(first=harmless, then=then, asked=asked)
        machine = machine_of_source(Source("Program.lf", text))
        assert check(machine, request_from(threads=1, reductions=(AUTO,))).verdict == verdict


@pytest.mark.parametrize("asked", ["t = 0", "P.mine = 0"])
def test_a_property_of_what_the_clock_was_is_left_to_discrete_time(asked: str) -> None:
    text = TEXT.replace("~bad", asked)
    text = text.replace("PROCESS P SERVER;", "PROCESS P SERVER; VAR mine : UINT32;")
    body = "IF Clock.Now - t > 30 THEN t := Clock.Now END; IF Clock.Now - mine > 5 THEN mine := t END"
    machine = machine_of_source(Source("Program.lf", text.format(body=body, other="got := 1")))
    result = check(machine, request_from(threads=1, reductions=(AUTO,)))
    assert (result.verdict, result.reason) == ("inconclusive", reasons.FEW_INPUTS)


WHO_IS_RELEASED = [
    ("IF Clock.Now - t > 10 THEN c!m END", "holds"),  # some day the interval is long
    (
        "IF Clock.Now - t > 10 THEN expired := TRUE ELSIF expired THEN c!m END",
        "inconclusive",
    ),  # then it is not short again
    ("IF Clock.Now - t > 10 THEN expired := TRUE; t := Clock.Now ELSIF expired THEN c!m END", "inconclusive"),
    ("IF Clock.Now - t > 10 THEN IF expired THEN c!m END; expired := TRUE; t := Clock.Now END", "holds"),
]


@pytest.mark.parametrize(("body", "verdict"), WHO_IS_RELEASED)
def test_who_waits_for_ever_if_intervals_stay_long_is_not_overlooked(body: str, verdict: str) -> None:
    """The third is released in truth, if an interval is short once more; that is not known to come."""
    assert checked(body, "c?m").verdict == verdict


def any_answer(rewriting: Rewriting, at: Span, if_old: bool) -> typed.Expr:
    read = typed.FunctionCall(at, UINT8, "PORTIN", [typed.Constant(at, UINT32, UNUSED)])
    return typed.FunctionCall(at, BOOLEAN, "ODD", [read])


@pytest.mark.parametrize("body", [body for body, verdict in WHO_IS_RELEASED if verdict == "inconclusive"])
def test_without_ages_that_stay_great_it_would_be(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rewriting, "either", any_answer)
    assert checked(body, "c?m").verdict == "holds"


WIDE = """MODULE Program;
IMPORT Clock;
VAR x : UINT16; big, late : BOOLEAN; seen* : UINT32;
PROPERTY early = {property};
BEGIN
  x := PORTIN16(400H);
  Clock.Sleep(200);
  big := x > 300;
  {body}
END Program.
"""


def checked_wide(body: str, property: str = "ALWAYS (x >= 0)", data: str = "auto") -> CheckResult:
    machine = machine_of_source(Source("Program.lf", WIDE.format(body=body, property=property)))
    return check(machine, request_from(threads=1, reductions=(AUTO,), data=data))


@pytest.mark.parametrize("data", ["auto", "symbolic"])
@pytest.mark.parametrize(
    ("body", "property"),
    [
        ("ASSERT((Clock.Now < 100) OR ~big)", "ALWAYS (x >= 0)"),
        ("late := Clock.Now > 100", "ALWAYS ~late"),
        ("late := Clock.Now > 100", "EVENTUALLY ~late"),
    ],
)
def test_what_holds_while_the_clock_stands_is_inconclusive_beside_undetermined_data(
    body: str, property: str, data: str
) -> None:
    result = checked_wide(body, property, data)
    assert data == "auto" or result.symbolic is not None  # by itself a slice may be
    assert (result.verdict, result.reason) == ("inconclusive", reasons.FEW_INPUTS)
    assert reasons.CLOCK_READS_0 in result.assumptions


def test_a_slice_of_undetermined_data_that_does_not_read_the_clock_holds() -> None:
    result = checked_wide("seen := Clock.Now; ASSERT(big = (x > 300))")
    assert (result.verdict, result.reductions[0].name) == ("holds", "slice")
    assert result.assumptions == []


def test_an_interval_beside_undetermined_data_may_be_short_or_long() -> None:
    result = checked_wide("IF Clock.Now - seen > 30 THEN late := big END; ASSERT(~late OR big)")
    assert result.verdict == "holds"
    assert reasons.ANY_INTERVAL in result.assumptions
    assert reasons.CLOCK_READS_0 not in result.assumptions
