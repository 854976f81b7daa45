"""Chains: which states are passed through, and that ways lead through them step by step."""

from __future__ import annotations

import time
from typing import Any

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction.chains import Chains
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import machine_of_source
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.mcheck.searching import search_with
from tests.support.sized_programs import CHAINED

STEPS = """MODULE Steps;
VAR i : UINT8;
BEGIN
  i := 1; RESCHEDULE; i := 2; RESCHEDULE; i := 3; RESCHEDULE; {last}
END Steps.
"""
ROUND = """MODULE Round;
VAR i : UINT8; on : BOOLEAN;
PROCESS P; BEGIN LOOP on := ~on; RESCHEDULE; {inside} END END P;
BEGIN CREATE P END Round.
"""


def counted(text: str, *others: str, chains: bool = True, **limits: Any) -> Search:
    """After a complete search, which the caller closes."""
    """With these reductions, too."""
    of_reductions = {name: limits.pop(name) for name in ("gives_up", "chains_stop") if name in limits}
    chosen = request_from(keep_going=True, reductions=(*others, *("chains",) * chains), **limits)
    search = search_with(machine_of_source(Source("Program.lf", text)), chosen, **of_reductions)
    assert search.run() is Stop.COMPLETE
    return search


def passed(search: Search) -> int:
    chains = search.find(Chains)
    assert chains is not None
    return chains.did()


def checked(text: str, **options: object) -> CheckResult:
    chosen = request_from(reductions=("chains",), threads=1).changed(**options)
    return check(machine_of_source(Source("Program.lf", text)), chosen)


def test_of_a_straight_program_the_ends_are_left() -> None:
    search = counted(STEPS.format(last=""))
    assert search.statistics.states == 2
    assert search.statistics.ends == 1
    assert passed(search) == 3
    search.close()


def test_the_way_leads_through_what_was_passed() -> None:
    result = checked(STEPS.format(last="ASSERT(i = 2)"))
    assert result.verdict == "assertion"
    (finding,) = result.findings
    assert not finding.shortest
    assert len(finding.steps) == len(finding.blocks) == 4  # the state that fails is kept, so that its step is looked at
    assert len(set(finding.blocks)) == 4
    (told,) = result.reductions
    assert (told.name, told.why_not) == ("chains", "")
    assert told.told == 2


def test_a_cycle_keeps_a_state() -> None:
    search = counted(ROUND.format(inside=""))
    assert search.statistics.states >= 2
    search.close()
    assert checked(ROUND.format(inside="ASSERT(i = 0)")).verdict == "holds"


def test_a_chain_that_is_too_long_is_cut() -> None:
    count = "PROCESS P; VAR i : INTEGER; BEGIN FOR i := 1 TO 10000 DO RESCHEDULE END END P;"
    text = f"MODULE Long; {count} BEGIN CREATE P END Long."
    search = counted(text)
    assert search.statistics.states == 2 + 10_001 // 4097
    search.close()


TWO = """MODULE Two;
TYPE T = [m];
PORT p, q : T; VAR n : UINT8;
PROCESS Give; BEGIN p!m; RESCHEDULE; n := 1; RESCHEDULE; n := 2; q!m END Give;
PROCESS Take; BEGIN RESCHEDULE; p?m; {rest} END Take;
BEGIN NEW(p); NEW(q); CREATE Give; CREATE Take END Two.
"""


@pytest.mark.parametrize("spill_at", [0, 3])
@pytest.mark.parametrize("partial_order", [False, True])
@pytest.mark.parametrize(("rest", "deadlocks"), [("q?m", 0), ("p?m", 1)])
def test_who_waits_for_ever_is_found(rest: str, deadlocks: int, partial_order: bool, spill_at: int) -> None:
    more: dict[str, Any] = {"spill_at": spill_at, "spill": "/tmp" if spill_at else ""}
    search = counted(TWO.format(rest=rest), *("por",) * partial_order, **more)
    assert search.statistics.deadlocks == deadlocks
    assert (search.find_stuck() is not None) == bool(deadlocks)
    for error in search.errors():
        blocks = search.blocks_to(error.state)
        assert all(before != after for before, after in zip(blocks, blocks[1:], strict=False))
        assert search.machine.position_at(blocks[-1], 0) is None  # the initialisation has ended
    search.close()


