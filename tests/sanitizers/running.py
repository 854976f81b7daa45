"""Runs Python in a child process whose engine a sanitizer watches, and collects what it reports."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tests.sanitizers.building import Sanitizer, built_engine, library_file

RANDOM_BITS = Path("/proc/sys/vm/mmap_rnd_bits")  # with more than 28 gcc's older thread sanitizer finds no room
# Beside the address sanitizer the other one heeds no `log_path`, and does not change the exit code.
UNDEFINED = re.compile(r"^.*: runtime error: .*(?:\n +#\d+ .*)*", re.MULTILINE)
PLUGIN = "tests.sanitizers.plugin"


@dataclass(frozen=True)
class Watched:
    """What has become of a child process."""

    code: int
    output: str
    reports: tuple[str, ...]  # texts of the sanitizer, one for each process that had some
    used: bool  # the watched engine was loaded

    @property
    def clean(self) -> bool:
        return self.code == 0 and not self.reports and self.used

    def __str__(self) -> str:
        loaded = "" if self.used else "the watched engine was not loaded\n"
        return f"exit code {self.code}\n{loaded}{self.output}\n" + "\n".join(self.reports)


def run_python(sanitizer: Sanitizer, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Watched:
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        engine, log = Path(folder) / "engine.so", Path(folder) / "report"
        engine.write_bytes(built_engine(sanitizer))
        watched = {
            **os.environ,
            **(environment or {}),
            **{name: value.format(log=log) for name, value in sanitizer.options.items()},
            "LD_PRELOAD": " ".join(str(library_file(name)) for name in sanitizer.libraries),
            "LFC_TEST_ENGINE": str(engine),
            "PYTHONPATH": str(ROOT),
        }
        command = [*fixed_addresses(), sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=watched, capture_output=True, text=True, errors="replace", check=False
        )
        reports = tuple(f.read_text(errors="replace") for f in sorted(Path(folder).glob("report.*")))
    output = done.stdout + done.stderr
    reports += tuple(UNDEFINED.findall(output))
    return Watched(done.returncode, output, reports, f"watched engine: {engine}" in output)


def run_tests(sanitizer: Sanitizer, *arguments: str) -> Watched:
    """Tests of this project in the child process; `arguments` are those of pytest."""
    # -s: what the plugin prints must be seen, and what a process prints that does not come to its end.
    return run_python(
        sanitizer, ["-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-p", "no:xdist", "-q", "-s", *arguments]
    )


def fixed_addresses() -> list[str]:
    """Where the addresses of a process vary too much for the thread sanitizer: a command that keeps them in place."""
    try:
        bits = int(RANDOM_BITS.read_text())
    except (OSError, ValueError):
        return []
    setarch = shutil.which("setarch")
    return [setarch, "-R"] if bits > 28 and setarch else []
