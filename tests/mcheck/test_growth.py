"""What is said when a search does not end, and the slice that `auto` tries before it says so."""

from __future__ import annotations

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search import worker_thread
from lfc.mcheck.search.worker_thread import Progress
from tests.actions.machines import machine_of_text

BIG = """MODULE Big;
IMPORT In;
TYPE Line = [cmd(CHAR)];
VAR adc AT 78H : UINT16; level : UINT16; total : UINT32;
ASSUME adc IN 0 .. 99;
PORT line : Line;
PROCESS Sampler;
BEGIN
  LOOP level := adc; total := total + level; RESCHEDULE END
END Sampler;
PROCESS Reader;
VAR ch : CHAR;
BEGIN
  LOOP In.Char(ch); IF (ch = 's') OR (ch = 0AX) THEN line!cmd(ch) END END
END Reader;
PROCESS Server;
VAR c : CHAR;
BEGIN
  LOOP line?cmd(c); ASSERT((c = 's') OR (c = 0AX)); ASSERT(CLAIM) END
END Server;
BEGIN
  NEW(line); CREATE Sampler; CREATE Reader; CREATE Server
END Big.
"""


def test_a_search_that_its_limit_stops_says_why_and_what_to_do() -> None:
    machine = machine_of_text(BIG.replace("CLAIM", "TRUE"))
    found = check(machine, request_from(threads=1, reductions=(), states=5000, seconds=30))
    assert found.verdict == "inconclusive"
    causes = found.growth.causes
    assert causes[0].startswith("`total` (") and causes[0].endswith(", a counter)")
    assert "`level` (100 values, 0 to 99, read from `adc`)" in causes
    file = machine.program.main.source.path
    assert found.growth.changes == [
        f"lfc check {file} --for assert "
        "(without `total`, `level`, which cannot change this; says nothing of deadlocks)",
        f"lfc check {file} --assume 'console in \"\\nsz\"'",
        f"lfc check {file} --contexts 3 (finds most errors of concurrency; no proof)",
    ]


def test_a_search_that_ends_says_nothing_of_it() -> None:
    text = BIG.replace("LOOP level := adc; total := total + level; RESCHEDULE END", "RESCHEDULE")
    found = check(machine_of_text(text.replace("CLAIM", "TRUE")), request_from(threads=1, reductions=("auto",)))
    assert (found.verdict, found.growth.lines()) == ("holds", [])


COUNTERS = """MODULE Counters;
VAR a, b : UINT8; n : 0 .. 49;
PROCESS A; BEGIN LOOP INC(a); ASSERT(a < 200); RESCHEDULE END END A;
PROCESS B; BEGIN LOOP b := b + 1; ASSERT(b >= 0); n := (n + 1) MOD 50; RESCHEDULE END END B;
BEGIN
  CREATE A; CREATE B
END Counters.
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_it_is_told_once_while_the_search_runs(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr(worker_thread, "PATIENCE", 0.05)
    text = COUNTERS.replace("ASSERT(a < 200); ", "")
    told: list[str] = []

    def listen(p: Progress) -> None:
        told.extend(p.notes)

    machine = machine_of_text(text)
    request = request_from(threads=threads, reductions=())
    found, alone = check(machine, request, listen), check(machine, request)
    assert (found.verdict, found.states, found.transitions) == (alone.verdict, alone.states, alone.transitions)
    assert len([line for line in told if line.startswith("many states, because of `")]) == 1


def test_auto_tries_a_slice_where_there_are_many_states() -> None:
    machine = machine_of_text(BIG.replace("CLAIM", "TRUE"))
    found = check(machine, request_from(threads=1, reductions=("auto",), seconds=30))
    assert (found.verdict, found.reductions[0].name, found.reductions[0].why_not) == ("holds", "slice", "")
    assert found.states < 10_000
    assert check(machine, request_from(threads=1, reductions=(), states=300_000, seconds=30)).verdict == "inconclusive"


def test_an_error_that_a_slice_finds_is_told_of_the_program() -> None:
    found = check(
        machine_of_text(BIG.replace("CLAIM", "c # 's'")), request_from(threads=1, reductions=("auto",), seconds=30)
    )
    assert found.verdict == "assertion"
    assert found.findings[0].machine is None  # of the whole program: the full search comes first, or it was lifted
