"""What is forked does what a process from the start does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.fork_client import main as client
from tests.cli.lfc import ROOT, fork_server, lfc

ASKED = (
    ["--version"],
    ["check", "--json", "Missing.lf"],
    ["explain", "LF0602"],
    ["fmt", "-"],
    ["check", "--syntax-only", str(ROOT / "examples" / "sieve.lf")],
)
TEXT = b"MODULE Add;VAR x*:INTEGER;BEGIN x:=1+2 END Add."


@pytest.mark.parametrize("arguments", ASKED, ids=lambda arguments: arguments[0])
def test_it_does_the_same(arguments: list[str], tmp_path: Path) -> None:
    forked = lfc(*arguments, cwd=tmp_path, stdin=TEXT)
    started = lfc(*arguments, cwd=tmp_path, stdin=TEXT, PYTHONHASHSEED="1")  # Python itself is told something
    assert forked == started


def test_a_script_has_its_own_files_and_exit_code(tmp_path: Path) -> None:
    script = f"{sys.executable} -ISE {client.__code__.co_filename} {fork_server().address}"
    done = subprocess.run(
        ["bash", "-c", f"{script} fmt - | head -1; {script} check Missing.lf; echo $?"],
        cwd=tmp_path,
        input=TEXT,
        capture_output=True,
        check=False,
    )
    assert done.stdout == b"MODULE Add;\n1\n"
    assert b"Missing.lf" in done.stderr


def test_a_command_that_does_not_end_is_ended(tmp_path: Path) -> None:
    (tmp_path / "Endless.lf").write_text("MODULE Endless;\nBEGIN LOOP RESCHEDULE END END Endless.\n")
    with pytest.raises(subprocess.TimeoutExpired):
        fork_server().run(["run", "Endless.lf"], str(tmp_path), {"HOME": str(tmp_path)}, b"", 0.5)
