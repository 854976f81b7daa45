"""`lfc layout` and `lfc actions` as commands."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.lfc import lfc
from tests.conftest import ROOT

PRODCONS = str(ROOT / "examples" / "prodcons.lf")


def test_layout() -> None:
    done = lfc("layout", PRODCONS)
    assert done.exit == 0 and not done.err
    assert done.out.startswith("block: 24 bytes")
    data = json.loads(lfc("layout", "--json", PRODCONS).out)
    assert (data["format"], data["version"], data["size"]) == ("lf-layout", 1, 24)
    assert sum(f["size"] for f in data["fields"]) == 24 - 5


def test_policy_block() -> None:
    data = json.loads(lfc("layout", "--json", "--policy", "--scheduler", "edf", PRODCONS).out)
    assert data["scheduler"] == "edf" and "deadlines" in [f["name"] for f in data["fields"]]
    assert data["size"] % 4 == 0 and all(f["offset"] + f["size"] <= data["size"] for f in data["fields"])
    assert "deadlines" not in lfc("layout", "--policy", PRODCONS).out


def test_actions() -> None:
    done = lfc("actions", PRODCONS)
    assert done.exit == 0 and "ends    attempt" in done.out
    data = json.loads(lfc("actions", "--json", PRODCONS).out)
    assert (data["format"], data["version"]) == ("lf-actions", 1)
    assert [a["position"] for a in data["actions"]] == [1, 2, 3, 4, 5, 6, 7]


def test_json_names_no_path(tmp_path: Path) -> None:
    """So that a program has one digest wherever it lies."""
    copy = tmp_path / "elsewhere" / "prodcons.lf"
    copy.parent.mkdir()
    copy.write_bytes(Path(PRODCONS).read_bytes())
    for command in ("layout", "actions"):
        assert lfc(command, "--json", PRODCONS).out == lfc(command, "--json", str(copy)).out


def test_errors_of_the_program(tmp_path: Path) -> None:
    wrong = tmp_path / "Wrong.lf"
    wrong.write_text("MODULE Wrong; BEGIN x := 1 END Wrong.\n")
    for command in ("layout", "actions"):
        done = lfc(command, str(wrong))
        assert done.exit == 1 and "LF0301" in done.err and not done.out
        reported = lfc(command, "--json", str(wrong))
        assert reported.exit == 1
        assert json.loads(reported.out)["diagnostics"][0]["code"] == "LF0301"
