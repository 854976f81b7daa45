"""Every search of the engine, as the tests of the checker have them. Run in a child process under the address and the
undefined-behaviour sanitizer, by test_sanitizers.py, together with some tests of the checker.
"""

from __future__ import annotations

import tempfile

import pytest

from bench.checker.scaling import readers_and_writers
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.checkpoint import resume_from, save_to
from lfc.mcheck.search.search import Stop
from tests.differential.stepwise import machine_of_source
from tests.mcheck.modes import exact_limits
from tests.mcheck.properties.literature import machine as machine_of_text
from tests.mcheck.searching import search_with
from tests.sanitizers.threads import REDUCTIONS, SMALL_STUCK, outcome, search_for
from tests.support.searched import ASSERTION, FAULT, philosophers
from tests.support.sized_programs import senders
from tests.support.turns import TURNS

PROGRAMS = {
    "senders": senders(5),
    "stuck": SMALL_STUCK,
    "deadlock": philosophers(4),
    "assertion": ASSERTION,
    "fault": FAULT,
}
WALKS = ("depth", "best", "astar", "contexts", "random", "swarm")


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("mode", REDUCTIONS)
def test_breadth_first(text: str, mode: str) -> None:
    search = search_for(text, **REDUCTIONS[mode])
    deadlock, fault, errors, stuck = outcome(search, False)
    expected = {"deadlock": (True, False), "assertion": (False, True), "fault": (False, True)}
    (name,) = (name for name, other in PROGRAMS.items() if other == text)
    assert (deadlock, fault) == expected.get(name, (False, False))
    for error in search.errors():
        assert search.blocks_to(error.state)
    assert stuck is (None if errors else name != "stuck")
    assert search.seen().blocks and (search.most_waiting() is not None)
    search.close()


def test_every_way_to_search_has_the_same_states() -> None:
    found = {}
    for told, limits in exact_limits(keep_going=True):
        search = search_with(machine_of_source(Source("Program.lf", senders(5))), limits)
        assert search.run() is Stop.COMPLETE, told
        found[told] = (search.statistics.states, search.statistics.transitions)
        search.close()
    assert set(found.values()) == {(307, 1563)} and len(found) > 5


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("how", WALKS)
def test_walks(text: str, how: str) -> None:
    bounds = SearchBounds(searches=6, steps=20_000, contexts=4 if how == "contexts" else None)
    search = search_for(text, strategy=how, threads=2, bounds=bounds)
    search.run(20)
    assert search.statistics.expanded > 0
    for error in search.errors():
        assert search.blocks_to(error.state)
    search.close()


@pytest.mark.parametrize("lossy", ["hash", "bitstate"])
def test_lossy_stores(lossy: str) -> None:
    for stored in (64, 100_000):
        search = search_for(senders(6), strategy="depth", store=lossy, stored=stored)
        search.run(20)
        assert search.statistics.expanded > 0
        search.close()


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("fairness", ["none", "weak"])
def test_properties(nested: bool, fairness: str) -> None:
    request = request_from(threads=2, keep_going=True, nested=nested, fairness=fairness)
    result = check(machine_of_text(TURNS), request)
    assert result.verdict == "property" and len(result.properties) == 7


def test_checkpoints() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/saved"
        first = search_for(senders(6), states=200)
        save_to(first, file, 1e9)
        assert first.run() is Stop.STATES
        first.close()
        then = search_for(senders(6))
        resume_from(then, file)
        assert then.run() is Stop.COMPLETE
        assert (then.statistics.states, then.statistics.transitions) == (857, 5201)
        then.close()


def test_processes_that_are_exchanged() -> None:
    machine = machine_of_source(Source("Program.lf", readers_and_writers(50)))
    search = search_with(machine, request_from(keep_going=True, reductions=("sym",)))
    assert search.run() is Stop.COMPLETE
    assert search.statistics.states == 128
    search.close()
