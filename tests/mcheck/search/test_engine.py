"""The engine against the reference's figures and the naive explorer: the same states, transitions and errors."""

from __future__ import annotations

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from tests.conftest import ROOT
from tests.differential.stepwise import ROUNDS, machine_of, machine_of_source
from tests.generate.general.program import Profile, generate
from tests.mcheck.agreement import compare_with_the_naive_explorer
from tests.support.sized_programs import LARGE, senders, walkers

EXPLORED = Profile(size=1, small=True, inputs=False, interrupts=False, time=True)


def searched(text: str, **limits: object) -> Search:
    search = Search(machine_of_source(Source("Program.lf", text)), request_from(keep_going=True, **limits))
    assert search.run() is Stop.COMPLETE
    return search


@pytest.mark.parametrize(("n", "states", "transitions"), [(4, 113, 465), (5, 307, 1563), (6, 857, 5201)])
@pytest.mark.parametrize("remember", [True, False])
def test_figures_of_the_language_reference(n: int, states: int, transitions: int, remember: bool) -> None:
    search = searched(senders(n), remember=remember)
    assert (search.statistics.states, search.statistics.transitions) == (states, transitions)
    assert states == 3**n + 2 ** (n + 1)
    search.close()


@pytest.mark.parametrize(("k", "n"), [(3, 3), (4, 2), (5, 5)])
def test_independent_processes(k: int, n: int) -> None:
    """(n + 1)^k states, and the initial one."""
    assert searched(walkers(k, n)).statistics.states == (n + 1) ** k + 1


@pytest.mark.parametrize("name", ["prodcons", "semaphore", "buffer", "calls", "pingpong", "peterson2", "hanoi"])
def test_examples_have_the_naive_explorers_states(name: str) -> None:
    assert compare_with_the_naive_explorer((ROOT / "examples" / f"{name}.lf").read_text()) is not None


def test_random_programs_have_the_naive_explorers_states() -> None:
    compared = [compare_with_the_naive_explorer(generate(seed, EXPLORED).text, 1000) for seed in range(900, 925)]
    kinds = [k for k in compared if k is not None]
    assert len(kinds) >= 10
    assert any("deadlock" in k for k in kinds) and set() in kinds


def test_interrupts_come_between_any_two_actions() -> None:
    profile = Profile(size=1, small=True, inputs=False, interrupts=True, time=True)
    compared = [compare_with_the_naive_explorer(generate(seed, profile).text, 1000) for seed in range(40, 52)]
    assert sum(k is not None for k in compared) >= 4


def test_a_pending_interrupt_beside_a_partner_is_one_transition() -> None:
    text = """MODULE T; IMPORT SYSTEM; TYPE C = [m]; PORT p : C; VAR n : UINT8;
PROCESS S; BEGIN LOOP p!m END END S;
BEGIN NEW(p); CREATE S; LOOP SELECT WHEN SYSTEM.INT[2]?INTERRUPT THEN n := 1 WHEN p?m THEN n := 0 END END END T."""
    assert compare_with_the_naive_explorer(text) is not None


@pytest.mark.parametrize(("name", "states", "transitions"), [("leader", 51035, 249734), ("window", 32912, 109706)])
def test_pinned_counts(name: str, states: int, transitions: int) -> None:
    search = Search(machine_of(ROOT / "examples" / f"{name}.lf"), request_from(keep_going=True))
    assert search.run() is Stop.COMPLETE
    assert (search.statistics.states, search.statistics.transitions) == (states, transitions)
    assert search.find_stuck() is None
    search.close()


def test_limits_stop_the_search_and_it_goes_on() -> None:
    search = Search(machine_of(ROOT / "examples" / "leader.lf"), request_from(states=1000))
    assert search.run() is Stop.STATES
    assert search.statistics.states > 1000
    search.close()
    search = Search(machine_of(ROOT / "examples" / "leader.lf"), request_from())
    assert search.run(seconds=0.0) is Stop.TIME
    while search.run() is Stop.TIME:
        pass
    assert search.statistics.states == 51035
    search.close()


def test_the_limit_of_memory_holds_for_large_values_too() -> None:
    """Each state has a value of 40,000 bytes of its own."""
    search = Search(machine_of_source(Source("Large.lf", LARGE)), request_from(states=4000, memory=8 << 20))
    assert search.run() is Stop.MEMORY
    search.close()


