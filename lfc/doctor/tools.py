"""The table of everything outside of `lfc` that some job needs: the one list of packages. Imports nothing."""

from __future__ import annotations

from dataclasses import dataclass

JOBS = {
    "check": "check and format programs",
    "compile": "compile programs, and run them on this machine",
    "emulate": "run the firmware in an emulator",
    "flash": "flash a board and talk to it",
    "debug": "step through a program",
    "bench": "compare the checker with Spin",
    "test": "run the tests of the toolchain",
}


@dataclass(frozen=True, slots=True)
class Tool:
    """`kind`: python (a distribution that pip installs), command (on PATH), header (a C header for the tests)."""

    name: str
    kind: str
    jobs: tuple[str, ...]
    apt: str | None = None
    version: tuple[str, ...] = ()  # the arguments that make a command print its version
    optional: bool = False  # useful for the job, but it can be done without


TOOLS = [
    Tool("lark", "python", ("check",)),
    Tool("click", "python", ("check",)),
    Tool("rich", "python", ("check",)),
    Tool("llvmlite", "python", ("compile",)),
    Tool("ziglang", "python", ("compile", "test")),
    Tool("pyserial", "python", ("flash",)),
    Tool("pytest", "python", ("test",)),
    Tool("pytest-xdist", "python", ("test",)),
    Tool("hypothesis", "python", ("test",)),
    Tool("ruff", "python", ("test",)),
    Tool("mypy", "python", ("test",)),
    Tool("simavr", "command", ("emulate", "test"), "simavr"),
    Tool("simavr/sim_avr.h", "header", ("test",), "libsimavr-dev"),
    Tool("qemu-system-avr", "command", ("emulate", "test"), "qemu-system-misc", ("--version",)),
    Tool("qemu-system-arm", "command", ("emulate", "test"), "qemu-system-arm", ("--version",)),
    Tool("spin", "command", ("bench", "test"), "spin", ("-V",)),
    Tool("valgrind", "command", ("test",), "valgrind", ("--version",)),
    Tool("git", "command", ("test",), "git", ("--version",)),
    Tool("avrdude", "command", ("flash",), "avrdude", ("-?",), optional=True),
    Tool("gdb", "command", ("debug",), "gdb", ("--version",)),
    Tool("gdb-multiarch", "command", ("debug",), "gdb-multiarch", ("--version",), optional=True),
]
