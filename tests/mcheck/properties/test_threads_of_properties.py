"""Properties searched at once, each in a thread: the same verdicts, states and edges as one after the other."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.model.fairness import assumed_fairness
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.in_parallel import searched
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search
from tests.campaign.checking.properties import programs
from tests.mcheck.properties.literature import COLLEGE, OF_THE_LITERATURE
from tests.mcheck.properties.literature import machine as machine_of
from tests.support.turns import TURNS


def told(result: CheckResult) -> list[object]:
    """All that does not depend on time. The way to a violation is that of a search in one thread."""
    runs = [(f.kind, f.message, len(f.steps), f.run is not None and f.run.cycle) for f in result.findings]
    return [result.verdict, result.reason, result.states, result.transitions, result.properties, runs]


def agree(m: Machine, **options: object) -> CheckResult:
    one, two, many = (check(m, request_from(threads=n, **options)) for n in (1, 2, 5))
    assert told(one) == told(two) == told(many)
    return one


@pytest.mark.parametrize("keep_going", [False, True])
@pytest.mark.parametrize("nested", [False, True])
def test_seven_properties_at_once(keep_going: bool, nested: bool) -> None:
    result = agree(machine_of(TURNS), keep_going=keep_going, nested=nested)
    assert result.verdict == "property" and len(result.properties) == (7 if keep_going else 6)


def test_tables_that_grow_while_others_work() -> None:
    """No search of the states has been there before: values and pairs are found by several threads at once."""
    puts = " OR ".join(f"TAKEN(fork[{i}].put)" for i in range(4))
    more = "".join(f"PROPERTY p{i} = ALWAYS ({puts} IMPLIES EVENTUALLY TAKEN(fork[{i}].put));\n" for i in range(2))
    m = machine_of(COLLEGE.format(n=4, puts=puts).replace("PROCESS Fork", more + "PROCESS Fork"))
    watched = watch(m, m.program.main.properties)
    fair = assumed_fairness(m, "", OF_THE_LITERATURE)
    answers = []
    for threads in (1, 2, 3):
        search = Search(m, atoms=watched.atoms)
        try:
            product = ProductSearch(m, search, watched, fair)
            found = searched(product, watched.properties, How.COMPONENTS, 0, threads, True)
            answers.append([(f.verdict, f.states, f.edges, f.components) for _, f in found])
        finally:
            search.close()
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0][:3] == (Verdict.NONE, 61_670, 432_629)


def test_little_memory_is_not_shared() -> None:
    """What has no room beside another one is searched alone, and the verdict is that of one thread."""
    m = machine_of(TURNS)
    sizes = [int(str(p["states"])) for p in check(m, request_from(threads=1, keep_going=True)).properties]
    for states in (max(sizes), max(sizes) // 2, min(sizes)):
        one, two = (check(m, request_from(threads=n, memory=64 * states, keep_going=True)) for n in (1, 2))
        assert [p["verdict"] for p in one.properties] == [p["verdict"] for p in two.properties]


def test_random_programs() -> None:
    verdicts = []
    for m in islice(programs(random.Random(11), 40_000, time=False), 8):
        options = request_from(threads=1, states=2000, allow_deadlocks=True, keep_going=True, fairness="weak")
        if check(m, options).verdict in ("holds", "property"):
            verdicts.append(agree(m, allow_deadlocks=True, keep_going=True, fairness="weak").verdict)
    assert {"holds", "property"} <= set(verdicts)
