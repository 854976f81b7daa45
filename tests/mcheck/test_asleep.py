"""Sleep sets: every state of the full search and fewer transitions; broken ones are seen; ways; what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lfc.actions.model import Machine
from lfc.mcheck.check import CheckOptions, CheckResult, check_program
from lfc.mcheck.reductions import Faults
from lfc.mcheck.search import Limits, Search, Stop
from lfc.mcheck.telling import tell_error
from lfc.source import Source
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FULL = Limits(keep_going=True, most_errors=1 << 30)
SLEEP = replace(FULL, sleep=True)

APART = """MODULE Apart;
PROCESS P; VAR i : UINT8; BEGIN FOR i := 1 TO 3 DO RESCHEDULE END END P;
VAR k : UINT8;
BEGIN
  FOR k := 1 TO 4 DO CREATE P END
END Apart.
"""

TWO_FOR_ONE = """MODULE Two;
TYPE Ch = [m(UINT8)];
VAR waits : BOOLEAN;
PORT c : Ch;
PROCESS Sends(c : Ch; n : UINT8); BEGIN WHILE ~waits DO RESCHEDULE END; c!m(n) END Sends;
PROCESS Gets(c : Ch); VAR x : UINT8; BEGIN waits := TRUE; c?m(x); RESCHEDULE END Gets;
BEGIN
  NEW(c); CREATE Gets(c); CREATE Sends(c, 1); CREATE Sends(c, 2)
