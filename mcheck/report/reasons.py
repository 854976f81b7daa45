"""Why a verdict is inconclusive, and what it takes for granted: sentences for people."""

from __future__ import annotations

from collections.abc import Iterable

from lfc.mcheck.request.world import Time, World
from lfc.mcheck.search.search import Stop
from lfc.semantics.model.typed import Process, VariableKind

STOPPED = {
    Stop.TIME: "the time is over (--time)",
    Stop.MEMORY: "the memory is used up (--memory)",
    Stop.STATES: "the limit of states is reached (--states)",
    Stop.INTERRUPTED: "interrupted",
    Stop.BROKEN: "an action asks for more decisions than the checker can number",
}
STUCK_UNKNOWN = "it could not be found out whether there are partial deadlocks"
FEW_INPUTS = "only one value of some inputs was tried"
DISK = "{} cannot be written or read: {} (--spill)"
MAY_NOT_COME = "what was found may not come: {}"
NOT_EXECUTED = "the image was not executed everywhere: {}"

MAY_WAIT = "processes may wait for ever (deadlocks are allowed)"
ON_TRUST = "the checkpoint is what a search had saved, although it is not authenticated (--unauthenticated)"
CLOCK_READS_0 = "Clock.Now reads 0 (--time discrete keeps the clock)"
ONE_VALUE = "one value of a port, where there are more than 65,536 to try"
LEFT_BY_C = "C leaves what it writes as it was, where there are more than 4,096 values"
CLOCK_WRAPS = "Clock.Now wraps at {} ms (--clock)"
RATE = "while the program has something to do, at most {} event{} from outside for each of its actions (--rate)"
TIME = "actions take no time: sleepers wake in the order of their deadlines (--time {})"


def declared_effects(process: Process) -> str:
    """What is taken of C on trust."""
    written = [f"`{f.name}`" for f in process.formals if f.kind is VariableKind.VAR]
    writes = f"any values to {', '.join(written)} and nothing else" if written else "nothing"
    return f"{process.qualified_name} (EXTERNAL) writes {writes}, and comes back"


def of_time(world: World) -> list[str]:
    return [TIME.format(world.time)] if world.time != Time.FREE else []


def of_environment(world: World, ranges: Iterable[str]) -> list[str]:
    """`ranges`: of ports."""
    found = [f"{r} (--assume)" for r in dict.fromkeys(ranges)]
    if world.rate:
        found.append(RATE.format(world.rate, "s" * (world.rate > 1)))
    return found + [world.outside] * bool(world.outside)
