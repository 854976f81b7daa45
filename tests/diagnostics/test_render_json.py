"""Diagnostics as JSON: golden output."""

from __future__ import annotations

import json
from pathlib import Path

from lfc.diagnostics.render_json import render_json
from tests.conftest import Golden
from tests.diagnostics.samples import sample


def test_json(golden: Golden) -> None:
    text = render_json(sample())
    data = json.loads(text)
    assert data["version"] == 1
    assert data["summary"] == {"errors": 3, "warnings": 1}
    assert [d["code"] for d in data["diagnostics"]] == ["LF0901", "LF0906", "LF0904", "LF0903"]
    fix = data["diagnostics"][2]["fix"]
    assert fix["replacement"] == "count"
    assert fix["span"]["start"] == {"line": 5, "column": 2, "offset": 70}
    golden(Path(__file__).parent / "golden" / "sample.json", text.replace(data["tool"]["version"], "VERSION") + "\n")
