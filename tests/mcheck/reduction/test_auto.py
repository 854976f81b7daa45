"""Reductions that are chosen by themselves."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from bench.checker.compiled import compiled
from bench.checker.models import Model
from bench.checker.scaling import clients_and_servers
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction import choose as auto
from lfc.mcheck.request.request import AUTO, request_from
from lfc.mcheck.request.world import Data
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.worker_thread import Shown
from tests.differential.stepwise import machine_of_source

COUNTERS = """MODULE Counters;
VAR i : UINT8; a : ARRAY 4 OF UINT8;
PROCESS Count(me : UINT8);
BEGIN
  a[me] := 1; RESCHEDULE;
  a[me] := 2; RESCHEDULE;
  {last}
END Count;
BEGIN
  FOR i := 0 TO 3 DO CREATE Count(i) END
END Counters.
"""
ALL = 4**4 + 1  # and the state before the initialisation


def checked(text: str, **more: object) -> CheckResult:
    options = request_from(threads=1, reductions=(AUTO,)).changed(**more)
    return check(machine_of_source(Source("Counters.lf", text)), options)


def test_a_small_program_is_searched_in_full() -> None:
    result = checked(COUNTERS.format(last="a[me] := 3"))
    assert (result.verdict, result.states, result.reductions, result.sampled) == ("holds", ALL, [], 0)


READS = """MODULE Reads;
PROCESS Read;
VAR s, d : UINT8;
BEGIN
  LOOP RESCHEDULE; s := PORTIN(40H); IF ODD(s) THEN d := PORTIN(41H) END END
END Read;
BEGIN
  CREATE Read
END Reads.
"""


def test_where_inputs_make_many_steps_of_few_states_reductions_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """In full it has 65,538 states, and 107 million transitions: each state has the values that were read last."""
    monkeypatch.setattr(auto, "STEPS_IN_FULL", 300_000)
    result = checked(READS, data=Data.EXPLICIT)
    assert (result.verdict, result.states) == ("holds", 3)
    assert [r.name for r in result.reductions if not r.why_not] == ["slice"]  # then nothing more is needed
    assert 3 < result.sampled <= 65_538


def test_a_limit_of_states_counts_where_there_are_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "STEPS_IN_FULL", 300_000)
    result = checked(READS, states=100)
    assert (result.verdict, result.reductions) == ("inconclusive", [])


def test_chains_are_tried_with_what_leaves_few_orders() -> None:
    """SPIN keeps 117 states of it."""
    machine = compiled(Model("leader election 8", "ring", {"N": 8}).lf())
    result = check(machine, request_from(threads=1, reductions=(AUTO,)))
    assert [r.name for r in result.reductions if not r.why_not] == ["por", "chains"]
    assert result.states < 50


@pytest.mark.parametrize(
    ("name", "constants", "names", "states"),
    [
        ("workers", {"N": 6}, ["por", "dead", "chains", "sym"], 60),
        ("workers", {"N": 10}, ["por", "chains"], 1_279),
        ("readers", {"N": 8}, ["por", "dead", "chains", "sym"], 11),
        ("sieve_loop", {"LAST": 60, "FILTERS": 17}, ["por", "chains"], 156),
        ("tokens", {"N": 10}, ["por", "chains"], 757),
    ],
)
def test_of_sets_that_leave_few_states_the_best_is_used(
    name: str, constants: dict[str, int], names: list[str], states: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of Milner's scheduler with six workers `por,chains` leaves 90, of readers and writers 265. With ten all leave
    960, but a verdict takes longer then, and longer than SPIN's. The sieve is not tried with sets of values: that takes
    five seconds."""
    monkeypatch.setattr(auto, "MOST_SECONDS", 600.0)
    machine = compiled(Model(name, name, constants).lf())
    result = check(machine, request_from(threads=1, reductions=(AUTO,)))
    assert [r.name for r in result.reductions if not r.why_not] == names
    assert (result.verdict, result.states, result.symbolic) == ("holds", states, None)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "IN_FULL", 50)


