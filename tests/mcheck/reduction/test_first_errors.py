"""What a reduction costs until the first error is found: at most twice the states of the search in full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from bench.checker.first_errors import faulty, first_error
from bench.checker.models import MODELS, NATURAL, ORDINARY
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction import choose as auto
from lfc.mcheck.reduction.in_turn import TURN
from lfc.mcheck.request.request import AUTO, request_from
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import machine_of_source

LATE = """MODULE Late;
VAR turn, count : UINT8; bad : BOOLEAN;
PROCESS Pair(me : UINT8);
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 60 DO RESCHEDULE; turn := me END
END Pair;
PROCESS Bad;
BEGIN
  {before}{last}
END Bad;
{never}
BEGIN
  {pairs}CREATE Bad
END Late.
"""
NEVER = "PROPERTY never = ALWAYS ~bad;"


def late(last: str, never: str = "", steps: int = 2, members: int = 2) -> Machine:
    pairs = "".join(f"CREATE Pair({n}); " for n in range(members))
    before = "".join(f"RESCHEDULE; count := {n}; " for n in range(steps))
    text = LATE.format(before=before, last=last, never=never, pairs=pairs)
    return machine_of_source(Source("Late.lf", text))


@dataclass(slots=True)
class Visited:
    """States of all searches that were made."""

    of_each: list[int] = field(default_factory=list)


@pytest.fixture
def visited(monkeypatch: pytest.MonkeyPatch) -> Iterator[Visited]:
    found, close = Visited(), Search.close

    def counted(search: Search) -> None:
        if search._engine:
            found.of_each.append(search.statistics.states)
        close(search)

    monkeypatch.setattr(Search, "close", counted)
    yield found


def test_a_step_that_fails_is_not_put_off() -> None:
    """The pair has thousands of states, and its two are no set that is smaller. 7,326 when another set was taken where
    one would fail."""
    machine = late("RESCHEDULE; ASSERT(count = 0)")
    assert first_error(machine, (), 10_000)[:2] == (Stop.ERROR, 36)
    assert first_error(machine, ("por",), 10_000)[:2] == (Stop.ERROR, 9)
    assert first_error(machine, ("por", "chains"), 10_000)[:2] == (Stop.ERROR, 4)


def test_where_all_errors_are_looked_for_others_still_come_first() -> None:
    """Else a set would be too small wherever one of it fails. It fails beside either last step of the pair."""
    search = request_from(keep_going=True, reductions=("por",), threads=1)
    result = check(late("RESCHEDULE; ASSERT(count = 0)"), search)
    assert (result.verdict, result.states, result.counted["faults"]) == ("assertion", 7_327, 2)


@pytest.mark.parametrize("reductions", [("por",), ("por", "chains"), ("por", "dead", "chains")])
def test_what_violates_an_invariant_is_put_off_no_longer_than_the_search_in_full_takes(
    reductions: tuple[str, ...], visited: Visited
) -> None:
    """Such a step is done last. Alone, `por` has 7,335 states before."""
    machine = late("RESCHEDULE; bad := TRUE", NEVER, steps=8)
    (full,) = (check(machine, request_from(threads=1)), visited.of_each)[1]
    visited.of_each.clear()
    result = check(machine, request_from(threads=1, reductions=reductions))
    (finding,) = result.findings
    assert (finding.message, finding.shortest) == ("`never` does not hold", True)
    assert {c.why_not for c in result.reductions if c.name == "por"} == {auto.FIRST_IN_FULL}
    assert full == 371 and full < sum(visited.of_each) <= 2 * full + TURN + 30


def test_without_an_error_the_search_in_full_changes_nothing(visited: Visited) -> None:
    result = check(late("count := 9", NEVER), request_from(threads=1, reductions=("por",)))
    along, reduced = visited.of_each
    assert (result.verdict, [c.why_not for c in result.reductions]) == ("holds", [""])
    assert result.states == reduced == 7_327 and reduced < along < 2 * reduced


def test_a_limit_of_states_is_that_of_the_search_with_reductions() -> None:
    result = check(late("count := 9", NEVER), request_from(threads=1, reductions=("por",), states=500))
    assert (result.verdict, result.reason) == ("inconclusive", "state limit reached (--states)")
    assert 500 < result.states < 800


def test_chosen_reductions_go_along_with_the_search_in_full(visited: Visited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "IN_FULL", 20_000)
    monkeypatch.setattr("lfc.mcheck.check.leaves_variables", lambda question: False)
    machine = late("RESCHEDULE; bad := TRUE", NEVER, steps=30, members=3)
    check(machine, request_from(threads=1))
    (full,) = visited.of_each
    visited.of_each.clear()
    result = check(machine, request_from(threads=1, reductions=(AUTO,)))
    (finding,) = result.findings
    assert (finding.message, finding.shortest) == ("`never` does not hold", True)
    *samples, reduced, along = visited.of_each
    assert along == full > 100_000 and reduced <= max(TURN, full - sum(samples)) + 300


SETS = [("por",), ("chains",), ("por", "dead"), ("por", "chains"), ("por", "dead", "chains"), ("sym",)]


NAMES = ["workers", "philosophers", "readers", "tokens", "keepers", "window", "leader", "sieve_loop"]


@pytest.mark.parametrize("name", NAMES)
def test_models_with_seeded_faults(name: str) -> None:
    """Here the search in full need not go along."""
    model = next(m for m in [*ORDINARY, *MODELS, *NATURAL] if m.name == name)
    for told, machine, full in faulty(model, 15_000, 2, 12):
        for reductions in SETS:
            stop, states, _ = first_error(machine, reductions, 3 * full)
            assert stop is Stop.ERROR and states <= 2 * full, (told, reductions)
