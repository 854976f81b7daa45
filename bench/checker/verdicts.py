"""From source to verdict with reductions on both sides: what each user's own command leaves of a model, and takes.

    python -m bench.checker.verdicts [--only NAME] [--repeats N] [--write docs/contributing/measurements/reductions.md]

Ours is `lfc check FILE` (which chooses reductions itself) and `lfc check FILE --reductions por,dead,chains`, as a
process, with no program in the cache; SPIN's is `spin -a`, gcc at its first and second level, and `pan` with its own
partial order reduction; where there is tcc, what it takes with that is told as well. All are run in turn, and medians
are told; models that take SPIN long are run once. Ends with 1 if SPIN has fewer states than each of ours, or with gcc
is sooner than `lfc check`. About six minutes on two idle cores.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import date
from math import exp, log
from pathlib import Path
from statistics import median

from bench.checker import spin
from bench.checker.measured import environment, run_measured
from bench.checker.models import MODELS, NATURAL, ORDINARY, Model
from bench.checker.ours import ROOT, cache_without_programs
from bench.machine import machine_name

LONG = 2.5  # seconds of SPIN's
WAYS = {"auto": [], "por,dead,chains": ["--reductions", "por,dead,chains"]}
LEVELS = {"-O1": ["gcc", "-O1"], "-O2": ["gcc", "-O2"]}
QUICK = {"tcc": ["tcc"]} if shutil.which("tcc") else {}
COMPILERS = LEVELS | QUICK
FLAGS = ["-w", "-DSAFETY", "-DNOFAIR", "-DMEMLIM=8000", "-o", "pan", "pan.c"]


@dataclass(slots=True)
class Run:
    """Of one command: states, and the seconds of each time."""

    states: int = 0
    seconds: list[float] = field(default_factory=list)

    def middle(self) -> float:
        return median(self.seconds)


def check(model: Model, folder: Path, more: list[str], unseen: int, to: Run) -> None:
    file = folder / f"{model.name}.lf"
    named = f"CONST Unseen{folder.name.replace('_', 'x')}{unseen} = 0;"
    file.write_text(model.lf().replace("CONST", named, 1))
    env = environment(XDG_CACHE_HOME=cache_without_programs(folder))
    ran = run_measured([sys.executable, "-m", "lfc", "check", str(file), "--json", *more], ROOT, env)
    told = json.loads(ran.output)
    if told["verdict"] != "holds":
        raise RuntimeError(f"{model.title}: {told['verdict']}")
    to.states = told["states"]
    to.seconds.append(ran.seconds)


def verify(model: Model, folder: Path, compiler: str, bits: int, to: Run) -> None:
    (folder / "model.pml").write_text(model.promela())
    seconds = run_measured(["spin", "-a", "model.pml"], folder).seconds
    seconds += run_measured([*COMPILERS[compiler], *FLAGS], folder).seconds
    ran, wall = spin.run_pan(model, folder, bits)
    to.states = ran.states
    to.seconds.append(seconds + wall)


def measured(model: Model, repeats: int) -> dict[str, Run]:
    found = {way: Run() for way in (*WAYS, *COMPILERS)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        verify(model, folder, "-O1", 24, first := Run())
        bits = max(18, first.states.bit_length() + 1)  # a table of the size that suits it
        for unseen in range(repeats if first.middle() < LONG else 1):
            for number, (way, more) in enumerate(WAYS.items()):
                check(model, folder, more, unseen * len(WAYS) + number, found[way])
            for compiler in COMPILERS:
                verify(model, folder, compiler, bits, found[compiler])
    return found


def cells(model: Model, found: dict[str, Run]) -> list[str]:
    row = [model.title]
    for way in WAYS:
        row += [f"{found[way].states:,}", f"{found[way].middle():.2f}"]
    return [*row, f"{found['-O1'].states:,}", *(f"{found[c].middle():.2f}" for c in COMPILERS)]


def shortfalls(title: str, found: dict[str, Run]) -> list[str]:
    """SPIN has no state before the initialisation, so one more is as many."""
    theirs, soonest = found["-O1"].states, min(found[level].middle() for level in LEVELS)
    said = []
    if found["auto"].states > theirs + 1:
        more = "" if found["auto"].states <= 200_000 else " (not searched in full)"
        said.append(f"{title}: `auto` has {found['auto'].states:,} states{more}, SPIN {theirs:,}")
    if min(found[way].states for way in WAYS) > theirs + 1:
        said.append(f"MORE STATES: {title}")
    slower = [
        f"{title}, `{way}`: {found[way].middle():.2f} s, SPIN {soonest:.2f} s"
        for way in WAYS
        if found[way].middle() > soonest
    ]
    return [*said, *(f"SLOWER: {s}" for s in slower)]


HEAD = ["model", "`auto`", "s", "`por,dead,chains`", "s", "SPIN", *(f"{' '.join(c)}, s" for c in COMPILERS.values())]


def table(rows: list[tuple[Model, dict[str, Run]]]) -> list[str]:
    lines = [HEAD, ["---"] * len(HEAD), *(cells(*r) for r in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


def page(groups: dict[str, list[tuple[Model, dict[str, Run]]]], command: str) -> str:
    lines = ["# Reductions, from source to verdict", "", f"{date.today()}, {machine_name()}; `{command}`.", ""]
    lines += EXPLANATION
    for title, rows in groups.items():
        lines += ["", title, "", *table(rows)]
    every = [row for rows in groups.values() for row in rows]
    for compilers, which in ((LEVELS, "the faster of its two with gcc"), (QUICK, "with tcc")):
        ratios = [min(f[c].middle() for c in compilers) / f["auto"].middle() for _, f in every if compilers]
        if ratios:
            mean = exp(sum(map(log, ratios)) / len(ratios))
            said_of = f"{which}, geometric mean; least {min(ratios):.1f} times"
            lines += ["", f"SPIN takes {mean:.1f} times as long as `auto` ({said_of})."]
    said = [s for model, found in every for s in shortfalls(model.title, found)]
    return "\n".join([*lines, "", *(f"- {s}" for s in said), *([""] if said else [])])


EXPLANATION = [
    "States that are left, and seconds from source to verdict (medians; commands in turn): `lfc check`, which chooses",
    "by itself and counts every state of what has at most 200,000, and with `--reductions por,dead,chains`; both as a",
    "process with no program in the cache. SPIN with its own partial order reduction, as it is by default: `spin -a`,",
    "the compiler, `pan`. SPIN has no state before the initialisation, so it counts one less.",
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="models whose title holds this")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--write", metavar="FILE")
    options = parser.parse_args()
    if not spin.available():
        sys.exit("bench.checker needs spin and gcc")
    groups: dict[str, list[tuple[Model, dict[str, Run]]]] = {}
    for title, models in {
        "The same actions on both sides:": [m for m in MODELS if not m.huge],
        "Each written as one writes it in its language:": NATURAL,
        "Likewise, where reductions matter most:": ORDINARY,
    }.items():
        for model in models:
            if (options.only or "") in model.title:
                groups.setdefault(title, []).append((model, measured(model, options.repeats)))
                print("  ".join(cells(*groups[title][-1])), file=sys.stderr, flush=True)
    text = page(groups, " ".join(["python -m bench.checker.verdicts", *sys.argv[1:]]))
    if options.write:
        Path(options.write).write_text(text)
    print(text)
    return int("MORE STATES" in text or any("SLOWER" in line and "`auto`" in line for line in text.splitlines()))


if __name__ == "__main__":
    sys.exit(main())