@pytest.fixture
def without_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is claimed of the variables of these programs, so that a slice would be all that is left of them."""
    monkeypatch.setattr("lfc.mcheck.check.leaves_variables", lambda question: False)


@pytest.mark.usefixtures("few")
@pytest.mark.usefixtures("without_slice")
class TestLarge:
    def test_what_helps_is_used(self) -> None:
        result = checked(COUNTERS.format(last="a[me] := 3"))
        assert result.verdict == "holds"
        assert result.states < 20
        assert result.sampled > 50
        assert [r.name for r in result.reductions if not r.why_not] == ["por", "chains"]

    def test_where_nothing_helps_the_search_goes_on(self) -> None:
        text = COUNTERS.format(last="a[0] := 3").replace("a[me]", "a[a[0] MOD 4]")
        result = checked(text)
        full = checked(text, reductions=())
        assert (result.states, result.transitions) == (full.states, full.transitions)
        assert result.sampled > 50
        assert all(r.why_not for r in result.reductions)

    @pytest.mark.parametrize(("is_read", "used"), [(True, []), (False, ["dead"])])
    def test_dead_variables_alone_must_be_worth_a_new_search(self, is_read: bool, used: list[str]) -> None:
        """Each has seen whether an even number came before it, and forgets it."""
        text = COUNTERS.format(last="a[0] := k").replace("Count(me : UINT8);", "Count(me : UINT8); VAR k : UINT8;")
        text = text.replace("a[me] := 1", "k := a[0] + me; a[0] := (a[0] + 1) MOD 2").replace("a[me]", "a[0]")
        result = checked(text if is_read else text.replace("a[0] := k\n", "k := 0; a[0] := k\n"))
        assert result.verdict == "holds"
        assert [r.name for r in result.reductions if not r.why_not] == used

    def test_an_error_is_told_with_a_shortest_way(self) -> None:
        result = checked(COUNTERS.format(last="ASSERT(a[0] + a[1] + a[2] < 6)"))
        (finding,) = result.findings
        assert (finding.kind, finding.shortest) == ("assertion", True)
        assert len(finding.steps) == 1 + 3 * 2 + 1

    def test_an_error_that_is_too_far_for_a_search_in_full(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(auto, "AFTER_ERROR", 60)
        result = checked(COUNTERS.format(last="ASSERT(a[0] + a[1] + a[2] < 6)"))
        (finding,) = result.findings
        assert (finding.kind, finding.shortest) == ("assertion", False)

    def test_a_limit_below_is_kept(self) -> None:
        result = checked(COUNTERS.format(last="a[me] := 3"), states=20)
        assert (result.verdict, result.sampled) == ("inconclusive", 0)

    def test_a_limit_above_is_kept(self) -> None:
        text = COUNTERS.format(last="a[0] := 3").replace("a[me]", "a[a[0] MOD 4]")
        result = checked(text, states=60)
        assert (result.verdict, result.reason) == ("inconclusive", "state limit reached (--states)")

    def test_what_has_been_searched_counts_when_the_time_is_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Else a new search would begin with no time left, and come no further than some states."""
        choose = auto.choose

        def slowly(*arguments: Any) -> None:
            choose(*arguments)
            time.sleep(1)

        monkeypatch.setattr(auto, "choose", slowly)
        result = checked(COUNTERS.format(last="a[me] := 3"), seconds=1)
        assert result.states > 50
        assert "time limit reached first" in {r.why_not for r in result.reductions}
        assert all(r.why_not for r in result.reductions)

    @pytest.mark.parametrize("more", [{"report": True}, {"strategy": "depth"}, {"file": "saved"}])
    def test_what_needs_every_state_gets_it(self, more: dict[str, object], tmp_path: Path) -> None:
        if "file" in more:
            more = {"file": str(tmp_path / "saved")}
        result = checked(COUNTERS.format(last="a[me] := 3"), **more)
        assert (result.states, result.reductions) == (ALL, [])


def used(result: CheckResult) -> list[str]:
    return [r.name for r in result.reductions if not r.why_not]


@pytest.mark.usefixtures("without_slice")
class TestSymmetry:
    @pytest.fixture(autouse=True)
    def fewer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(auto, "IN_FULL", 5_000)
        monkeypatch.setattr(auto, "SAMPLE", 2_000)
        monkeypatch.setattr(auto, "FIRST_SAMPLE", 200)

    def test_instances_that_are_the_same_are_exchanged(self) -> None:
        result = checked(clients_and_servers(3))
        assert "sym" in used(result) and result.verdict == "holds"
        assert result.states <= 1003

    def test_it_is_left_when_the_search_would_go_to_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "sym" in used(checked(clients_and_servers(3), spill=str(tmp_path)))
        run = auto.run

        def with_little_memory(search: Search, shown: Shown, seconds: float) -> Stop:
            stop = run(search, shown, seconds)
            return Stop.MEMORY if search.exchanges else stop

        monkeypatch.setattr(auto, "run", with_little_memory)
        result = checked(clients_and_servers(3), spill=str(tmp_path))
        assert result.verdict == "holds" and "sym" not in used(result)
        assert [r.why_not for r in result.reductions if r.name == "sym"] == [auto.NOT_ON_DISK]

    def test_with_what_else_helps(self) -> None:
        """What nobody reads tells the instances apart, but for `dead`."""
        text = clients_and_servers(3).replace("PROCESS Client;", "PROCESS Client(me : UINT8);")
        text = text.replace("CREATE Client", "CREATE Client(i)")
        result = checked(text)
        assert {"dead", "sym"} <= set(used(result)) and result.verdict == "holds"
        assert result.states <= 1003

    def test_numbers_that_are_never_the_same_are_left(self) -> None:
        text = COUNTERS.format(last="a[0] := 3").replace("a[me]", "a[a[0] MOD 4]").replace("4 OF", "8 OF")
        text = text.replace("PROCESS Count(me : UINT8);", "PROCESS Count(me : UINT8); VAR k : UINT8;")
        text = text.replace("a[0] := 3", "k := me; RESCHEDULE; a[k MOD 4] := k; RESCHEDULE; a[me] := 3")
        result = checked(text.replace("TO 3", "TO 5"))
        assert result.sampled and "sym" not in used(result)
        assert next(r for r in result.reductions if r.name == "sym").why_not == "it saved too little in 2000 states"

    def test_an_error_has_a_shortest_way(self) -> None:
        text = clients_and_servers(3).replace("server!ask", "server!ask; asked := (asked + 1) MOD 8; ASSERT(asked # 6)")
        text = text.replace("VAR i", "VAR asked, i")
        (found,), (full,) = checked(text).findings, checked(text, reductions=()).findings
        assert len(found.steps) == len(full.steps)

    def test_properties_are_looked_for_with_it_or_without(self) -> None:
        text = clients_and_servers(3).replace("BEGIN\n  NEW(pool)", f"{PROPERTIES}BEGIN\n  NEW(pool)")
        result = checked(text)
        assert "sym" in used(result)
        assert [(p["name"], p["verdict"]) for p in result.properties] == [("p", "holds"), ("q", "property")]
        assert int(str(result.properties[0]["states"])) <= 1003
        assert [list(r.not_for) for r in result.reductions if r.name == "sym"] == [["q"]]


PROPERTIES = """PROPERTY p = ALWAYS (i < 5);
PROPERTY q = ALWAYS EVENTUALLY READY(Client[1]);
"""
