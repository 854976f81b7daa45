"""The engine with ages, and the naive explorer that keeps one of all states in which everything is as old.

The naive explorer counts the clock as it is, tells all ages below one bound apart and works out no bounds: so what is
compared is all that a program has beside its stamps, and what happens.
"""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.mcheck.counterexample.explain import tell_error
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Time
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import ROUNDS
from tests.mcheck.agreement import Disagreement
from tests.naive.decode import bounds_of, encode
from tests.naive.explorer import Conventions
from tests.naive.state import State
from tests.naive.timed import Timed, explore_timed

BOUND = 12  # more than any age is compared with


def compare_ages(machine: Machine, most_states: int) -> set[str] | None:
    """What both find; None if there are too many states. Raises Disagreement."""
    request = request_from(time=Time.DISCRETE, keep_going=True, rounds=ROUNDS, threads=1, clock_wrap=5)
    search = Search(machine, request)
    try:
        if search.stamps is None:
            if search.timing.clock_component is None:
                return {"no clock"}
            raise Disagreement("the clock is counted as it is")
        own = sum(r.slots for r in machine.layout.records)
        start = State.initial(machine.program, bounds_of(machine), with_environment=machine.environment is not None)
        conventions = Conventions(most_states=most_states, rounds=ROUNDS)
        naive = explore_timed(start, conventions, own, wrap=BOUND + 1, ages=BOUND)
        if not naive.complete:
            return None
        stop = search.run()
        if stop is Stop.BROKEN:
            return None
        if stop is not Stop.COMPLETE:
            raise Disagreement(f"the search stopped: {stop.name}")
        return compare(machine, search, naive)
    finally:
        search.close()


def compare(machine: Machine, search: Search, naive: Timed) -> set[str]:
    stamps = search.stamps
    assert stamps is not None
    blocks = {stamps.without(encode(n.state, machine)) for n in naive.nodes}
    found = {stamps.without(b) for b in search.all_blocks()}
    if found != blocks:
        raise Disagreement(f"{len(found - blocks)} blocks too many, {len(blocks - found)} missing")
    s = search.statistics
    if s.states > len(naive.nodes):
        raise Disagreement(f"{s.states} states, where {len(naive.nodes)} are enough")
    faults = {e.fault_kind for e in search.errors() if e.kind == 1}
    met = (faults, bool(s.deadlocks), bool(s.ends))
    expected = ({f.kind for f in naive.faults}, bool(naive.deadlocks), bool(naive.ends))
    if met != expected:
        raise Disagreement(f"{met}, not {expected}")
    for error in search.errors():  # each is gone again, with the times of a board
        tell_error(machine, search, error)
    stuck = search.find_stuck()
    if (stuck is None) != (not naive.stuck):
        raise Disagreement(f"stuck: {stuck}, but {naive.stuck[:1]}")
    kinds = {"old"} if s.assumed & 8 else {"never old"}
    return kinds | ({"fault"} if faults else set()) | ({"stuck"} if stuck else set()) | {"ages"}
