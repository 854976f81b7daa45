"""ruff, mypy (strict) and the warnings of the C compiler over all rooms."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import unicorn

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import HEADERS_OF_SIMAVR
from lfc.isa.library import CORES
from lfc.link.port import board_defines
from tests.conftest import ROOT

ROOMS = ["lfc", "runtime", "mcheck", "boards", "tests", "bench", "examples"]
KEPT_NOWHERE = {".gz", ".zip", ".whl", ".xz", ".tar", ".so", ".o", ".a", ".pyc", ".elf"}
# To IR, as codegen has it. The two exceptions speak of the options that zig itself adds, not of the source.
C_FLAGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-command-line-argument", "-S", "-emit-llvm"]
FREE = ["-std=c11", "-ffreestanding"]
TARGETS = {
    "avr": ["-target", "avr-freestanding-none", "-mcpu=atmega328p", "-Wno-avr-rtlib-linking-quirks", *FREE],
    "riscv": ["-target", "riscv32-freestanding-none", "-mcpu=sifive_e31", *FREE],
    "cortexm": ["-target", "thumb-freestanding-eabi", "-mcpu=cortex_m3", *FREE],
    "host": ["-std=c11"],
    # the checker's engine, programs around an emulator, tests
    "system": [
        "-std=gnu11",
        *("-I", str(ROOT / "runtime"), "-I", str(ROOT / "mcheck" / "engine"), "-I", str(CORES)),
        *("-isystem", str(Path(unicorn.__file__).parent / "include")),
        *(part for folder in HEADERS_OF_SIMAVR for part in ("-isystem", folder)),
    ],
}
# A board of each architecture: its description defines what the port must know. (Every other one is built by a test.)
BOARDS = {"avr": "uno", "cortexm": "bluepill", "riscv": "hifive1"}


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_check() -> None:
    run(sys.executable, "-m", "ruff", "check", ".")


def test_ruff_format() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_mypy() -> None:
    """As an editor runs it: `lfc/mcheck` and its like are links to the rooms beside `lfc`."""
    run(sys.executable, "-m", "mypy", "-p", "lfc", "-p", "tests", "-p", "bench")


def c_sources() -> list[Path]:
    return sorted(f for room in ROOMS for f in (ROOT / room).rglob("*.c") if "build" not in f.parts)


def targets_of(file: Path) -> list[str]:
    """A port is compiled for its own target, the rest of the runtime for all, everything else for this system. The boot
    loader is compiled with the macros of its boards, with the same warnings, where it is tested."""
    inside = file.relative_to(ROOT).parts
    if inside[:2] == ("runtime", "update"):
        return []
    if inside[:2] == ("runtime", "ports"):
        return [inside[2]]
    hosted = inside[0] != "runtime" or inside[-1] == "check.c"  # the checker's policies are no part of a board
    return ["system"] if hosted else ["avr", "cortexm", "riscv", "host"]


def test_the_kernel_is_among_the_c_sources() -> None:
    assert any(f.is_relative_to(ROOT / "runtime" / "kernel") for f in c_sources())


@pytest.mark.parametrize(
    ("file", "target"),
    [pytest.param(f, t, id=f"{f.relative_to(ROOT)}-{t}") for f in c_sources() for t in targets_of(f)],
)
def test_c_warnings(file: Path, target: str, tmp_path: Path) -> None:
    zig = [sys.executable, "-m", "ziglang", "cc"]
    named = ["LF_NAMED_NUMBER=1", "LF_NAMED_BIT=0"]  # of the routine of an interrupt
    defines = [f"-D{d}" for d in [*board_defines(load_board(BOARDS[target])), *named]] if target in BOARDS else []
    run(*zig, *C_FLAGS, *TARGETS[target], *defines, "-o", tmp_path / "out.ll", file)


def test_no_archive_and_no_library_is_in_the_repository() -> None:
    """What is fetched is read elsewhere; what is built is not kept."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    kept = [name for name in done.stdout.split("\0") if Path(name).suffix in KEPT_NOWHERE]
    assert kept == []
