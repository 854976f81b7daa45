"""More properties than a search can watch at once: in groups, one after the other, and none is refused."""

from __future__ import annotations

import time

import pytest

import lfc.mcheck.check
from lfc.base.source import Source
from lfc.mcheck.check import Searches, check
from lfc.mcheck.model.clocks import ClockNotKept
from lfc.mcheck.properties.product import watch, watch_in_groups
from lfc.mcheck.reduction.choose import Begun
from lfc.mcheck.request.property import TooMany
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult, Told
from tests.differential.stepwise import machine_of_source

PROGRAM = """MODULE Many;
VAR x : UINT8; y : UINT8;
PROCESS P; BEGIN LOOP x := (x + 1) MOD 100; {} RESCHEDULE END END P;
PROCESS Q; BEGIN LOOP y := (y + 1) MOD 3; RESCHEDULE END END Q;
{}
BEGIN CREATE P; CREATE Q END Many.
"""
SAFE = [f"PROPERTY safe{i} = ALWAYS (x # {100 + i});" for i in range(40)]
LIVE = [f"PROPERTY live{i} = ALWAYS ((x = {i}) IMPLIES EVENTUALLY (x = {i + 1}));" for i in range(40)]
WIDE = "PROPERTY wide = ALWAYS (" + " OR ".join(f"(EVENTUALLY (x = {i}))" for i in range(64)) + ");"
NAMES = [f"safe{i}" for i in range(40)] + [f"live{i}" for i in range(40)]


def checked(properties: list[str], statement: str = "", **options: object) -> CheckResult:
    machine = machine_of_source(Source("Many.lf", PROGRAM.format(statement, "\n".join(properties))))
    return check(machine, request_from(fairness="weak", **options))


def test_groups_are_of_63_atoms_at_most() -> None:
    machine = machine_of_source(Source("Many.lf", PROGRAM.format("", "\n".join([*SAFE, *LIVE, WIDE]))))
    properties = machine.program.main.properties
    groups, too_wide = watch_in_groups(machine, properties)
    assert [len(g.atoms) for g in groups] == [62, 58]
    assert [w.of.name for g in groups for w in g.properties] == NAMES
    assert [p.name for p in too_wide] == ["wide"]
    with pytest.raises(TooMany):
        watch(machine, properties)


@pytest.mark.parametrize("reductions", ["none", "auto", "por"])
def test_all_of_120_atoms_hold(reductions: str) -> None:
    result = checked([*SAFE, *LIVE], reductions=(reductions,))
    assert result.verdict == "holds" and not result.reason
    assert [(p["name"], p["verdict"]) for p in result.properties] == [(name, "holds") for name in NAMES]


def test_a_violation_in_the_last_group_is_found() -> None:
    bad = "PROPERTY bad = ALWAYS ((x = 7) IMPLIES EVENTUALLY (x = 200));"
    result = checked([*SAFE, *LIVE, bad])
    assert result.verdict == "property"
    assert [f.message for f in result.findings] == ["`bad` does not hold"]
    assert result.properties[-1]["verdict"] == "property" and len(result.properties) == 81


def test_after_a_violation_the_other_groups_are_searched_only_if_asked_for() -> None:
    bad = "PROPERTY bad = ALWAYS (x # 50);"
    assert [p["name"] for p in checked([bad, *SAFE, *LIVE]).properties] == ["bad"]
    result = checked([bad, *SAFE, *LIVE], keep_going=True)
    assert result.verdict == "property" and len(result.properties) == 81


def test_an_assertion_that_fails_is_found_first() -> None:
    result = checked([*SAFE, *LIVE], "ASSERT(x # 77);")
    assert result.verdict == "assertion" and len(result.findings) == 1


def test_a_formula_of_more_atoms_is_left_open_and_the_others_are_checked() -> None:
    result = checked([WIDE, *SAFE, *LIVE])
    why = "`wide` has 64 atoms; a formula of more than 63 cannot be checked: split it"
    assert result.verdict == "inconclusive" and result.reason == why
    assert [p["name"] for p in result.properties] == ["wide", *NAMES]
    verdicts = {str(p["name"]): p["verdict"] for p in result.properties}
    assert verdicts.pop("wide") == "inconclusive"
    assert verdicts == dict.fromkeys(NAMES, "holds")
    bad = "PROPERTY bad = ALWAYS (x # 50);"
    assert checked([WIDE, bad]).verdict == "property"


