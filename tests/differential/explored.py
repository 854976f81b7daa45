"""Compares every state of a small program: compiled actions driven by the reference explorer, and the naive
explorer.
"""

from __future__ import annotations

from lfc.base.source import Source
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.run.running import HostRun
from tests.differential.stepwise import ROUNDS, machine_of_source
from tests.mcheck.state_graph import explore
from tests.naive.decode import bounds_of, encode
from tests.naive.explorer import Conventions
from tests.naive.explorer import explore as explore_naively
from tests.naive.state import State


def compare_explorations(
    text: str, name: str = "Program.lf", most_states: int = 2000
) -> tuple[str | None, int, set[str]]:
    """What differs (None: nothing), how many states there are, and which kinds of errors."""
    machine = machine_of_source(Source(name, text))
    start = State.initial(machine.program, bounds_of(machine))
    naive = explore_naively(machine.program, Conventions(most_states=most_states, rounds=ROUNDS), start)
    if not naive.complete:
        return None, 0, {"too many states"}
    run = HostRun(generate(machine, HOST))
    run.host.rounds = ROUNDS
    found = explore(run)
    blocks = {encode(s, machine) for s in naive.states}
    if blocks != set(found.states):
        missing, extra = blocks - set(found.states), set(found.states) - blocks
        return f"{len(missing)} states missing, {len(extra)} too many, of {len(blocks)}", len(blocks), naive.kinds
    counts = (found.transitions, len(found.faults), len(found.ended))
    wanted = (len(naive.transitions), len(naive.faults) + len(naive.assertions), len(naive.ends))
    if counts != wanted:
        return f"transitions, faults, ends {counts}, should be {wanted}", len(blocks), naive.kinds
    return None, len(blocks), naive.kinds
