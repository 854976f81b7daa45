"""The share of the campaign of damaged files that runs with the tests."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.hostile.bad_files import ends_of_code, ends_of_files, kinds
from tests.records.made import RECORD
from tests.support.seeds import seed_of_this_run


def test_damaged_files_are_refused_or_taken(tmp_path: Path) -> None:
    """Before they were read with care, a fourth of the ELF files ended in a traceback, and deep texts did."""
    for name, kind in kinds(tmp_path, RECORD).items():
        ends = ends_of_files(name, kind, 60, seed_of_this_run(), tmp_path)
        assert set(ends) <= {"taken", "refused"} and (ends["refused"] or name == "bin"), name


def test_damaged_code_is_checked_to_an_end(tmp_path: Path) -> None:
    for board in ("uno", "microbit", "hifive1"):
        assert set(ends_of_code(board, 8, seed_of_this_run(), tmp_path)) == {"taken"}, board
