"""What a check says beside its verdict, on programs of which all of it is known."""

from __future__ import annotations

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.progress import progress_text
from lfc.mcheck.reduction import choose
from lfc.mcheck.report.text_details import notes, report_lines
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.worker_thread import Progress
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source

TRIED = """MODULE Tried;
TYPE C = [a, b];
PORT p : C;
VAR n : UINT8;

PROPERTY idle = ALWAYS (n = 3 IMPLIES EVENTUALLY n = 1);
PROPERTY small = ALWAYS n < 9;
PROPERTY answered = ALWAYS (n = 2 IMPLIES EVENTUALLY n = 5);
PROPERTY sure = (ALWAYS n < 9) OR (EVENTUALLY ~(n < 9));

PROCESS Unused;
BEGIN
  n := 7
END Unused;

PROCESS Other SERVER;
VAR i : INT16;
BEGIN
  i := -1;
  LOOP p?a; INC(i); IF i = 3 THEN i := 0 END END
END Other;

BEGIN
  NEW(p);
  CREATE Other;
  SELECT
    WHEN p!a THEN n := 1
  ELSE
    n := 2
  END;
  IF n = 3 THEN n := 4 END;
  SELECT WHEN p!a THEN n := 5 WHEN p!b THEN n := 6 END
END Tried.
"""
MOST = """MODULE Most;
TYPE C = [go];
PORT p, q : C; a : ARRAY 3 OF C;
PROCESS Short MAX 5; BEGIN RESCHEDULE END Short;
PROCESS Rare MAX 2; BEGIN p!go; p!go END Rare;
BEGIN
  NEW(p); NEW(q); NEW(a[1]);
  CREATE Short; CREATE Short;
  RESCHEDULE;
  CREATE Rare; p?go; p?go
END Most.
"""


def machine_for(text: str) -> Machine:
    return machine_of_source(Source("Program.lf", text))


def checked(text: str, **options: object) -> CheckResult:
    return check(machine_for(text), request_from(**options))


def test_the_whole_report() -> None:
    result = checked(TRIED, report=True)
    assert result.verdict == "holds"
    assert notes(result.beside) == [
        "never reached: 1 process, 2 clauses, 1 message, 4 source lines (list them with --report)",
        "property idle: `n = 3` never holds, so `(n = 3) IMPLIES EVENTUALLY (n = 1)` is vacuously true",
        "property sure: it is a tautology, true of every program",
    ]
    assert report_lines(result.beside) == [
        "never reached:",
        "  process Tried.Unused, Program.lf:11:9",
        "  clause `p!a`, Program.lf:27:10",
        "  clause `p!b`, Program.lf:32:36",
        "  message b of C, Program.lf:2:14",
        "  `i := 0`, Program.lf:20:35",
        "  `n := 1`, Program.lf:27:19",
        "  `n := 4`, Program.lf:31:17",
        "  `n := 6`, Program.lf:32:45",
        "property idle: `n = 3` is always FALSE",
        "property idle: `n = 1` is always FALSE",
        "property small: `n < 9` is always TRUE",
        "property sure: `n < 9` is always TRUE",
        "bounds:",
        "  Other: 1 of 1 at once",
        "  channels: 1 of 1 at once",
        f"  state block: {machine_for(TRIED).layout.size} bytes of RAM",
        "distinct values:",
        "  4 Other: 3 its position, 2 i (-1 to 0)",
        "  4 initialisation: 4 its position",
        "  3 n (0 to 5)",
        "  2 p",
    ]


def test_without_the_report_the_note_is_there_and_no_more_is_computed() -> None:
    result = checked(TRIED, properties=("small", "answered"))
    assert result.beside.bounds is None and result.beside.values == []
    assert notes(result.beside) == [
        "never reached: 1 process, 2 clauses, 1 message, 4 source lines (list them with --report)"
    ]
    assert report_lines(result.beside)[-1] == "  `n := 6`, Program.lf:32:45"


