"""What the engine reads that others have written: saved searches with right checksums, images of damaged code. Run in
a child process under the address and the undefined-behaviour sanitizer, by test_sanitizers.py; more of them:

    LF_COUNT=1000 LF_SEED=5 python -m tests.sanitizers memory tests/sanitizers/readers.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.campaign.hostile.bad_files import ends_of_code
from tests.campaign.hostile.checkpoints import PROGRAMS, ends_of_mutants
from tests.support.seeds import seed_of_this_run

COUNT = int(os.environ.get("LF_COUNT", "8"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_saved_searches(name: str, tmp_path: Path) -> None:
    """A report of a sanitizer ends the process of its mutant with another code."""
    ends = ends_of_mutants(name, COUNT, seed_of_this_run(), tmp_path)
    print(f"{name}: {dict(ends)}", flush=True)
    assert set(ends) <= {"refused", "a verdict"}


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1"])
def test_damaged_code(board: str, tmp_path: Path) -> None:
    ends = ends_of_code(board, max(1, COUNT // 10), seed_of_this_run(), tmp_path)
    print(f"code of {board}: {dict(ends)}", flush=True)
    assert set(ends) == {"taken"}
