"""The campaign of the checker's ages against the naive explorer. The full quota:

    python -m tests.campaign.checking.ages --count 1000 --seed 1

Random small programs, most of them endless, that ask how long ago something was, half of them in an open world: the
same states but for what the clock read, the same faults, ends and stuck processes; and each counterexample is replayed.
"""

from __future__ import annotations

import argparse
import sys
import traceback

from tests.actions.machines import machine_of_text
from tests.campaign.checking.timed import Result
from tests.generate.recipes import sources_of
from tests.mcheck.aged_agreement import compare_ages
from tests.support.seeds import add_seed, parsed

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
