"""`--time` and Ctrl-C end whatever is at work: an action of many outcomes, a walk, the choice of reductions, the way
to a violation. Bounds are generous, and far below what each took before it watched the clock.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

import lfc.mcheck.check
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.engine.abi import Error
from lfc.mcheck.progress import ProgressLog
from lfc.mcheck.properties.unfairness import passed_over
from lfc.mcheck.reduction.common.reduction import Choice
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.worker_thread import Progress
from lfc.trace.items import Item
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of_source
from tests.support.sized_programs import walkers

SECONDS, AT_MOST = 2.0, 5.0  # the promise is 3.2, on a machine that does nothing else
SLOW_ACTIONS = """MODULE Wide;
VAR a, b : UINT8; w : UINT16; t : UINT32; r AT 78H : UINT8; s AT 79H : UINT8;
PROCESS P;
VAR i : UINT16;
BEGIN
  LOOP
    a := r; b := s; i := 0;
    WHILE i < 2000 DO t := (t * 3 + a + b) MOD 65521; i := i + 1 END;
    w := w + a; RESCHEDULE
  END
END P;
BEGIN CREATE P END Wide.
"""
CONSOLE = """MODULE Console;
IMPORT In;
VAR line : ARRAY 16 OF CHAR; n : UINT8; lines : UINT16;
PROCESS P;
VAR c : CHAR;
BEGIN
  LOOP
    In.Char(c);
    IF c = 0AX THEN n := 0; lines := (lines + 1) MOD 1000
    ELSIF n < 15 THEN line[n] := c; n := n + 1 END
  END
END P;
BEGIN CREATE P END Console.
"""
LONG_CYCLE = """MODULE Cycle;
IMPORT In;
VAR x : UINT16; y : UINT8;
PROCESS P; VAR c : CHAR; BEGIN LOOP In.Char(c); x := (x + 1) MOD 900; c := 0X; RESCHEDULE END END P;
PROCESS Q; BEGIN LOOP y := (y + 1) MOD 2; RESCHEDULE END END Q;
PROPERTY never = ALWAYS EVENTUALLY (x = 1000);
BEGIN CREATE P; CREATE Q END Cycle.
"""
FAR = """MODULE Far;
VAR x : UINT16; r AT 78H : UINT8;
PROCESS P;
BEGIN LOOP ASSERT(x < 300); IF r = 0 THEN x := x + 1 ELSE x := (x + 2) MOD 1000 END; RESCHEDULE END END P;
BEGIN CREATE P END Far.
"""


def machine_of(text: str) -> Machine:
    return machine_of_source(Source("Program.lf", text))


@pytest.mark.parametrize("strategy", ["breadth", "depth", "best", "random", "swarm"])
def test_actions_that_take_long_end_in_time(strategy: str) -> None:
    result = check(machine_of(SLOW_ACTIONS), request_from(seconds=1.0, strategy=strategy, memory=300 << 20))
    assert result.verdict == "inconclusive"
    assert 1.0 <= result.seconds < AT_MOST


@pytest.mark.parametrize("strategy", ["random", "swarm"])
def test_a_loop_that_reads_the_console_ends_in_time(strategy: str) -> None:
    result = check(machine_of(CONSOLE), request_from(seconds=1.0, strategy=strategy, memory=300 << 20))
    assert result.verdict == "inconclusive"
    assert 1.0 <= result.seconds < AT_MOST


def test_a_way_is_left_as_it_is_when_the_time_is_over() -> None:
    search = Search(machine_of(FAR), request_from(strategy="random"))
    try:
        assert search.run() is Stop.ERROR
        way = steps_to(search, search.errors()[0])
        search.interrupt()
        search.exploration.shorten(0)
        assert steps_to(search, search.errors()[0]) == way
    finally:
        search.close()
    search = Search(machine_of(FAR), request_from(strategy="random"))
    try:
        search.run()
        search.exploration.shorten(0)
        assert steps_to(search, search.errors()[0]) < way
    finally:
        search.close()


def steps_to(search: Search, error: Error) -> int:
    return len(search.blocks_to(error.state))


def test_the_way_to_a_violated_property_is_shown_or_given_up_in_time() -> None:
    result = check(machine_of(LONG_CYCLE), request_from(seconds=SECONDS, fairness="weak", reductions=("none",)))
    assert result.verdict in ("property", "inconclusive")
    assert result.seconds < AT_MOST


def test_who_is_passed_over_is_not_told_when_the_time_is_over() -> None:
    asked: list[int] = []

    def stopped() -> bool:
        asked.append(1)
        return True

    assert passed_over(machine_of(FAR), None, [[Item("run", (0,))]], [b"", b""], stopped) == []  # type: ignore[arg-type]
    assert asked == [1]


def test_reductions_are_not_tried_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sample may take two seconds."""
    begun: list[float] = []
    run = Search.run

    def slowly(search: Search, seconds: float = 1e9) -> Stop:
        begun.append(seconds)
        if len(begun) > 1:
            time.sleep(min(seconds, 1.0))
        return run(search, seconds)

    monkeypatch.setattr(Search, "run", slowly)
    result = check(machine_of(walkers(12, 9)), request_from(seconds=SECONDS, memory=400 << 20))
    assert result.verdict == "inconclusive" and result.reason == "time limit reached (--time)"
    assert result.seconds < AT_MOST
    assert all(seconds <= SECONDS for seconds in begun)


