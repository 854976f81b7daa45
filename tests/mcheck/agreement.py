"""The engine and the naive explorer on one program: the same states, transitions, errors and stuck processes."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.request.request import Request
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import ROUNDS, machine_of_source
from tests.mcheck.modes import exact_limits
from tests.naive.decode import bounds_of, encode
from tests.naive.explorer import Conventions, Exploration
from tests.naive.explorer import explore as explore_naively
from tests.naive.state import State


@dataclass(slots=True, repr=False)
class Expected:
    """What the naive explorer found, in terms of blocks."""

    blocks: set[bytes]
    counts: tuple[int, ...]  # states, transitions, faults, deadlocks, ends
    stuck: dict[bytes, set[int]]  # slots of processes that are no SERVERs


class Disagreement(Exception):
    """The engine found something else than the naive explorer."""


def compare_with_the_naive_explorer(text: str, most_states: int = 3000) -> set[str] | None:
    """The kinds of errors that both find; None if there are too many states. Raises Disagreement."""
    return compare_machine(machine_of_source(Source("Program.lf", text)), most_states)


def compare_machine(machine: Machine, most_states: int = 3000) -> set[str] | None:
    start = State.initial(machine.program, bounds_of(machine))
    naive = explore_naively(machine.program, Conventions(most_states=most_states, rounds=ROUNDS), start)
    if not naive.complete:
        return None
    expected = expectation(machine, naive)
    for mode, limits in exact_limits(keep_going=True, rounds=ROUNDS):
        difference = difference_of(machine, limits, expected)
        if difference is not None:
            raise Disagreement(f"{mode}: {difference}")
    return naive.kinds


def expectation(machine: Machine, naive: Exploration) -> Expected:
    blocks = [encode(s, machine) for s in naive.states]
    failed = len(naive.faults) + len(naive.assertions)
    counts = (len(set(blocks)), len(naive.transitions), failed, len(naive.deadlocks), len(naive.ends))
    servers = [
        r.body.process is not None and r.body.process.server for r in machine.layout.records for _ in range(r.slots)
    ]
    stuck = {
        blocks[state]: {slot for slot in slots if not servers[slot]}
        for state, slots in naive.stuck.items()
        if any(not servers[slot] for slot in slots)
    }
    return Expected(set(blocks), counts, stuck)


def difference_of(machine: Machine, limits: Request, expected: Expected) -> str | None:
    search = Search(machine, limits)
    try:
        stop = search.run()
        if stop is not Stop.COMPLETE:
            return f"the search stopped: {stop.name}"
        found = search.all_blocks()
        if len(found) != len(set(found)):
            return "a state was found twice"
        if set(found) != expected.blocks:
            return f"{len(set(found) - expected.blocks)} states too many, {len(expected.blocks - set(found))} missing"
        s = search.statistics
        counts = (s.states, s.transitions, s.faults, s.deadlocks, s.ends)
        if counts != expected.counts:
            return f"counts {counts}, not {expected.counts}"
        return difference_in_stuck(search, expected)
    finally:
        search.close()


def difference_in_stuck(search: Search, expected: Expected) -> str | None:
    stuck = search.find_stuck()
    if stuck is None:
        return "nobody was found stuck" if expected.stuck else None
    state, slots = stuck
    there = expected.stuck.get(search.blocks_to(state)[-1], set())
    if there != set(slots):
        return f"slots {slots} were found stuck, not {sorted(there)}"
    most = max(len(s) for s in expected.stuck.values())
    return None if len(slots) == most else f"{len(slots)} slots were found stuck, elsewhere {most} are"
