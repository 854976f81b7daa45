"""The campaign of the effects table against compiled actions of generated programs. The full quota:

    python -m tests.campaign.compiled.effects --count 300 --seed 1

Actions run from reached blocks and from blocks with other values: no byte outside of may-write changes, and a byte
outside of may-read that is turned over changes nothing that the action does.
"""

from __future__ import annotations

import argparse
import sys
import traceback

from tests.actions.machines import machine_of_text
from tests.actions.soundness import try_program
from tests.generate.general.program import Profile, generate
from tests.support.seeds import add_seed, parsed


def campaign(seed: int, count: int) -> tuple[int, list[str]]:
    """How many actions were tried, and what went wrong."""
    actions = 0
    failures: list[str] = []
    for number in range(seed * 1_000_000, seed * 1_000_000 + count):
        try:
            actions += len(
                try_program(machine_of_text(generate(number, Profile(size=4)).text), number, steps=40, flips=8)
            )
        except Exception:
            failures.append(f"{number}: {traceback.format_exc(limit=-2)}")
    return actions, failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    add_seed(parser)
    options = parsed(parser)
    actions, failures = campaign(options.seed, options.count)
    print(f"{options.count} programs, {actions} actions tried, {len(failures)} failures")
    print("\n".join(failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
