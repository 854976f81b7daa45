"""How much quicker searches over undetermined data are by the engine than in Python alone:

    python -m bench.checker.undetermined

The firmware and the random programs of the tests, each searched up to a number of symbolic states, in turn with the
engine and without; both must find the same. Seconds of the processor, the least of two.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import exp, log

from lfc.actions.model.machine import Machine
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.symbolic import boxes
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.values import columns
from lfc.mcheck.symbolic.values.preimages import TooMany
from tests.actions.machines import machine_of_text
from tests.campaign.symbolic.agreement import program_of
from tests.mcheck.symbolic.test_firmware import FAULTY, PROGRAMS

NEVER = 1 << 62
FEW = {"modbus": 100, "regulator": 30}  # states: where most of the time is the solver's
Found = tuple[int, int, int, float]  # transitions, states, shapes, seconds


@contextmanager
def in_python() -> Iterator[None]:
    """Nothing is left to the engine."""
    before = boxes.MANY, columns.FEW, columns.SMALL
    boxes.MANY = columns.FEW = columns.SMALL = NEVER
    try:
        yield
    finally:
        boxes.MANY, columns.FEW, columns.SMALL = before


def searched(machine: Machine, request: Request, states: int, in_engine: bool, may_widen: bool) -> Found:
    program = SymbolicProgram(machine, request.world, Reset(machine).places)
    program.in_engine = in_engine
    limits = Limits(states=states, goes_on=True, may_widen=may_widen, confirms=lambda error: False)
    search = Exploration(program, limits)
    begin = time.thread_time()
    try:
        search.run()
    except TooMany:
        pass
    return search.transitions, len(search.states), len(search.of_shape), time.thread_time() - begin


def ratio(name: str, machine: Machine, request: Request, states: int, may_widen: bool) -> float:
    quick = min((searched(machine, request, states, True, may_widen) for _ in range(2)), key=lambda f: f[3])
    with in_python():
        slow = min((searched(machine, request, states, False, may_widen) for _ in range(2)), key=lambda f: f[3])
    if quick[:3] != slow[:3]:
        sys.exit(f"{name}: {quick[:3]} by the engine, {slow[:3]} in Python")
    transitions, count, shapes, seconds = quick
    times = slow[3] / seconds
    kind = "ranges" if may_widen else "exact"
    print(
        f"{name:20} {kind:7} {transitions:7,} {count:7,} {shapes:6,} {slow[3]:8.3f} {seconds:8.3f} {times:6.1f}"
        f" {transitions / seconds:10,.0f}",
        flush=True,
    )
    return times


def mean(ratios: list[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios))


def programs(count: int) -> Iterator[tuple[str, Callable[[], tuple[Machine, Request]]]]:
    for name in sorted(FAULTY):
        text = (PROGRAMS / f"{name}.lf").read_text()
        yield name, lambda text=text: (machine_of_text(text), request_from(data="symbolic"))  # type: ignore[misc]
    for number in range(1_000_001, 1_000_001 + count):
        yield f"random {number}", lambda number=number: program_of(number)  # type: ignore[misc]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=1_500)
    parser.add_argument("--random", type=int, default=8)
    options = parser.parse_args()
    print(f"{'':28} {'steps':>7} {'states':>7} {'shapes':>6} {'Python':>8} {'engine':>8} {'times':>6} {'steps/s':>10}")
    of_firmware: list[float] = []
    of_random: list[float] = []
    for name, make in programs(options.random):
        for may_widen in (False, True):
            found = ratio(name, *make(), FEW.get(name, options.states), may_widen)
            (of_random if name.startswith("random") else of_firmware).append(found)
    print(f"mean: firmware {mean(of_firmware):.1f}, random programs {mean(of_random):.1f}")


if __name__ == "__main__":
    main()
