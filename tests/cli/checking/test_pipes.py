"""A pipe in place of a file that a check, a lint or a log is to read or write is refused: nobody waits for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.checking.projects import NOWHERE, lfc

LIGHT = "MODULE Light;\nVAR i : INTEGER;\nBEGIN\n  FOR i := 0 TO 2 DO RESCHEDULE END\nEND Light.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "lf.toml").write_text('main = "Light.lf"\nboard = "uno"\n')
    (tmp_path / "Light.lf").write_text(LIGHT)
    os.mkfifo(tmp_path / "pipe.c")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "exit_code", "told"),
    [
        (("check", "--resume", "pipe.c"), 2, "pipe.c cannot be read: it is a pipe, not a file"),
        (("check", "--checkpoint", "pipe.c"), 2, "pipe.c cannot be written: it is no file"),
        (("check", "--with", "pipe.c"), 0, "no record is written: pipe.c: it is a pipe, not a file"),
        (("lint", "pipe.c"), 1, "pipe.c cannot be read: it is a pipe, not a file"),
    ],
)
def test_a_file_that_is_named(command: tuple[str, ...], exit_code: int, told: str, project: Path) -> None:
    done = lfc(*command, cwd=project)
    assert (done.exit, told in done.err) == (exit_code, True), done.err


def test_the_log(project: Path) -> None:
    """What is forced cannot be noted, so it is not flashed."""
    (project / ".lf").mkdir()
    os.mkfifo(project / ".lf" / "flashed.jsonl")
    done = lfc("flash", "--force", *NOWHERE, cwd=project)
    assert done.exit != 0 and "the log of --force, cannot be written: " in done.err
