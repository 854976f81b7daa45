"""What a second thread brings: seconds of one search with one thread and with two. `python -m bench.checker.threads`.

The best of so many runs each, in turns; the machine should do nothing else.
"""

from __future__ import annotations

from math import exp, log

from bench.checker.models import MODELS
from bench.checker.spilled import measured
from lfc.mcheck.request.request import request_from

LEAST_STATES = 400_000
REPEATS = 3


def main() -> None:
    gains = []
    print(f"{'model':40} {'states':>10} {'1 thread':>9} {'2 threads':>9}  gain")
    for model in MODELS:
        if model.small or model.huge:
            continue
        seconds: dict[int, list[float]] = {1: [], 2: []}
        states: set[int] = set()
        for _ in range(REPEATS):
            for threads, found in seconds.items():
                search, took, _ = measured(model, request_from(threads=threads))
                states.add(search.statistics.states)
                found.append(took)
                search.close()
        (count,) = states
        if count < LEAST_STATES:
            continue
        one, two = min(seconds[1]), min(seconds[2])
        gains.append(one / two)
        print(f"{model.title:40} {count:>10,} {one:>9.2f} {two:>9.2f}  {one / two:.2f}", flush=True)
    print(f"geometric mean of {len(gains)}: {exp(sum(map(log, gains)) / len(gains)):.2f}")


if __name__ == "__main__":
    main()
