"""Programs that compute beside the naive evaluator: PROCEDUREs, bits, tables, loops, clauses that stand for several.

python -m tests.campaign.compiled.computing 1 3000
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field

from lfc.run.running import Mode
from tests.differential.stepwise import Rejected, compile_text, run_beside_evaluator
from tests.generate.values.computing import computing

STEPS = 300


@dataclass(slots=True)
class Result:
    programs: int = 0
    runs: Counter[str] = field(default_factory=Counter)  # by how they end
    failures: list[str] = field(default_factory=list)


def campaign(first: int, programs: int) -> Result:
    result = Result()
    for seed in range(first, first + programs):
        result.programs += 1
        try:
            generated = compile_text(computing(seed))
        except Rejected as error:
            result.failures.append(f"seed {seed} is rejected: {error}")
            continue
        for level, mode in ((0, Mode.RANDOM), (2, Mode.ROUND_ROBIN)):
            outcome = run_beside_evaluator(generated, level, mode, seed, STEPS)
            result.runs[outcome.status.name] += 1
            if outcome.difference is not None:
                result.failures.append(f"seed {seed}, level {level}, {mode.name}: {outcome.difference}")
    return result


if __name__ == "__main__":
    done = campaign(int(sys.argv[1]), int(sys.argv[2]))
    print(f"{done.programs} programs, {dict(done.runs)}", *done.failures, sep="\n")
    sys.exit(bool(done.failures))
