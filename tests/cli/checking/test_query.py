"""`lfc graph --store` and `lfc query`: the answers are those of the checker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.checking.projects import lfc
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
RACE = """MODULE Race; TYPE Who = (nobody, one, two); VAR n : INTEGER; last : Who;
PROCESS Add(me : Who); VAR x : INTEGER; BEGIN x := n; RESCHEDULE; n := x + 1; last := me END Add;
PROCESS Look; BEGIN RESCHEDULE; ASSERT(n # 1) END Look;
BEGIN CREATE Add(one); CREATE Add(two); CREATE Look END Race.
"""


@pytest.fixture
def race(tmp_path: Path) -> Path:
    (tmp_path / "Race.lf").write_text(RACE)
    done = lfc("graph", "Race.lf", "--store", "race.graph", cwd=tmp_path)
    states = len(json.loads(lfc("graph", "Race.lf", "--json", cwd=tmp_path).out)["states"])
    assert done.exit == 0 and done.out.startswith(f"race.graph: {states + 1} states, ")  # and the fault
    (tmp_path / "Race.lf").unlink()
    return tmp_path


def test_verdicts_and_evidence(race: Path) -> None:
    for query, holds in (
        ("EF FAULT", True),
        ("EF (END & (n = 1))", True),
        ("AF (END OR FAULT)", True),
        ("AG (n < 2)", False),
        ("EF DEADLOCK", False),
        ("A[(last = nobody) U (n > 0) OR FAULT]", True),
    ):
        done = lfc("query", "race.graph", query, cwd=race)
        assert done.exit == (0 if holds else 5), (query, done)
        assert done.out.startswith("holds in" if holds else "does not hold in")
    path = json.loads(lfc("query", "race.graph", "EF FAULT", "--json", cwd=race).out)["path"]
    assert len(path) == 6 and path[0] == {"state": 0, "label": None} and path[-1]["label"] == "Look"


def test_a_shortest_path_is_the_checkers_counterexample(tmp_path: Path) -> None:
    two = (EXAMPLES / "philosophers.lf", "-D", "N=2")
    assert lfc("graph", *two, "--store", "p.graph", cwd=tmp_path).exit == 0
    told = json.loads(lfc("check", *two, "--search", "breadth", "--reductions", "none", "--json", cwd=tmp_path).out)
    done = lfc("query", "p.graph", "--to", "DEADLOCK", cwd=tmp_path)
    assert done.exit == 0 and done.out.splitlines()[0] == f"{len(told['errors'][0]['trace'])} steps"
    assert "(deadlock)" in done.out.splitlines()[-1]


def test_paths_between_conditions_and_ends(race: Path) -> None:
    done = lfc("query", "race.graph", "--from", "n = 1", "--to", "n = 2", cwd=race)
    assert done.exit == 0 and done.out.splitlines()[0] in ("1 step", "2 steps") and "n = 2" in done.out
    assert lfc("query", "race.graph", "--from", "n = 2", "--to", "n = 1", cwd=race).exit == 5
    ends = json.loads(lfc("query", "race.graph", "--ends", "--json", cwd=race).out)["ends"]
    assert sorted({(e["kind"], e["data"].get("n")) for e in ends}, key=str) == [("end", 1), ("end", 2), ("fault", None)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("AG (",), "a condition is missing before the end at column 5."),
        (("m = 1",), "no state has a variable or a value `m`"),
        ((), "Ask one thing"),
        (("EF END", "--ends"), "Ask one thing"),
        (("--from", "n = 1", "EF END"), "--from needs --to."),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], said: str, race: Path) -> None:
    done = lfc("query", "race.graph", *arguments, cwd=race)
    assert done.exit == 2 and said in done.err


def test_files_that_are_no_graphs(race: Path) -> None:
    assert lfc("query", "none.graph", "EF END", cwd=race).exit in (1, 2)
    (race / "text.graph").write_text("digraph")
    done = lfc("query", "text.graph", "EF END", cwd=race)
    assert done.exit == 2 and "is not a stored state graph" in done.err
    content = (race / "race.graph").read_bytes()
    for cut in range(8, len(content), 37):
        (race / "cut.graph").write_bytes(content[:cut])
        done = lfc("query", "cut.graph", "EF END", cwd=race)
        assert done.exit == 2 and "is damaged" in done.err
