"""Every example that needs no hardware says on QEMU's HiFive1 what it says on this machine, and ends in the same state
block; under both schedulers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from tests.boards.emulators.ends import QUICK, check_in_qemu
from tests.support.example_runs import EXPECTED

CASES = [
    pytest.param(expected, scheduler, id=f"{expected.stem}-{scheduler}", marks=marks)
    for expected in EXPECTED
    for scheduler in ("rr", "edf")
    if scheduler == "rr" or expected.stem in QUICK
    for marks in [[] if scheduler == "rr" and expected.stem in QUICK else [pytest.mark.slow]]
]


def test_the_revision_b() -> None:
    """Its flash begins elsewhere."""
    (expected,) = [e for e in EXPECTED if e.stem == "calls"]
    for name in ("hifive1b", "redv"):
        check_in_qemu(load_board(name), expected, "rr")


@pytest.mark.parametrize(("expected", "scheduler"), CASES)
def test_output_and_block(expected: Path, scheduler: str) -> None:
    check_in_qemu(load_board("hifive1"), expected, scheduler)
