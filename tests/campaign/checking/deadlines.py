"""The campaign of properties that measure time against a naive product in which each millisecond is a step. In full:

    python -m tests.campaign.checking.deadlines --count 500 --seed 1

Random small programs that sleep and wait with `Clock.After`, half of them in an open world, with random formulas in
which `EVENTUALLY f WITHIN n MS` and `ALWAYS f FOR n MS` stand anywhere: both searches for cycles,
without reductions and with two, say what the naive product says; and what is found is replayed.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback

from lfc.actions.model.machine import Machine
from lfc.mcheck.ltl.bdd import TooLarge
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.lasso import violating_run
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.actions.machines import machine_of_text
from tests.campaign.checking.timed import Result
from tests.generate.recipes import sources_of
from tests.mcheck.searching import search_with
from tests.naive.decode import bounds_of
from tests.naive.state import State
from tests.naive.ticks import Tree, graph_of, is_violated, text_of
from tests.support.seeds import add_seed, parsed

MOST_STATES, MOST_MOMENTS, LONGEST = 400, 20_000, 5
ATOMS = ("n = 0", "n = 1", "n = 2", "n < 2", "n # 1")


def random_formula(r: random.Random, depth: int) -> Tree:
    one: Tree = ("atom", r.choice(ATOMS))
    if depth == 0:
        return one
    kind = r.choice(
        ["within"] * 3 + ["for"] * 3 + ["always", "eventually", "not", "and", "or", "implies", "until", "weak"]
    )
    if kind in ("within", "for"):
        operand = one if r.random() < 0.7 else ("or", one, ("not", ("atom", r.choice(ATOMS))))
        return (kind, operand, r.randint(0, LONGEST - 1))
    if kind in ("always", "eventually", "not"):
        return (kind, random_formula(r, depth - 1))
    return (kind, random_formula(r, depth - 1), random_formula(r, depth - 1))


def useful_formula(r: random.Random) -> Tree:
    inner = random_formula(r, 2)
    shape = r.choice(["always", "eventually", "response", "recurrent", "as it is"])
    if shape == "response":
        return ("always", ("implies", ("atom", r.choice(ATOMS)), inner))
    if shape == "recurrent":
        return ("always", ("eventually", inner))
    return inner if shape == "as it is" else (shape, inner)


def compare(machine: Machine, f: Tree, verdicts: set[str]) -> bool:
    """False: too large."""
    own = sum(r.slots for r in machine.layout.records)
    start = State.initial(machine.program, bounds_of(machine), with_environment=machine.environment is not None)
    graph = graph_of(start, own, LONGEST, MOST_STATES)
    expected = None if graph is None else is_violated(graph, f, MOST_MOMENTS)
    if expected is None:
        return False
    for reductions in ((), ("por", "dead")):
        watched = watch(machine, machine.program.main.properties)
        (w,) = watched.properties
        limits = request_from(time="ordered", keep_going=True, threads=1, reductions=reductions)
        search = search_with(machine, limits, atoms=watched.atoms)
        try:
            if search.run() is not Stop.COMPLETE:
                return False
            product = ProductSearch(machine, search, watched, [])
            for how in How:
                found = product.run(w, how)
                assert (found.verdict is Verdict.FOUND) == expected, (reductions, how, found.verdict, expected)
                if found.lasso is not None:
                    violating_run(machine, product, w, found.lasso)
        finally:
            search.close()
    verdicts.add("property" if expected else "holds")
    return True


def campaign(seed: int, count: int) -> Result:
    result = Result()
    for number in range(seed * 1_000_000, seed * 1_000_000 + count):
        generated, f = sources_of("timed", number), useful_formula(random.Random(number))
        text = generated.program.replace("PORT line", f"PROPERTY p = {text_of(f)};\nPORT line")
        verdicts = set[str]()
        try:
            machine = machine_of_text(text, generated.environment or None)
            good = compare(machine, f, verdicts)
        except TooLarge:
            good = False
        except Exception:
            result.failures.append(f"{number} {text_of(f)}: {traceback.format_exc(limit=-3)}")
            continue
        if good:
            result.compared += 1
            result.kinds.update(verdicts)
        else:
            result.too_large += 1
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared, {result.too_large} too large; {dict(result.kinds)}")
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