def test_a_group_for_which_there_is_no_time_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What held before is no proof of what was not searched."""
    left = iter([60.0])  # for the first search; then hardly any
    monkeypatch.setattr("lfc.mcheck.check.time_left", lambda _seconds, _begin: next(left, 1e-9))
    monkeypatch.setattr("lfc.mcheck.check.in_time", lambda *_: open_ended())
    result = checked([*SAFE, *LIVE], seconds=60, reductions=("auto",))
    assert result.verdict == "inconclusive"
    assert "not all searched" in result.reason and "time limit reached" in result.reason
    assert {p["verdict"] for p in result.properties} == {"holds", "inconclusive"}


def open_ended() -> object:
    from contextlib import nullcontext

    return nullcontext()


ALONE = """MODULE Alone;
IMPORT Clock;
VAR x : UINT8; a : ARRAY 50 OF UINT8;
PROCESS P; BEGIN LOOP x := (x + 1) MOD 100; RESCHEDULE END END P;
{}
BEGIN CREATE P END Alone.
"""
FILLING = [f"PROPERTY safe{i} = ALWAYS (x # {100 + i});" for i in range(62)]


@pytest.mark.parametrize("between", [2, 62])
def test_a_violation_is_found_behind_a_property_that_faults_in_whichever_group(between: int) -> None:
    properties = ["PROPERTY f = ALWAYS (a[x] = 0);", *FILLING[:between], "PROPERTY bad = ALWAYS (x # 50);"]
    machine = machine_of_source(Source("Alone.lf", ALONE.format("\n".join(properties))))
    result = check(machine, request_from(reductions=()))
    assert result.verdict == "property"
    assert result.properties[-1]["name"] == "bad" and result.properties[-1]["verdict"] != "holds"


def test_what_a_later_group_assumes_is_told() -> None:
    properties = [
        *FILLING,
        "PROPERTY clocked = ALWAYS ((Clock.Now() = 0) OR (x # 77));",
        "PROPERTY b = ALWAYS (x # 200);",
    ]
    machine = machine_of_source(Source("Alone.lf", ALONE.format("\n".join(properties))))
    result = check(machine, request_from(time="discrete"))
    assert [a for a in result.assumptions if "Clock.Now measures is longer than 60000 ms" in a] != []


def test_a_later_group_has_all_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of five seconds are gone after the first group: the others need less than one."""
    machine = machine_of_source(Source("Alone.lf", ALONE.format("\n".join([*FILLING, *more_of(64)]))))
    given, asked = lfc.mcheck.check.violated_of_group, list[int]()

    def slow(searches: Searches, begun: Begun) -> tuple[list[Finding], Told]:
        found = given(searches, begun)
        if not asked:
            time.sleep(3)
        asked.append(1)
        return found

    monkeypatch.setattr(lfc.mcheck.check, "violated_of_group", slow)
    result = check(machine, request_from(reductions=(), seconds=5.0))
    assert result.verdict == "holds" and len(asked) == 2


def more_of(count: int) -> list[str]:
    return [f"PROPERTY more{i} = ALWAYS (x # {170 + i});" for i in range(count)]


def test_a_clock_in_a_later_group_is_refused_before_anything_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    clocked = PROGRAM.replace("MODULE Many;", "MODULE Many; IMPORT Clock; VAR t : UINT32;").replace("VAR x", "x", 1)
    late = "PROPERTY late = ALWAYS (Clock.Now - t < 5);"
    text = clocked.format("", "\n".join([*SAFE, *LIVE, late]))
    machine = machine_of_source(Source("Many.lf", text))
    assert len(watch_in_groups(machine, machine.program.main.properties)[0]) == 2
    monkeypatch.setattr(lfc.mcheck.check, "begin", lambda _: pytest.fail("it was searched"))
    with pytest.raises(ClockNotKept):
        check(machine, request_from())
