"""`lfc check`: verdicts, exit codes, traces that replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT, lfc

PARTIAL = """MODULE Partial;
TYPE C = [a, b];
PORT p, q : C;
VAR n : INTEGER;
PROCESS One;
BEGIN
  p!a;
  q?b
END One;
PROCESS Two;
BEGIN
  q!b;
  p?a
END Two;
PROCESS Tick;
BEGIN
  LOOP n := 1 - n; RESCHEDULE END
END Tick;
BEGIN
  NEW(p); NEW(q); CREATE One; CREATE Two; CREATE Tick
END Partial.
"""
LOST = """MODULE Lost;
VAR n : INTEGER;
PROCESS Add;
VAR x : INTEGER;
BEGIN
  x := n;
  RESCHEDULE;
  n := x + 1;
  IF x = 1 THEN ASSERT(n = 3) END
END Add;
BEGIN
  CREATE Add;
  CREATE Add
END Lost.
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Partial.lf").write_text(PARTIAL)
    (tmp_path / "Lost.lf").write_text(LOST)
    return tmp_path


def test_holds(here: Path) -> None:
    done = lfc("check", str(ROOT / "examples" / "prodcons.lf"), cwd=here)
    assert done.exit == 0
    assert done.out.startswith(
        "holds: no failed assertion, fault, deadlock or partial deadlock in any state\n308 states"
    )


def test_partial_deadlock_names_the_cycle(here: Path) -> None:
    done = lfc("check", "Partial.lf", cwd=here)
    assert done.exit == 3
    lines = done.out.splitlines()
    assert lines[0].startswith("Partial.lf:7:3: a process can be stuck for ever: One, Two wait for ever")
    assert "  One waits at Partial.lf:7:3 for `p!a`" in lines
    assert "a cycle: One waits for Two waits for One" in lines


def test_json_and_a_trace_that_replays(here: Path) -> None:
    done = lfc("check", "--json", "--trace", "way.json", "Lost.lf", cwd=here)
    assert done.exit == 4
    document = json.loads(done.out)
    assert document["verdict"] == "assertion"
    assert (document["errors"][0]["file"], document["errors"][0]["line"]) == ("Lost.lf", 9)
    again = lfc("run", "Lost.lf", "--schedule", "way.json", cwd=here)
    assert again.exit == 4
    assert again.err.startswith("Lost.lf:9:17: fault: the assertion failed")


def test_a_deadlock_that_replays(here: Path) -> None:
    file = str(ROOT / "examples" / "philosophers.lf")
    done = lfc("check", "--trace", "way.bin", file, cwd=here)
    assert done.exit == 3
    assert "the shortest way there has 21 steps" in done.out and "a cycle: Philosopher[" in done.out
    again = lfc("run", "--schedule", "way.bin", "--trace", file, cwd=here)
    assert len(again.err.splitlines()) == 21


@pytest.mark.parametrize(("option", "reason"), [("--states", "--states"), ("--time", "--time")])
def test_a_limit_is_no_success(here: Path, option: str, reason: str) -> None:
    value = "1000" if option == "--states" else "0.0001"
    done = lfc("check", option, value, str(ROOT / "examples" / "leader.lf"), cwd=here)
    assert done.exit == 6
    assert done.out.startswith("inconclusive: ") and reason in done.out.splitlines()[0]
