"""Known problems: page and file agree, versions count, and evidence has those that bear on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.base.version import __version__
from lfc.records.known_problems import AFFECTS, Problem, known_problems, of_version
from release.known_problems import PAGE, page
from tests.cli.lfc import lfc
from tests.conftest import ROOT


def test_the_page_is_made_of_the_file() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(known_problems()), "python -m release.known_problems"


def test_each_is_whole() -> None:
    problems = known_problems()
    assert [p.id for p in problems] == [f"KP-{n}" for n in range(1, len(problems) + 1)]
    assert {p.affects for p in problems} <= set(AFFECTS)


@pytest.mark.parametrize(
    ("since", "until", "version", "has_it"),
    [
        ("0.1.0", "", "0.1.0", True),
        ("0.2.0", "", "0.1.0", False),
        ("0.1.0", "0.2.0", "0.1.9", True),
        ("0.1.0", "0.2.0", "0.2.0", False),
        ("0.9.0", "", "0.10.0", True),
        ("0.1.0", "", "0.1.0.dev3", True),
    ],
)
def test_versions_are_numbers(since: str, until: str, version: str, has_it: bool) -> None:
    problem = Problem("KP-0", "", since, "verdict", "", "", until)
    assert (of_version([problem], version) == [problem]) == has_it


def test_evidence_has_those_that_bear_on_verdicts(tmp_path: Path) -> None:
    (tmp_path / "Light.lf").write_text("MODULE Light;\nVAR on : BOOLEAN;\nBEGIN\n  on := TRUE\nEND Light.\n")
    done = lfc("evidence", "Light.lf", "-b", "uno", "--html", "e.html", cwd=tmp_path)
    assert done.exit == 0, done.err
    told = set(re.findall(r"KP-\d+", (tmp_path / "e.html").read_text()))
    assert told == {p.id for p in of_version(known_problems(), __version__) if p.affects == "verdict"} != set()


def test_options_that_the_safety_manual_names_are_there() -> None:
    """Each `lfc COMMAND --option` of it."""
    text = (ROOT / "docs/reference/safety-manual.md").read_text(encoding="utf-8")
    named = re.findall(r"`lfc ((?:hil )?\w+)[^`]*?(--[a-z-]+)", text)
    assert len(named) > 5
    for command in sorted({c for c, _ in named}):
        help_text = lfc(*command.split(), "--help").out
        for option in [o for c, o in named if c == command]:
            assert option in help_text, (command, option)
