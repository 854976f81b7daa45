"""Why a verdict is inconclusive, and what it takes for granted: sentences for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lfc.mcheck.request.world import Time
from lfc.mcheck.search.search import Stop
from lfc.semantics.model.typed import VariableKind

if TYPE_CHECKING:
    from lfc.mcheck.request.world import World
    from lfc.semantics.model.typed import Process, Program

STOPPED = {
    Stop.TIME: "time limit reached (--time)",
    Stop.MEMORY: "memory limit reached (--memory)",
    Stop.STATES: "state limit reached (--states)",
    Stop.INTERRUPTED: "interrupted",
    Stop.BROKEN: "an action makes more decisions than the checker can encode",
}
RANK_LOST = "a rank of the distributed search was lost, and its states with it"
STUCK_UNKNOWN = "partial deadlocks could not be ruled out"
FEW_INPUTS = "only one value of some inputs was tried"
DISK = "{} cannot be written or read: {} (--spill)"
MAY_NOT_COME = "the error may be spurious: {}"
OTHER_BYTES = "{} is not the image that `lfc build` makes: {}, the first at {:04X}H"
NOT_EXECUTED = "the image was not executed in every state: {}"

NO_BOARD = "no board: {} (-b BOARD checks the drivers of a board)"
MAY_WAIT = "processes may wait forever (deadlocks are allowed)"
ON_TRUST = "the checkpoint is genuine, although it is not authenticated (--unauthenticated)"
CLOCK_READS_0 = "Clock.Now reads 0 (--time discrete models the clock)"
ANY_INTERVAL = "each interval that is measured with Clock.Now may be shorter or longer than what it is compared with"
ONE_VALUE = "one value is tried for a port read that has more than 65,536"
LEFT_BY_C = "C leaves its outputs unchanged where they have more than 4,096 values"
CLOCK_WRAPS = "no interval that Clock.Now measures is longer than {} ms, where it wraps (--clock)"
WHY_NO_AGES = "; ages would do without that, but for the use at {}"
NO_AGE_WRAPS = "no interval that the program measures lasts 2^32 ms (49 days) or longer, where Clock.Now wraps"
NO_WRAPS = "unsigned arithmetic does not wrap: where it would, that is a fault (--wraps fault)"
RATE = "while the program is busy, at most {} event{} from outside per action (--rate)"
TIME = "actions take no time; sleeping processes wake in deadline order (--time {})"


def declared_effects(process: Process) -> str:
    """What is taken of C on trust."""
    written = [f"`{f.name}`" for f in process.formals if f.kind is VariableKind.VAR]
    writes = f"any values to {', '.join(written)}, nothing else" if written else "nothing"
    return f"{process.qualified_name} (EXTERNAL) writes {writes}, and returns"


def of_arithmetic(program: Program) -> list[str]:
    return [NO_WRAPS] if program.counts_wraps else []


def of_time(world: World) -> list[str]:
    return [TIME.format(world.time)] if world.time != Time.FREE else []


def of_environment(world: World, inputs: Iterable[str]) -> list[str]:
    """`inputs`: what is assumed of them."""
    found = [*inputs]
    if world.rate:
        found.append(RATE.format(world.rate, "s" * (world.rate > 1)))
    return found + [world.outside] * bool(world.outside)
