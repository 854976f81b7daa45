"""The campaign of random formulas and their automata. The full quota:

    python -m tests.campaign.checking.formulas --count 5000 --seed 1

Each formula is translated with its negation, and both are held against the naive evaluator on random lassos.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from lfc.mcheck.ltl.automaton import Kind
from tests.mcheck.ltl.agreement import disagreements
from tests.mcheck.ltl.words import NAMES, random_formula
from tests.support.seeds import add_seed, parsed

WORDS = 25


@dataclass(slots=True)
class Found:
    wrong: list[str] = field(default_factory=list)
    kinds: Counter[Kind] = field(default_factory=Counter)
    words: int = 0
    states: int = 0
    most_states: int = 0


def campaign(seed: int, count: int) -> Found:
    found = Found()
    for number in range(count):
        random = Random(f"{seed}/{number}")
        names = NAMES[: random.randint(1, 4)]
        formula = random_formula(random, random.randint(2, 16), names)
        t, wrong = disagreements(formula, random, WORDS)
        found.wrong += wrong
        found.kinds[t.kind] += 1
        found.words += WORDS
        for g in (t.accepts, t.rejects):
            found.states += len(g.out)
            found.most_states = max(found.most_states, len(g.out))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5000)
    add_seed(parser)
    options = parsed(parser)
    found = campaign(options.seed, options.count)
    print("\n".join(found.wrong) or "no difference")
    print(f"{options.count} formulas, {found.words} words, {found.states} states, {found.most_states} at most")
    print(", ".join(f"{kind.value}: {number}" for kind, number in found.kinds.most_common()))
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
