"""Depth-first, best-first and A* beside breadth-first and the explorers in Python; bounded and lossy stores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.program import generate as generate_code
from lfc.mcheck.check import check
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.run.events import positions
from lfc.run.native import host_target
from lfc.run.running import HostRun
from tests.conftest import ROOT
from tests.differential.stepwise import ROUNDS, machine_of_source
from tests.mcheck.agreement import difference_of
from tests.mcheck.searching import counts_of
from tests.mcheck.state_graph import explore as explore_slowly
from tests.support.searched import (
    ASSERTION,
    FAULT,
    example,
    machine_from,
    philosophers,
    random_machines,
    searched,
    shortest_way,
)

SEARCHES = ("depth", "best", "astar")


def test_all_searches_have_the_naive_explorers_states_on_random_programs() -> None:
    compared = failing = 0
    for seed, machine, expected in random_machines(range(2000, 2036), 300):
        compared += 1
        failing += any(expected.counts[2:4])
        for how in SEARCHES:
            limits = request_from(keep_going=True, rounds=ROUNDS, strategy=how)
            assert difference_of(machine, limits, expected) is None, (seed, how)
        if any(expected.counts[2:4]):
            with searched(machine) as (breadth, _), searched(machine, strategy="astar") as (astar, _):
                assert shortest_way(astar) <= shortest_way(breadth), seed
    assert compared >= 14 and failing >= 5


@pytest.mark.parametrize("name", ["prodcons", "semaphore", "buffer", "pingpong", "hanoi"])
@pytest.mark.parametrize("how", SEARCHES)
def test_all_searches_have_the_slow_explorers_states_on_examples(name: str, how: str) -> None:
    machine = machine_from(example(name))
    slow = explore_slowly(HostRun(generate_code(machine, host_target()), 1))
    with searched(machine, strategy=how, keep_going=True) as (search, stop):
        assert stop is Stop.COMPLETE
        assert set(search.all_blocks()) == set(slow.states)
        s = search.statistics
        assert (s.states, s.transitions) == (len(slow.states), slow.transitions)
        blocks = list(slow.states)
        servers = search.description.servers
        deadlocks = sum(  # a server may wait for ever
            any(p and not server for p, server in zip(positions(machine, blocks[n]), servers, strict=True))
            for n in slow.blocked
        )
        assert (s.faults, s.deadlocks, s.ends) == (len(slow.faults), deadlocks, len(slow.ended))


@pytest.mark.parametrize("how", SEARCHES)
def test_a_search_that_was_stopped_goes_on(how: str) -> None:
    with searched(machine_from(example("leader")), strategy=how, keep_going=True) as (whole, _):
        wanted = (whole.statistics.states, whole.statistics.transitions)
    search = Search(machine_from(example("leader")), request_from(strategy=how, keep_going=True))
    stops = 1
    while search.run(0.0) is Stop.TIME:
        stops += 1
    assert stops > 10
    assert (search.statistics.states, search.statistics.transitions) == wanted
    search.close()


# --- a store that has no room for all ---------------------------------------------------------------------------


def kinds_met(search: Search, stop: Stop) -> set[str]:
    s = search.statistics
    found = {name for name, n in (("fault", s.faults), ("deadlock", s.deadlocks)) if n}
    if stop is Stop.COMPLETE and search.find_stuck() is not None:
        found.add("stuck")
    return found


def cached(machine: Machine) -> Iterator[tuple[int, Search, Stop, set[str]]]:
    """A search with all the room it wants, then with half of it and with the larger of a quarter and 1.5 times what the
    stack needs."""
    with searched(machine, strategy="depth", keep_going=True) as (whole, stop):
        need, stack = whole.statistics.states, counts_of(whole).most_on_stack
        yield need, whole, stop, kinds_met(whole, stop)
    for room in (max(need // 2, stack + 1), max(need // 4, stack * 3 // 2)):
        with searched(machine, strategy="depth", keep_going=True, stored=room) as (less, stop):
            yield room, less, stop, kinds_met(less, stop)
            counts = counts_of(less)
            assert counts.most_stored <= room
            assert counts.at_least <= need <= counts.visits


@pytest.mark.parametrize("name", ["leader", "window", "peterson3", "semaphore", "buffer", "mutex", "prodcons"])
def test_a_bounded_store_gives_the_same_verdict_on_examples(name: str) -> None:
    kinds = []
    replaced = 0
    for _, search, stop, met in cached(machine_from(example(name))):
        assert stop is Stop.COMPLETE
        assert not search.stuck_unknown
        kinds.append(met)
        replaced += counts_of(search).replaced
    assert kinds[0] == kinds[1] == kinds[2]
    assert replaced > 0


def test_a_bounded_store_gives_the_same_verdict_on_random_programs() -> None:
    compared, stuck, replaced = 0, 0, 0
    for seed, machine, expected in random_machines(range(2100, 2130), 300):
        compared += 1
        stuck += bool(expected.stuck)
        wanted = {"fault"} if expected.counts[2] else set()
        wanted |= ({"deadlock"} if expected.counts[3] else set()) | ({"stuck"} if expected.stuck else set())
        for _, search, stop, met in cached(machine):
            assert (stop, met) == (Stop.COMPLETE, wanted), seed
            replaced += counts_of(search).replaced
    assert compared >= 10 and stuck >= 3 and replaced > 500


def test_a_stack_that_is_larger_than_the_store_is_inconclusive() -> None:
    with searched(machine_from(example("hanoi")), strategy="depth", stored=8) as (search, stop):
        assert stop is Stop.MEMORY
        assert search.statistics.states < 17


def test_bounds_are_told_instead_of_a_count() -> None:
    result = check(machine_from(example("leader")), request_from(strategy="depth", memory=3 << 20))
    assert result.verdict == "holds"
    assert result.walked is not None and not result.walked.counted
    assert result.walked.at_least < 51035 < result.walked.at_most == result.walked.visits


# --- towards an error -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "towards"),
    [
        (philosophers(3), "deadlock"),
        (philosophers(4), "any"),
        (philosophers(5), "deadlock"),
        (ASSERTION, "assertion"),
        (ASSERTION, "any"),
        (FAULT, "fault"),
    ],
)
def test_best_first_expands_less_than_breadth_first_and_astar_finds_a_shortest_way(text: str, towards: str) -> None:
    machine = machine_from(text)
    with searched(machine) as (breadth, stop):
        assert stop is Stop.ERROR
        length, expanded = shortest_way(breadth), breadth.statistics.expanded
    with searched(machine, strategy="best", towards=towards) as (best, stop):
        assert stop is Stop.ERROR
        assert best.statistics.expanded < expanded
    with searched(machine, strategy="astar", towards=towards) as (astar, stop):
        assert stop is Stop.ERROR
        assert astar.statistics.expanded <= expanded
        assert shortest_way(astar) == length


def faulty_examples() -> Iterator[tuple[str, Machine, int, int]]:
    """The examples in which a breadth-first search finds an error, with what it expands and the shortest way."""
    for file in [*sorted((ROOT / "examples").glob("*.lf")), *sorted((ROOT / "examples" / "models").glob("*.lf"))]:
        if file.name == "traffic_env.lf":  # a part of `traffic.lf`
            continue
        machine = machine_from(file.read_text())
        with searched(machine, states=60_000) as (breadth, stop):
            if stop is Stop.ERROR:
                yield file.stem, machine, breadth.statistics.expanded, shortest_way(breadth)


def test_best_first_expands_less_than_breadth_first_on_every_faulty_example() -> None:
    """Philosophers have too many states for a quick look in that way; they have tests of their own."""
    faulty = []
    for name, machine, expanded, length in faulty_examples():
        faulty.append(name)
        with searched(machine, strategy="best") as (best, stop):
            assert stop is Stop.ERROR
            assert best.statistics.expanded < expanded, name
            assert shortest_way(best) == length, name
    assert faulty == ["peterson_safe", "tcp"]
    with searched(machine_from(example("philosophers")), strategy="best") as (best, stop):
        assert stop is Stop.ERROR
        assert (best.statistics.expanded, shortest_way(best)) == (22, 21)  # breadth-first 185,338


def test_sixteen_philosophers_deadlock_within_a_hundred_states() -> None:
    """Each of n takes part in four steps, after one that creates them all: shown to be the least for 3, 4 and 5."""
    for n in (3, 4, 5):
        with searched(machine_from(philosophers(n))) as (breadth, _):
            assert shortest_way(breadth) == 4 * n + 1
    with searched(machine_from(philosophers(16)), strategy="best") as (best, stop):
        assert stop is Stop.ERROR
        assert best.statistics.expanded < 100
        assert shortest_way(best) == 4 * 16 + 1


def test_a_way_that_was_found_depth_first_is_made_shorter() -> None:
    with searched(machine_from(philosophers(5)), strategy="depth") as (search, _):
        before = shortest_way(search)
        search.exploration.shorten(0)
        assert shortest_way(search) == 21 < before


@pytest.mark.parametrize("how", ["depth", "best", "astar"])
@pytest.mark.parametrize(("text", "kind"), [(philosophers(4), "deadlock"), (ASSERTION, "assertion"), (FAULT, "fault")])
def test_a_violation_is_told_by_each_search(text: str, kind: str, how: str) -> None:
    """Each way is replayed before it is told."""
    result = check(machine_from(text), request_from(strategy=how))
    assert result.verdict == kind
    assert result.findings[0].shortest == (how == "astar")


SOON_AND_LATER = """MODULE SoonAndLater;
TYPE Ch = [m];
PORT a, b : Ch;
PROCESS Soon; BEGIN a?m END Soon;
PROCESS Later; VAR i : INTEGER; BEGIN FOR i := 1 TO 3 DO RESCHEDULE END; b?m END Later;
PROCESS Runs; BEGIN LOOP RESCHEDULE END END Runs;
BEGIN NEW(a); NEW(b); CREATE Soon; CREATE Later; CREATE Runs END SoonAndLater.
"""


@pytest.mark.parametrize("how", ["breadth", "astar"])
def test_the_way_to_the_most_stuck_processes_is_not_called_the_shortest(how: str) -> None:
    """After two steps one process waits for ever; after six steps two do, which is what is told."""
    result = check(machine_from(SOON_AND_LATER), request_from(strategy=how))
    assert result.verdict == "partial-deadlock"
    assert len(result.findings[0].steps) == 6
    assert not result.findings[0].shortest


def test_an_entry_of_the_stack_takes_16_bytes_and_12_for_each_successor_that_is_left() -> None:
    with searched(machine_from(example("window")), strategy="depth", states=3000) as (search, stop):
        s = search.statistics
        assert stop is Stop.STATES
        assert (s.states, counts_of(search).most_on_stack, s.frontier_bytes) == (3074, 583, 583 * 16 + 645 * 12)


# --- stores that may take states for others ------------------------------------------------------------------------


@pytest.mark.parametrize("lossy", ["hash", "bitstate"])
def test_lossy_stores_find_what_is_there_and_prove_nothing(lossy: str) -> None:
    result = check(machine_from(example("window")), request_from(strategy="depth", store=lossy, memory=64 << 20))
    assert result.verdict == "inconclusive" and "not a proof" in result.reason
    assert (result.states, result.transitions) == (32912, 109706)
    assert result.walked is not None and 0 < result.walked.omission < 1e-3
    found = check(machine_from(philosophers(4)), request_from(strategy="depth", store=lossy, memory=64 << 20))
    assert found.verdict == "deadlock"


def test_few_bits_omit_states_and_say_so() -> None:
    with searched(machine_from(example("window")), store="bitstate", stored=2000) as (search, stop):
        assert stop is Stop.COMPLETE
        assert search.statistics.states < 32912 and counts_of(search).omitted > 100


def test_a_field_of_bits_is_made_when_hashes_would_take_a_quarter_of_it() -> None:
    machine = machine_from(example("leader"))
    with searched(machine, store="bitstate", stored=1 << 20) as (search, _):
        s, by_hash = search.statistics, counts_of(search).omitted
        assert (s.states, s.table_bytes) == (51035, 454_520) and 0 < by_hash < 1e-9
    with searched(machine, store="bitstate", stored=1 << 19) as (search, _):  # of a megabyte
        s = search.statistics
        assert (s.states, s.table_bytes) == (51035, 1 << 20) and counts_of(search).omitted > by_hash


def test_hashes_take_about_eight_bytes_a_state() -> None:
    with searched(machine_from(example("leader")), store="hash") as (search, _):
        s = search.statistics
        assert s.states == 51035
        assert s.table_bytes < 12 * s.states


OFTEN = """MODULE Often;
VAR a, b, far : UINT8;
PROCESS P(VAR v : UINT8);
BEGIN
  LOOP v := v + 1; RESCHEDULE; ASSERT(v # 7) END
END P;
PROCESS Q;
BEGIN
  WHILE far < 120 DO INC(far); RESCHEDULE END;
  ASSERT(FALSE)
END Q;
BEGIN
  CREATE P(a); CREATE P(b); CREATE Q
END Often.
"""


@pytest.mark.parametrize("search", ["breadth", "depth", "best", "astar", "contexts"])
def test_who_keeps_going_counts_all_errors(search: str) -> None:
    """However many there are before one at another place."""
    options = request_from(keep_going=True, threads=1, strategy=search)
    options = options.changed(bounds=SearchBounds(contexts=1000 if search == "contexts" else None))
    result = check(machine_of_source(Source("Often.lf", OFTEN)), options)
    assert result.counted["faults"] > 1000
    assert sorted(f.span.line for f in result.findings) == [5, 10]
