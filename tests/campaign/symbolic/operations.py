"""The campaign of operations: numbers, here and in the engine, sets and what the solver is given are as the machine has
them. The full quota, of ten million operands:

    python -m tests.campaign.symbolic.operations --count 10000000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys

from lfc.mcheck.engine.library import library
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.columns import NUMBERS
from lfc.mcheck.symbolic.values.preimages import TooMany, image, preimage
from lfc.mcheck.symbolic.values.ranges import range_of
from lfc.mcheck.symbolic.values.solver import Solver, solver
from lfc.mcheck.symbolic.values.terms import apply, forget_all, symbol
from tests.mcheck.symbolic.machine_operations import (
    NAMES,
    Native,
    compiled_operations,
    operands,
    random_pair,
    result_width,
    term_of,
)
from tests.support.seeds import add_seed, parsed


def differences(
    native: Native, op: str, w: int, r: random.Random, count: int, for_sets: int = 2_000, for_solver: int = 1_000
) -> list[str]:
    """Of so many operands; of each so manyth for sets, for the solver."""
    found = []
    width = result_width(op, w)
    with_solver = solver()
    assert with_solver is not None
    for i in range(count):
        a, b = random_pair(r, op, w)
        v = native(a, b)
        if apply(op, width, w, operands(op, a, b)) != v:
            found.append(f"{op} of {a} and {b} is not {v}")
        if of_engine(op, width, w, operands(op, a, b)) != v:
            found.append(f"{op} of {a} and {b} is not {v} for the engine")
        if i % for_sets == 0:
            found += in_sets(op, w, a, b, v, r)
        if i % for_solver == 0:
            found += solved(with_solver, native, op, w, a, b)
        if i % 20_000 == 19_999:
            forget_all()
            with_solver = solver()
            assert with_solver is not None
    return found


def of_engine(op: str, width: int, w: int, x: list[int]) -> int:
    a, b, c = (*x, 0, 0)[:3]
    found: int = library().mc_term_apply(NUMBERS[op], width, w, a, b, c)
    return found


def in_sets(op: str, w: int, a: int, b: int, v: int, r: random.Random) -> list[str]:
    """The second operand a number: which values lead to what is, and what comes of a set."""
    x = symbol(0, w)
    t = term_of(op, w, x, b)
    own = sets.union(sets.interval(a, min(a + r.randrange(50), (1 << w) - 1)), sets.single(r.randrange(1 << w)))
    box = {0: own}
    wanted = sets.interval(v, min(v + r.randrange(3), (1 << t.width) - 1))
    found = []
    try:
        if not sets.contains(preimage(t, wanted, box), a):
            found.append(f"{op} of {b}: {a} does not lead to {wanted}")
        others = sets.difference(sets.full(t.width), wanted)
        if others and sets.contains(sets.intersection(own, preimage(t, others, box)), a):
            found.append(f"{op} of {b}: {a} leads to {others}")
        if not sets.contains(image(t, box), v):
            found.append(f"{op} of {b}: {v} does not come of {own}")
    except TooMany:
        pass
    if not sets.contains(range_of(term_of(op, w, x, symbol(1, w)), box | {1: sets.single(b)}), v):
        found.append(f"{op}: {v} is in no range")
    return found


def solved(s: Solver, native: Native, op: str, w: int, a: int, b: int) -> list[str]:
    """What is has a solution, and its solutions are so; what is not has none."""
    t = term_of(op, w, symbol(0, w), symbol(1, w))
    v = native(a, b)
    only = {0: sets.single(a), 1: sets.single(b)}
    found = []
    if s.model([(t, v)], only) is None or s.model([(t, v ^ 1)], only) is not None:
        found.append(f"{op} of {a} and {b} is not {v} for the solver")
    return found


def campaign(seed: int, count: int) -> list[str]:
    native = compiled_operations()
    each = -(-count // len(NAMES))
    found = []
    for op, w in NAMES:
        found += differences(native[op, w], op, w, random.Random(f"{seed} {op} {w}"), each)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    add_seed(parser)
    options = parsed(parser)
    failures = campaign(options.seed, options.count)
    for failure in failures[:20]:
        print(failure)
    print(f"{options.count} operands, {len(failures)} differ")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
