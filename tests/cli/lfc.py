"""Runs `lfc` as a user does, in a process of its own, and within this one where only the result counts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.cli.fork_server import ForkServer

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 60
OF_PYTHON = ("PYTHON", "LC_", "LANG")
FROM_THE_START = "1"  # as PYTHONHASHSEED: Python is told something, so its process is a new one, as a user's is


@dataclass(slots=True)
class Outcome:
    exit: int
    out: str
    err: str  # without words on what is compiled once, which only the first on a machine hears
    notices: list[str] = field(default_factory=list)

    @property
    def has_counterexample(self) -> bool:
        """Of a check: an error was found."""
        return self.exit in (3, 4, 5)


def lfc(*arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", **environment: str) -> Outcome:
    given = {**os.environ, "PYTHONPATH": python_path(), "NO_COLOR": "", **environment}
    code, out, error = run_lfc([*map(str, arguments)], str(cwd or ROOT), given, stdin)
    err, notices = without_notices(error.decode())
    return Outcome(code, out.decode(), err, notices)


def run_lfc(arguments: list[str], cwd: str, environment: dict[str, str], stdin: bytes) -> tuple[int, bytes, bytes]:
    """In a process of its own: forked from one that has imported `lfc`, or new where Python is told something."""
    if {name: environment[name] for name in environment if name.startswith(OF_PYTHON)} == of_python():
        return fork_server().run(arguments, cwd, environment, stdin, SECONDS)
    command = [sys.executable, "-m", "lfc", *arguments]
    done = subprocess.run(
        command, cwd=cwd, env=environment, input=stdin, capture_output=True, check=False, timeout=SECONDS
    )
    return done.returncode, done.stdout, done.stderr


@cache
def fork_server() -> ForkServer:
    return ForkServer({**os.environ, **of_python()})


@cache
def of_python() -> dict[str, str]:
    """What Python looks at when it starts."""
    return {**{n: v for n, v in os.environ.items() if n.startswith(OF_PYTHON)}, "PYTHONPATH": python_path()}


@cache
def python_path() -> str:
    return os.pathsep.join([str(ROOT), *sys.path])


def without_notices(text: str) -> tuple[str, list[str]]:
    """And these, which are whole lines."""
    lines = text.splitlines(keepends=True)
    notices = [line for line in lines if re.fullmatch(r"compiling .* \(once for this version\) \.\.\.\n", line)]
    return "".join(line for line in lines if line not in notices), notices
