"""Counts that others have published, or that are known: leader election, queens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.codegen.program import generate
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.run.events import actions_of, ready_slots
from lfc.run.native import host_target
from lfc.run.running import HostRun
from tests.differential.stepwise import machine_of_source
from tests.mcheck.state_graph import explore

FOLDER = Path(__file__).resolve().parent.parent / "models"
LEADER = {3: (69, 126), 4: (240, 588), 5: (870, 2693), 6: (3213, 12013), 7: (11949, 52310)}
LANGUAGE_ADDS = 4  # states, and transitions between them, whatever n is


@contextmanager
def searched(name: str, n: int) -> Iterator[Search]:
    text, found = re.subn(r"\bN = \d+;", f"N = {n};", (FOLDER / f"{name}.lf").read_text())
    assert found == 1
    search = Search(machine_of_source(Source(f"{name}.lf", text)), request_from(keep_going=True))
    try:
        assert search.run() is Stop.COMPLETE
        yield search
    finally:
        search.close()


def looks_in_vain(search: Search) -> int:
    """Transitions that change nothing: a node finds its queue empty and looks again. A net has none of these."""
    run = HostRun(generate(search.machine, host_target()), 1)
    return sum(
        event.block == block
        for block in search.all_blocks()
        for slot in ready_slots(search.machine, block)
        for event in actions_of(run, block, slot)
    )


@pytest.mark.parametrize(
    "n", [3, 4, 5, pytest.param(6, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.slow)]
)
def test_leader_election_has_the_published_counts(n: int) -> None:
    states, transitions = LEADER[n]
    with searched("leader_net", n) as search:
        s = search.statistics
        assert s.states == states + LANGUAGE_ADDS
        assert s.transitions - looks_in_vain(search) == transitions + LANGUAGE_ADDS
        assert (s.ends, s.deadlocks, s.faults) == (1, 0, 0)


@pytest.mark.parametrize(("n", "solutions"), [(8, 92), (10, 724), pytest.param(12, 14_200, marks=pytest.mark.slow)])
def test_queens_are_end_states(n: int, solutions: int) -> None:
    with searched("queens", n) as search:
        assert search.statistics.ends == solutions
        assert search.find_stuck() is None


def test_the_reference_finds_the_same_queens() -> None:
    with searched("queens", 6) as search:
        found = explore(HostRun(generate(search.machine, host_target()), 1))
        assert len(found.ended) == search.statistics.ends == 4
        assert (len(found.states), found.transitions) == (search.statistics.states, search.statistics.transitions)
