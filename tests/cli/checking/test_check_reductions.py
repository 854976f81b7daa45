"""`lfc check --reductions`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.support.sized_programs import senders


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Senders.lf").write_text(senders(4))
    return tmp_path


def test_without_reductions_the_counts_are_those_of_the_language_reference(here: Path) -> None:
    done = lfc("check", "Senders.lf", "--reductions", "none", "--json", cwd=here)
    found = json.loads(done.out)
    assert (done.exit, found["states"], found["transitions"]) == (0, 113, 465)


PAIR = """MODULE Pair;
VAR a, b : UINT8;
PROCESS P;
BEGIN
  a := 1; RESCHEDULE; a := 2
END P;
PROCESS Q;
BEGIN
  b := 1; RESCHEDULE; b := 2
END Q;
PROPERTY never = ALWAYS ~((a = 1) & (b = 1));
PROPERTY then = NEXT (a = 0);
BEGIN
  CREATE P;
  CREATE Q
END Pair.
"""


def test_reductions_say_what_they_did(tmp_path: Path) -> None:
    (tmp_path / "Pair.lf").write_text(PAIR)
    full = json.loads(lfc("check", "Pair.lf", "--property", "then", "--json", cwd=tmp_path).out)
    assert full["reductions"] == []
    free = PAIR.replace("PROPERTY", "(* PROPERTY").replace(");\n", "); *)\n")
    (tmp_path / "Free.lf").write_text(free)
    reduced = json.loads(lfc("check", "Free.lf", "--reductions", "por", "--json", cwd=tmp_path).out)
    assert (reduced["verdict"], reduced["states"]) == ("holds", 6)
    assert reduced["reductions"] == [{"name": "por", "used": True, "reason": "", "reduced_states": 2}]
    told = lfc("check", "Free.lf", "--reductions", "por,dead", cwd=tmp_path).out
    assert "reduction por: in 2 of 6 states only some processes' steps were explored" in told


def test_what_a_formula_asks_is_not_left_out(tmp_path: Path) -> None:
    (tmp_path / "Pair.lf").write_text(PAIR)
    done = lfc("check", "Pair.lf", "--property", "never", "--reductions", "all", "--json", cwd=tmp_path)
    found = json.loads(done.out)
    assert (done.exit, found["verdict"], found["reductions"][1]["used"]) == (5, "property", True)


def test_a_formula_that_counts_steps_is_looked_for_without_it(tmp_path: Path) -> None:
    (tmp_path / "Pair.lf").write_text(PAIR)
    full = json.loads(lfc("check", "Pair.lf", "--property", "then", "--json", cwd=tmp_path).out)
    done = lfc("check", "Pair.lf", "--property", "then", "--reductions", "por", "--json", cwd=tmp_path)
    found = json.loads(done.out)
    assert found["reductions"][0]["not_for"] == {"then": "counts steps"}
    assert found["states"] < full["states"] and found["properties"] == full["properties"]
    told = lfc("check", "Pair.lf", "--property", "then", "--reductions", "por", cwd=tmp_path).out
    assert "some processes' steps were explored; not for `then`, which counts steps" in told


@pytest.mark.parametrize("name", ["magic", "sleep", "por,sleep"])
def test_an_unknown_reduction(here: Path, name: str) -> None:
    done = lfc("check", "Senders.lf", "--reductions", name, cwd=here)
    assert done.exit == 2
    assert "--reductions takes auto, none, all, or a list of slice, por, dead, chains, sym." in done.err
