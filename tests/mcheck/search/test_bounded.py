"""Searches that are bounded in steps or in switches between processes, random walks and swarms."""

from __future__ import annotations

import json
from collections import deque
from contextlib import closing

import pytest

from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate as generate_code
from lfc.mcheck.check import check
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from lfc.run.events import actions_of, ready_slots
from lfc.run.native import host_target
from lfc.run.running import HostRun
from tests.conftest import ROOT
from tests.generate.general.program import Profile, generate
from tests.mcheck.searching import counts_of
from tests.mcheck.state_graph import explore as explore_slowly
from tests.support.searched import ASSERTION, FAULT, example, machine_from, philosophers, searched

INDEPENDENT = """MODULE Apart;
PROCESS P; VAR i : INTEGER; BEGIN FOR i := 1 TO 3 DO RESCHEDULE END END P;
BEGIN CREATE P; CREATE P; CREATE P END Apart.
"""


def checked(text: str, search: str = "breadth", **more: object) -> CheckResult:
    bounds = SearchBounds(**{k: more.pop(k) for k in list(more) if k in SearchBounds.__slots__})  # type: ignore[arg-type]
    options = request_from(strategy=search, bounds=bounds, threads=1, **more)
    return check(machine_from(text), options)


# --- switches -----------------------------------------------------------------------------------------------------


def fewest_switches(machine: Machine, most_pairs: int) -> tuple[dict[bytes, int], int | None] | None:
    """Of each state with how few switches it is reached; with how few an action faults. None: it is too large."""
    run = HostRun(generate_code(machine, host_target()), 1)
    done: dict[tuple[bytes, int], int] = {}
    states: dict[bytes, int] = {}
    fault: int | None = None
    queue = deque([(run.block, -1, 0)])
    while queue:
        block, last, switches = queue.popleft()
        if (block, last) in done:
            continue
        done[block, last] = switches
        states.setdefault(block, switches)
        if len(done) > most_pairs:
            return None
        for slot in ready_slots(machine, block):
            then = switches + int(last not in (-1, slot))
            for event in actions_of(run, block, slot):
                if event.fault is not None:
                    fault = then if fault is None else min(fault, then)
                elif then == switches:
                    queue.appendleft((event.block, slot, then))
                else:
                    queue.append((event.block, slot, then))
    return states, fault


