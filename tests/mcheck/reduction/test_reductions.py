"""Reductions: how few states are left of programs in which it is plain which must be."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from bench.checker.models import Model
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.differential.stepwise import machine_of_source
from tests.mcheck.searching import search_with


def states(text: str, reduction: str = "por", gives_up: int | None = None, **limits: object) -> tuple[int, int]:
    """Of the full search, and of the reduced one."""
    found = []
    for reduced in (False, True):
        chosen = request_from(keep_going=True, reductions=(reduction,) * reduced, **limits)
        search = search_with(machine_of_source(Source("Program.lf", text)), chosen, gives_up)
        assert search.run() is Stop.COMPLETE
        found.append(search.statistics.states)
        search.close()
    return found[0], found[1]


COUNTERS = """MODULE Counters;
VAR i : UINT8; a : ARRAY 4 OF UINT8;
PROCESS Count(me : UINT8);
BEGIN
  {first};
  RESCHEDULE;
  {second}
END Count;
BEGIN
  FOR i := 0 TO 3 DO CREATE Count(i) END
END Counters.
"""


@pytest.mark.parametrize("search", ["breadth", "depth"])
def test_processes_that_share_nothing_go_one_after_the_other(search: str) -> None:
    full, reduced = states(COUNTERS.format(first="a[me] := 1", second="a[me] := 2"), strategy=search)
    assert full == 3**4 + 1  # and the state before the initialisation
    assert reduced == 4 * 2 + 2


def test_elements_that_may_be_the_same_are_shared() -> None:
    full, reduced = states(COUNTERS.format(first="a[a[0]] := 1", second="a[me] := 2"))
    assert reduced > full // 2


def test_a_variable_of_all_is_shared() -> None:
    full, reduced = states(COUNTERS.format(first="INC(i)", second="i := 2 * i"))
    assert reduced == full


def test_it_is_given_up_where_it_has_left_out_nothing() -> None:
    text = COUNTERS.format(first="INC(i)", second="a[me] := 1")
    full, reduced = states(text)
    assert reduced < full
    assert states(text, gives_up=2)[1] == full  # until then all are the initialisation's
    assert states(text, gives_up=full)[1] == reduced


PAIRS = """MODULE Pairs;
TYPE Ch = [m(UINT8)];
PORT c : ARRAY 3 OF Ch;
VAR i : UINT8;
PROCESS Sends(c : Ch; {formal});
VAR k : UINT8;
BEGIN
  LOOP c!m(k); k := 1 - k END
END Sends;
PROCESS Receives(c : Ch);
VAR k : UINT8;
BEGIN
  LOOP c?m(k) END
END Receives;
BEGIN
  FOR i := 0 TO 2 DO
    NEW(c[i]); CREATE Sends(c[i], c[{other}]); CREATE Receives(c[i])
  END
END Pairs.
"""


def test_pairs_on_channels_of_their_own() -> None:
    full, reduced = states(PAIRS.format(formal="d : Ch", other="0"))
    assert reduced * 8 < full


def test_two_threads_leave_out_as_much() -> None:
    text = PAIRS.format(formal="d : Ch", other="0")
    full, reduced = states(text, threads=2, least_shared=1)
    assert full == states(text)[0]
    assert reduced * 8 < full  # not always the same: it depends on which values are met first


ROUND = """MODULE Round;
VAR bad : BOOLEAN;
PROCESS Turns;
VAR k : UINT8;
BEGIN
  LOOP RESCHEDULE; k := 1 - k END
END Turns;
PROCESS Fails;
BEGIN
  RESCHEDULE;
  ASSERT(bad)
END Fails;
BEGIN
  CREATE Turns;
  CREATE Fails
END Round.
"""


@pytest.mark.parametrize("search", ["breadth", "depth", "best", "astar"])
def test_who_goes_round_for_ever_does_not_keep_others_from_failing(search: str) -> None:
    machine = machine_of_source(Source("Round.lf", ROUND))
    found = search_with(machine, request_from(strategy=search, reductions=("por",)))
    assert found.run() is Stop.ERROR
    found.close()


STARTED_ANEW = """MODULE Anew;
TYPE Ch = [m];
PORT c : Ch;
VAR bad : BOOLEAN;
PROCESS Worker MAX 1;
BEGIN
  c!m
END Worker;
PROCESS Boss;
BEGIN
  LOOP CREATE Worker; c?m; RESCHEDULE END
END Boss;
PROCESS Fails;
BEGIN
  RESCHEDULE;
  ASSERT(bad)
