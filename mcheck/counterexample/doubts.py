"""What was found under an assumption that no board need share, and so may be no error of the program.

The clock reads 0 unless it is kept with the states. A way on which it is read before any wait has been ended by
time is one of a program whose actions take no time; a later reading of 0 may be none that a board has. And who is
stuck in all continuations that were tried need not be in all there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from lfc.mcheck.result.finding import Verdict

if TYPE_CHECKING:
    from lfc.mcheck.result.finding import Finding
    from lfc.trace.items import Item

WRAP_OF_BOARDS = 1 << 32
CLOCK_READ, WIDE_READ, WIDE_WRITE, AGE_READ = 1, 2, 4, 8  # as in mcheck/engine/model/context.h
CLOCK = "Clock.Now reads 0 on its path after time has passed (--time discrete models the clock)"
CLOCK_SOMEWHERE = "Clock.Now reads 0, so not every continuation was explored (--time discrete models the clock)"
CLOCK_FOR_EVER = "Clock.Now stays 0 on its cycle (--time discrete models the clock)"
CLOCK_DOUBTS = frozenset({CLOCK, CLOCK_SOMEWHERE, CLOCK_FOR_EVER})
CLOCK_WRAPS = (
    "Clock.Now wraps at {} ms on its path, on a board after 49 days (a larger --clock MS, or --clock 4294967296, tells)"
)
ONE_VALUE = "only one value of some inputs was tried, so not every continuation was explored"


def doubt_about(finding: Finding, assumed: int, wrap: int = WRAP_OF_BOARDS) -> str:
    """Why it may not come; empty: it may. `assumed`: what the search took for granted, as bits. `wrap`: of the clock in
    the states."""
    if wrap < WRAP_OF_BOARDS and comes_round(finding):
        return CLOCK_WRAPS.format(wrap)
    if finding.kind is Verdict.PARTIAL_DEADLOCK:
        return CLOCK_SOMEWHERE if assumed & CLOCK_READ else ONE_VALUE if assumed & ~AGE_READ else ""
    if not assumed & CLOCK_READ:
        return ""
    if finding.run is not None and any(reads_clock(s) for s in finding.steps[finding.run.cycle :]):
        return CLOCK_FOR_EVER
    woken = next((n for n, s in enumerate(finding.steps) if s[0].name == "wake"), len(finding.steps))
    return CLOCK if any(reads_clock(s) for s in finding.steps[woken:]) else ""


def comes_round(finding: Finding) -> bool:
    """Whether the program sees the clock wrap before something happens that no more than a finite way shows. A cycle
    comes round in any case."""
    if finding.run is not None and not finding.run.lost:
        return False
    readings = [int(i.operands[0] or 0) for step in finding.steps for i in step if i.name == "clock"]
    return any(later < earlier for earlier, later in pairwise(readings))


def reads_clock(step: Sequence[Item]) -> bool:
    return any(i.name == "clock" for i in step)