def agree(machine: Machine, most_pairs: int = 6000) -> int | None:
    """The states with each bound are those of a naive search. With how few switches all are reached."""
    naive = fewest_switches(machine, most_pairs)
    if naive is None:
        return None
    states, fault = naive
    most = max(states.values())
    for bound in sorted({0, 1, most // 2, most}):
        bounds = SearchBounds(contexts=bound)
        limits: dict[str, object] = {"strategy": "contexts", "keep_going": True, "bounds": bounds}
        with searched(machine, **limits) as (search, stop):
            assert set(search.all_blocks()) == {b for b, n in states.items() if n <= bound}
            assert stop in (Stop.BOUND, Stop.COMPLETE)
            assert bool(search.statistics.faults) == (fault is not None and fault <= bound)
    with searched(machine, strategy="contexts", keep_going=True) as (search, stop):
        assert stop is Stop.COMPLETE
        slow = explore_slowly(HostRun(generate_code(machine, host_target()), 1))
        s = search.statistics
        assert (s.states, s.expanded, s.transitions) == (len(slow.states), len(slow.states), slow.transitions)
        assert s.faults == len(slow.faults)
    if fault is not None:
        with searched(machine, strategy="contexts") as (search, stop):
            kinds = {e.kind for e in search.errors()}
            assert stop is Stop.ERROR
            assert kinds != {1} or counts_of(search).contexts == fault
    return most


def test_states_within_so_many_switches_are_those_of_a_naive_search() -> None:
    assert agree(machine_from(INDEPENDENT)) == 3
    assert agree(machine_from(ASSERTION)) is not None
    assert agree(machine_from(example("hanoi"))) is not None
    assert agree(machine_from(example("semaphore")), 30_000) is not None


def test_switches_of_random_programs() -> None:
    compared = 0
    for seed in range(3000, 3014):
        profile = Profile(size=1, small=True, inputs=False, interrupts=False, time=False)
        machine = machine_from(generate(seed, profile).text)
        compared += agree(machine, 400) is not None
    assert compared >= 4


def test_a_bound_of_switches_is_no_proof_until_nothing_more_is_found() -> None:
    result = checked(example("window"), "contexts", contexts=25)
    assert result.verdict == "inconclusive"
    assert result.reason == "no error within 25 switches from one process to another (--contexts), which is no proof"
    result = checked(example("window"), "contexts", contexts=26)
    assert (result.verdict, result.states, result.transitions) == ("holds", 32912, 109706)
    assert result.walked is not None
    assert result.walked.more == {"contexts": {"switches": 26, "complete": True}}


def test_an_error_has_the_fewest_switches() -> None:
    for n, switches in ((3, 9), (4, 12)):
        result = checked(philosophers(n), "contexts")
        assert result.verdict == "deadlock"
        assert result.walked is not None
        assert result.walked.more == {"contexts": {"switches": switches, "complete": False}}
        less = checked(philosophers(n), "contexts", contexts=switches - 1)
        assert less.verdict == "inconclusive"
    assert checked(ASSERTION, "contexts").verdict == "assertion"
    assert checked(FAULT, "contexts").verdict == "fault"


def test_stuck_processes_are_found_when_all_switches_have_been_tried() -> None:
    stuck = """MODULE Stuck; TYPE C = [m]; PORT c : C;
PROCESS Wait; BEGIN c?m END Wait;
PROCESS Go; BEGIN LOOP RESCHEDULE END END Go;
BEGIN NEW(c); CREATE Wait; CREATE Go END Stuck.
"""
    kinds = {how: checked(stuck, how).verdict for how in ("breadth", "contexts")}
    assert kinds["breadth"] == kinds["contexts"] == "partial-deadlock"


# --- steps --------------------------------------------------------------------------------------------------------


def test_states_further_away_than_the_bound_are_not_looked_at() -> None:
    """The deadlock of four philosophers is 17 steps away."""
    assert checked(philosophers(4), depth=17).verdict == "deadlock"
    result = checked(philosophers(4), depth=16)
    assert (result.verdict, result.reason) == ("inconclusive", "no error within 16 steps (--depth), which is no proof")
    assert checked(example("prodcons"), depth=205).verdict == "holds"
    assert checked(example("prodcons"), depth=204).verdict == "inconclusive"


def test_the_states_of_each_depth() -> None:
    counts = []
    for depth in range(4):
        with searched(machine_from(INDEPENDENT), bounds=SearchBounds(depth=depth)) as (search, stop):
            assert stop is Stop.BOUND
            counts.append((search.statistics.expanded, search.statistics.states))
    assert counts == [(1, 2), (2, 5), (5, 11), (11, 21)]


# --- by chance ----------------------------------------------------------------------------------------------------


def test_random_walks_are_repeated_by_their_seed() -> None:
    runs = [checked(example("window"), "random", seed=seed, steps=50_000) for seed in (1, 1, 2)]
    told = [(r.walked.visits, r.walked.at_least, r.transitions) for r in runs if r.walked is not None]
    assert told[0] == told[1] != told[2]
    assert all(r.verdict == "inconclusive" and "no proof" in r.reason for r in runs)


def test_a_sketch_tells_about_how_many_states_there_are() -> None:
    """Searches that end have met them all; the sketch is right to within three percent."""
    for name, states in (("buffer", 345), ("semaphore", 1382), ("pingpong", 605), ("leader", 51035)):
        result = checked(example(name), "swarm", searches=1, memory=4 << 20)
        assert result.walked is not None
        assert abs(result.walked.at_least - states) <= 0.03 * states, name


def test_a_walk_begins_anew_after_so_many_steps_and_where_nothing_goes_on() -> None:
    result = checked(example("leader"), "random", steps=10_000, depth=50)
    assert result.walked is not None
    assert result.depth == 50 and int(str(result.walked.more["walks"])) >= 10_000 // 51
    ends = checked(INDEPENDENT, "random", steps=130)  # twelve steps each after the first, and a look at the end
    assert ends.walked is not None and ends.walked.more["walks"] == 10


@pytest.mark.parametrize("how", ["random", "swarm"])
@pytest.mark.parametrize(("text", "kind"), [(philosophers(4), "deadlock"), (ASSERTION, "assertion"), (FAULT, "fault")])
def test_errors_met_by_chance_are_told(text: str, kind: str, how: str) -> None:
    """Each way is replayed before it is told, and is made shorter."""
    result = checked(text, how, steps=200_000, memory=4 << 20)
    assert result.verdict == kind
    assert not result.findings[0].shortest
    if kind == "deadlock":
        assert len(result.findings[0].steps) == 17


def test_a_swarm_sees_more_than_each_of_its_searches() -> None:
    """In fields of 2 KB no search has room for the 32,912 states."""
    sizes = []
    for searches in (1, 8, 40):
        bounds = SearchBounds(searches=searches)
        with searched(machine_from(example("window")), strategy="swarm", stored=1024, bounds=bounds) as (search, stop):
            assert stop is Stop.BOUND
            assert counts_of(search).walks == searches
            sizes.append(search.statistics.states)
    assert sizes[0] < 6000 and sizes[0] < sizes[1] * 0.7 and sizes[1] < sizes[2] * 0.8
    assert sizes[2] <= 33_900


def test_a_swarm_of_short_searches_looks_at_the_time() -> None:
    limits = request_from(strategy="swarm", stored=1024, bounds=SearchBounds(searches=1 << 16))
    with closing(Search(machine_from(INDEPENDENT), limits)) as search:
        assert search.run(0.05) is Stop.TIME
        assert counts_of(search).walks < 1 << 16


def test_a_swarm_in_threads() -> None:
    bounds = SearchBounds(searches=6)
    limits: dict[str, object] = {"strategy": "swarm", "memory": 4 << 20, "bounds": bounds, "threads": 2}
    with searched(machine_from(example("window")), **limits) as (search, stop):
        assert stop is Stop.BOUND
        c = counts_of(search)
        assert (c.walks, c.finished) == (6, 6)
        assert abs(search.statistics.states - 32912) < 1000
        assert search.statistics.expanded == c.visits > 5 * 32000


def test_a_swarm_is_repeated_by_its_seed_and_estimates_what_it_has_seen() -> None:
    runs = [checked(example("window"), "swarm", seed=seed, searches=4, memory=4 << 20) for seed in (7, 7)]
    told = [(r.walked.visits, r.walked.at_least, r.walked.more) for r in runs if r.walked is not None]
    assert told[0] == told[1]
    assert told[0][2] == {
        "distinct_estimate": told[0][1],
        "seed": 7,
        "searches": 4,
        "searches_finished": 4,
        "coverage_estimate": told[0][2]["coverage_estimate"],
    }
    assert float(str(told[0][2]["coverage_estimate"])) > 0.98


def test_reductions_that_count_other_steps_are_not_used_within_a_bound() -> None:
    for search, bounds, why in (
        ("contexts", {"contexts": 5}, "switches between processes are counted (--contexts)"),
        ("breadth", {"depth": 5}, "steps are counted (--depth)"),
    ):
        result = checked(example("window"), search, reductions=("por", "dead"), **bounds)
        assert {r.name: r.why_not for r in result.reductions} == {"por": why, "dead": ""}


# --- the command line ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--contexts", "3", "--search", "depth"], "--contexts excludes --search, --store and --depth"),
        (["--contexts", "3", "--depth", "4"], "--contexts excludes --search, --store and --depth"),
        (["--depth", "3", "--search", "best"], "--depth needs --search breadth, random or swarm."),
        (["--depth", "3", "--store", "hash"], "--depth needs --search breadth, random or swarm."),
        (["--seed", "3"], "--seed needs --search random or swarm."),
        (["--steps", "3"], "--steps needs --search random or swarm."),
        (["--search", "random", "--searches", "3"], "--searches needs --search swarm."),
        (["--search", "swarm", "--checkpoint", "x"], "--checkpoint and --resume need --search breadth."),
    ],
)
def test_options_that_do_not_go_together_are_refused(given: list[str], told: str) -> None:
    from click.testing import CliRunner

    from lfc.cli.checking.check import command

    done = CliRunner().invoke(command, [str(ROOT / "examples" / "buffer.lf"), *given])
    assert done.exit_code == 2 and told in done.output


