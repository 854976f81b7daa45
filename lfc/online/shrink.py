"""A run that fails, with as few inputs as can be found (Zeller and Hildebrandt, *Simplifying and isolating
failure-inducing input*, 2002)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lfc.online.alphabet import is_input
from lfc.online.driver import Run, Verdict
from lfc.online.specification import SILENCE


def shrunk(run: Run, again: Callable[[Sequence[str]], Run], most: int) -> Run:
    """`again`: gives a box that begins anew the inputs of a run at the same places. At most so many runs are tried."""
    without = again([e for e in run.events if e != SILENCE])
    best, parts, tried = without if without.verdict is Verdict.FAIL else run, 2, 1
    while tried < most:
        at = [i for i, e in enumerate(best.events) if is_input(e)]
        if not at:
            return best
        size = max(1, len(at) // parts)
        for first in range(0, len(at), size):
            if tried == most:
                return best
            left_out = set(at[first : first + size])
            tried += 1
            found = again([e for i, e in enumerate(best.events) if i not in left_out])
            if found.verdict is Verdict.FAIL and inputs(found) < inputs(best):
                best, parts = found, max(2, parts - 1)
                break
        else:
            if size == 1:
                return best
            parts = min(len(at), 2 * parts)
    return best


def inputs(run: Run) -> int:
    return sum(is_input(e) for e in run.events)
