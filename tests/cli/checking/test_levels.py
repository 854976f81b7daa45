"""`lfc check --levels`: up to which level each claim holds, and how many faults it endures."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.checking.projects import lfc
from tests.conftest import ROOT

LINK = ROOT / "examples" / "sweep" / "Link.lf"


def test_each_claim_has_its_worst_world(tmp_path: Path) -> None:
    claims = ("--for", "right", "--for", "all", "--for", "some")
    done = lfc("check", LINK, "--levels", "--fault-budget", "3", *claims, cwd=tmp_path)
    assert done.exit == 0 and done.out.splitlines() == [
        "right  holds at every level",
        "all    holds up to normal; property with degraded",
        "some   holds up to 2 faults; property with 3 faults",
    ]
    data = json.loads(lfc("check", LINK, "--levels", "--json", "--for", "some", cwd=tmp_path).out)
    assert data["endured"] == {"some": "degraded"}
    assert [(c["world"], c["verdict"]) for c in data["checks"]] == [
        ("normal", "holds"),
        ("degraded", "holds"),
        ("faulty", "property"),
    ]


def test_one_world_is_a_check_like_any(tmp_path: Path) -> None:
    for options, code in (
        (("--level", "normal"), 0),
        (("--level", "faulty"), 5),
        ((), 5),
        (("--fault-budget", "2"), 0),
        (("--fault-budget", "3"), 5),
    ):
        assert lfc("check", LINK, "--for", "some", *options, cwd=tmp_path).exit == code, options
    done = lfc("check", LINK, "--for", "some", "--fault-budget", "3", "--trace", "t.trace", cwd=tmp_path)
    assert done.exit == 5


def test_what_is_refused(tmp_path: Path) -> None:
    done = lfc("check", LINK, "--levels", "--states", "3", cwd=tmp_path)
    assert done.exit == 2 and "--states and --levels exclude each other" in done.err
    done = lfc("check", LINK, "--levels", "--level", "normal", cwd=tmp_path)
    assert done.exit == 2 and "--levels tries all levels" in done.err
    text = LINK.read_text().replace("{faulty}", "{broken}")
    (tmp_path / "Link.lf").write_text(text)
    done = lfc("check", "Link.lf", "--levels", cwd=tmp_path)
    assert done.exit == 1 and "LF0654" in done.err
