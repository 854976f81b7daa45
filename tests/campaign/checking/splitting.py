"""The campaign of split inputs: random drivers with 8-bit reads have the same states and errors, whether only what is
asked of an input is looked at or every value is tried. The full quota:

    python -m tests.campaign.checking.splitting --count 200 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.search.search import Search, Stop
from tests.actions.machines import machine_of_text
from tests.generate.recipes import text_of
from tests.support.seeds import add_seed, parsed

MOST_STATES = 100
MOST_TRANSITIONS = 5_000  # of the split search: each may stand for many thousands


@dataclass(slots=True)
class Found:
    """What a search found, and how many transitions that took."""

    blocks: set[bytes]
    errors: set[tuple[int, int, object]]
    deadlock: bool
    ends: bool
    stuck: bool
    transitions: int

    @property
    def same(self) -> tuple[object, ...]:
        return self.blocks, self.errors, self.deadlock, self.ends, self.stuck


@dataclass(slots=True)
class Result:
    compared: int = 0
    too_large: int = 0
    split: int = 0  # transitions
    all: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def search(machine: Machine, inputs: str) -> Found | None:
    """None: there are too many states."""
    limits = request_from(states=MOST_STATES, keep_going=True, inputs=inputs)
    s = Search(machine, limits)
    try:
        if s.run() is not Stop.COMPLETE:
            return None
        sites = s.generated.sites
        errors: set[tuple[int, int, object]] = set()
        errors |= {(e.kind, e.fault_kind, sites[e.fault_site].span) for e in s.errors() if e.kind == 1}
        x = s.statistics
        return Found(
            set(s.all_blocks()), errors, bool(x.deadlocks), bool(x.ends), s.find_stuck() is not None, x.transitions
        )
    finally:
        s.close()


def campaign(seed: int, count: int) -> Result:
    result = Result()
    number = seed * 1_000_000
    while result.compared + len(result.failures) < count:
        machine = machine_of_text(text_of("drivers", number))
        try:
            split = search(machine, Inputs.SPLIT)
            few = split is not None and split.transitions <= MOST_TRANSITIONS
            tried = search(machine, Inputs.ALL) if few else None
        except Exception:
            result.failures.append(f"{number}: {traceback.format_exc(limit=-3)}")
            number += 1
            continue
        number += 1
        if split is None or tried is None:
            result.too_large += 1
            continue
        if split.same != tried.same:
            names = ("states", "errors", "deadlock", "ends", "stuck")
            differing = [n for n, x, y in zip(names, split.same, tried.same, strict=True) if x != y]
            result.failures.append(f"{number - 1}: differ in {', '.join(differing)}")
            continue
        result.compared += 1
        result.split += split.transitions
        result.all += tried.transitions
        result.kinds["faults"] += bool(split.errors)
        result.kinds["fewer"] += split.transitions < tried.transitions
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared, {result.too_large} too large; {dict(result.kinds)}")
    print(f"{result.split} transitions instead of {result.all}")
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