THREADS = [(1, 4096), (2, 1), (3, 1)]  # how many, and from which size of a level on


@pytest.mark.parametrize("name", ["prodcons", "philosophers", "hanoi"])
def test_threads_find_the_same(name: str) -> None:
    machine = machine_of(ROOT / "examples" / f"{name}.lf")
    assert len({found_with(machine, threads, least) for threads, least in THREADS}) == 1


def test_threads_find_the_same_in_random_programs() -> None:
    texts = [generate(seed, EXPLORED).text for seed in range(300, 316)]
    compared = errors = 0
    for text in texts:
        machine = machine_of_source(Source("Program.lf", text))
        found = {found_with(machine, threads, least) for threads, least in THREADS}
        if None in found:
            continue
        assert len(found) == 1
        compared += 1
        errors += bool(found.pop()[3])  # type: ignore[index]
    assert compared >= 8 and errors >= 3


def found_with(machine: Machine, threads: int, least_shared: int) -> tuple[object, ...] | None:
    """All that a search says, errors with the state they happen in; None if there are too many states."""
    limits = request_from(states=20000, keep_going=True, rounds=ROUNDS, threads=threads, least_shared=least_shared)
    search = Search(machine, limits)
    try:
        if search.run() is not Stop.COMPLETE:
            limited = search.statistics.states > 20000
            assert limited
            return None
        s = search.statistics
        states = sorted(search.all_blocks())
        errors = tuple(
            (e.kind, e.fault_kind, e.fault_site, e.slot, e.depth, search.blocks_to(e.state)[-1])
            for e in search.errors()
        )
        assert all(len(search.blocks_to(e.state)) == e.depth + 1 for e in search.errors())
        stuck = search.find_stuck()
        where = None if stuck is None else (len(search.blocks_to(stuck[0])), len(stuck[1]))
        return (s.states, s.transitions, (s.faults, s.deadlocks, s.ends), errors, where, s.depth, tuple(states))
    finally:
        search.close()


def test_a_closed_clause_of_time_lets_nobody_go() -> None:
    """Its guard was false when the wait began: nothing ever comes, as both explorers say."""
    text = """MODULE M; IMPORT Clock; TYPE T = [a]; PORT p : T; VAR x : INTEGER;
PROCESS P; BEGIN SELECT WHEN Clock.After(5) & (x = 1) THEN WHEN p?a THEN END END P;
BEGIN NEW(p); CREATE P END M.
"""
    assert compare_with_the_naive_explorer(text) == {"deadlock"}
    assert compare_with_the_naive_explorer(text.replace("x = 1", "x = 0")) == set()


def test_an_interrupt_behind_a_false_guard_lets_nobody_go() -> None:
    text = """MODULE M; IMPORT SYSTEM; VAR open : BOOLEAN; n : UINT8;
PROCESS Waits; BEGIN SELECT WHEN SYSTEM.INT[1]?INTERRUPT & (open) THEN END END Waits;
PROCESS Goes; BEGIN LOOP RESCHEDULE; n := (n + 1) MOD 3 END END Goes;
BEGIN open := FALSE; CREATE Waits; CREATE Goes END M.
"""
    assert compare_with_the_naive_explorer(text) == {"partial-deadlock"}
    assert compare_with_the_naive_explorer(text.replace("open := FALSE", "open := TRUE")) == set()


def test_a_closed_clause_of_a_process_that_was_called() -> None:
    """Its frame lies where the record says."""
    text = """MODULE M; IMPORT Clock; TYPE T = [a]; PORT p : T; VAR x : INTEGER;
PROCESS Wait(depth : INTEGER) MAX 3;
BEGIN
  IF depth > 0 THEN Wait(depth - 1) ELSE
    SELECT WHEN Clock.After(5) & (x = 1) THEN WHEN p?a THEN END
  END
END Wait;
PROCESS P(depth : INTEGER); BEGIN Wait(depth) END P;
BEGIN NEW(p); CREATE P(0); CREATE P(2) END M.
"""
    assert compare_with_the_naive_explorer(text) == {"deadlock", "partial-deadlock"}
    assert compare_with_the_naive_explorer(text.replace("x = 1", "x = 0")) == set()
