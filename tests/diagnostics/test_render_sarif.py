"""Diagnostics as SARIF: what the standard requires of each object, and that places are right."""

from __future__ import annotations

import json
from pathlib import Path

from lfc.base.source import Source, Span
from lfc.diagnostics.catalogue import CATALOGUE
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.render_sarif import render_sarif
from tests.conftest import Golden
from tests.diagnostics.samples import sample
from tests.support.sarif import violations


def test_sarif(golden: Golden) -> None:
    data = json.loads(render_sarif(sample()))
    assert violations(data, "log") == []
    run = data["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
    version = run["tool"]["driver"]["version"]
    golden(
        Path(__file__).parent / "golden" / "sample.sarif", json.dumps(data, indent=2).replace(version, "VERSION") + "\n"
    )


def test_the_check_finds_what_is_wrong() -> None:
    data = json.loads(render_sarif(sample()))
    del data["runs"][0]["results"][1]["message"]
    data["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    data["runs"][0]["colour"] = "red"
    assert len(violations(data, "log")) == 3


def test_every_code_makes_a_valid_rule_and_strange_paths_a_valid_uri() -> None:
    diagnostics = Diagnostics()
    for code in CATALOGUE:
        diagnostics.report(code, Span(Source(f"/a b/\u00e4\udcff{code}.lf", "x"), 0, 1), "said")
    data = json.loads(render_sarif(diagnostics))
    assert violations(data, "log") == []
    place = data["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].startswith("file:///a%20b/%C3%A4%FFLF")


def test_no_diagnostics() -> None:
    data = json.loads(render_sarif(Diagnostics()))
    assert violations(data, "log") == [] and data["runs"][0]["results"] == []
