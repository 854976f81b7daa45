"""Watchdog: proved never to bite, and found to bite; a board that resets."""

from __future__ import annotations

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT

PUMP = ROOT / "examples" / "env" / "Pump.lf"


@pytest.mark.parametrize(("limit", "exit_code"), [(400, 0), (3000, 4)])
def test_it_bites_who_waits_for_ever(limit: int, exit_code: int) -> None:
    done = lfc("check", PUMP, "--time", "ordered", "-D", f"LIMIT={limit}")
    assert done.exit == exit_code, done.out
