"""Distributed searches measured with few ranks, and a model of many.

    python -m bench.distributed             measures with 1, 2 and 4 ranks, and compares the model
    python -m bench.distributed --plan      what the model says of up to 1,000 ranks and 10^12 states

docs/theory/distributed.md has the model and what both print. Times are processor seconds: the ranks of a measurement
share the processors of one machine, with whatever else it does.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.checker.models import MODELS
from lfc.cli.checking.distributed import mpiexec

MEASURED = ("philosophers 7", "leader election 8", "Peterson 4")
RANKS = (1, 2, 4)
ROOT_BYTES, DEFINITION_BYTES = 8, 20  # in a message: of a state, and of a value or pair that it needs
TABLE_BYTES, FRONTIER_BYTES, KNOWN_BYTES = 6.0, 8.0, 4.0  # in memory: of a state, one that waits, a number of others


@dataclass(frozen=True, slots=True)
class Space:
    """A program's states, and what one rank takes for them."""

    name: str
    states: float
    transitions: float
    levels: int
    step_seconds: float  # of a transition, within one rank
    numbers: float  # values and pairs of numbers that a rank knows at most

    @property
    def degree(self) -> float:
        return self.transitions / self.states


@dataclass(frozen=True, slots=True)
class Net:
    """What ranks are joined by: seconds for a state that is handed over, at both ends together; of a level's end, for
    each doubling of the ranks; bytes a second of one rank."""

    hand_over_seconds: float
    level_seconds: float = 100e-6
    bandwidth: float = 100e6


@dataclass(frozen=True, slots=True)
class Forecast:
    handed_over: float  # states, by all
    bytes: float  # of messages, by all
    processor_seconds: float  # of all
    seconds: float  # if each rank has a processor
    memory: float  # bytes, of one rank
    imbalance: float  # how much more than the mean the busiest rank has


def handed_over(s: Space, n: int) -> float:
    """A state has `degree` predecessors, whose owners are drawn by lot; each other rank that has one sends it once."""
    missed: float = (1 - 1 / n) ** s.degree  # by all of its predecessors
    return s.states * (n - 1) * (1 - missed)


def imbalance(s: Space, n: int) -> float:
    """The most of n shares of a level of even size, drawn by lot."""
    share = s.states / s.levels / n
    return math.sqrt(2 * math.log(n) / share) if n > 1 else 0.0


def defined(s: Space, n: int) -> float:
    """A rank tells another one what a number means once, and only if it sends a state that needs it."""
    pairs = n * (n - 1)
    return min(pairs * s.numbers, 2 * handed_over(s, n)) if n > 1 else 0.0


def forecast(s: Space, net: Net, n: int, widest: float = 0.1) -> Forecast:
    """`widest`: the share of the states that wait at most at once."""
    handed, numbers, uneven = handed_over(s, n), defined(s, n), imbalance(s, n)
    sent = handed * ROOT_BYTES + numbers * DEFINITION_BYTES
    work = s.transitions * s.step_seconds + handed * net.hand_over_seconds
    wire = sent / n / net.bandwidth
    ends = s.levels * net.level_seconds * math.log2(n) if n > 1 else 0.0
    seconds = max(work / n * (1 + uneven), wire) + ends
    states = s.states / n * (1 + uneven)
    memory = states * (TABLE_BYTES + widest * FRONTIER_BYTES) + 24 * s.numbers + KNOWN_BYTES * numbers / n
    return Forecast(handed, sent, work, seconds, memory, uneven)


# --- measured ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    states: int
    transitions: int
    depth: int
    handed_over: int
    bytes: int
    defined: int
    processor_seconds: float
    shares: tuple[int, ...]
    memory: int  # of the rank that has most


def measure(file: Path, ranks: int) -> Run:
    check = [
        sys.executable,
        "-m",
        "lfc.cli.main",
        "check",
        str(file),
        "--distributed",
        "--json",
        "--deadlocks",
        "allow",
    ]
    ran = subprocess.run(
        [*mpiexec(), "--host", f"localhost:{ranks}", *check], capture_output=True, text=True, timeout=1800
    )
    found = json.loads(ran.stdout)
    of = found["ranks"]
    return Run(
        found["states"],
        found["transitions"],
        found["depth"],
        sum(r["handed_over"] for r in of),
        sum(r["sent_bytes"] for r in of),
        sum(r["defined"] for r in of),
        sum(r["processor_seconds"] for r in of),
        tuple(r["states"] for r in of),
        max(r["memory_bytes"] for r in of),
    )


def compare(name: str, runs: dict[int, Run]) -> list[str]:
    """The model has what it needs from one rank, and from two what handing over takes."""
    one, two = runs[1], runs[2]
    step = one.processor_seconds / one.transitions
    hand = max(0.0, two.processor_seconds - one.processor_seconds) / max(1, two.handed_over)
    numbers = two.defined / 2
    space = Space(name, one.states, one.transitions, one.depth + 1, step, numbers)
    lines = []
    for n, run in runs.items():
        f = forecast(space, Net(hand), n)
        spread = max(run.shares) * n / run.states - 1
        lines.append(
            f"| {name} | {n} | {run.handed_over:,} / {f.handed_over:,.0f}"
            f" | {run.bytes / 2**20:.1f} / {f.bytes / 2**20:.1f}"
            f" | {run.processor_seconds:.2f} / {f.processor_seconds:.2f} | {100 * spread:.1f} %"
            f" | {run.memory / 2**20:.1f} |"
        )
    return lines


HEAD = """| model | ranks | handed over: found / model | MB sent | processor seconds | most above mean | MB of a rank |
| --- | --- | --- | --- | --- | --- | --- |"""


def measured(names: tuple[str, ...]) -> None:
    print(HEAD)
    with tempfile.TemporaryDirectory() as folder:
        for model in MODELS:
            if model.title in names:
                file = Path(folder) / f"{model.name}.lf"
                file.write_text(model.lf())
                print("\n".join(compare(model.title, {n: measure(file, n) for n in RANKS})), flush=True)


# --- planned ----------------------------------------------------------------------------------------------------------

PLANNED = (
    Space("10^9, in 500 levels", 1e9, 4e9, 500, 90e-9, 1e5),
    Space("10^12, in 1,000 levels", 1e12, 4e12, 1000, 90e-9, 1e6),
    Space("10^12, in 100,000 levels", 1e12, 4e12, 100_000, 90e-9, 1e6),
)
PLAN_RANKS = (1, 16, 64, 250, 1000)


def plan() -> list[str]:
    lines = [
        "| states | ranks | handed over, of the transitions | GB sent by a rank | seconds | GB of a rank |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for s in PLANNED:
        for n in PLAN_RANKS:
            f = forecast(s, Net(400e-9), n)
            lines.append(
                f"| {s.name} | {n:,} | {100 * f.handed_over / s.transitions:.0f} % | {f.bytes / n / 1e9:.1f}"
                f" | {f.seconds:,.0f} | {f.memory / 1e9:,.1f} |"
            )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--model", action="append", default=[], help="one of these models instead of all")
    options = parser.parse_args()
    if options.plan:
        print("\n".join(plan()))
    else:
        measured(tuple(options.model) or MEASURED)


if __name__ == "__main__":
    main()
