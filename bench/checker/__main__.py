"""Compares the checker with SPIN and writes a table.

    python -m bench.checker [--small | --all] [--only NAME] [--repeats N] [--write FILE]

docs/contributing/measurements/checker.md is such a file. Without options the models are measured that take seconds;
`--small` takes those below 100,000 states, `--all` also those that take minutes. A model counts only if both checkers
find the same number of states within 5 %.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date
from math import exp, log
from pathlib import Path

from bench.checker import ours, spin
from bench.checker.measured import Measured
from bench.checker.models import MODELS, Model
from bench.machine import machine_name

Row = tuple[Model, Measured, Measured]
LARGE = 100_000


def chosen(options: argparse.Namespace) -> list[Model]:
    found = [m for m in MODELS if (m.small or not options.small) and (options.all or not m.huge)]
    return [m for m in found if options.only is None or options.only in m.title]


def agree(row: Row) -> bool:
    _, a, b = row
    return abs(a.states - b.states) <= 0.05 * b.states


def mean(values: list[float]) -> float:
    return exp(sum(map(log, values)) / len(values)) if values else float("nan")


def cells(row: Row) -> list[str]:
    model, a, b = row
    found = [model.title]
    for m in (a, b):
        found += [
            f"{m.states:,}",
            f"{m.transitions:,}",
            f"{m.states / m.seconds / 1e6:.2f}",
            f"{m.transitions / m.seconds / 1e6:.2f}",
            f"{m.store_bytes / m.states:.0f}",
            f"{m.resident_bytes / m.states:.0f}",
            *(
                f"{m.walls[way]:.2f}" if way in m.walls else "–"
                for way in (("cold", "warm") if m is a else ("gcc", "tcc"))
            ),
        ]
    ratio = a.transitions / a.seconds / (b.transitions / b.seconds)
    return [*found, f"{ratio:.2f}" if agree(row) else "counts differ"]


HEAD = [
    "model",
    *(
        "states",
        "transitions",
        "M states/s",
        "M transitions/s",
        "B/state stored",
        "B/state resident",
        "cold s",
        "warm s",
    ),
    *("states", "transitions", "M states/s", "M transitions/s", "B/state stored", "B/state resident", "gcc s", "tcc s"),
    "transitions/s, ours to SPIN's",
]


def table(rows: list[Row]) -> list[str]:
    lines = ["| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD)]
    return lines + ["| " + " | ".join(cells(r)) + " |" for r in rows]


def summary(rows: list[Row]) -> list[str]:
    counted = [r for r in rows if agree(r)]
    large = [r for r in counted if r[2].states > LARGE]
    ratios = [a.transitions / a.seconds / (b.transitions / b.seconds) for _, a, b in large]
    lines = [f"{len(counted)} of {len(rows)} models count: both state counts agree within 5 %."]
    if large:
        lines.append(
            f"Beyond {LARGE:,} states ({len(large)} models): transitions per second, ours to SPIN's, geometric mean "
            f"{mean(ratios):.2f}, worst {min(ratios):.2f}; resident bytes per state, ours "
            f"{mean([a.resident_bytes / a.states for _, a, _ in large]):.0f}, SPIN "
            f"{mean([b.resident_bytes / b.states for _, _, b in large]):.0f}."
        )
    for ways in (("cold", "gcc"), ("warm", "tcc")):
        both = [(a.walls[ways[0]] / b.walls[ways[1]], m.title) for m, a, b in counted if ways[1] in b.walls]
        if both:
            lines.append(
                f"From source to verdict, ours {ways[0]} to SPIN with {ways[1]}: geometric mean "
                f"{mean([r for r, _ in both]):.2f}, worst {max(both)[0]:.2f} ({max(both)[1]})."
            )
    return lines


EXPLANATION = [
    "The first columns are this checker's, on one thread, the others SPIN's (`-DSAFETY -DNOREDUCE -DNOFAIR`, exact,",
    "`gcc -O2`, its table as large as the model needs). Neither side reduces. Both texts of a model have the same",
    "actions (`bench/checker/models`): a process that waits is part of the state. SPIN has no state before the",
    "initialisation, so it counts one less. Rates are for each second of the processor in the search (SPIN: in `pan`,",
    "whole). Stored bytes are tables and values; resident bytes are the peak above",
    "start-up (SPIN: the peak) with all that finds the way back. Seconds go from source to verdict: cold, with no",
    "program in the cache; warm; SPIN with `spin -a`, the compiler, `pan`.",
]


def page(rows: list[Row], command: str) -> str:
    return "\n".join(
        [
            "# The checker beside SPIN",
            "",
            f"{date.today()}, {machine_name()}; `{command}`.",
            "",
            *EXPLANATION,
            "",
            *table(rows),
            "",
            *summary(rows),
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--small", action="store_true")
    size.add_argument("--all", action="store_true")
    parser.add_argument("--only", metavar="NAME", help="models whose title holds this")
    parser.add_argument("--repeats", type=int, default=2, help="the best of so many runs")
    parser.add_argument("--write", metavar="FILE")
    options = parser.parse_args()
    if not spin.available():
        sys.exit("bench.checker needs spin and gcc")
    rows: list[Row] = []
    for model in chosen(options):
        a = ours.measure(model, options.repeats)
        rows.append((model, a, spin.measure(model, a.states, options.repeats)))
        print("  ".join(cells(rows[-1])), file=sys.stderr, flush=True)
    text = page(rows, " ".join(["python -m bench.checker", *sys.argv[1:]]))
    if options.write:
        Path(options.write).parent.mkdir(parents=True, exist_ok=True)
        Path(options.write).write_text(text)
    print(text)


if __name__ == "__main__":
    main()
