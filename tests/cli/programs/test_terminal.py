"""A terminal obeys our own colours and lines that change; names of files and what else others wrote it shows."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from lfc.base.notices import draw
from lfc.diagnostics.terminal import Terminal, obeyed
from tests.cli.lfc import ROOT


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Light.elf: flash 352 of 32256 bytes\n", "Light.elf: flash 352 of 32256 bytes\n"),
        ("\x1b[1;31merror\x1b[0m: \x1b[2mé\x1b[0m\n\t1", "\x1b[1;31merror\x1b[0m: \x1b[2mé\x1b[0m\n\t1"),
        ("\x1b[2J\x1b[H\x07.lf", "␛[2J␛[H␇.lf"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x1b[8mhidden\x1b[1;8m", "␛[8mhidden␛[1;8m"),
        ("holds\rviolated", "holds␍violated"),
        ("a\x9b2J\u202eb", "a<U+009B>2J<U+202E>b"),
    ],
)
def test_what_is_obeyed(text: str, told: str) -> None:
    assert obeyed(text) == told


def test_a_line_that_changes_is_drawn() -> None:
    content = io.BytesIO()
    terminal = Terminal.of(io.TextIOWrapper(content, encoding="ascii", errors="backslashreplace"))
    print("\r\x1b[K", end="", file=terminal, flush=True)
    assert content.getvalue() == b"\\u240d\\u241b[K"
    draw(terminal, "\r\x1b[K3 states")
    assert content.getvalue() == b"\\u240d\\u241b[K\r\x1b[K3 states"
    elsewhere = io.StringIO()
    draw(elsewhere, "\r1 of 2")
    assert elsewhere.getvalue() == "\r1 of 2"


def test_a_file_with_an_odd_name(tmp_path: Path) -> None:
    """Of a folder that somebody else has made: the terminal is not cleared."""
    (tmp_path / "A\x1b[2J\x07.lf").write_text("MODULE  A; BEGIN END A.\n")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-P", "-m", "lfc", "fmt", "--check", "A\x1b[2J\x07.lf"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, stdout=theirs, stderr=theirs, check=False)
    told = os.read(ours, 1000)
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, told.decode()) == (1, "A␛[2J␇.lf is not formatted\r\n")


def test_a_difference_with_an_odd_comment(tmp_path: Path) -> None:
    (tmp_path / "A.lf").write_text("MODULE  A; (* \x1b[2J *)\nBEGIN\nEND A.\n")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-P", "-m", "lfc", "fmt", "--diff", "A.lf"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=tmp_path, env=environment, stdout=theirs, stderr=theirs, check=True)
    told = os.read(ours, 1000).decode()
    os.close(ours)
    os.close(theirs)
    assert "+MODULE A; (* ␛[2J *)\r\n" in told and "\x1b" not in told
