"""What one checker did with one model, and how a child process is run and measured."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO


@dataclass(slots=True)
class Measured:
    states: int
    transitions: int
    seconds: float  # of the search alone, on the processor: what others do on the machine counts less
    store_bytes: int
    resident_bytes: int  # peak, above start-up
    walls: dict[str, float]  # from source to verdict, by way


@dataclass(slots=True)
class Ran:
    seconds: float
    processor_seconds: float
    peak_bytes: int
    output: str
    errors: str  # what it wrote to standard error


def environment(**more: str) -> dict[str, str]:
    """Without the switch that keeps Python from using what it compiled before: nobody works with that."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **more}


def written(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def run_measured(command: Sequence[str], folder: Path, env: dict[str, str] | None = None, fails: bool = False) -> Ran:
    """`fails`: it may end with another number than 0."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, env=env or environment())
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        output, errors = (written(file) for file in (out, err))
    if child.returncode and not fails:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}:\n{(output + errors)[-2000:]}")
    return Ran(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output, errors)
