"""Random programs, some beside a device, with branches that are treated fairly: the searches against a slow judge.

python -m tests.campaign.checking.fair_choices --count 400 --seed 1
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.fairness import assumed_fairness
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.search.search import Search
from tests.campaign.checking.properties import machine
from tests.generate.fair.fair_choices import Text, device, program
from tests.mcheck.properties.naive_fairness import AskedBranch, build, violated
from tests.support.compositions import composed
from tests.support.seeds import add_seed, parsed


def compare(r: random.Random, most: int) -> str:
    """What was found; empty: nothing is marked, or there are more states than `most`."""
    asks = r.random() < 0.5
    texts = [program(r, asks), *([device(r)] if asks else [])]
    sources = ["\n".join(t.lines) + "\n" for t in texts]
    m = composed(*sources) if asks else machine(sources[0])
    fair = assumed_fairness(m, "", [])
    asked = [a for t in texts for a in asked_of(m, t)]
    assert len(asked) == len(fair), "each branch of each instance"
    watched = watch(m, m.program.main.properties)
    (w,) = watched.properties
    assert w.automaton is not None
    judged = build(m, w.automaton, asked, most) if asked and len(asked) <= 12 else None
    if judged is None:
        return ""
    search = Search(m, atoms=watched.atoms)
    try:
        verdict = ProductSearch(m, search, watched, fair).run(w).verdict
        plain = ProductSearch(m, search, watched, []).run(w).verdict is Verdict.FOUND
        if not any(f.strong for f in fair):
            assert ProductSearch(m, search, watched, fair).run(w, How.NESTED).verdict is verdict, sources
    finally:
        search.close()
    assert verdict is (Verdict.FOUND if violated(judged) else Verdict.NONE), sources
    return f"{'violated' if verdict is Verdict.FOUND else 'holds by fairness' if plain else 'holds'}{' beside' * asks}"


def asked_of(m: Machine, t: Text) -> list[AskedBranch]:
    """Of each instance; who has which line is read off the text."""
    found = []
    for mark in t.marked:
        heading = next(line for line in reversed(t.lines[: mark.line]) if line.startswith("PROCESS"))
        name = heading.split()[1].rstrip(";")
        (record,) = [r for r in m.records if r.body.name == f"{t.module}.{name}"]
        for slot in range(record.first_slot, record.first_slot + record.slots):
            found += [
                AskedBranch(slot, mark.line, branch, mark.mark == "STRONG", answers=t.module == "Device")
                for branch in range(mark.branches)
            ]
    return found


def campaign(seed: int, count: int) -> Counter[str]:
    r = random.Random(seed)
    answers: Counter[str] = Counter()
    while answers.total() < count:
        found = compare(r, 300)
        if found:
            answers[found] += 1
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    add_seed(parser)
    options = parsed(parser)
    answers = campaign(options.seed, options.count)
    print(f"{answers.total()} formulas: {dict(answers)}; no difference")


if __name__ == "__main__":
    main()
