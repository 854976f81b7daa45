"""`lfc check --wraps fault`: told, replayed, recorded, and what it does not go with."""

from __future__ import annotations

import json
from pathlib import Path

from lfc.records.store import all_records
from tests.cli.checking.projects import lfc

COUNTER = """MODULE Counter;
VAR n : UINT8;
BEGIN
  n := 254;
  LOOP INC(n); RESCHEDULE END
END Counter.
"""
MESSAGE = "255 + 1 is 256, which UINT8 cannot hold: it wraps (--wraps fault)"
MEANT = COUNTER.replace("INC(n)", "n := SYSTEM.VAL(UINT8, n + 1)").replace("VAR n", "IMPORT SYSTEM; VAR n")


def test_a_wrap_is_told_and_replayed(tmp_path: Path) -> None:
    (tmp_path / "Counter.lf").write_text(COUNTER)
    assert lfc("check", "Counter.lf", cwd=tmp_path).exit == 0
    assert lfc("check", "Counter.lf", "--wraps", "allow", cwd=tmp_path).exit == 0
    done = lfc("check", "Counter.lf", "--wraps", "fault", "--trace", "t.trace", cwd=tmp_path)
    assert done.exit == 4 and f"Counter.lf:5:8: a fault can occur: {MESSAGE}" in done.out
    assert "assumed: unsigned arithmetic does not wrap: where it would, that is a fault (--wraps fault)" in done.out
    done = lfc("run", "Counter.lf", "--schedule", "t.trace", cwd=tmp_path)
    assert done.exit == 4 and f"Counter.lf:5:8: fault: {MESSAGE}" in done.err
    done = lfc("trace", "show", "t.trace", "Counter.lf", cwd=tmp_path)
    assert MESSAGE in done.out + done.err
    (tmp_path / "Counter.lf").write_text(COUNTER.replace("254", "253"))
    done = lfc("run", "Counter.lf", "--schedule", "t.trace", cwd=tmp_path)
    assert done.exit == 2 and "was recorded from another program" in done.err


def test_the_record_is_of_the_image_that_is_built(tmp_path: Path) -> None:
    """Where nothing wraps, it does what was checked."""
    (tmp_path / "Meant.lf").write_text(MEANT.replace("Counter", "Meant"))
    found = json.loads(lfc("check", "Meant.lf", "-b", "uno", "--json", cwd=tmp_path).out)
    counted = json.loads(lfc("check", "Meant.lf", "-b", "uno", "--wraps", "fault", "--json", cwd=tmp_path).out)
    assert counted["verdict"] == "holds" and counted["image"] == found["image"]
    records = [s.record for s in all_records([tmp_path / ".lf" / "records"])]
    assert sorted(str(r.build.definitions) for r in records) == ["{'--wraps': 'fault'}", "{}"]
    assert any("--wraps fault" in a for r in records for a in r.assumptions)


def test_what_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Counter.lf").write_text(COUNTER)
    for options in (("-b", "uno", "--image"), ("--certificate", "c"), ("-b", "uno", "--time", "board")):
        done = lfc("check", "Counter.lf", "--wraps", "fault", *options, cwd=tmp_path)
        named = " ".join(options).removeprefix("-b uno ").removesuffix(" c")
        assert done.exit == 2 and f"--wraps fault and {named} exclude each other" in done.err


def test_with_levels(tmp_path: Path) -> None:
    (tmp_path / "Counter.lf").write_text(COUNTER)
    done = lfc("check", "Counter.lf", "--levels", "--for", "faults", "--wraps", "fault", cwd=tmp_path)
    assert done.exit == 4 and "faults  holds up to" not in done.out
