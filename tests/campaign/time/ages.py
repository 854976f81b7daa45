"""The campaign of the checker's ages against the naive explorer. The full quota:

    python -m tests.campaign.time.ages --count 1000 --seed 1

Random small programs, most of them endless, that ask how long ago something was, half of them in an open world: the
same states but for what the clock read, the same faults, ends and stuck processes; and each counterexample is replayed.
"""

from __future__ import annotations

import traceback

from tests.actions.machines import machine_of_text
from tests.campaign.time.agreement import Result, run_as_command
from tests.generate.recipes import sources_of
from tests.mcheck.aged_agreement import compare_ages

MOST_STATES = 3000


def campaign(seed: int, count: int) -> Result:
    result = Result()
    for number in range(seed * 1_000_000, seed * 1_000_000 + count):
        generated = sources_of("aged", number)
        machine = machine_of_text(generated.program, generated.environment or None)
        try:
            kinds = compare_ages(machine, MOST_STATES)
        except Exception:
            result.failures.append(f"{number}: {traceback.format_exc(limit=-3)}")
            continue
        result.add(kinds)
    return result


if __name__ == "__main__":
    run_as_command(__doc__, campaign, 1000)
