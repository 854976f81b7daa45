"""The set of states under several threads, without a search around it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from lfc.mcheck.engine import library as engine_library
from lfc.toolchain.c_library import C_LIBRARY_ALONE

HERE = Path(__file__).parent


def run(tmp_path: Path, *sources: Path) -> tuple[int, str]:
    program = tmp_path / sources[0].stem
    include = [f"-I{folder}" for folder in engine_library.INCLUDE]
    options = ["-std=gnu11", "-O3", "-Wall", "-Wextra", "-Werror", "-pthread", *C_LIBRARY_ALONE]
    compiler = [sys.executable, "-m", "ziglang", "cc"]
    subprocess.run([*compiler, *options, *include, *map(str, sources), "-o", str(program)], check=True)
    runs = [subprocess.run([str(program)], capture_output=True, text=True, check=False) for _ in range(3)]
    (found,) = {(done.returncode, done.stdout) for done in runs}
    return found


def test_what_several_threads_insert_at_once_is_fresh_once(tmp_path: Path) -> None:
    """A line is not read all at one moment: where the first free entry was, another thread may have put the same."""
    assert run(tmp_path, HERE / "insert_together.c") == (0, "16000000 of 16000000\n")


def test_a_table_that_one_or_several_threads_let_grow_has_what_was_in_it(tmp_path: Path) -> None:
    sources = HERE / "grow_together.c", engine_library.FOLDER / "store/grown_set.c"
    assert run(tmp_path, *sources) == (0, "all there\n")


def test_memory_that_cannot_be_had_is_given_back_as_it_was_had(tmp_path: Path) -> None:
    """Of several arrays that grow one after the other, a later one may be refused when an earlier one has moved."""
    assert run(tmp_path, HERE / "values_without_memory.c") == (0, "512 refused, 0 wrong\n")
