"""The README's tour: every command of it is run, and prints what the README says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT, Golden
from tests.docs.sessions import as_run, commands_of, new_clone

README = ROOT / "README.md"


def test_the_tour(tmp_path: Path, golden: Golden) -> None:
    text = README.read_text(encoding="utf-8")
    assert sum(command.startswith("lfc ") for command in commands_of(text)) >= 3
    golden(README, as_run(text, new_clone(tmp_path / "tour")))


def test_the_two_commands() -> None:
    """One that sets up a machine and runs the main job, one that sets up and passes the tests; CI uses the second,
    with the pinned seeds."""
    text = README.read_text(encoding="utf-8")
    shell = re.findall(r"^```sh\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)
    assert [command.split()[0] for command in shell] == ["python3", "./test"]
    assert "pip install -c constraints.txt ." in shell[0].replace(" --quiet", "").replace(" -q", "")
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith(f"exec env -u LF_SEED {shell[1]}")
