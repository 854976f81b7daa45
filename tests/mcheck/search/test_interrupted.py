"""Whatever stops a search, in whatever order and store it searches: partial statistics, and no success."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.properties.emptiness import Verdict
from lfc.mcheck.properties.product import NOT_SEARCHED, ProductSearch, watch
from lfc.mcheck.properties.vacuity import Remarks
from lfc.mcheck.report.json_document import as_json
from lfc.mcheck.report.text import summary
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.worker_thread import Progress, in_time
from tests.differential.stepwise import machine_of_source
from tests.support.sized_programs import walkers

WAYS = [
    ("breadth", "exact"),
    ("depth", "exact"),
    ("best", "exact"),
    ("astar", "exact"),
    ("depth", "hash"),
    ("depth", "bitstate"),
]
OVER_TIME = "time limit reached (--time)"
PIPES = """MODULE Pipes;
TYPE T = [m(UINT8)];
PORT a, b : T; VAR g : ARRAY 2 OF UINT8;
PROCESS S(p : T; me : UINT8);
VAR x : UINT8;
BEGIN LOOP x := (x + 1) MOD 200; g[me] := x; RESCHEDULE; p!m(x) END END S;
PROCESS R(p : T; me : UINT8); VAR x : UINT8; BEGIN LOOP p?m(x); g[me] := x; RESCHEDULE END END R;
BEGIN NEW(a); NEW(b); CREATE S(a, 0); CREATE R(b, 0); CREATE S(b, 1); CREATE R(a, 1) END Pipes.
"""


@pytest.fixture(scope="module")
def endless() -> Machine:
    """10^12 states, and no way longer than 109 steps."""
    return machine_of_source(Source("Program.lf", walkers(12, 9)))


def stopped(machine: Machine, way: tuple[str, str], **limits: int | float) -> CheckResult:
    options = request_from(strategy=way[0], store=way[1], **limits)
    return check(machine, options)


def is_partial(result: CheckResult, reason: str) -> bool:
    machine = machine_of_source(Source("Program.lf", walkers(12, 9)))
    told = '"verdict": "inconclusive"' in as_json(machine, result) and f"inconclusive: {reason}" in summary(result)
    return told and result.verdict == "inconclusive" and result.reason == reason and 0 < result.transitions


@pytest.mark.parametrize("way", WAYS)
def test_by_states(way: tuple[str, str], endless: Machine) -> None:
    result = stopped(endless, way, states=3000, memory=64 << 20)
    assert is_partial(result, "state limit reached (--states)")
    assert 3000 <= result.states < 300_000


@pytest.mark.parametrize("way", WAYS)
def test_by_time(way: tuple[str, str], endless: Machine) -> None:
    result = stopped(endless, way, seconds=0.05, memory=64 << 20)
    assert is_partial(result, OVER_TIME)
    assert result.states > 0 and result.seconds >= 0.05


@pytest.mark.parametrize("way", WAYS)
def test_by_memory(way: tuple[str, str], endless: Machine) -> None:
    """Depth-first lets states make room for others, and goes on till the time is over, if there is room for its tables
    of pairs; a field of bits never grows."""
    goes_on = way in (("depth", ""), ("depth", "bitstate"))
    megabytes = 48 if goes_on else 4
    result = stopped(endless, way, seconds=0.3 if goes_on else 60.0, memory=megabytes << 20)
    assert is_partial(result, OVER_TIME if goes_on else "memory limit reached (--memory)")
    assert result.memory_bytes < megabytes + 1 << 20


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """As in a process that has a terminal: workers of the tests may ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("way", WAYS)
def test_by_ctrl_c(way: tuple[str, str], endless: Machine) -> None:
    pressed: list[int] = []

    def press(progress: Progress) -> None:
        if not pressed:
            pressed.append(progress.states)
            signal.raise_signal(signal.SIGINT)

    options = request_from(seconds=60, memory=256 << 20, strategy=way[0], store=way[1])
    result = check(endless, options, press)
    assert is_partial(result, "interrupted")
    assert pressed and result.states > 0 and result.seconds < 60
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("search", ["breadth", "depth", "modular"])
def test_a_search_that_was_stopped_does_not_know_who_is_stuck(search: str) -> None:
    machine = machine_of_source(Source("Program.lf", PIPES))
    stopped_one = Search(machine, request_from(states=100, strategy=search))
    try:
        assert stopped_one.run() is Stop.STATES
        assert stopped_one.find_stuck() is None
        assert stopped_one.stuck_unknown
    finally:
        stopped_one.close()


TWO_PROPERTIES = """MODULE Two;
VAR x : 0 .. 2;
PROCESS P; BEGIN LOOP x := (x + 1) MOD 3; RESCHEDULE END END P;
PROCESS Q; BEGIN LOOP RESCHEDULE END END Q;
PROPERTY small = ALWAYS (x < 3);
PROPERTY steps = ALWAYS ((x # 0) OR (NEXT (x # 0)) OR (NEXT (NEXT (x # 2))));
BEGIN CREATE P; CREATE Q END Two.
"""


def test_properties_that_are_looked_for_apart_are_left_open_if_the_time_is_over_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(product: ProductSearch, *_: object) -> dict[str, Remarks]:
        product.search.interrupt()
        return {}

    machine = machine_of_source(Source("Two.lf", TWO_PROPERTIES))
    options = request_from(reductions=("por",))
    result = check(machine, options)
    assert result.verdict == "holds" and list(result.reductions[0].not_for) == ["steps"]
    monkeypatch.setattr("lfc.mcheck.properties.check_properties.remarks_on", interrupt)
    result = check(machine, options)
    assert is_partial(result, "the search for violations of `steps` was stopped")
    assert [p["verdict"] for p in result.properties] == ["holds", "inconclusive"]


def test_what_is_interrupted_before_the_engine_begins_does_not_begin() -> None:
    machine = machine_of_source(Source("Two.lf", TWO_PROPERTIES))
    watched = watch(machine, machine.program.main.properties)
    with closing(Search(machine, atoms=watched.atoms)) as search:
        product = ProductSearch(machine, search, watched, [])
        assert product.run(watched.properties[0]).verdict is Verdict.NONE
        assert product.letters(of_every_state=True)
        search.interrupt()
        assert product.run(watched.properties[0]).verdict is Verdict.STOPPED
        assert product.letters(of_every_state=True) is None
    search.interrupt()  # there is nothing any more that could be


def test_all_that_begins_when_the_time_is_over_is_interrupted() -> None:
    class Counting(Search):
        def __init__(self) -> None:
            self.times = 0

        def interrupt(self) -> None:
            self.times += 1

    search = Counting()
    with in_time(search, time.monotonic() - 1, 0.5):
        until = time.monotonic() + 20
        while search.times < 3 and time.monotonic() < until:
            time.sleep(0.01)
    assert search.times >= 3
    with in_time(search, time.monotonic() - 1, 0):
        before = search.times
        time.sleep(0.05)
    assert search.times == before


def test_whether_any_run_is_fair_is_not_known_of_a_search_that_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of_source(
        Source(
            "Pipes.lf",
            PIPES.replace("MOD 200", "MOD 2").replace("\nBEGIN NEW", "\nPROPERTY none = ALWAYS TRUE;\nBEGIN NEW"),
        )
    )
    options = request_from(fair=("weak-live S p!m",))
    assert check(machine, options).verdict == "holds"
    monkeypatch.setattr(ProductSearch, "has_fair_run", lambda _: NOT_SEARCHED)
    assert is_partial(check(machine, options), "the search for a fair run was stopped")
