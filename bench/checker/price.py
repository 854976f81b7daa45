"""What a reduction costs where it does not help: processor seconds with it to those without.

    python -m bench.checker.price [--only NAME] [--repeats N]

A search in one thread, with the look for partial deadlocks, and for `auto` a whole check beside one without reductions:
after compilation, and as a command, from a source that was never seen to the verdict. The counters have just over
200,000 states that nothing makes fewer: there the samples of `auto` weigh most. All ways are run in turn, and the least
of all repeats counts, so that other work on the machine matters little. A reduction that leaves less than nine tenths
of the states helps; its ratio stands in brackets. Ends with 1 if another is above 1.10, and by more than a hundredth of
a second; of `auto` the command counts. About four minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

from bench.checker.compiled import compiled
from bench.checker.measured import environment, run_measured
from bench.checker.models import MODELS, NATURAL, UNREDUCED, Model
from bench.checker.ours import ROOT, cache_without_programs
from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.request.request import AUTO, Request, request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with

WAYS = {
    "none": request_from(keep_going=True),
    "por": request_from(keep_going=True, reductions=("por",)),
    "dead": request_from(keep_going=True, reductions=("dead",)),
    "chains": request_from(keep_going=True, reductions=("chains",)),
    "por,chains": request_from(keep_going=True, reductions=("por", "chains")),
    "sym": request_from(keep_going=True, reductions=("sym",)),
}
CHECKS: dict[str, tuple[str, ...]] = {"none": (), "auto": (AUTO,)}
LEAST, MOST = 40_000, 1_000_000  # states: to be measured at all, and soon
ALLOWED, MOMENT = 1.10, 0.01

Told = tuple[int, float]  # states, seconds


def searched(machine: Machine, limits: Request) -> Told:
    search = search_with(machine, limits)
    begin = time.process_time()
    if search.run() is not Stop.COMPLETE:
        raise RuntimeError("the search did not come to its end")
    search.find_stuck()
    seconds = time.process_time() - begin
    states: int = search.statistics.states
    search.close()
    return states, seconds


def checked(machine: Machine, reductions: tuple[str, ...]) -> Told:
    begin = time.process_time()
    result = check(machine, request_from(threads=1, reductions=reductions))
    return result.states, time.process_time() - begin


def commanded(model: Model, folder: Path, unseen: count[int], name: str) -> Told:
    file = folder / f"{model.name}.lf"
    changed = f"CONST Unseen{folder.name.replace('_', 'x')}{next(unseen)} = 0;"
    file.write_text(model.lf().replace("CONST", changed, 1))
    command = [sys.executable, "-m", "lfc", "check", str(file), "--json", "--threads", "1", "--reductions", name]
    ran = run_measured(command, ROOT, environment(XDG_CACHE_HOME=cache_without_programs(folder)))
    return json.loads(ran.output)["states"], ran.processor_seconds


def least(ways: dict[str, Callable[[], Told]], repeats: int) -> dict[str, Told]:
    """Of each way, in turn."""
    found = {way: run() for way, run in ways.items()}
    for _ in range(1, repeats):
        for way, run in ways.items():
            states, seconds = run()
            found[way] = states, min(seconds, found[way][1])
    return found


def ratios(found: dict[str, Told]) -> tuple[list[str], list[str]]:
    """To the first way: a cell for each of the others, and which are too much."""
    (_, (all_states, without)), *others = found.items()
    cells, over = [], []
    for way, (states, seconds) in others:
        ratio = seconds / without
        helps = states < 0.9 * all_states
        cells.append(f"({ratio:.2f})" if helps else f"{ratio:.2f}")
        if not helps and ratio > ALLOWED and seconds - without > MOMENT:
            over.append(f"`{way}` {ratio:.2f}")
    return cells, over


def row(model: Model, repeats: int) -> tuple[list[str], list[str]] | None:
    machine = compiled(model.lf())
    search = search_with(machine, request_from(keep_going=True, states=MOST))
    suits = search.run() is Stop.COMPLETE and search.statistics.states >= LEAST
    search.close()
    if not suits:
        return None
    found = least({way: partial(searched, machine, limits) for way, limits in WAYS.items()}, repeats)
    checks = least({way: partial(checked, machine, names) for way, names in CHECKS.items()}, repeats)
    with tempfile.TemporaryDirectory() as name:
        way = partial(commanded, model, Path(name), count())
        commands = least({reductions: partial(way, reductions) for reductions in CHECKS}, repeats)
    cells, over = ratios(found)
    of_check, _ = ratios(checks)
    of_command, over_auto = ratios(commands)
    told = [f"{checks['none'][1]:.3f}", *of_check, f"{commands['none'][1]:.3f}", *of_command]
    states, seconds = found["none"]
    return [model.title, f"{states:,}", f"{seconds:.3f}", *cells, *told], over + over_auto


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", help="models whose title holds this")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    ways = [f"`{way}`" for way in list(WAYS)[1:]]
    head = ["model", "states", "search, s", *ways, "check, s", "`auto`", "command, s", "`auto`"]
    print(f"| {' | '.join(head)} |\n|{' --- |' * len(head)}")
    over: list[str] = []
    for model in [*UNREDUCED, *MODELS, *NATURAL]:
        if model.huge or (options.only or "") not in model.title:
            continue
        told = row(model, options.repeats)
        if told is None:
            continue
        print(f"| {' | '.join(told[0])} |", flush=True)
        over += [f"{model.title}: {o}" for o in told[1]]
    for o in over:
        print(f"\nMORE THAN {ALLOWED}: {o}")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
