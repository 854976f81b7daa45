"""Message sequence charts: of a deadlock, in text and SVG."""

from __future__ import annotations

import xml.etree.ElementTree as tree
from pathlib import Path

from lfc.cli.machine import load_machine
from lfc.host.chart import Arrow, Chart, Deed, as_svg, as_text, chart_of
from lfc.mcheck.check import CheckOptions, check_program

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
    finding = check_program(machine, CheckOptions()).findings[0]
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
