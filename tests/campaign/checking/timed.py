"""The campaign of the checker's time against the naive explorer with time. The full quota:

    python -m tests.campaign.checking.timed --count 1000 --seed 1

Random small programs that sleep, wait with `Clock.After`, read the clock and take interrupts, half of them in an open
world, in both modes: the same states as blocks; where timers are numbers also the same counts; the same faults,
and the same processes are stuck.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field

from tests.actions.machines import machine_of_text
from tests.generate.recipes import sources_of
from tests.mcheck.timed_agreement import MODES, compare_with_time
from tests.support.seeds import add_seed, parsed

MOST_STATES = 1500


@dataclass(slots=True)
class Result:
    compared: int = 0
    too_large: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


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
            if kinds is None:
                result.too_large += 1
            else:
                result.compared += 1
                result.kinds.update(kinds)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared, {result.too_large} too large; {dict(result.kinds)}")
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
