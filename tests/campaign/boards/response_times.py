"""Response times: interrupts at random moments in simavr are never answered later than `lfc timing` says.

python -m tests.campaign.boards.response_times --count 10000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.conftest import ROOT
from tests.mcheck.response.boards import Raised, answers, compile_answers, made
from tests.support.seeds import add_seed

PORTB = 0x25
CASES = (("EmergencyStop", "motor=0", (PORTB, 0xFF, 0)), ("Debounce", "light", (PORTB, 0, 0)))
MOST_BETWEEN = 33_000  # cycles: two ticks


@dataclass(frozen=True, slots=True)
class Compared:
    name: str
    board: str
    scheduler: str
    bound: int
    swept: int  # the longest answer, with the interrupt raised one cycle later each time
    by_chance: int


def compare(tool: Path, board: str, scheduler: str, count: int, seed: int) -> list[Compared]:
    found = []
    for name, event, write in CASES:
        m = made(ROOT / "examples" / "realtime" / f"{name}.lf", board, scheduler=scheduler)
        bound = m.longest(1, event).cycles
        assert bound is not None
        swept = max(answers(tool, m, 1, write, Raised(min(count, 4096), 0, 0, True)))
        by_chance = max(answers(tool, m, 1, write, Raised(count, 1, MOST_BETWEEN, False, seed)))
        found.append(Compared(name, board, scheduler, bound, swept, by_chance))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=10_000)
    add_seed(options)
    asked = options.parse_args()
    exceeded = False
    with tempfile.TemporaryDirectory() as folder:
        tool = compile_answers(Path(folder))
        for board, scheduler in product(("uno", "mega2560"), ("rr", "edf")):
            for c in compare(tool, board, scheduler, asked.count, asked.seed):
                exceeded |= max(c.swept, c.by_chance) > c.bound
                later = "EXCEEDED" if max(c.swept, c.by_chance) > c.bound else "never exceeded"
                reached = f"{c.swept} swept ({100 * c.swept / c.bound:.1f} %), {c.by_chance} by chance"
                print(f"{c.name} on {board}, {scheduler}: bound {c.bound}, {later}; {reached}")
    sys.exit(1 if exceeded else 0)


if __name__ == "__main__":
    main()
