"""What ordinary firmware costs: each program of the tests of undetermined data, checked without any help, for this
machine and for boards: its verdict, and how long that takes.

    python -m bench.firmware [--seconds 10] [--board uno]...
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "tests" / "mcheck" / "symbolic"
FOLDERS = ("firmware", "programs")
HOST = "host"


@dataclass(frozen=True, slots=True)
class Row:
    program: str
    board: str
    verdict: str
    seconds: float  # from source to verdict
    processor: float


def measured(file: Path, board: str, seconds: float) -> Row:
    where = [] if board == HOST else ["-b", board, "--no-record"]
    command = [sys.executable, "-m", "lfc", "check", str(file), *where, "--json", "--time", str(seconds)]
    before, begin = os.times(), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    try:
        verdict = str(json.loads(done.stdout)["verdict"])
    except (ValueError, KeyError):
        verdict = f"exit code {done.returncode}"
    return Row(file.stem, board, verdict, time.monotonic() - begin, processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="limit of time of each check")
    parser.add_argument("--board", action="append", help=f"a board, or `{HOST}` (host, uno and microbit)")
    options = parser.parse_args()
    missed = 0
    print("| program | board | verdict | seconds | processor |", "| --- | --- | --- | --- | --- |", sep="\n")
    for folder in FOLDERS:
        for file in sorted((PROGRAMS / folder).glob("*.lf")):
            for board in options.board or [HOST, "uno", "microbit"]:
                row = measured(file, board, options.seconds)
                print(
                    f"| {row.program} | {row.board} | {row.verdict} | {row.seconds:.1f} | {row.processor:.1f} |",
                    flush=True,
                )
                missed += row.verdict == "inconclusive"
    print(f"{missed} without a verdict")


if __name__ == "__main__":
    main()
