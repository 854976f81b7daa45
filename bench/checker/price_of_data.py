"""What it costs that data can be left undetermined, where it is not: a command with `--data explicit` and without.

    python -m bench.checker.price_of_data [--only NAME] [--repeats N] [--instructions]

Models of the benchmark whose variables hold no wide inputs, each from a source to the verdict, in one thread. All ways
are run in turn, and the least of all repeats counts, in seconds of the processor; with `--instructions` those of
callgrind (valgrind), once, which depend on nothing else that the machine does but take fifty times as long. `loaded`:
modules of `mcheck/symbolic` that were imported, and whether the solver was. Ends with 1 if a command takes more than
3 % longer, and by more than a hundredth of a second.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.checker.measured import environment, run_measured
from bench.checker.models import MODELS, NATURAL, UNREDUCED, Model
from bench.checker.ours import ROOT

WAYS = ("explicit", "auto")
ALLOWED, MOMENT = 1.03, 0.01
LOADED = "import sys; from lfc.cli.main import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"


def command(file: Path, way: str) -> list[str]:
    return ["check", str(file), "--json", "--threads", "1", "--data", way]


def processor_seconds(file: Path, way: str) -> float:
    env = environment(PYTHONHASHSEED="0")
    return run_measured([sys.executable, "-m", "lfc", *command(file, way)], ROOT, env, fails=True).processor_seconds


def instructions(file: Path, way: str) -> float:
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    python = [sys.executable, "-m", "lfc", *command(file, way)]
    ran = run_measured([*tool, *python], ROOT, environment(PYTHONHASHSEED="0"), fails=True)
    found = re.search(r"Collected : (\d+)", ran.errors)
    if found is None:
        raise RuntimeError((ran.output + ran.errors)[-2000:])
    return int(found.group(1)) / 1e9


def loaded(file: Path) -> str:
    ran = run_measured([sys.executable, "-c", LOADED, *command(file, "auto")], ROOT, fails=True)
    modules = set(ran.output.split())
    count = sum(m.startswith("lfc.mcheck.symbolic") for m in modules)
    return f"{count}{', solver' if 'bitwuzla' in modules else ''}"


def states(file: Path) -> int:
    ran = run_measured([sys.executable, "-m", "lfc", *command(file, "auto")], ROOT, fails=True)
    found: int = json.loads(ran.output)["states"]
    return found


def row(model: Model, repeats: int, counts: bool) -> tuple[list[str], float]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{model.name}.lf"
        file.write_text(model.lf())
        count, modules = states(file), loaded(file)  # compiled from here on
        ran = {way: instructions(file, way) for way in WAYS} if counts else dict.fromkeys(WAYS, float("inf"))
        for _ in range(0 if counts else repeats):
            for way in WAYS:
                ran[way] = min(ran[way], processor_seconds(file, way))
    explicit, auto = (ran[way] for way in WAYS)
    cells = [model.title, f"{count:,}", f"{explicit:.3f}", f"{auto:.3f}", f"{auto / explicit:.3f}", modules]
    return cells, auto / explicit if auto - explicit > MOMENT else 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="models whose title holds this")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--instructions", action="store_true", help="thousand millions of them, by callgrind")
    options = parser.parse_args()
    print("| model | states | `explicit` | `auto` | ratio | loaded |\n| --- | --- | --- | --- | --- | --- |")
    over = []
    for model in [*UNREDUCED, *MODELS, *NATURAL]:
        if model.huge or (options.only or "") not in model.title:
            continue
        cells, ratio = row(model, options.repeats, options.instructions)
        print(f"| {' | '.join(cells)} |", flush=True)
        if ratio > ALLOWED:
            over.append(model.title)
    for title in over:
        print(f"\nMORE THAN {ALLOWED}: {title}")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
