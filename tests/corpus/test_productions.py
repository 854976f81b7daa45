"""The right programs of the corpus and the examples use every production of the grammar."""

from __future__ import annotations

from pathlib import Path

from tests.generate.coverage import count_productions, productions

ROOT = Path(__file__).resolve().parents[2]

# What only wrong programs show: recovery, and a PROCEDURE without a result (LF0620).
OF_WRONG_PROGRAMS = ("-> error_", "result/0")


def test_every_production_is_used() -> None:
    files = [*(ROOT / "tests" / "corpus" / "right").rglob("*.lf"), *(ROOT / "examples").glob("*.lf")]
    used = count_productions(f.read_text(encoding="utf-8") for f in files)
    wanted = {n: p for n, p in productions().items() if not any(mark in p for mark in OF_WRONG_PROGRAMS)}
    assert [p for n, p in wanted.items() if not used[n]] == []
