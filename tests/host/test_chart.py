"""Message sequence charts: of a deadlock, in text and SVG."""

from __future__ import annotations

import json
import xml.etree.ElementTree as tree
from pathlib import Path

from lfc.cli.common.machine import load_machine
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.run.chart import Arrow, Chart, Deed, Mark, as_mermaid, as_svg, as_text, chart_of
from tests.cli.lfc import lfc

CROSSED = """MODULE M;
TYPE T = [a(INTEGER), b];
PORT p, q : T;
PROCESS Left(p, q : T); VAR n : INTEGER; BEGIN p!a(1); q?b; p!a(2); p!a(3) END Left;
PROCESS Right(p, q : T); VAR n : INTEGER; BEGIN p?a(n); q!b; q!b END Right;
BEGIN NEW(p); NEW(q); CREATE Left(p, q); CREATE Right(p, q)
END M.
"""


def test_the_way_to_a_deadlock_as_a_chart(tmp_path: Path) -> None:
    (tmp_path / "M.lf").write_text(CROSSED)
    machine = load_machine(str(tmp_path / "M.lf"), (), (), with_environment=False)
    finding = check(machine, request_from()).findings[0]
    chart = chart_of(machine, finding.steps, finding.blocks)
    assert chart.columns == ["initialisation", "Left", "Right"]
    messages = [(r.source, r.target, r.message) for r in chart.rows if isinstance(r, Arrow)]
    assert messages == [("Left", "Right", "a"), ("Right", "Left", "b")]
    text = as_text(chart)
    assert [line for line in text.splitlines() if "->" in line and "a" in line]
    assert [line for line in text.splitlines() if "<-" in line and "b" in line]
    root = tree.fromstring(as_svg(chart))
    labels = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Left", "Right", "a", "b"} <= set(labels)


LOCK = """MODULE Broken;
VAR lock : BOOLEAN; inside : INTEGER;
PROCESS P;
BEGIN
  WHILE lock DO RESCHEDULE END;
  RESCHEDULE;
  lock := TRUE;
  INC(inside);
  RESCHEDULE;
  ASSERT(inside = 1);
  DEC(inside);
  lock := FALSE
END P;
BEGIN CREATE P; CREATE P END Broken.
"""


def test_the_race_of_a_broken_lock_is_in_the_chart(tmp_path: Path) -> None:
    """Each step that a process does alone, with what it writes; `lfc trace msc` draws the same of the trace."""
    program, way = tmp_path / "Broken.lf", tmp_path / "way.json"
    program.write_text(LOCK)
    done = lfc("check", "--threads", "1", program, "--trace", way, "--msc", tmp_path / "chart")
    assert done.exit == 4
    drawn = (tmp_path / "chart").read_text()
    rows = [line.split("*") for line in drawn.splitlines()[1:]]
    deeds = [row[1].strip(" |") for row in rows if len(row) == 2]
    assert deeds == ["ends", "to 6:3", "to 6:3", "inside = 1, lock = TRUE", "inside = 2", "the assertion failed"]
    assert rows[1][0].count("|") == 1 and rows[2][0].count("|") == 2  # first the one, then the other
    assert lfc("trace", "msc", way, program).out.strip() == drawn.strip()
    assert lfc("trace", "msc", way, program, "-o", tmp_path / "chart.svg").exit == 0
    root = tree.fromstring((tmp_path / "chart.svg").read_text())
    labels = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "inside = 1, lock = TRUE" in labels and "the assertion failed" in labels


def test_a_trace_that_does_not_fit_is_drawn_as_far_as_it_goes(tmp_path: Path) -> None:
    program, way = tmp_path / "Broken.lf", tmp_path / "way.json"
    program.write_text(LOCK)
    assert lfc("check", "--threads", "1", program, "--trace", way).exit == 4
    document = json.loads(way.read_text())
    document["steps"][2] = [["run", 9]]
    way.write_text(json.dumps(document))
    done = lfc("trace", "msc", way, program)
    assert (done.exit, done.err) == (6, "step 3 is not possible: the trace does not match the program\n")
    assert "to 6:3" in done.out and "inside" not in done.out


def test_text_as_it_is_drawn() -> None:
    chart = Chart()
    chart.add(Arrow(1, "P", "Q", "data"))
    chart.add(Deed(2, "Q", "ends"))
    chart.add(Arrow(3, "Q", "P", "ok"))
    assert as_text(chart).splitlines() == [
        "             P         Q",
        "    1        |---data->|",
        "    2        |         * ends",
        "    3        |<---ok---|",
    ]


ROUND = """MODULE M;
TYPE T = [ping, pong];
PORT p : T;
VAR done : BOOLEAN;
PROPERTY ends = EVENTUALLY done;
PROCESS Left; BEGIN LOOP p!ping; p?pong END END Left;
PROCESS Right; BEGIN LOOP p?ping; p!pong END END Right;
BEGIN NEW(p); CREATE Left; CREATE Right
END M.
"""


def test_where_the_cycle_of_a_run_begins(tmp_path: Path) -> None:
    (tmp_path / "M.lf").write_text(ROUND)
    machine = load_machine(str(tmp_path / "M.lf"), (), (), with_environment=False)
    finding = check(machine, request_from(threads=1)).findings[0]
    assert finding.run is not None and 0 < finding.run.cycle < len(finding.steps)
    chart = chart_of(machine, finding.steps, finding.blocks, cycle=finding.run.cycle)
    marks = [i for i, row in enumerate(chart.rows) if isinstance(row, Mark)]
    assert len(marks) == 1
    assert all(row.step <= finding.run.cycle for row in chart.rows[: marks[0]])
    assert all(row.step > finding.run.cycle for row in chart.rows[marks[0] :])
    around = [row.message for row in chart.rows[marks[0] :] if isinstance(row, Arrow)]
    assert sorted(around) == ["ping", "pong"]  # both, on a cycle
    lines = as_text(chart).splitlines()
    assert "== the cycle starts here ==" in lines[marks[0] + 1]
    root = tree.fromstring(as_svg(chart))
    assert "the cycle starts here" in [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_run_that_comes_to_an_end() -> None:
    chart = Chart()
    chart.add(Deed(1, "P", "ends"))
    chart.add(Mark(1, "the program stays in this state"))
    assert as_text(chart).splitlines()[-1].strip("= ") == "the program stays in this state"


def test_a_chart_for_mermaid() -> None:
    chart = Chart()
    chart.add(Arrow(1, "P[0]", "Q", "put"))
    chart.add(Mark(2, "the cycle starts here"))
    chart.add(Deed(2, "Q", "x # 1; ends"))
    assert as_mermaid(chart).splitlines() == [
        "sequenceDiagram",
        "  participant p0 as P[0]",
        "  participant p1 as Q",
        "  p0->>p1: 1: put",
        "  Note over p0,p1: the cycle starts here",
        "  Note over p1: 2: x #35; 1, ends",
    ]


def test_columns_are_narrow_where_the_terminal_is() -> None:
    chart = Chart()
    for n in range(8):
        chart.add(Deed(n + 1, f"Philosopher[{n}]", f"waits, line {n}"))
    chart.add(Arrow(9, "Philosopher[0]", "Philosopher[7]", "message"))
    assert as_text(chart, 400) == as_text(chart)
    lines = as_text(chart, 72).splitlines()
    assert max(map(len, lines)) <= 72
    assert lines[0] == "      1 Philosopher[0]"
    assert lines[-1].endswith("message")
    assert "*" in lines[9] and lines[9].endswith("waits, line 0")
