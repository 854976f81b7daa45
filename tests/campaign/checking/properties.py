"""Random programs with random formulas: both searches for cycles against the naive product.

python -m tests.campaign.checking.properties --count 500 --seed 1
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import count as count_from

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.ltl.automaton import Automaton
from lfc.mcheck.model.fairness import process_fairness
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.in_parallel import searched
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.search.search import Search
from lfc.semantics.model.types import BooleanType, ChannelType, IntegerType
from tests.differential.stepwise import machine_of_source
from tests.generate.fair.formulas import random_formula
from tests.generate.general.program import Profile, generate
from tests.mcheck.properties.naive_product import build_product, has_violation
from tests.support.seeds import add_seed, parsed


def machine(text: str) -> Machine:
    return machine_of_source(Source("Program.lf", text))


def compare(m: Machine, fairness: str, most: int, seen: Counter[str] | None = None) -> list[str] | None:
    """The verdicts of both searches, in one thread and two, and of the naive product, which must agree; None: too large
    for the latter. `seen`: what parts the automata had."""
    watched = watch(m, [p for p in m.program.main.properties if p.formula is not None])
    fair = process_fairness(m, fairness)
    found = []
    search = Search(m, atoms=watched.atoms)
    try:
        product = ProductSearch(m, search, watched, fair)
        sizes = []
        for w in watched.properties:
            assert w.automaton is not None
            edges = build_product(m, w.automaton, [f.slot for f in fair], most)
            if edges is None:
                return None
            expected = has_violation(edges, w.sets + len(fair))
            for how in How:
                one = product.run(w, how)
                assert one.verdict is (Verdict.FOUND if expected else Verdict.NONE), (w.of.name, how)
                sizes.append((how, one.verdict, one.states, one.edges))
            found.append("property" if expected else "holds")
            if seen is not None:
                seen[parts_of(w.automaton)] += 1
        for how in How:
            two = [f for _, f in searched(product, watched.properties, how, 0, 2, True)]
            assert [(how, f.verdict, f.states, f.edges) for f in two] == [s for s in sizes if s[0] is how], how
    finally:
        search.close()
    return found


def parts_of(a: Automaton) -> str:
    parts = {s.value for s in a.strength} - {"transient", "rejecting"}
    return " and ".join(sorted(parts)) or "none that accepts"


def with_random_properties(r: random.Random, text: str) -> Machine | None:
    """The program with two properties about its variables and processes."""
    plain = machine(text)
    atoms = [
        name if isinstance(v.type, BooleanType) else f"{name} {r.choice(['=', '<', '>'])} {r.randrange(3)}"
        for v in plain.layout.variables
        if v.owner is plain.program.main and v.name.isidentifier() and isinstance(v.type, BooleanType | IntegerType)
        for name in [v.name]
    ]
    for record in plain.layout.records[1:]:
        if record.body.process is not None and record.body.name.count(".") == 1:
            name = record.body.name.split(".")[1]
            if not name.isidentifier():
                continue
            atoms.append(f"{r.choice(['READY', 'WAITING', 'ENDED'])}({name})")
    for v in plain.layout.variables:
        if v.owner is plain.program.main and v.name.isidentifier() and isinstance(v.type, ChannelType):
            atoms.append(f"TAKEN({v.name}.{r.choice(v.type.messages).name})")
    if not atoms:
        return None
    formulas = [random_formula(r, atoms, 2) for _ in range(2)]
    place = re.search(r"^(PROCESS|BEGIN)\b", text, re.MULTILINE)
    assert place is not None
    declared = "".join(f"PROPERTY prop{i} = {f};\n" for i, f in enumerate(formulas))
    return machine(text[: place.start()] + declared + text[place.start() :])


def programs(r: random.Random, first: int, time: bool) -> Iterator[Machine]:
    """Random small programs with random properties, without end."""
    for number in count_from(first):
        profile = Profile(size=1, small=True, inputs=False, interrupts=False, time=time)
        m = with_random_properties(r, generate(number, profile).text)
        if m is not None:
            yield m


def campaign(seed: int, count: int, seen: Counter[str] | None = None) -> list[str]:
    """The verdicts of so many formulas at least; raises AssertionError where somebody disagrees."""
    r = random.Random(seed)
    answers: list[str] = []
    drawn = programs(r, 1000 * seed + 1, time=True)
    while len(answers) < count:
        answers += compare(next(drawn), r.choice(["none", "weak"]), 300, seen) or []
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    add_seed(parser)
    options = parsed(parser)
    seen: Counter[str] = Counter()
    answers = campaign(options.seed, options.count, seen)
    violated = answers.count("property")
    print(f"{len(answers)} formulas: {violated} violated, {len(answers) - violated} hold; no difference")
    print(f"parts of the automata: {dict(seen)}")


if __name__ == "__main__":
    main()
