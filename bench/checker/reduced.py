"""How many states the reductions leave of each model, beside SPIN with its partial order reduction: counts, no times.

python -m bench.checker.reduced [--small | --natural] [--only NAME]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from bench.checker.compiled import compiled
from bench.checker.models import MODELS, NATURAL, Model
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with

WAYS = {
    "all": request_from(keep_going=True),
    "`por`": request_from(keep_going=True, reductions=("por",)),
    "`dead`": request_from(keep_going=True, reductions=("dead",)),
    "`por,dead`": request_from(keep_going=True, reductions=("por", "dead")),
    "`por,chains`": request_from(keep_going=True, reductions=("por", "chains")),
    "`por,dead,chains`": request_from(keep_going=True, reductions=("por", "dead", "chains")),
}
FEW = ("`por`", "`por,chains`", "`por,dead,chains`")  # of huge models only these
FLAGS = ["-w", "-O1", "-DSAFETY", "-DNOFAIR", "-DMEMLIM=8000", "-o", "pan", "pan.c"]


def ours(model: Model, limits: Request) -> int:
    search = search_with(compiled(model.lf()), limits)
    if search.run() is not Stop.COMPLETE:
        raise RuntimeError("the search did not come to its end")
    states: int = search.statistics.states
    search.close()
    return states


def spins(model: Model) -> int:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.pml").write_text(model.promela())
        subprocess.run(["spin", "-a", "model.pml"], cwd=folder, check=True, capture_output=True)
        subprocess.run(["gcc", *FLAGS], cwd=folder, check=True)
        pan = ["./pan", "-m10000000", "-w24", *(["-E"] if model.may_wait else [])]
        told = subprocess.run(pan, cwd=folder, check=True, capture_output=True, text=True).stdout
        found = re.search(r"([\d.e+]+) states, stored", told)
        if found is None or "errors: 0" not in told:
            raise RuntimeError(told)
        return round(float(found.group(1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="only models below 100,000 states")
    parser.add_argument("--natural", action="store_true", help="models as one writes them in each language")
    parser.add_argument("--only", metavar="NAME", help="models whose title holds this")
    options = parser.parse_args()
    models = NATURAL if options.natural else [m for m in MODELS if not m.huge and (m.small or not options.small)]
    print(f"| model | {' | '.join(WAYS)} | SPIN |\n|{' --- |' * (len(WAYS) + 2)}")
    for model in models:
        if (options.only or "") not in model.title:
            continue
        counts = ["" if model.huge and way not in FEW else f"{ours(model, WAYS[way]):,}" for way in WAYS]
        print(f"| {model.title} | {' | '.join([*counts, f'{spins(model):,}'])} |", flush=True)


if __name__ == "__main__":
    main()
