"""Builds the C tests of the kernel: each file with the layouts it is meant for."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNTIME = HERE.parent.parent / "runtime"
HOST, BOARD = "ports/host/host.c", "policies/board.c"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME}"]
# Inlined, what is watched makes functions that take gcc eight seconds each file.
SANITIZED = ["-O1", "-fno-inline", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@dataclass(frozen=True)
class Variant:
    """A test file; what it is compiled with; whose policies it runs under."""

    source: str
    defines: tuple[str, ...] = ()
    policies: str = HOST

    @property
    def name(self) -> str:
        return "-".join([self.source.removesuffix(".c"), *(d.replace("=", "") for d in self.defines)])


VARIANTS = [
    Variant("creation.c", ("WIDE=0",)),
    Variant("creation.c", ("WIDE=1",)),
    Variant("policies.c"),
    Variant("policies.c", ("WRAP_TO=1",)),
    Variant("policies.c", ("TIMED_SELECTS=0",)),
    Variant("meetings.c"),
    Variant("meetings.c", ("WIDE=1", "MOVING=1")),
    Variant("meetings.c", ("MOVING=2",)),
    Variant("meetings.c", ("SLOTS=255", "WIDE=1")),
    Variant("meetings.c", ("SLOTS=255", "MOVING=1")),
    Variant("composition.c"),
    Variant("events.c"),
    Variant("events.c", ("WIDE=1", "MOVING=1")),
    Variant("events.c", ("MOVING=2",)),
    Variant("host_modes.c"),
    Variant("host_modes.c", ("WIDE=1", "MOVING=1")),
    Variant("host_modes.c", ("INTERRUPTS=0", "SLEEPERS=0")),
    Variant("board_loop.c", policies=BOARD),
    Variant("board_loop.c", ("DEADLINES=0", "RUNS_NEXT=1"), policies=BOARD),
    Variant("board_loop.c", ("DEADLINES=0", "SLEEPERS=0", "READERS=0", "WIDE=1"), policies=BOARD),
    Variant("board_loop.c", ("DEADLINES=0", "TAKERS_FIRST=1"), policies=BOARD),
    Variant("board_loop.c", ("DEADLINES=0", "TAKERS_FIRST=1", "INTERRUPTS=1", "SLEEPERS=0"), policies=BOARD),
    Variant("board_loop.c", ("INTERRUPTS=0", "FAULT_TEXTS=1", "FAULT_RESETS=1"), policies=BOARD),
    Variant("board_loop.c", ("DEADLINES=0", "RESTS=1"), policies=BOARD),
]


def compilers() -> list[str]:
    """gcc and clang, as far as they are there; at least the system's own."""
    found = [c for c in ("gcc", "clang") if shutil.which(c)]
    return found or ["cc"]


def compile_object(compiler: str, source: Path, made: Path, flags: Sequence[str]) -> Path:
    if not made.exists():
        run([compiler, *STRICT, *flags, "-c", str(source), "-o", str(made)])
    return made


def build(compiler: str, variant: Variant, folder: Path, flags: Sequence[str] = SANITIZED) -> Path:
    """The executable; the policies are compiled once for all tests in a folder."""
    defines = [f"-D{d}" for d in variant.defines]
    policies = compile_object(compiler, RUNTIME / variant.policies, folder / f"{Path(variant.policies).stem}.o", flags)
    test = compile_object(compiler, HERE / variant.source, folder / f"{variant.name}.o", [*flags, *defines])
    program = folder / variant.name
    run([compiler, *flags, str(test), str(policies), "-o", str(program)])
    return program


def run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout
