"""What is expensive is done once for a command: counted while the command runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

COUNTING = """
import json, sys, threading
from collections import Counter
file, *wanted = sys.argv[1].split(",")
found = Counter({name: 0 for name in wanted})
def count(frame, event, _):
    if event == "call":
        name = frame.f_globals.get("__name__", "") + "." + frame.f_code.co_qualname
        if name in found:
            found[name] += 1
sys.setprofile(count)
threading.setprofile(count)
from lfc.cli.main import run
code = run(sys.argv[2:])
sys.setprofile(None)
json.dump(found, open(file, "w"))
sys.exit(code)
"""
BUILD = "lfc.actions.build.build_machine"
GENERATE = "lfc.codegen.program.generate"
SYMBOLS, LINES = "lfc.toolchain.elf.Elf.symbols", "lfc.toolchain.line_rows._code_ranges"


def calls(folder: Path, exit_code: int, functions: tuple[str, ...], *arguments: str) -> tuple[int, ...]:
    """How often a command calls each of these."""
    told = ",".join([str(folder / "counted.json"), *functions])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, told, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == exit_code, done.stderr
    found = json.loads((folder / "counted.json").read_text())
    return tuple(found[f] for f in functions)


def copy_of(name: str, folder: Path) -> str:
    """A program that nobody has seen there: nothing is kept of it."""
    return str(shutil.copy(ROOT / "examples" / f"{name}.lf", str(folder)))


def test_a_command_builds_the_machine_once(tmp_path: Path) -> None:
    """And one that comes after it, of the same program for the same board, not at all."""
    program, trace = copy_of("philosophers", tmp_path), "trace.json"
    assert calls(tmp_path, 3, (BUILD,), "check", program, "-b", "uno", "--trace", trace) == (1,)
    assert (tmp_path / ".lf" / "records").is_dir()
    assert calls(tmp_path, 3, (BUILD,), "hil", "replay", trace, "-b", "uno", "--emulated") == (0,)
    assert calls(tmp_path, 3, (BUILD,), "run", program, "-b", "uno", "--schedule", trace) == (0,)
    for built in (1, 0):
        assert calls(tmp_path, 3, (BUILD,), "run", program, "--schedule", trace) == (built,)


def test_a_check_generates_code_once(tmp_path: Path) -> None:
    """What the counterexample is replayed with is what was checked, without what only the checker asks for. The second
    time nothing is generated."""
    program = copy_of("philosophers", tmp_path)
    for made in (1, 0):
        assert calls(tmp_path, 3, (BUILD, GENERATE), "check", program) == (made, made)


def test_a_check_of_an_image_generates_code_for_board_and_host_and_reads_each_file_once(tmp_path: Path) -> None:
    """Symbols are asked for before the file gets a description of its variables, and after."""
    program = copy_of("peterson2", tmp_path)
    asked = (BUILD, GENERATE, SYMBOLS, LINES)
    assert calls(tmp_path, 0, asked, "check", program, "-b", "uno", "--image") == (1, 2, 2, 1)
