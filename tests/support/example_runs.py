"""The examples whose output is known, with their input."""

from __future__ import annotations

from pathlib import Path

from lfc.run.running import Mode
from tests.conftest import ROOT

EXPECTED = sorted((ROOT / "examples" / "expected").glob("*.out"))
SCHEDULERS = {"rr": Mode.ROUND_ROBIN, "edf": Mode.EARLIEST}


def input_of(expected: Path) -> bytes:
    given = expected.with_suffix(".in")
    return given.read_bytes() if given.exists() else b""


def program_of(expected: Path) -> Path:
    return ROOT / "examples" / f"{expected.stem}.lf"
