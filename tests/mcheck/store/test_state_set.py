"""The set of states under several threads, without a search around it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from lfc.mcheck.engine import library as engine_library

SOURCE = Path(__file__).parent / "insert_together.c"


def test_what_several_threads_insert_at_once_is_fresh_once(tmp_path: Path) -> None:
    """A line is not read all at one moment: where the first free entry was, another thread may have put the same."""
    program = tmp_path / "insert_together"
    include = [f"-I{folder}" for folder in engine_library.INCLUDE]
    options = ["-std=gnu11", "-O3", "-Wall", "-Wextra", "-Werror", "-pthread"]
    subprocess.run(
        [sys.executable, "-m", "ziglang", "cc", *options, *include, str(SOURCE), "-o", str(program)], check=True
    )
    for _ in range(3):
        done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "16000000 of 16000000\n")