# --- Ctrl-C ------------------------------------------------------------------------------------------------------


def test_ctrl_c_while_reductions_are_chosen_leaves_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    from lfc.mcheck.reduction.registry import choices as given

    def pressed(*arguments: object) -> list[Choice]:
        signal.raise_signal(signal.SIGINT)
        return given(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(lfc.mcheck.check, "choices", pressed)
    try:
        result = check(machine_of(walkers(12, 9)), request_from(seconds=60))
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.verdict == "inconclusive" and result.reason == "interrupted" and result.interrupted
    assert result.seconds < 30


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    (tmp_path / "Endless.lf").write_text(SLOW_ACTIONS.replace("Wide", "Endless"))
    return tmp_path / "Endless.lf"


def test_ctrl_c_within_an_action_prints_the_whole_document(endless: Path) -> None:
    command = [sys.executable, "-m", "lfc", "check", "--json", str(endless)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=default_interrupts
    )
    assert process.stderr is not None
    told = process.stderr.readline()  # the first word, when it is at work
    while told and "searching" not in told:
        told = process.stderr.readline()
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert time.monotonic() - begin < 10
    assert process.returncode == 130
    document = json.loads(out)
    assert document["verdict"] == "inconclusive" and document["reason"].startswith("interrupted")


def default_interrupts() -> None:
    """Who starts the tests in the background has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


# --- progress on a pipe --------------------------------------------------------------------------------------------


def test_a_pipe_gets_a_line_now_and_then() -> None:
    to = StringIO()
    log = ProgressLog(to, every=0.3)
    result = check(machine_of(walkers(12, 9)), request_from(seconds=SECONDS, reductions=("none",)), log.show)
    lines = to.getvalue().splitlines()
    assert 2 <= len(lines) <= result.seconds / 0.3 + 1
    assert all(line.startswith("searching: ") and " states, " in line and line.endswith(" s") for line in lines)


def test_the_first_line_comes_within_a_second_and_the_next_after_ten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("lfc.mcheck.progress.time.monotonic", lambda: now[0])
    to = StringIO()
    log = ProgressLog(to)
    said: list[float] = []
    for tenth in range(250):
        now[0] = 100 + tenth / 10
        before = len(to.getvalue())
        log.show(Progress(5, 7, 1, 1, tenth / 10, 0, phase="looking for partial deadlocks"))
        if len(to.getvalue()) > before:
            said.append(tenth / 10)
    assert said == [0.8, 10.8, 20.8]
    assert to.getvalue().splitlines()[1] == "looking for partial deadlocks: 5 states, 7 transitions, 11 s"


def test_on_a_pipe_progress_goes_to_standard_error(endless: Path) -> None:
    command = [sys.executable, "-m", "lfc", "check", "--json", "--time", "2", str(endless)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 6
    assert json.loads(done.stdout)["verdict"] == "inconclusive"
    assert any(line.startswith("searching: ") for line in done.stderr.splitlines())


def test_a_swarm_whose_values_leave_no_room_ends() -> None:
    """Each search would end as it begins, for ever."""
    machine = machine_of((ROOT / "examples" / "ordinary" / "Commands.lf").read_text())
    result = check(machine, request_from(seconds=60.0, strategy="swarm", memory=12 << 20, threads=2))
    assert result.verdict == "inconclusive"
    assert result.seconds < 30


@pytest.mark.parametrize("memory", [12 << 20, 0])
def test_ctrl_c_ends_a_swarm(memory: int) -> None:
    machine = machine_of((ROOT / "examples" / "ordinary" / "Commands.lf").read_text())
    search = Search(machine, request_from(strategy="swarm", memory=memory, stored=0 if memory else 1 << 24, threads=2))
    with closing(search):
        threading.Timer(0.3, search.interrupt).start()
        assert search.run(60.0) in (Stop.INTERRUPTED, Stop.MEMORY)
        assert search.statistics.seconds < 10