END Fails;
BEGIN
  NEW(c);
  CREATE Boss;
  CREATE Fails
END Anew.
"""


def test_a_round_of_processes_that_end_and_are_created_anew() -> None:
    machine = machine_of_source(Source("Anew.lf", STARTED_ANEW))
    search = search_with(machine, request_from(keep_going=True, reductions=("por",)))
    assert search.run() is Stop.COMPLETE
    assert [e.fault_kind for e in search.errors() if e.fault_kind == 6] == [6]
    search.close()


POLLS = """MODULE Polls;
TYPE Ch = [m];
PORT c : Ch;
VAR g : UINT8;
PROCESS Poll(c : Ch) MAX 1;
BEGIN
  SELECT WHEN c?m THEN ELSE ASSERT(FALSE) END
END Poll;
PROCESS Starts(c : Ch);
BEGIN
  g := 0; RESCHEDULE; CREATE Poll(c)
END Starts;
PROCESS Other;
BEGIN
  g := 1
END Other;
PROCESS Sends(c : Ch);
BEGIN
  c!m
END Sends;
BEGIN
  NEW(c); CREATE Starts(c); CREATE Other; CREATE Sends(c)
END Polls.
"""
DUE = """MODULE Due;
IMPORT Clock;
TYPE Ch = [m];
PORT c : Ch;
VAR g : UINT8;
PROCESS Sends;
BEGIN
  RESCHEDULE; c!m
END Sends;
PROCESS Waits;
BEGIN
  SELECT WHEN c?m THEN WHEN Clock.After(0) THEN ASSERT(FALSE) END
END Waits;
PROCESS Sets(x : UINT8);
BEGIN
  g := x
END Sets;
BEGIN
  NEW(c); CREATE Sends; CREATE Waits; CREATE Sets(1); CREATE Sets(2)
END Due.
"""


def faults(text: str, **limits: object) -> list[int]:
    search = search_with(machine_of_source(Source("Program.lf", text)), request_from(keep_going=True, **limits))
    assert search.run() is Stop.COMPLETE
    found = [e.fault_kind for e in search.errors() if e.kind == 1]
    search.close()
    return found


@pytest.mark.parametrize("reduced", [False, True])
def test_who_will_be_created_may_find_nobody(reduced: bool) -> None:
    assert faults(POLLS, reductions=("por",) * reduced) == [6]


@pytest.mark.parametrize("time", ["free", "ordered", "discrete"])
@pytest.mark.parametrize("reduced", [False, True])
def test_a_wait_that_is_over_may_end_while_others_are_ready(time: str, reduced: bool) -> None:
    assert faults(DUE, reductions=("por",) * reduced, time=time) == [6]


PICKS = """MODULE Picks;
{globals}
PROCESS Pick;
VAR k, n : UINT8;
BEGIN
  CHOICE k := 0 | k := 1 | k := 2 END;
  RESCHEDULE;
  IF k = 1 THEN n := 1 END;
  RESCHEDULE;
  {last}
END Pick;
{property}
BEGIN
  CREATE Pick
