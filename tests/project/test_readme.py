"""The README's tour: every command of it is run, and prints what the README says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.lfc import without_notices
from tests.conftest import ROOT, Golden

README = ROOT / "README.md"
TOUR = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(text: str) -> list[str]:
    """The commands of all console fences."""
    return [line[2:] for fence in TOUR.findall(text) for line in fence.splitlines() if line.startswith("$ ")]


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


def run(command: str, clone: Path) -> str:
    path = os.pathsep.join([str(clone / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
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
    return without_notices(done.stdout)[0]


def test_the_tour(clone: Path, golden: Golden) -> None:
    text = README.read_text(encoding="utf-8")
    assert sum(command.startswith("lfc ") for command in commands_of(text)) >= 3

    def run_fence(fence: re.Match[str]) -> str:
        printed = [f"$ {command}\n{run(command, clone)}" for command in commands_of(fence[0])]
        return f"```console\n{''.join(printed)}```"

    golden(README, TOUR.sub(run_fence, text))


def test_the_two_commands() -> None:
    """One that sets up a machine and runs the main job, one that sets up and passes the tests; CI uses the second."""
    text = README.read_text(encoding="utf-8")
    shell = re.findall(r"^```sh\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)
    assert [command.split()[0] for command in shell] == ["python3", "./test"]
    assert "pip install -c constraints.txt ." in shell[0].replace(" --quiet", "").replace(" -q", "")
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith(f"exec {shell[1]}")
