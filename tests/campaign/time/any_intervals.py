"""The campaign of programs in which each interval may be short or long. The full quota:

    python -m tests.campaign.time.any_intervals --count 1000 --seed 1

Random small programs that ask how long ago something was, without environments: each assertion, fault and deadlock that
there is with the clock in the states (`--time discrete`) is there with any intervals, too.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator

from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.reduction.slicing.check_slice import make_whole
from lfc.mcheck.reduction.slicing.claims import claims_of
from lfc.mcheck.reduction.slicing.untimed import asks_only_how_long, untimed
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.actions.machines import machine_of_text
from tests.campaign.time.agreement import Result, run_as_command
from tests.generate.recipes import sources_of

MOST_STATES = 20_000
MOST_SECONDS = 20.0
COMPARED = ("assertion", "fault", "deadlock")


def campaign(seed: int, count: int) -> Result:
    result = Result()
    for machine, number in closed(seed * 1_000_000):
        if result.compared + result.too_large + len(result.failures) == count:
            break
        try:
            result.add(compare(machine))
        except Exception:
            result.failures.append(f"{number}: {traceback.format_exc(limit=-3)}")
    return result


def closed(first: int) -> Iterator[tuple[Machine, int]]:
    number = first
    while True:
        generated = sources_of("aged", number)
        if not generated.environment:
            yield machine_of_text(generated.program), number
        number += 1


def compare(machine: Machine) -> set[str] | None:
    """None: there are too many states, or an action does not end and has too many ways."""
    stamps = asks_only_how_long(machine)
    if stamps is None:
        return {"not only how long"}
    request = request_from(threads=1, states=MOST_STATES, seconds=MOST_SECONDS, keep_going=True)
    other = untimed(make_whole(machine, claims_of(machine, request)).kept, stamps)
    free, timed = check(other, request), check(machine, request.changed(time="discrete"))
    if free.reason or "limit" in timed.reason:
        return None
    missing = errors(timed) - errors(free)
    assert not missing, missing
    more = errors(free) - errors(timed)
    return {str(free.verdict), "asked", *["more" for _ in more], *[kind for kind, _ in errors(timed)]}


def errors(result: CheckResult) -> set[tuple[str, object]]:
    """A deadlock is told at one of its states, an assertion at each of its places."""
    found = {(str(f.kind), f.span if f.kind != "deadlock" else None) for f in result.findings}
    return {(kind, span) for kind, span in found if kind in COMPARED}


if __name__ == "__main__":
    run_as_command(__doc__, campaign, 1000)
