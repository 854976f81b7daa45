"""Runs `lfc` as a user does, in a process of its own, and within this one where only the result counts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(slots=True)
class Outcome:
    exit: int
    out: str
    err: str  # without words on what is compiled once, which only the first on a machine hears
    notices: list[str] = field(default_factory=list)


def lfc(*arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", **environment: str) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-m", "lfc", *map(str, arguments)],
        cwd=cwd or ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "NO_COLOR": "", **environment},
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
    )
    err, notices = without_notices(done.stderr.decode())
    return Outcome(done.returncode, done.stdout.decode(), err, notices)


def without_notices(text: str) -> tuple[str, list[str]]:
    """And these, which are whole lines."""
    lines = text.splitlines(keepends=True)
    notices = [line for line in lines if re.fullmatch(r"compiling .* \(once for this version\) \.\.\.\n", line)]
    return "".join(line for line in lines if line not in notices), notices
