"""Reductions that are chosen by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.mcheck import auto
from lfc.mcheck.check import CheckOptions, CheckResult, check_program
from lfc.mcheck.reducing import AUTO
from lfc.source import Source
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
    options = CheckOptions(threads=1, reductions=(AUTO,))
    for name, value in more.items():
        setattr(options, name, value)
    return check_program(machine_of_source(Source("Counters.lf", text)), options)


def test_a_small_program_is_searched_in_full() -> None:
    result = checked(COUNTERS.format(last="a[me] := 3"))
    assert (result.verdict, result.states, result.reductions, result.sampled) == ("holds", ALL, [], 0)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "IN_FULL", 50)


@pytest.mark.usefixtures("few")
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
        assert (result.verdict, result.reason) == ("inconclusive", "the limit of states is reached (--states)")

    @pytest.mark.parametrize("more", [{"report": True}, {"search": "depth"}, {"checkpoint": "saved"}])
    def test_what_needs_every_state_gets_it(self, more: dict[str, object], tmp_path: Path) -> None:
        if "checkpoint" in more:
            more = {"checkpoint": str(tmp_path / "saved")}
        result = checked(COUNTERS.format(last="a[me] := 3"), **more)
        assert (result.states, result.reductions) == (ALL, [])
