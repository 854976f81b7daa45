"""What several threads do with one engine. Run in a child process under the thread sanitizer, by test_sanitizers.py.

Nothing that the threads do may depend on which comes first: so beside the sanitizer's reports, counts and verdicts are
compared with those of one thread.
"""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from bench.checker.scaling import readers_and_writers
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.model.fairness import assumed_fairness
from lfc.mcheck.properties.emptiness import How
from lfc.mcheck.properties.in_parallel import searched
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.reduction.chains import Chains
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import machine_of, machine_of_source
from tests.mcheck.properties.literature import COLLEGE, OF_THE_LITERATURE
from tests.mcheck.properties.literature import machine as machine_of_text
from tests.mcheck.searching import search_with
from tests.support.sized_programs import CHAINED, MANY, STUCK, senders, walkers
from tests.support.turns import TURNS

SMALL_STUCK = STUCK.replace("TO 9", "TO 3").replace("MOD 12", "MOD 3")
COMES_FIRST = {"por", "chains"}  # how much they leave out depends on what is there already
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
REDUCTIONS: dict[str, dict[str, Any]] = {
    "all": {},
    "remembered": {"remember": False},
    "compact": {"compact": True},
    "por": {"reductions": ("por",)},
    "dead": {"reductions": ("dead",)},
    "chains": {"reductions": ("chains",)},
    "por-chains-dead": {"reductions": ("por", "chains", "dead")},
    "sym": {"reductions": ("sym",)},
    "spill": {"spill_at": 100},
    "spill-por": {"spill_at": 100, "reductions": ("por",)},
    "ordered": {"time": "ordered"},
}
THREADS = (2, 4)


def search_for(text: str, chains_stop: tuple[int, int] | None = None, **options: object) -> Search:
    usual = {"keep_going": True, "least_shared": 1, "spill": tempfile.gettempdir()}
    machine = machine_of_source(Source("Program.lf", text))
    return search_with(machine, request_from(**{**usual, **options}), chains_stop=chains_stop)


def outcome(search: Search, counts: bool) -> tuple[object, ...]:
    """`counts`: also how many states and steps there are."""
    assert search.run() is Stop.COMPLETE
    s = search.statistics
    errors = {(e.kind, e.fault_kind, e.fault_site) for e in search.errors()}
    stuck = None if errors else search.find_stuck() is None
    assert not search.stuck_unknown
    told = (bool(s.deadlocks), bool(s.faults), errors, stuck)
    return (*told, s.states, s.transitions, s.ends, s.depth) if counts else told


@pytest.mark.parametrize("mode", REDUCTIONS)
@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("text", [senders(6), SMALL_STUCK, MANY], ids=["senders", "stuck", "errors"])
def test_breadth_first(text: str, threads: int, mode: str) -> None:
    limits = REDUCTIONS[mode]
    counts = not COMES_FIRST.intersection(limits.get("reductions", ()))
    one, many = search_for(text, **limits), search_for(text, **limits, threads=threads)
    try:
        assert outcome(one, counts) == outcome(many, counts)
        if "spill_at" in limits and one.statistics.states > 300:
            assert many.statistics.spills > 0
    finally:
        one.close()
        many.close()


@pytest.mark.parametrize("threads", THREADS)
def test_tables_grow_while_others_work(threads: int) -> None:
    search = search_for(walkers(5, 6), threads=threads)
    assert search.run() is Stop.COMPLETE
    assert search.statistics.states == 7**5 + 1
    assert search.find_stuck() is None
    search.close()


@pytest.mark.parametrize("name", ["prodcons", "traffic"])
def test_examples(name: str) -> None:
    machine = machine_of(EXAMPLES / f"{name}.lf")
    found = []
    for threads in (1, 4):
        search = Search(machine, request_from(keep_going=True, least_shared=1, threads=threads))
        found.append(outcome(search, True))
        search.close()
    assert found[0] == found[1]


def test_processes_that_are_exchanged() -> None:
    search = search_for(readers_and_writers(50), reductions=("sym",), threads=4)
    assert search.run() is Stop.COMPLETE
    assert search.statistics.states == 128
    search.close()


def test_chains_that_end() -> None:
    search = search_for(CHAINED.format(last=""), (20, 1000), reductions=("por", "chains"), threads=4)
    assert search.run() is Stop.COMPLETE
    chains = search.find(Chains)
    assert chains is not None and chains.did() > 0
    search.close()


@pytest.mark.parametrize("memory", [300 << 10, 1 << 20])
def test_little_memory(memory: int) -> None:
    """Measured while the others work, then on disk."""
    with tempfile.TemporaryDirectory() as folder:
        search = search_for(walkers(6, 5), threads=4, memory=memory, spill=folder)
        assert search.run() in (Stop.COMPLETE, Stop.MEMORY)
        search.close()


def test_interrupted_by_another_thread() -> None:
    search = search_for(walkers(8, 8), threads=2)
    told: list[Stop] = []
    work = threading.Thread(target=lambda: told.append(search.run()))
    work.start()
    while not search.statistics.states:
        time.sleep(0.001)
    while work.is_alive():
        search.interrupt()
        work.join(0.01)
    assert told == [Stop.INTERRUPTED]
    search.close()


@pytest.mark.parametrize("how", [How.COMPONENTS, How.NESTED])
def test_properties_side_by_side(how: How) -> None:
    """No search of the states has been there before: values and pairs are found by several threads at once."""
    puts = " OR ".join(f"TAKEN(fork[{i}].put)" for i in range(3))
    more = "".join(f"PROPERTY p{i} = ALWAYS ({puts} IMPLIES EVENTUALLY TAKEN(fork[{i}].put));\n" for i in range(3))
    m = machine_of_text(COLLEGE.format(n=3, puts=puts).replace("PROCESS Fork", more + "PROCESS Fork"))
    watched = watch(m, m.program.main.properties)
    fair = assumed_fairness(m, "", OF_THE_LITERATURE if how is How.COMPONENTS else [])
    answers = []
    for threads in (1, 2, 4):
        search = Search(m, atoms=watched.atoms)
        product = ProductSearch(m, search, watched, fair)
        found = searched(product, watched.properties, how, 0, threads, True)
        answers.append([f.verdict for _, f in found])
        search.close()
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0]) == 4


@pytest.mark.parametrize("threads", THREADS)
def test_properties_after_the_states(threads: int) -> None:
    m = machine_of_text(TURNS)
    result = check(m, request_from(threads=threads, keep_going=True))
    assert result.verdict == "property" and len(result.properties) == 7


@pytest.mark.parametrize("threads", THREADS)
def test_a_swarm(threads: int) -> None:
    bounds = SearchBounds(searches=12)
    search = search_for(walkers(4, 6), strategy="swarm", threads=threads, bounds=bounds)
    assert search.run() is Stop.BOUND
    assert search.statistics.expanded > 1000
    search.close()
