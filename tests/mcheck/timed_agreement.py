"""The engine with time and the naive explorer with time, on one program."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.mcheck.engine.abi import TimeMode
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Time
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import ROUNDS
from tests.mcheck.agreement import Disagreement
from tests.naive.decode import bounds_of, encode
from tests.naive.explorer import Conventions
from tests.naive.state import State
from tests.naive.timed import Timed, explore_timed

WRAP = 20  # of the clock: random programs are to come round


def compare_with_time(machine: Machine, most_states: int, mode: str = Time.ORDERED) -> set[str] | None:
    """What both find; None if there are too many states. Raises Disagreement."""
    limits = request_from(time=mode, clock_wrap=WRAP, keep_going=True, rounds=ROUNDS, threads=1)
    search = Search(machine, limits)
    try:
        clocked = search.timing.clock_component is not None
        own = sum(r.slots for r in machine.layout.records)
        start = State.initial(machine.program, bounds_of(machine), with_environment=machine.environment is not None)
        naive = explore_timed(
            start, Conventions(most_states=most_states, rounds=ROUNDS), own, WRAP if clocked else None
        )
        if not naive.complete:
            return None
        stop = search.run()
        if stop is Stop.BROKEN:  # an action that asks too often
            return None
        if stop is not Stop.COMPLETE:
            raise Disagreement(f"the search stopped: {stop.name}")
        compare(machine, search, naive)
    finally:
        search.close()
    found = {"fault"} if naive.faults else set()
    return found | ({"deadlock"} if naive.deadlocks else set()) | ({"stuck"} if naive.stuck else set()) | {mode}


def compare(machine: Machine, search: Search, naive: Timed) -> None:
    blocks = {encode(n.state, machine) for n in naive.nodes}
    found = set(search.all_blocks())
    if found != blocks:
        raise Disagreement(f"{len(found - blocks)} blocks too many, {len(blocks - found)} missing")
    s = search.statistics
    if search.timing.form is TimeMode.POINTS:  # one state for each node
        counts = (s.states, s.transitions, s.faults, s.deadlocks, s.ends)
        expected = (len(naive.nodes), naive.transitions, len(naive.faults), naive.deadlocks, naive.ends)
        if counts != expected:
            raise Disagreement(f"counts {counts}, not {expected}")
    else:  # zones may overlap: what is there is compared, not how often
        met = ({e.fault_kind for e in search.errors() if e.kind == 1}, bool(s.deadlocks), bool(s.ends))
        expected_met = ({f.kind for f in naive.faults}, bool(naive.deadlocks), bool(naive.ends))
        if met != expected_met:
            raise Disagreement(f"{met}, not {expected_met}")
    stuck = search.find_stuck()
    if (stuck is None) != (not naive.stuck):
        raise Disagreement(f"stuck: {stuck}, but {naive.stuck[:1]}")
    if stuck is not None:
        state, slots = stuck
        there = [x for n, x in naive.stuck if encode(naive.nodes[n].state, machine) == search.blocks_to(state)[-1]]
        if frozenset(slots) not in there:
            raise Disagreement(f"slots {slots} were found stuck, not {there}")


MODES = (Time.ORDERED, Time.DISCRETE)
