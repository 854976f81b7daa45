"""A second check, of a program that measures time, where the first has let the clock stand: each interval may be short
or long. If nothing goes wrong then, nothing does in the program, however long anything takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lfc.mcheck.counterexample.doubts import CLOCK_DOUBTS
from lfc.mcheck.reduction.slicing.claims import claims_of
from lfc.mcheck.reduction.slicing.reduction import why_no_slice
from lfc.mcheck.request.request import AUTO
from lfc.mcheck.request.world import Time
from lfc.mcheck.result import reasons
from lfc.mcheck.result.finding import Verdict

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.request.request import Request
    from lfc.mcheck.result.result import CheckResult


def holds_with_any_intervals(
    machine: Machine, request: Request, result: CheckResult, check: Callable[[Machine], CheckResult]
) -> CheckResult | None:
    """None: it does not, or that is not known."""
    if not clock_is_all(result) or not may_be_tried(machine, request):
        return None
    from lfc.mcheck.reduction.slicing.check_slice import make_whole
    from lfc.mcheck.reduction.slicing.untimed import asks_only_how_long, untimed

    stamps = asks_only_how_long(machine)
    if stamps is None:
        return None
    found = check(untimed(make_whole(machine, claims_of(machine, request)).kept, stamps))
    if found.verdict is not Verdict.HOLDS:
        return None
    found.assumptions = [reasons.ANY_INTERVAL, *found.assumptions]
    found.sampled = max(found.sampled, result.sampled)
    return found


def clock_is_all(result: CheckResult) -> bool:
    """That it has stood is the only thing that keeps the result from being certain."""
    if result.verdict is not Verdict.INCONCLUSIVE or result.interrupted:
        return False
    if result.findings:
        return all(f.doubt in CLOCK_DOUBTS for f in result.findings)
    return result.reason == reasons.FEW_INPUTS and reasons.CLOCK_READS_0 in result.assumptions


def may_be_tried(machine: Machine, request: Request) -> bool:
    claims = request.claims
    if request.world.time != Time.FREE or request.reductions != (AUTO,) or request.needs_all_states:
        return False
    if claims.fairness not in ("", "none") or claims.only or request.search.distributed:
        return False
    return not why_no_slice(machine, request)
