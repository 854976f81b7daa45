"""The pages on monitors, obligations and lint show what the commands print of the programs beside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.support.programs import write_program

PAGES = [
    ("monitors.md", ["check", "Bus.lf", "--monitor", "Watch.lf"]),
    ("test-obligations.md", ["cover", "Gate.lf"]),
    ("test-obligations.md", ["cover", "Gate.lf", "--properties"]),
    ("lint-tests.md", ["lint", "test_race.py"]),
]


@pytest.mark.parametrize(("page", "command"), PAGES)
def test_a_page_shows_what_is_printed(page: str, command: list[str], tmp_path: Path) -> None:
    text = (ROOT / "docs/how-to" / page).read_text(encoding="utf-8")
    for kind, content in re.findall(r"```(lf|python)\n(.*?)```", text, re.DOTALL):
        if kind == "lf":
            write_program(content, tmp_path)
        else:
            (tmp_path / "test_race.py").write_text(content)
    shown = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    printed = [line for line in lfc(*command, cwd=tmp_path).out.splitlines() if line and "verdict" not in line]
    samples = [[line[4:] for line in sample.splitlines()] for sample in shown]
    assert any(sample == printed[: len(sample)] and len(sample) > 1 for sample in samples), printed
