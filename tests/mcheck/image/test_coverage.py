"""What became of each byte of an image."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as XML

import pytest

from tests.cli.checking.projects import lfc
from tests.cli.lfc import ROOT


@pytest.mark.parametrize(
    ("board", "program"),
    [("uno", "echo.lf"), ("microbit", "mutex.lf"), ("hifive1", "mutex.lf")],
)
def test_every_byte_is_accounted_for(board: str, program: str, tmp_path: Path) -> None:
    """Once, with a reason; what is executed is what the check itself counts."""
    file = ROOT / "examples" / program
    done = lfc("check", file, "-b", board, "--image", "--coverage", "c.json", "--json", cwd=tmp_path)
    assert done.exit == 0, done.err
    told, c = json.loads(done.out)["image_check"], json.loads((tmp_path / "c.json").read_text())
    runs = c["runs"]
    assert [r["start"] for r in runs[1:]] == [r["end"] for r in runs[:-1]]
    assert c["bytes"] == runs[-1]["end"] - runs[0]["start"] == sum(c["kinds"].values())
    assert set(c["kinds"]) <= set(c["reasons"]) and c["kinds"]["executed"] == told["code"]["executed"]
    code = sum(n for kind, n in c["kinds"].items() if kind not in ("data", "filling"))
    assert code >= told["code"]["bytes"] and c["kinds"].get("filling", 0) <= 4 * len(runs)
    assert all(r["where"] for r in runs if r["kind"] in ("fault path", "start", "vector"))


def test_lines_for_other_tools(tmp_path: Path) -> None:
    """Both forms have the same lines. The branch that no state takes is not covered."""
    (tmp_path / "Two.lf").write_text(
        "MODULE Two;\nVAR i, k : INTEGER;\nBEGIN\n  FOR i := 0 TO 2 DO\n    IF k > 5 THEN\n      k := 7;\n"
        "      RESCHEDULE\n    END;\n    RESCHEDULE\n  END\nEND Two.\n"
    )
    for name in ("c.info", "c.xml"):
        assert lfc("check", "Two.lf", "-b", "uno", "--image", "--coverage", name, cwd=tmp_path).exit == 0
    info = (tmp_path / "c.info").read_text().split("end_of_record\n")
    (ours,) = [part for part in info if "SF:Two.lf\n" in part]
    lines = dict(line[3:].split(",") for line in ours.splitlines() if line.startswith("DA:"))
    assert lines["6"] == "0" and lines["5"] == "1"
    assert f"LF:{len(lines)}\nLH:{list(lines.values()).count('1')}\n" in ours
    top = XML.parse(tmp_path / "c.xml").getroot()
    (one,) = [c for c in top.iter("class") if c.get("filename") == "Two.lf"]
    assert {line.get("number"): line.get("hits") for line in one.iter("line")} == lines
    counted = [int(top.get(name) or 0) for name in ("lines-covered", "lines-valid")]
    every = [line.get("hits") for line in top.iter("line")]
    assert counted == [every.count("1"), len(every)]


def test_it_needs_an_image_that_is_executed(tmp_path: Path) -> None:
    done = lfc("check", ROOT / "examples" / "mutex.lf", "--coverage", "c.json", cwd=tmp_path)
    assert done.exit == 2 and "add --image" in done.err