def test_a_stuck_process_is_found_beside_a_chain_that_goes_round() -> None:
    text = ROUND.format(inside="i := 1; RESCHEDULE; i := 2").replace(
        "BEGIN CREATE P", "TYPE T = [m]; PORT p : T; PROCESS Q; BEGIN p!m END Q; BEGIN NEW(p); CREATE Q; CREATE P"
    )
    result = checked(text)
    assert result.verdict == "partial-deadlock"
    assert result.findings[0].steps


@pytest.mark.parametrize("spill_at", [0, 40])
@pytest.mark.parametrize("stops_after", [1, 3, 6, 10, 20])
def test_where_chains_stop_all_states_from_there_on_are_kept(stops_after: int, spill_at: int) -> None:
    """Three take turns; `n` counts steps until all of them wait."""
    stop = (stops_after, 1 << 30)
    text = CHAINED.format(last="p!m")
    always = counted(text, "por", chains_stop=(0, 0))
    search = counted(text, "por", chains_stop=stop, spill_at=spill_at, spill="/tmp" if spill_at else "")
    all_states = counted(text, "por", chains=False)
    assert always.statistics.states <= search.statistics.states <= all_states.statistics.states
    assert passed(always) >= passed(search)
    assert search.find_stuck() is not None
    assert {e.kind for e in search.errors()} == {e.kind for e in all_states.errors()}
    for error in search.errors():
        blocks = search.blocks_to(error.state)
        assert all(before != after for before, after in zip(blocks, blocks[1:], strict=False))
        assert blocks[-1] in all_states.all_blocks()
    for s in (always, search, all_states):
        s.close()


# Until `Last` has ended it alone acts, so in what is passed something is left out; where chains stop, in nothing else.
PASSED_IN_PART = """MODULE Steps;
VAR g, x : UINT8;
PROCESS A; BEGIN ASSERT(g = 0); g := 1 END A;
PROCESS B; BEGIN ASSERT(g = 0); g := 2 END B;
PROCESS Last; VAR y : UINT8; BEGIN y := 1; RESCHEDULE; y := 2 END Last;
BEGIN CHOICE x := 0 | x := 1 END; CREATE A; CREATE B; CREATE Last
END Steps.
"""


def test_a_way_leads_through_what_was_passed_with_partial_order_reduction() -> None:
    """Which may not be given up then: a way is found again by the numbers of its steps."""
    limits: dict[str, Any] = {"chains_stop": (4, 1 << 30), "gives_up": 1}
    search, all_states = counted(PASSED_IN_PART, "por", **limits), counted(PASSED_IN_PART, chains=False)
    assert len(search.errors()) == 2
    for error in search.errors():
        assert search.blocks_to(error.state)[-1] in all_states.all_blocks()
    search.close()
    all_states.close()


def test_chains_stop_only_where_hardly_any_is_passed() -> None:
    count = {}
    for worth in (1, 1000):
        search = counted(CHAINED.format(last=""), "por", chains_stop=(20, worth))
        count[worth] = passed(search)
        search.close()
    assert count[1] > count[1000] > 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"strategy": "depth"}, "chains need a breadth-first search"),
        ({"store": "hash", "strategy": "depth"}, "chains need a breadth-first search"),
        ({"time": "ordered"}, "timed searches need the clock data of every state"),
    ],
)
def test_where_they_cannot_be_used_it_is_said(options: dict[str, object], reason: str) -> None:
    (told,) = checked(STEPS.format(last=""), **options).reductions
    assert told.why_not == reason


