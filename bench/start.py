"""How long commands take that start, do little and end: warm, cold, and beside another tree of the project.

    python -m bench.start [--runs N] [--before PYTHON]

PYTHON: the interpreter of an environment in which another version is installed. Figures are the least of N runs, in
milliseconds of processors and by the clock; ratios are of processor time, since that depends less on what else runs.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
COMMANDS = {
    "--help": ["--help"],
    "check --syntax-only": ["check", "--syntax-only", str(EXAMPLES / "prodcons.lf")],
    "check": ["check", str(EXAMPLES / "prodcons.lf")],
    "check, counterexample": ["check", str(EXAMPLES / "philosophers.lf")],
    "run": ["run", str(EXAMPLES / "sieve.lf")],
    "build": ["build", str(EXAMPLES / "prodcons.lf"), "-o", os.devnull],
}


def measured(python: str, command: list[str], runs: int, cache: str) -> tuple[float, float]:
    """Milliseconds of processors and by the clock."""
    script = Path(python).with_name("lfc")
    start = [str(script)] if script.exists() else [python, "-m", "lfc"]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # who installs has compiled modules
    processors, clock = [], []
    for _ in range(runs):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([*start, *command], env=environment, cwd=cache, capture_output=True, check=False)
        clock.append(time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1e3 * min(processors), 1e3 * min(clock)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.start")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--before", metavar="PYTHON")
    given = parser.parse_args()
    print(
        f"{'warm, ms of processors (clock)':32}{'here':>16}" + (f"{'before':>16}{'ratio':>8}" if given.before else "")
    )
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as other:
        for name, command in COMMANDS.items():
            measured(sys.executable, command, 2, own)
            here = measured(sys.executable, command, given.runs, own)
            line = f"{name:32}{here[0]:8.1f} ({here[1]:5.1f})"
            if given.before:
                measured(given.before, command, 2, other)
                before = measured(given.before, command, given.runs, other)
                line += f"{before[0]:8.1f} ({before[1]:5.1f}){before[0] / here[0]:8.2f}"
            print(line, flush=True)
    for name in ("check", "run", "build"):  # nothing in the cache; the engine, unless the installation brings it along
        with tempfile.TemporaryDirectory() as empty:
            cold = measured(sys.executable, COMMANDS[name], 1, empty)
            print(f"{name + ', empty cache':32}{cold[0]:8.1f} ({cold[1]:5.1f})", flush=True)


if __name__ == "__main__":
    main()
