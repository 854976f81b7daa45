"""The campaign of programs that people have written: examples, the corpus, firmware. Of each whose states can be
counted one by one, boxes hold the same states and errors, and their sizes add up to the count. The full quota:

    python -m tests.campaign.symbolic.every_program
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from unittest.mock import patch

from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Inputs
from tests.actions.machines import all_programs, machine_of_file
from tests.campaign.symbolic import agreement
from tests.campaign.symbolic.agreement import Result, compare
from tests.conftest import ROOT

FOLDERS = ("examples/ordinary", "examples/models")
NO_PROGRAM = "examples/traffic_env"
# One action has very many ways, when value by value is tried: no limit on states ends it soon.
MANY_WAYS = {
    "examples/ordinary/Battery",
    "examples/ordinary/Climate",
    "right/assumptions",
    "right/expr_wraps",
    "right/external_effects",
    "right/registers",
    "right/stmt_loops_that_yield",
}


def programs() -> list[tuple[str, Path, list[Path]]]:
    """With their environments."""
    found = [p for p in all_programs() if p[0] != NO_PROGRAM]
    found += [(f"{f}/{file.stem}", file, []) for f in FOLDERS for file in sorted((ROOT / f).glob("*.lf"))]
    return [p for p in found if p[0] not in MANY_WAYS]


def campaign(most_states: int, most_symbolic: int, seconds: float) -> Result:
    """Of programs of so many states."""
    result = Result()
    request = request_from(states=most_states, keep_going=True, inputs=Inputs.ALL)
    with patch.multiple(agreement, MOST_SYMBOLIC=most_symbolic, SECONDS=seconds):
        for name, file, environments in programs():
            machine = machine_of_file(file, environments)
            assert machine is not None, name
            try:
                differing = compare(machine, request, result)
            except Exception:
                differing = traceback.format_exc(limit=-3)
            if differing:
                result.failures.append(f"{name}: {differing}")
    return result


def main() -> None:
    result = campaign(200_000, 5_000, 60.0)
    print(f"{result.compared} compared, {result.too_large} too large; {dict(result.kinds)}; {dict(result.refused)}")
    print(*result.failures, sep="\n")
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