def test_a_state_that_an_invariant_is_about_is_kept() -> None:
    """Of five states two were kept. The chain goes on behind it."""
    result = checked(STEPS.format(last="").replace("BEGIN", "PROPERTY p = ALWAYS (i # 2); BEGIN"))
    (finding,) = result.findings
    assert (result.verdict, len(finding.steps)) == ("property", 2)
    assert [r.why_not for r in result.reductions] == [""]
    with seeded(Fault.LOOKED_AT):
        assert checked(STEPS.format(last="").replace("BEGIN", "PROPERTY p = ALWAYS (i # 2); BEGIN")).verdict == "holds"


PASS = """MODULE Pass;
TYPE C = [m(UINT8)];
PORT a, b, c : C;
VAR last : UINT8;
PROCESS Source(out : C); VAR i : UINT8; BEGIN LOOP FOR i := 1 TO 20 DO out!m(i) END END END Source;
PROCESS Through(in, out : C); VAR x : UINT8; BEGIN LOOP in?m(x); RESCHEDULE; RESCHEDULE; out!m(x) END END Through;
PROCESS Sink(in : C); BEGIN LOOP in?m(last); RESCHEDULE END END Sink;
PROPERTY small = ALWAYS (last <= 20);
PROPERTY comes = ALWAYS EVENTUALLY (last = 7);
PROPERTY never = ALWAYS (last # {bad});
BEGIN NEW(a); NEW(b); NEW(c); CREATE Source(a); CREATE Through(a, b); CREATE Through(b, c); CREATE Sink(c) END Pass.
"""


def test_properties_are_the_same_of_fewer_states() -> None:
    by = {r: checked(PASS.format(bad=99), reductions=r) for r in ((), ("por",), ("por", "chains"))}
    assert [result.states for result in by.values()] == [3_738, 1_342, 449]
    for result in by.values():
        assert {str(p["name"]): str(p["verdict"]) for p in result.properties} == dict.fromkeys(
            ("small", "comes", "never"), "holds"
        )
    liveness = [{p["name"]: p["states"] for p in result.properties}["comes"] for result in by.values()]
    assert liveness[1] == liveness[2]  # its product takes each step by itself


def test_a_counterexample_ends_within_the_chain() -> None:
    """Its replay in the program is that of a search without chains."""
    (full,), (found,) = (checked(PASS.format(bad=13), reductions=r).findings for r in ((), ("por", "chains")))
    assert (found.message, len(full.steps), len(found.steps)) == (full.message, 143, 144)


def test_which_message_is_taken_is_asked_of_single_steps() -> None:
    text = PASS.format(bad=99).replace("ALWAYS (last # 99)", "ALWAYS ~TAKEN(b.m)")
    told = checked(text, reductions=("por", "chains"))
    assert [r.why_not for r in told.reductions] == ["", "an invariant asks which message is taken"]


def test_a_saved_search_goes_on(tmp_path: object) -> None:
    file = f"{tmp_path}/saved"
    text = TWO.format(rest="p?m")
    stopped = checked(text, file=file, states=3)
    assert stopped.verdict == "inconclusive"
    whole, resumed = checked(text), checked(text, resume=file)
    assert resumed.verdict == whole.verdict == "deadlock"
    assert (resumed.states, resumed.transitions) == (whole.states, whole.transitions)
    assert resumed.findings[0].blocks == whole.findings[0].blocks


MANY = """MODULE Many;
VAR x : UINT16;
BEGIN
  x := PORTIN16(10H) MOD 2; RESCHEDULE;
  x := PORTIN16(10H) MOD 2; RESCHEDULE
END Many.
"""


def test_many_outcomes_are_not_gone_through_for_each_other() -> None:
    """Each of 65,536 leads to a state with as many: after two of these it is known that there are more than one."""
    spent = []
    for chains in (False, True):
        begin = time.process_time()
        counted(MANY, chains=chains).close()
        spent.append(time.process_time() - begin)
    assert spent[1] < 20 * spent[0]
