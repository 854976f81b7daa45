"""Under mpiexec: checks programs together, and compares that with what one process tells and the naive explorer.

    mpiexec -n 3 python -m tests.mcheck.distributed.in_ranks TASKS FOUND SECONDS

TASKS is a file of JSON: `tasks`, a list (see `Task`), and `random`, how many random programs that are small enough are
tried.  The first rank writes what was found as JSON to FOUND, one entry
for each. After SECONDS all processes end, whatever they do.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.cli.common.machine import load_machine
from lfc.cli.common.world import closed_machine
from lfc.mcheck.check import check
from lfc.mcheck.report.json_document import as_json
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.request.world import World
from lfc.mcheck.result.reasons import STOPPED
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.distributed.distributed import NotDistributed
from lfc.mcheck.search.distributed.world import world
from lfc.mcheck.search.search import Stop
from lfc.mcheck.together import Served
from tests.campaign.checking.checker import profile_of
from tests.conftest import ROOT
from tests.differential.stepwise import ROUNDS, machine_of_source
from tests.generate.general.program import generate
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions
from tests.naive.explorer import explore as explore_naively
from tests.naive.state import State

# What may differ: time, memory, and how often an action was executed; and what says that many processes were at work.
MOST, TOO_MANY = 4000, STOPPED[Stop.STATES]  # states of a random program
OF_THE_RUN = ("seconds", "compile_seconds", "memory_bytes", "bytes_per_state", "disk", "executions", "ranks")
OF_WHAT_WAS_TRIED = ("values", "bounds", "unreached", "remarks")


@dataclass
class Task:
    """`what`: a file, from the root of the repository; a seed of random programs; or a program's text. `options`: of
    the request."""

    what: str | int
    options: dict[str, Any] = field(default_factory=dict)
    naive: bool = False  # compared with the naive explorer, too, if it is small enough
    most: int = 1500  # states of that
    depth: int | None = None  # of the search


@dataclass
class Found:
    what: str
    verdict: str = ""
    states: int = 0
    transitions: int = 0
    of_ranks: list[int] = field(default_factory=list)
    handed_over: int = 0
    kinds: list[str] = field(default_factory=list)
    steps: int = 0  # of the first counterexample
    difference: str = ""
    refused: str = ""
    too_large: bool = False  # so that it was not tried
    naive: bool = False  # that explorer has said the same


def machine_for(task: Task) -> Machine:
    if isinstance(task.what, int):
        return machine_of_source(Source("Program.lf", generate(task.what, profile_of(task.what)).text))
    if task.what.endswith(".lf"):
        file = str(ROOT / task.what)
        with click.Context(click.Command("check")):
            machine, _ = closed_machine(load_machine(file, (), (), with_environment=False), World(), file, ())
        return machine
    return machine_of_source(Source("Program.lf", task.what))


def document(machine: Machine, result: CheckResult) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(as_json(machine, result))
    for name in OF_THE_RUN:
        del found[name]
    return found


def differences(one: dict[str, Any], many: dict[str, Any], ordered: bool) -> str:
    """`ordered`: orders of steps are left out; then what was tried counts as seen where it was remembered."""
    keys = [k for k in one if not (ordered and k in OF_WHAT_WAS_TRIED)]
    return "; ".join(f"{k}: {one[k]!r:.300} and {many[k]!r:.300}" for k in keys if one[k] != many[k])


def difference_to_naive(machine: Machine, most: int, result: CheckResult) -> tuple[str, bool]:
    """And whether it is small enough to be compared."""
    start = State.initial(machine.program, bounds_of(machine))
    naive = explore_naively(machine.program, Conventions(most_states=most, rounds=ROUNDS), start)
    if not naive.complete:
        return "", False
    failed = len(naive.faults) + len(naive.assertions)
    expected = (len(naive.transitions), failed, len(naive.deadlocks), len(naive.ends))
    c = result.counted
    found = (result.transitions, c["faults"], c["deadlocks"], c["ends"])
    return ("" if found == expected else f"counts {found}, of the naive explorer {expected}"), True


def difference_to_full(machine: Machine, request: Request, result: CheckResult) -> str:
    """What is left out changes no verdict, and of what is found past errors none."""
    full = check(machine, request.changed(reductions=()))
    if full.reason == TOO_MANY:
        return ""
    found, expected = ({str(f.kind) for f in r.findings} for r in (result, full))
    if request.claims.keep_going:
        return "" if found == expected else f"{sorted(found)}, without reductions {sorted(expected)}"
    return "" if bool(found) == bool(expected) else f"{result.verdict}, without reductions {full.verdict}"


def try_one(task: Task) -> Found:
    ranks, found, machine = world(), Found(str(task.what)[:60]), machine_for(task)
    few = {"states": MOST} if isinstance(task.what, int) else {}
    options = {**few, "rounds": ROUNDS, "count_values": True, "threads": 1, **task.options}
    request = request_from(**options, bounds=SearchBounds(depth=task.depth))
    one = check(machine, request) if ranks.first else None
    if any(ranks.gather(one is not None and one.reason == TOO_MANY)):
        found.too_large = True
        return found
    try:
        many = check(machine, request.changed(distributed=True))
    except Served:
        return found
    except NotDistributed as refusal:
        found.refused = str(refusal)
        return found
    assert one is not None
    found.verdict, found.states, found.transitions = many.verdict, many.states, many.transitions
    found.of_ranks = [r.states for r in many.ranks]
    found.handed_over = sum(r.handed_over for r in many.ranks)
    found.kinds = [str(f.kind) for f in many.findings]
    found.steps = len(many.findings[0].steps) if many.findings else 0
    ordered = "por" in request.reductions
    found.difference = differences(document(machine, one), document(machine, many), ordered)
    if sum(found.of_ranks) != many.states:
        found.difference += f"; ranks have {found.of_ranks}, together {many.states}"
    if ordered:
        found.difference += difference_to_full(machine, request, many)
    if task.naive and not found.difference:
        found.difference, found.naive = difference_to_naive(machine, task.most, many)
    return found


def main() -> None:
    import faulthandler

    faulthandler.dump_traceback_later(float(sys.argv[3]), exit=True)
    given = json.loads(Path(sys.argv[1]).read_text())
    tasks, left = [Task(**t) for t in given["tasks"]], given["random"]
    ranks = world()
    found = []
    try:
        for task in tasks:
            is_random = isinstance(task.what, int)
            if is_random and not left:
                continue
            found.append(try_one(task))
            left -= is_random and not found[-1].too_large
    except BaseException:
        import traceback

        traceback.print_exc()
        ranks.abort(1)
    if ranks.first:
        Path(sys.argv[2]).write_text(json.dumps([asdict(f) for f in found]))
    ranks.end()


if __name__ == "__main__":
    main()
