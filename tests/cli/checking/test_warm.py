"""What was kept is used: the second time, a command imports and does only what it cannot do without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT

COUNT = """
import sys
from lfc.cli.main import run
sys.argv[0] = "lfc"
code = run(sys.argv[1:])
print(code, *sorted(m for m in sys.modules if m.split(".")[0] in ("lfc", "llvmlite", "lark", "ziglang")))
"""
ENTERED = """
import sys
from lfc.cli.main import main
found = set()
def entered(frame, event, arg):
    file = frame.f_code.co_filename
    if event == "call" and frame.f_code.co_flags & 1:  # functions, not bodies of modules
        if any(f"/{room}/" in file for room in ("lfc", "mcheck", "boards")) and "site-packages" not in file:
            found.add(file)
try:
    sys.setprofile(entered)
    main()
except SystemExit:
    sys.setprofile(None)
print(len(found))
"""
PROGRAM = "MODULE Small; VAR x : INTEGER; BEGIN x := 1; ASSERT(x = {}) END Small.\n"
# What makes something that a warm command has.
PARSING = ("lfc.syntax", "lfc.front_end")
TYPING = ("lfc.semantics.names", "lfc.semantics.expressions", "lfc.semantics.analyse")
LAYING_OUT = ("lfc.actions.build", "lfc.actions.flow", "lfc.actions.analysis")
GENERATING = ("lfc.codegen.program", "lfc.codegen.bodies", "lfc.codegen.expressions", "lfc.codegen.module.unit")
COMPILING = ("llvmlite", "ziglang", "lark", "lfc.toolchain.run_tools", "lfc.link")
MAKING = (*PARSING, *TYPING, *LAYING_OUT, *GENERATING, *COMPILING)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "Small.lf"
    file.write_text(PROGRAM.format(1))
    return file


def modules(*command: str) -> tuple[int, list[str]]:
    """The exit code, and what was imported of the toolchain and of what compiles."""
    done = subprocess.run([sys.executable, "-c", COUNT, *command], cwd=ROOT, capture_output=True, text=True, check=True)
    code, *found = done.stdout.splitlines()[-1].split()
    return int(code), found


def made(found: list[str]) -> list[str]:
    return [m for m in found if m.startswith(MAKING)]


@pytest.mark.parametrize(
    ("command", "most"), [(("check", "--syntax-only"), 45), (("check",), 110), (("check", "--json"), 126)]
)
def test_the_second_time_nothing_is_made(small: Path, command: tuple[str, ...], most: int) -> None:
    code, cold = modules(*command, str(small))
    assert code == 0 and made(cold)
    code, warm = modules(*command, str(small))
    assert code == 0 and made(warm) == [] and len(warm) <= most


def test_a_changed_program_is_made_again(small: Path) -> None:
    modules("check", str(small))
    small.write_text(PROGRAM.format(2))
    code, found = modules("check", str(small))
    assert code == 4 and "lfc.syntax.parser" in found and "lfc.codegen.program" in found


def test_a_counterexample_is_found_again_without_making_the_program(small: Path) -> None:
    small.write_text(PROGRAM.format(2))
    modules("check", str(small))
    code, warm = modules("check", str(small))
    assert code == 4 and not [m for m in made(warm) if m.startswith((*PARSING, *GENERATING, *COMPILING))]


@pytest.mark.parametrize(("command", "most"), [("--help", 12), ("--version", 12)])
def test_what_says_little_imports_little(command: str, most: int) -> None:
    code, found = modules(command)
    assert code == 0 and made(found) == [] and len(found) <= most


@pytest.mark.parametrize("command", ["explain", "boards", "ports", "doctor", "trace", "record", "completion"])
def test_commands_without_a_program_do_not_parse(command: str) -> None:
    _, found = modules(command, "--help")
    assert not [m for m in found if m.startswith((*PARSING, *GENERATING, "llvmlite"))] and len(found) <= 60


def test_a_check_walks_through_few_files() -> None:
    """Of one that searches in full, chooses reductions and shows a deadlock."""
    command = [sys.executable, "-c", ENTERED, "check", "examples/philosophers.lf", "--no-record"]
    subprocess.run(command, cwd=ROOT, capture_output=True)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert int(done.stdout.splitlines()[-1]) <= 112, done.stdout
