"""The playground's answers, by the Python that runs the tests; its archive has all that they need."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from release.playground import archive, examples
from tests.cli.lfc import lfc
from tests.conftest import ROOT

ALONE = """
import sys
sys.path[:] = [{folder!r}, *(p for p in sys.path if "site-packages" not in p and p not in ("", {root!r}))]
from answers import answer
print(answer({job!r}, sys.stdin.read()))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("playground")
    archive(made / "lf.zip")
    with zipfile.ZipFile(made / "lf.zip") as packed:
        packed.extractall(made / "lf")
    return made / "lf"


def answer(folder: Path, job: str, text: str) -> Any:
    """With nothing but the archive and the standard library: no package is there, as in the page."""
    script = ALONE.format(folder=str(folder), root=str(ROOT), job=job)
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", script],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_counts_are_those_of_the_engine(folder: Path) -> None:
    text = examples()["pingpong"]
    told = answer(folder, "check", text)
    checked = json.loads(lfc("check", "examples/pingpong.lf", "--reductions", "none", "--json").out)
    assert (told["states"], told["transitions"]) == (checked["states"], checked["transitions"])
    assert (told["complete"], told["kinds"], told["way"]) == (True, [], [])


def test_the_way_to_a_deadlock(folder: Path) -> None:
    """As short as the checker's."""
    text = examples()["philosophers"].replace("N = 5", "N = 3")
    told = answer(folder, "check", text)
    assert told["kinds"] == ["deadlock", "partial-deadlock"]  # some are stuck before all are
    checked = json.loads(lfc("check", "examples/philosophers.lf", "-D", "N=3", "--json").out)
    steps = [line for line in told["way"] if not line.endswith("waits for ever")]
    assert len(steps) == len(checked["errors"][0]["trace"])
    waits = [line.split()[0] for line in told["way"][len(steps) :]]
    assert waits.count("Philosopher") == 3 and waits.count("Fork") == 3


def test_the_way_to_an_assertion(folder: Path) -> None:
    told = answer(folder, "check", "MODULE A;\nVAR x : INTEGER;\nBEGIN\n  x := 1;\n  ASSERT(x = 2)\nEND A.\n")
    assert told["kinds"] == ["assertion"]
    assert told["way"] == ["initialisation (0): the assertion failed at line 5"]


def test_a_large_program_is_inconclusive(folder: Path) -> None:
    text = "MODULE A;\nVAR i : INTEGER;\nBEGIN\n  FOR i := 1 TO 10000 DO RESCHEDULE END\nEND A.\n"
    told = answer(folder, "check", text)
    assert (told["states"], told["complete"], told["kinds"]) == (5000, False, [])


def test_errors_and_layout(folder: Path) -> None:
    wrong = "MODULE A;\nVAR x : INTEGR;\nEND A.\n"
    assert [d["code"] for d in answer(folder, "diagnose", wrong)["diagnostics"]] == ["LF0301"]
    assert "states" not in answer(folder, "check", wrong)
    assert answer(folder, "format", "MODULE  A;END A.")["text"] == "MODULE A;\nEND A.\n"
    assert answer(folder, "format", "MODULE A; VAR")["text"] is None


def test_every_example_opens(folder: Path) -> None:
    """None imports what the archive lacks."""
    names = list(examples())
    assert len(names) == len(set(names)) > 80 and {"blink", "Modbus", "models/bakery", "i2c/Weather"} <= set(names)
    script = (
        "import json; texts = json.load(sys.stdin); "
        "print([name for name, text in texts.items() if json.loads(answer('diagnose', text))['summary']['errors']])"
    )
    alone = ALONE.format(folder=str(folder), root=str(ROOT), job="").replace(
        "print(answer('', sys.stdin.read()))", script
    )
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", alone],
        cwd=folder,
        input=json.dumps(examples()),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