END Two.
"""

PASSING = """MODULE Passing;
VAR g : UINT8;
PROCESS Reads; BEGIN ASSERT(g # 1) END Reads;
PROCESS Writes; BEGIN g := 1; RESCHEDULE; g := 2 END Writes;
BEGIN
  CREATE Reads; CREATE Writes
END Passing.
"""

ONE_AT_MOST = """MODULE Most;
VAR g : UINT8;
PROCESS Spare MAX {spare}; BEGIN g := 1 END Spare;
PROCESS Works; BEGIN RESCHEDULE; RESCHEDULE; ASSERT(g < 2) END Works;
PROCESS Adds; BEGIN RESCHEDULE; INC(g) END Adds;
BEGIN
  CREATE Spare; CREATE Works; CREATE Works; CREATE Adds
END Most.
"""


def machine_of(text: str) -> Machine:
    return machine_of_source(Source("Program.lf", text))


def example(name: str) -> Machine:
    return machine_of((EXAMPLES / name).read_text())


def seen_by(
    machine: Machine, limits: Limits, faults: Faults | None = None
) -> tuple[list[bytes], list[tuple[int, int, int]], tuple[int, int, int], int]:
    """States, faults with how far they are, deadlocks, ends and depth; and how many transitions there were."""
    search = Search(machine, limits, faults=faults)
    try:
        assert search.run() is Stop.COMPLETE
        s = search.statistics
        failing = sorted((e.fault_kind, e.fault_site, e.depth) for e in search.errors() if e.kind == 1)
        return sorted(search.all_blocks()), failing, (s.deadlocks, s.ends, s.depth), s.transitions
    finally:
        search.close()


def test_of_processes_that_are_apart_each_state_is_found_about_once() -> None:
    machine = machine_of(APART)
    blocks, *full, transitions = seen_by(machine, FULL)
    found, *other, fewer = seen_by(machine, SLEEP)
    same = found == blocks and other == full
    assert same
    states = len(blocks)
    assert states == 626 and transitions == 2001
    assert states - 1 <= fewer < 1.2 * states  # places are shared now and then


@pytest.mark.parametrize("name", ["semaphore.lf", "models/tcp.lf", "mutex.lf", "clockdemo.lf", "peterson2.lf"])
@pytest.mark.parametrize(
    "limits",
    [SLEEP, replace(SLEEP, threads=2, least_shared=1), replace(SLEEP, remember=False)],
    ids=["one thread", "two threads", "nothing remembered"],
)
def test_every_state_and_error_of_the_full_search(name: str, limits: Limits) -> None:
    machine = example(name)
    *full, transitions = seen_by(machine, FULL)
    *found, fewer = seen_by(machine, limits)
    same = found == full
    assert same
    assert fewer < transitions


@pytest.mark.parametrize("spare", [1, 20, 40, 61, 70])
def test_slots_of_any_number(spare: int) -> None:
    machine = machine_of(ONE_AT_MOST.format(spare=spare))
    *full, transitions = seen_by(machine, FULL)
    *found, fewer = seen_by(machine, SLEEP)
    same = found == full
    assert same
    assert fewer <= transitions and (spare > 61 or fewer < transitions)


def test_two_who_may_meet_the_same_one() -> None:
    machine = machine_of(TWO_FOR_ONE)
    blocks, *full, _ = seen_by(machine, FULL)
    found, *other, _ = seen_by(machine, SLEEP)
    same = found == blocks and other == full
    assert same
    wrong, *_ = seen_by(machine, SLEEP, Faults(partners=True))
    assert len(wrong) < len(blocks)  # that they are taken for independent would be seen


def test_what_one_writes_and_the_other_reads() -> None:
    machine = machine_of(PASSING)
    *full, _ = seen_by(machine, FULL)
    *found, _ = seen_by(machine, SLEEP)
    same = found == full
    assert same and full[1]  # the assertion fails
    *wrong, _ = seen_by(machine, SLEEP, Faults(dependency=True))
    assert wrong[1] == []


def test_ways_are_found_again_by_the_numbers_of_their_steps(tmp_path: Path) -> None:
    machine = example("models/tcp.lf")
    searches = [Search(machine, limits) for limits in (FULL, SLEEP, replace(SLEEP, spill=str(tmp_path), spill_at=500))]
    try:
        assert all(s.run() is Stop.COMPLETE for s in searches)
        assert searches[2].statistics.spills
        full = searches[0]
        distance = {full.blocks_to(i)[-1]: len(full.blocks_to(i)) for i in range(0, full.statistics.states, 7)}
        for search in searches[1:]:
            found = 0
            for i in range(0, search.statistics.states, 11):
                way = search.blocks_to(i)
                found += way[-1] in distance
                assert distance.get(way[-1], len(way)) == len(way)  # a shortest one
            assert found > 20
            error = search.errors()[0]
            told = tell_error(machine, search, error)  # replays it
            assert told.kind == "deadlock"
            search.find_stuck()
    finally:
        for search in searches:
            search.close()


def test_a_search_that_stops_on_its_way_goes_on_asleep() -> None:
    machine = example("semaphore.lf")
    *full, _ = seen_by(machine, FULL)
    search = Search(machine, replace(SLEEP, states=40))
    try:
        assert search.run() is Stop.STATES
        for states in (200, 700, 0):
            search.go_on_to(states)
            stop = search.run()
        assert stop is Stop.COMPLETE
        same = sorted(search.all_blocks()) == full[0]
        assert same and search.actions_left_out()
    finally:
        search.close()


def check(name: str, *reductions: str, **more: object) -> CheckResult:
    options = CheckOptions(reductions=reductions, threads=1)
    for key, value in more.items():
        setattr(options, key, value)
    return check_program(example(name), options)


def test_who_else_leaves_something_out_is_not_used_beside_it() -> None:
    for other in ("por", "chains", "sym"):
        result = check("semaphore.lf", other, "sleep")
        told = {r.name: r.why_not for r in result.reductions}
        assert not told[other] and f"`{other}`" in told["sleep"]
    both = check("semaphore.lf", "dead", "sleep")
    assert not any(r.why_not for r in both.reductions)
    assert next(r for r in both.reductions if r.name == "sleep").told


def test_other_searches_have_nobody_asleep() -> None:
    assert "breadth-first" in check("semaphore.lf", "sleep", search="depth").reductions[0].why_not
    assert check("semaphore.lf", "sleep", lossy="hash").reductions[0].why_not


def test_who_sleeps_is_not_saved(tmp_path: Path) -> None:
    result = check("semaphore.lf", "sleep", checkpoint=str(tmp_path / "saved"))
    assert "not saved" in result.reductions[0].why_not


def test_what_the_command_says(tmp_path: Path) -> None:
    file = tmp_path / "Apart.lf"
    file.write_text(APART)
    result = lfc("check", file, "--reductions", "sleep", "--json")
    assert result.exit == 0
    told = json.loads(result.out)
    assert told["states"] == 626
    assert [r["name"] for r in told["reductions"] if r["used"] and r["actions_left_out"] > 200] == ["sleep"]
    assert "reduction sleep: " in lfc("check", file, "--reductions", "sleep").out