END Picks.
"""


def test_what_nothing_will_read_is_no_part_of_the_state() -> None:
    text = PICKS.format(globals="", last="n := 2", property="")
    assert states(text, "dead") == (10, 8)  # behind the second RESCHEDULE k is dead, and so is n


def test_what_is_still_read_is_kept() -> None:
    text = PICKS.format(globals="", last="ASSERT(k + n < 4)", property="")
    assert states(text, "dead") == (10, 10)


def test_what_is_passed_on_and_read_is_kept() -> None:
    double = "PROCESS Double(VAR n : UINT8); BEGIN n := n * 2 END Double;"
    full, reduced = states(PICKS.format(globals=double, last="Double(n)", property=""), "dead")
    assert full - reduced == 1  # only k, of which n tells one value apart


def test_what_is_passed_on_and_overwritten_is_no_part_of_the_state() -> None:
    clear = "PROCESS Clear(VAR n : UINT8); BEGIN n := 0 END Clear;"
    assert states(PICKS.format(globals=clear, last="Clear(n)", property=""), "dead") == (10, 8)


def test_what_a_property_asks_is_kept() -> None:
    text = PICKS.format(globals="", last="n := 2", property="PROPERTY p = ALWAYS (Pick.k < 3);")
    machine = machine_of_source(Source("Picks.lf", text))
    asked = [p.formula for p in machine.program.main.properties if p.formula is not None]
    assert "k" not in {v.name for d in Reset(machine, asked).dead.values() for v in d.variables}
    assert "k" in {v.name for d in Reset(machine).dead.values() for v in d.variables}


def test_a_way_through_states_without_dead_variables_is_replayed() -> None:
    text = PICKS.format(globals="", last="ASSERT(n = 0)", property="")
    machine = machine_of_source(Source("Picks.lf", text))
    result = check(machine, request_from(reductions=("dead",), threads=1))
    assert result.verdict == "assertion"
    (finding,) = result.findings
    assert len(set(finding.blocks)) == len(finding.blocks) == 5
    last = finding.blocks[-1]
    offset = machine.records[1].offset
    assert 1 in last[offset : offset + machine.records[1].stride]  # k and n are what they were


@pytest.mark.parametrize(
    ("model", "constants", "most"),
    [
        ("ring", {"N": 8}, 200),  # SPIN, of channels with room: 117
        ("sieve", {"LAST": 60, "FILTERS": 17}, 500),  # 196,949
        ("buffer", {"SIZE": 20}, 12_000),  # 19,841
        ("keepers", {"N": 5}, 8_000),  # 417,056
    ],
)
def test_processes_on_channels_of_their_own(model: str, constants: dict[str, int], most: int) -> None:
    text = Model(model, model, constants).lf()
    search = search_with(
        machine_of_source(Source(f"{model}.lf", text)), request_from(keep_going=True, reductions=("por",))
    )
    assert search.run() is Stop.COMPLETE
    assert search.statistics.states < most
    assert not search.errors()
    search.close()


def test_partial_deadlocks_among_many_need_few_sweeps() -> None:
    """Somebody waits in each state of the scheduler, and who is let go is seen only when the token has come round."""
    machine = machine_of_source(Source("Milner.lf", Model("Milner 60", "milner", {"N": 60}).lf()))
    search = search_with(machine, request_from(reductions=("por",)))
    assert search.run() is Stop.COMPLETE
    assert search.find_stuck() is None
    assert search.statistics.stuck_left > 400
    assert search.statistics.stuck_sweeps < 10
    search.close()


def test_a_search_that_is_saved_keeps_all_orders(tmp_path: Path) -> None:
    options = request_from(threads=1, reductions=("por", "dead"), file=str(tmp_path / "saved"))
    result = check(machine_of_source(Source("Round.lf", COUNTERS.format(first="", second=""))), options)
    assert {r.name: bool(r.why_not) for r in result.reductions} == {"por": True, "dead": False}


def test_a_hundred_who_want_the_same() -> None:
    text = """MODULE Crowd;
CONST N = 100;
TYPE C = [go(UINT8)];
PORT c : C;
VAR i : INTEGER; n : UINT8;
PROCESS W(k : INTEGER) MAX N;
VAR x : UINT8;
BEGIN c?go(x); INC(n) END W;
BEGIN
  NEW(c);
  FOR i := 1 TO N DO CREATE W(i) END;
  FOR i := 1 TO N DO c!go(1) END
END Crowd.
"""
    for partial_order in (False, True):
        limits = request_from(keep_going=True, states=5000, reductions=("por",) * partial_order)
        with closing(search_with(machine_of_source(Source("Crowd.lf", text)), limits)) as search:
            assert search.run() is Stop.STATES
            assert search.statistics.states == (10_102 if partial_order else 10_202)


GUARD = """MODULE Guard;
TYPE Ch = [m(UINT8)];
PORT c : Ch;
VAR told : BOOLEAN;
PROCESS Sends(c : Ch);
BEGIN c!m(0) END Sends;
PROCESS Receives(c : Ch);
VAR x : UINT8;
BEGIN
  told := TRUE;
  SELECT WHEN c?m(x) & ({guard}) THEN END
END Receives;
PROCESS Looks;
BEGIN ASSERT(~told) END Looks;
BEGIN
  NEW(c); CREATE Sends(c); CREATE Receives(c); CREATE Looks
END Guard.
"""


@pytest.mark.parametrize(("guard", "kinds"), [("4 DIV x = 2", ["assertion", "fault"]), ("x = 0", ["assertion"])])
def test_a_guard_that_faults_hides_nothing(guard: str, kinds: list[str]) -> None:
    """Were the sender always first, the receiver would fail before others see what it has told them."""
    for reductions in ((), ("por",)):
        options = request_from(threads=1, keep_going=True, reductions=reductions)
        result = check(machine_of_source(Source("Guard.lf", GUARD.format(guard=guard))), options)
        assert sorted(f.kind for f in result.findings) == kinds
