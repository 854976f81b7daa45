"""What CI systems and code hosts read of a check: JUnit XML, by a foreign reader, and Markdown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase

from lfc.mcheck.report.junit import ERROR, FAILED, SKIPPED, Case, as_junit
from lfc.mcheck.report.markdown import escaped
from tests.cli.checking.projects import lfc
from tests.cli.lfc import ROOT

STATES = {"failure": Failure, "error": Error, "skipped": Skipped}
LIGHT = """MODULE Light;
VAR on : BOOLEAN; i : INTEGER;
PROPERTY short = ALWAYS i < 4;
PROPERTY ends = EVENTUALLY i = 3;
BEGIN
  FOR i := 0 TO 2 DO on := ~on; RESCHEDULE END
END Light.
"""
NOTHING = ["no assertion fails", "no fault occurs", "no deadlock", "no partial deadlock"]


def read(file: Path) -> dict[str, str]:
    """The cases, and what became of each; counts are those of the cases."""
    (suite,) = JUnitXml.fromfile(str(file))
    found = {}
    for case in suite:
        assert isinstance(case, TestCase)
        found[case.name] = type(case.result[0]).__name__.lower() if case.result else "passed"
    told = list(found.values())
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (
        len(told),
        told.count("failure"),
        told.count("error"),
        told.count("skipped"),
    )
    return found


@pytest.mark.parametrize(
    ("text", "options", "exit_code", "expected"),
    [
        (LIGHT, (), 0, ["passed"] * 6),
        (LIGHT.replace("i < 4", "i < 3"), (), 5, ["skipped"] * 5 + ["failure"]),
        (LIGHT.replace("i = 3", "i = 4"), (), 5, ["passed"] * 4 + ["failure", "passed"]),
        (LIGHT, ("--states", "2"), 6, ["error"] * 6),
        (LIGHT, ("--deadlocks", "allow"), 0, ["passed"] * 2 + ["skipped"] * 2 + ["passed"] * 2),
        (
            LIGHT.replace("on := ~on", "ASSERT(i < 2)"),
            (),
            4,
            ["failure", *["skipped"] * 5],
        ),
    ],
    ids=["holds", "invariant", "formula", "inconclusive", "allowed", "assertion"],
)
def test_each_thing_that_is_looked_for_is_a_case(
    text: str, options: tuple[str, ...], exit_code: int, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / "Light.lf").write_text(text)
    done = lfc("check", "Light.lf", "--junit", "j.xml", *options, cwd=tmp_path)
    assert done.exit == exit_code, done.err
    found = read(tmp_path / "j.xml")
    names = [*NOTHING, "property ends", "property short"]
    assert {name: found.get(name) for name in names} == dict(zip(names, expected, strict=True))
    assert set(found) == set(names)


def test_the_cases_of_an_image(tmp_path: Path) -> None:
    (tmp_path / "Light.lf").write_text(LIGHT)
    options = ("Light.lf", "-b", "uno", "--image", "--junit", "j.xml", "--summary", "s.md")
    assert lfc("check", *options, cwd=tmp_path).exit == 0
    assert read(tmp_path / "j.xml")["the image does what the program does"] == "passed"
    assert re.search(r"Image `[0-9a-f]{64}`, record `\.lf/records/[0-9a-f-]+\.json`\.", (tmp_path / "s.md").read_text())


def test_what_xml_has_not_is_shown(tmp_path: Path) -> None:
    evil = '\x1b[2J\0\ud800\ufffe]]>&<"'
    cases = [Case(evil, FAILED, evil, evil), Case("b", ERROR, evil), Case("c", SKIPPED, evil)]
    (tmp_path / "j.xml").write_text(as_junit(evil, evil, cases, 0.5), encoding="utf-8")
    assert list(read(tmp_path / "j.xml").values()) == ["failure", "error", "skipped"]


def test_a_page_has_a_chart_of_the_first_counterexample(tmp_path: Path) -> None:
    done = lfc("check", ROOT / "examples" / "philosophers.lf", "--threads", "1", "--summary", "s.md", cwd=tmp_path)
    assert done.exit == 3
    page = (tmp_path / "s.md").read_text()
    (chart,) = re.findall(r"```mermaid\n(sequenceDiagram\n.*?)```", page, re.DOTALL)
    assert "participant p1 as Fork[0]" in chart and re.search(r"p\d+->>p1: \d+: get", chart)
    assert page.startswith("## `Philosophers`: verdict: deadlock\n")
    assert "| no deadlock | ❌ failed | no process is ready; Philosopher\\[0\\]" in page
    assert page.count("```") == 4


def test_nothing_in_a_page_is_taken_for_markup() -> None:
    assert escaped("<b>*x*|`y`\n#[z]") == "&lt;b>\\*x\\*\\|\\`y\\`␊\\#\\[z\\]"


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "Light.lf").write_text(LIGHT)
    for option in ("--junit", "--summary"):
        done = lfc("check", "Light.lf", option, "none/x", cwd=tmp_path)
        assert done.exit == 2 and "none/x cannot be written: No such file or directory" in done.err
