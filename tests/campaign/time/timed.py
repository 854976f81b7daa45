"""The campaign of the checker's time against the naive explorer with time. The full quota:

    python -m tests.campaign.time.timed --count 1000 --seed 1

Random small programs that sleep, wait with `Clock.After`, read the clock and take interrupts, half of them in an open
world, in both modes: the same states as blocks; where timers are numbers also the same counts; the same faults,
and the same processes are stuck.
"""

from __future__ import annotations

import traceback

from tests.actions.machines import machine_of_text
from tests.campaign.time.agreement import Result, run_as_command
from tests.generate.recipes import sources_of
from tests.mcheck.timed_agreement import MODES, compare_with_time

MOST_STATES = 1500


def campaign(seed: int, count: int) -> Result:
    """`count` programs, in each mode."""
    result = Result()
    for number in range(seed * 1_000_000, seed * 1_000_000 + count):
        generated = sources_of("timed", number)
        for mode in MODES:
            machine = machine_of_text(generated.program, generated.environment or None)
            try:
                kinds = compare_with_time(machine, MOST_STATES, mode)
            except Exception:
                result.failures.append(f"{number} {mode}: {traceback.format_exc(limit=-3)}")
                continue
            result.add(kinds)
    return result


if __name__ == "__main__":
    run_as_command(__doc__, campaign, 1000)
