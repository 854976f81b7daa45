"""Runs `lfc` as a user does, in a process of its own, and within this one where only the result counts."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(slots=True)
class Outcome:
    exit: int
    out: str
    err: str


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
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())
