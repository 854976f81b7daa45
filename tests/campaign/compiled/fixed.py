"""Programs with fixed-point numbers, which assert what fractions come to: compiled and beside the naive evaluator.

python -m tests.campaign.compiled.fixed 1 3000
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from lfc.run.running import Mode
from tests.differential.stepwise import Rejected, compile_text, run_beside_evaluator
from tests.generate.values.fixed import fixed

STEPS = 100
TOO_WIDE = "may need more than 64 bits"


@dataclass(slots=True)
class Result:
    programs: int = 0
    assertions: int = 0
    too_wide: int = 0  # rejected, as the language says
    runs: Counter[str] = field(default_factory=Counter)  # by how they end
    failures: list[str] = field(default_factory=list)


def campaign(first: int, programs: int) -> Result:
    result = Result()
    seed = first - 1
    while result.programs < programs:
        seed += 1
        program = fixed(seed)
        try:
            generated = compile_text(program.text)
        except Rejected as error:
            if TOO_WIDE in str(error):
                result.too_wide += 1
            else:
                result.failures.append(f"seed {seed} is rejected: {error}")
                result.programs += 1
            continue
        result.programs += 1
        result.assertions += program.text.count("ASSERT(")
        wanted = "FAULT" if program.faults else "ENDED"
        for level in (0, 2):
            outcome = run_beside_evaluator(generated, level, Mode.RANDOM, seed, STEPS)
            result.runs[outcome.status.name] += 1
            if outcome.difference is not None:
                result.failures.append(f"seed {seed}, level {level}: {outcome.difference}")
            elif outcome.status.name != wanted:
                result.failures.append(f"seed {seed}, level {level}: {outcome.status.name}, not {wanted}")
    return result


if __name__ == "__main__":
    done = campaign(int(sys.argv[1]), int(sys.argv[2]))
    print(f"{done.programs} programs, {done.assertions} assertions, {dict(done.runs)}, {done.too_wide} too wide")
    print(*done.failures, sep="\n")
    sys.exit(bool(done.failures))
