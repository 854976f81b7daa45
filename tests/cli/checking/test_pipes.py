"""A pipe in place of a file that a check, a lint or a log is to read or write is refused: nobody waits for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lfc.toolchain import run_tools
from lfc.toolchain.failure import ImageError
from lfc.toolchain.run_tools import compile_source
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


def test_what_a_source_includes(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler would wait for it."""
    monkeypatch.setattr(run_tools, "LONGEST", 1)
    monkeypatch.chdir(project)
    for target in ("pipe.c", "/dev/zero"):
        (project / "a.c").write_text(f'#include "{target}"\n')
        with pytest.raises(ImageError) as found:
            compile_source(["-S", "-emit-llvm", "a.c", "-o", "a.ll"], project, "a.c cannot be compiled")
        assert "the compiler has not ended within 1 s; is a file that it includes a pipe" in found.value.detail
    (project / "a.c").write_text("int x = y;\n")
    monkeypatch.setattr(run_tools, "LONGEST", 60)
    with pytest.raises(ImageError) as found:
        compile_source(["-S", "-emit-llvm", "a.c", "-o", "a.ll"], project, "a.c cannot be compiled")
    assert "use of undeclared identifier 'y'" in found.value.detail


def test_the_log(project: Path) -> None:
    """What is forced cannot be noted, so it is not flashed."""
    (project / ".lf").mkdir()
    os.mkfifo(project / ".lf" / "flashed.jsonl")
    done = lfc("flash", "--force", *NOWHERE, cwd=project)
    assert done.exit != 0 and "the log of --force, cannot be written: " in done.err
