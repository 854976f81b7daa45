"""The README's tour: every command of it is run, and prints what the README says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

TOUR = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def steps(text: str) -> list[tuple[str, str]]:
    """Commands with what they print, of all console fences."""
    return [step for fence in TOUR.findall(text) for step in STEP.findall(fence)]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a reader of the README stands in, with `lfc` on the path."""
    folder = tmp_path_factory.mktemp("tour")
    shutil.copytree(ROOT / "examples", folder / "examples")
    lfc = folder / "bin" / "lfc"
    lfc.parent.mkdir()
    lfc.write_text(f'#!/bin/sh\nexec {sys.executable} -m lfc "$@"\n')
    lfc.chmod(0o755)
    return folder


def test_the_tour(clone: Path) -> None:
    tour = steps((ROOT / "README.md").read_text(encoding="utf-8"))
    assert sum(command.startswith("lfc ") for command, _ in tour) >= 3
    path = os.pathsep.join([str(clone / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    for command, expected in tour:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=clone,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.stdout == expected, command


def test_the_two_commands() -> None:
    """One that sets up a machine and runs the main job, one that sets up and passes the tests; CI uses the second."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shell = re.findall(r"^```sh\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)
    assert [command.split()[0] for command in shell] == ["python3", "./test"]
    assert "pip install -c constraints.txt ." in shell[0].replace(" --quiet", "").replace(" -q", "")
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith(f"exec {shell[1]}")
