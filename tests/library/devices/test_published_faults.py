"""Faults of drivers that others have published, rebuilt: each is found where it was told to be; its remedy holds."""

from __future__ import annotations

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT

FOLDER = ROOT / "examples" / "published"
FAULTS = {
    "EndlessWait": ("TwoWires", "GIVES_UP=TRUE", 5, "Program            46:55    reaches 46:55"),
    "DirectWrite": ("Line", "ALWAYS_BUFFERS=TRUE", 4, "Line.held = 3, Line.isFull = TRUE"),
    "FullBuffer": ("FullBufferGoal", "FILLS=TRUE", 5, "buffer[1] = 5, count = 2"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_it_is_found(name: str) -> None:
    """And by the steps that its discoverers tell."""
    world, _, exit_code, step = FAULTS[name]
    done = lfc("check", FOLDER / f"{name}.lf", "--env", FOLDER / f"{world}.lf", "--no-record")
    assert done.exit == exit_code, done.out
    assert step in done.out


@pytest.mark.parametrize("name", FAULTS)
def test_the_remedy_holds(name: str) -> None:
    world, remedy, _, _ = FAULTS[name]
    done = lfc("check", "-D", remedy, FOLDER / f"{name}.lf", "--env", FOLDER / f"{world}.lf", "--no-record")
    assert done.exit == 0, done.out