def test_a_search_that_ends_early_is_no_reason_for_a_remark() -> None:
    """After the first step no run can violate it any more, so no search sees the later ones, where n = 5."""
    early = "PROPERTY early = (n < 9) OR (ALWAYS (n = 5 IMPLIES n # 7));"
    text = TRIED.replace("PROPERTY small = ALWAYS n < 9;", early)
    result = checked(text, properties=("early",))
    assert result.properties[0]["states"] != result.states
    assert result.beside.remarks["early"].never == []
    result = checked(text.replace("n = 5 IMPLIES", "n = 6 IMPLIES"), properties=("early",))
    assert [left for left, _ in result.beside.remarks["early"].never] == ["n = 6"]


def test_a_depth_first_search_keeps_no_table_to_look_through() -> None:
    result = checked(TRIED, strategy="depth", report=True)
    assert result.beside.remarks == {} and result.beside.bounds is not None and result.beside.bounds.queues is None
    assert report_lines(result.beside)[:2] == ["never reached:", "  process Tried.Unused, Program.lf:11:9"]


def test_a_program_that_is_reached_everywhere() -> None:
    result = check(machine_of(ROOT / "examples" / "semaphore.lf"), request_from(report=True))
    assert notes(result.beside) == []
    lines = report_lines(result.beside)
    assert lines[0] == "reached: every process, clause, message and source line"
    assert "  11 User: 6 its position, 3 round (0 to 2)" in lines and "  7 uses (0 to 6)" in lines
    queues = [line for line in lines if " waiting at once for " in line]
    assert [q[: q.rindex(",")] for q in queues] == ["  3 waiting at once for `s!wait`"]


def test_bounds_are_the_most_at_once() -> None:
    bounds = checked(MOST, report=True).beside.bounds
    assert bounds is not None
    assert [(i.process, i.most, i.room) for i in bounds.instances] == [("Short", 2, 5), ("Rare", 1, 2)]
    assert bounds.channels == 3


def test_an_incomplete_search_says_so() -> None:
    result = checked(TRIED.replace("i := -1", "ASSERT(FALSE)"), report=True)
    assert result.verdict == "assertion"
    assert notes(result.beside) == []
    assert report_lines(result.beside)[0] == "not reached so far (search incomplete):"


def test_the_library_is_left_out() -> None:
    """examples/prodcons.lf uses little of Out."""
    result = check(machine_of(ROOT / "examples" / "prodcons.lf"), request_from(report=True))
    u = result.beside.unreached
    assert (u.processes, u.lines, u.actions) == ([], [], [])


def test_progress() -> None:
    p = Progress(2_000_000, 9_000_000, 31, 4000, 3.0, 24 << 20, 100 << 20)
    assert progress_text(p) == (
        "2000000 states, 9000000 transitions, depth 31, frontier 4000, 3.0 million transitions/s, "
        "12.6 bytes per state, 24 of 100 MB"
    )
    p.limit, p.phase = 0, "searching for partial deadlocks"
    assert progress_text(p) == "2000000 states, 24 MB, 3 s: searching for partial deadlocks"


REFERRED = """MODULE Referred;
VAR a : ARRAY 2 OF UINT8; n : UINT8; i : INTEGER;

PROCESS Count(VAR all : ARRAY OF UINT8; VAR one : UINT8) SERVER;
BEGIN
  LOOP
    INC(all[0]);
    IF all[0] = 0 THEN INC(all[1]); IF all[1] = 8 THEN all[1] := 0; one := (one + 1) MOD 4 END END;
    RESCHEDULE
  END
END Count;

BEGIN
  CREATE Count(a, n)
END Referred.
"""


def test_what_is_passed_by_reference_is_no_variable_of_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a search that does not end soon it is asked which variables have many values: these are not among them."""
    monkeypatch.setattr(choose, "IN_FULL", 1000)
    monkeypatch.setattr(choose, "ends_soon", lambda *_: False)
    result = check(machine_of_source(Source("Referred.lf", REFERRED)), request_from(data="auto", reductions=("auto",)))
    assert (result.verdict.value, result.states) == ("holds", 2050)  # `n` is never read, and left out
