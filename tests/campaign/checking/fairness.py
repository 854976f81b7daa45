"""Random programs with random formulas under random fairness of communications: the searches against a slow judge.

python -m tests.campaign.checking.fairness --count 400 --seed 1
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.fairness import bodies_of, fairness_of
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.search.search import Search
from tests.campaign.checking.properties import programs
from tests.mcheck.properties.naive_fairness import Asked, build, text_of, violated
from tests.support.seeds import add_seed, parsed


def random_fairness(r: random.Random, m: Machine) -> list[tuple[Asked, str]]:
    """With the words by which it is asked for."""
    found = []
    for record in m.records:
        texts = sorted({text_of(c) for b in bodies_of(record) for p in b.points for c in p.clauses} - {""})
        for what in r.sample(texts, min(len(texts), 2)):
            index = r.randrange(record.slots)
            asked = Asked(record.first_slot + index, what, r.random() < 0.5, r.random() < 0.5)
            kind = ("strong" if asked.strong else "weak") + ("-live" if asked.live else "")
            found.append((asked, f"{kind} {record.body.name}[{index}] {what}"))
    return r.sample(found, min(len(found), 3))


def compare(r: random.Random, m: Machine, most: int) -> list[str]:
    chosen = [x for x in random_fairness(r, m) if "init" not in x[1]]
    if not chosen:
        return []
    fair = [f for _, text in chosen for f in fairness_of(m, text)]
    watched = watch(m, m.program.main.properties)
    search = Search(m, atoms=watched.atoms)
    answers = []
    try:
        found = ProductSearch(m, search, watched, fair)
        for w in watched.properties:
            assert w.automaton is not None
            judged = build(m, w.automaton, [a for a, _ in chosen], most)
            if judged is None:
                return []
            expected = violated(judged)
            for how in How:
                if how is How.NESTED and any(f.strong for f in fair):
                    continue
                verdict = found.run(w, how).verdict
                assert verdict is (Verdict.FOUND if expected else Verdict.NONE), (how, [t for _, t in chosen])
            plain = ProductSearch(m, search, watched, []).run(w).verdict is Verdict.FOUND
            answers.append(f"{'violated' if expected else 'holds'}{' by fairness' if plain and not expected else ''}")
    finally:
        search.close()
    return answers


def campaign(seed: int, count: int) -> list[str]:
    r = random.Random(seed)
    answers: list[str] = []
    drawn = programs(r, 5000 * seed + 1, time=False)
    while len(answers) < count:
        answers += compare(r, next(drawn), 300)
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    add_seed(parser)
    options = parsed(parser)
    answers = Counter(campaign(options.seed, options.count))
    print(f"{sum(answers.values())} formulas: {dict(answers)}; no difference")


if __name__ == "__main__":
    main()
