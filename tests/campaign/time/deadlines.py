"""The campaign of properties that measure time against a naive product in which each millisecond is a step. In full:

    python -m tests.campaign.time.deadlines --count 500 --seed 1

Random small programs that sleep and wait with `Clock.After`, half of them in an open world, with random formulas in
which `EVENTUALLY f WITHIN n MS` and `ALWAYS f FOR n MS` stand anywhere, for each n up to 4: both searches for cycles,
without reductions and with two, say what the naive product says; and what is found is replayed.
"""

from __future__ import annotations

import random
import traceback

from lfc.actions.model.machine import Machine
from lfc.mcheck.ltl.bdd import TooLarge
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.lasso import violating_run
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.actions.machines import machine_of_text
from tests.campaign.time.agreement import Result, run_as_command
from tests.generate.recipes import sources_of
from tests.mcheck.searching import search_with
from tests.naive.decode import bounds_of
from tests.naive.state import State
from tests.naive.ticks import Tree, graph_of, is_violated, text_of

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
    """With a bound somewhere."""
    one, other = (("atom", r.choice(ATOMS)) for _ in range(2))
    bounded: Tree = (r.choice(["within", "for"]), other, 0)
    match r.choice(["response", "response", "first", "recurrent", "eventually", "any"]):
        case "response":
            return ("always", ("implies", one, bounded))
        case "first":
            return r.choice([bounded, ("not", bounded), ("until", one, bounded)])
        case "recurrent":
            return ("always", ("eventually", bounded))
        case "eventually":
            return ("eventually", ("always", ("or", one, bounded)))
    return (r.choice(["and", "or", "implies", "weak"]), bounded, random_formula(r, 2))


def with_bound(f: object, milliseconds: int) -> object:
    """All of them."""
    if not isinstance(f, tuple):
        return f
    if f[0] in ("within", "for"):
        return (f[0], f[1], milliseconds)
    return tuple(with_bound(part, milliseconds) for part in f)


def compare(machine: Machine, formulas: list[Tree], verdicts: set[str]) -> bool:
    """Each of the program's properties. False: too large."""
    own = sum(r.slots for r in machine.layout.records)
    start = State.initial(machine.program, bounds_of(machine), with_environment=machine.environment is not None)
    graph = graph_of(start, own, LONGEST, MOST_STATES)
    expected = [None if graph is None else is_violated(graph, f, MOST_MOMENTS) for f in formulas]
    if None in expected:
        return False
    for reductions in ((), ("por", "dead")):
        watched = watch(machine, machine.program.main.properties)
        limits = request_from(time="ordered", keep_going=True, threads=1, reductions=reductions)
        search = search_with(machine, limits, atoms=watched.atoms)
        try:
            if search.run() is not Stop.COMPLETE:
                return False
            product = ProductSearch(machine, search, watched, [])
            for w, is_so in zip(watched.properties, expected, strict=True):
                for how in How:
                    found = product.run(w, how)
                    assert (found.verdict is Verdict.FOUND) == is_so, (w.of.name, reductions, how, found.verdict)
                    if found.lasso is not None:
                        violating_run(machine, product, w, found.lasso)
        finally:
            search.close()
    verdicts |= {"property" if is_so else "holds" for is_so in expected}
    verdicts |= {"both"} if len(set(expected)) == 2 else set()
    return True


def campaign(seed: int, count: int) -> Result:
    """`count` programs, each with a formula with every bound."""
    result = Result()
    for number in range(seed * 1_000_000, seed * 1_000_000 + count):
        generated, f = sources_of("timed", number), useful_formula(random.Random(number))
        formulas = [with_bound(f, n) for n in range(LONGEST)]
        properties = "".join(f"PROPERTY p{n} = {text_of(f)};\n" for n, f in enumerate(formulas))  # type: ignore[arg-type]
        text = generated.program.replace("PORT line", properties + "PORT line")
        verdicts = set[str]()
        try:
            machine = machine_of_text(text, generated.environment or None)
            good = compare(machine, formulas, verdicts)  # type: ignore[arg-type]
        except TooLarge:
            good = False
        except Exception:
            result.failures.append(f"{number} {text_of(f)}: {traceback.format_exc(limit=-3)}")
            continue
        result.add(verdicts if good else None)
    return result


if __name__ == "__main__":
    run_as_command(__doc__, campaign, 500)
