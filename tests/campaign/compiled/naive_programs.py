"""The campaign of generated programs on the naive side alone. The full quota:

    python -m tests.campaign.compiled.naive_programs --count 2000 --seed 1

Each program is accepted, runs, can be followed from its record, and its states fit their layout; the states of the
small ones are enumerated. Says what kinds of errors were met, and in how many programs.
"""

from __future__ import annotations

import argparse
from collections import Counter

from lfc.actions.build import build_machine
from lfc.diagnostics.model import Diagnostics
from tests.generate.general.program import Profile, generate
from tests.naive.decode import bounds_of, compare, encode
from tests.naive.evaluator import possible_events, step
from tests.naive.explorer import Conventions, explore
from tests.naive.policies import DrawAtRandom
from tests.naive.running import program_of
from tests.naive.state import State
from tests.support.seeds import add_seed, parsed

STEPS = 100


def run_one(seed: int) -> str:
    """Returns how the run ended; any exception is a failure of this seed."""
    program = program_of(generate(seed, Profile(small=seed % 3 == 0)).text, f"{seed}.lf")
    machine = build_machine(program, Diagnostics())
    state = State.initial(program, bounds_of(machine))
    again = state.copy()
    policy = DrawAtRandom(seed)
    for _ in range(STEPS):
        if not possible_events(state):
            return "ended" if all(a is None for a in state.slots) else "waits"
        items = step(state, policy)
        step(again, items)
        assert (again.key(True), again.fault) == (state.key(True), state.fault), seed
        if state.fault is not None:
            return f"fault {state.fault.kind}"
        differences = compare(again, encode(state, machine), machine)
        assert differences == [], seed
    return "goes on"


def explore_one(seed: int, most_states: int) -> str:
    profile = Profile(size=1, small=True, inputs=False)
    program = program_of(generate(seed, profile).text, f"{seed}.lf")
    machine = build_machine(program, Diagnostics())
    start = State.initial(program, bounds_of(machine))
    found = explore(program, Conventions(most_states=most_states), start)
    blocks = {encode(s, machine) for s in found.states}
    assert len(blocks) == len(found.states), f"{seed}: distinct states have one block"
    if not found.complete:
        return "too many states"
    return " ".join(sorted(found.kinds)) or "holds"


def campaign(seed: int, count: int, most_states: int) -> tuple[Counter[str], Counter[str]]:
    """Ends of runs, and results of explorations (of every fifth program)."""
    ends: Counter[str] = Counter()
    results: Counter[str] = Counter()
    for number in range(count):
        ends[run_one(seed * 1_000_000 + number)] += 1
        if number % 5 == 0:
            results[explore_one(seed * 1_000_000 + number, most_states)] += 1
    return ends, results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    add_seed(parser)
    parser.add_argument("--states", type=int, default=2000)
    options = parsed(parser)
    for name, counts in zip(("runs", "explored"), campaign(options.seed, options.count, options.states), strict=True):
        print(f"{name}:")
        for what, n in counts.most_common():
            print(f"  {n:6d}  {what}")


if __name__ == "__main__":
    main()