def test_what_is_no_proof_ends_with_6_and_says_so() -> None:
    from tests.cli.lfc import lfc

    done = lfc("check", "examples/window.lf", "--search", "random", "--steps", "2000", "--seed", "5", "--json")
    document = json.loads(done.out)
    assert done.exit == 6
    assert document["verdict"] == "inconclusive" and document["states"] is None
    assert document["search"] == "random" and document["seed"] == 5
    assert document["walks"] >= 1 and 100 < document["distinct_estimate"] <= 2000
    assert lfc("check", "examples/window.lf", "--contexts", "2").exit == 6
    assert lfc("check", "examples/window.lf", "--depth", "70").exit == 0


@pytest.mark.parametrize(
    ("bound", "untold"),
    [
        (["--depth", "2"], True),
        (["--contexts", "1"], True),
        (["--states", "1"], True),
        (["--search", "random", "--steps", "50"], True),
        (["--search", "swarm", "--searches", "2"], True),
        (["--contexts", "1000"], False),
        (["--depth", "100000"], False),
    ],
)
def test_properties_for_which_not_enough_was_visited_are_named(bound: list[str], untold: bool) -> None:
    from tests.cli.lfc import lfc

    asked = ("check", "examples/traffic.lf", "--env", "examples/traffic_env.lf", *bound)
    document = json.loads(lfc(*asked, "--json").out)
    names = ["neverTwoGreens", "served"]
    assert (document["not_looked_for"], [p["name"] for p in document["properties"]]) == (
        (names, []) if untold else ([], names)
    )
    told = "properties not checked, because not all states were visited: neverTwoGreens, served"
    assert (told in lfc(*asked).out) == untold
