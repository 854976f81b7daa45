"""The campaign of random formulas judged on runs that are not over. The full quota:

    python -m tests.campaign.checking.observed --count 5000 --seed 1

`lfc observe` says violated, met or open after each letter of a random word. A second opinion says the same: the
certificates' plain tableau, whose states are kept from which some word is accepted; and the naive evaluator judges the
word going on in five random ways.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from lfc.base.scc import components
from lfc.certificates import tableau
from lfc.mcheck.ltl.formula import Formula, Op
from lfc.mcheck.ltl.translate import translate
from lfc.observe.judge import Followed, Judge, Outlook
from tests.mcheck.ltl.words import NAMES, random_formula, random_word, satisfied
from tests.support.seeds import count_and_seed

LETTERS, WAYS = 6, 5


def plain(f: Formula, names: list[str], positive: bool) -> tableau.Formula:
    """In the tableau's form, or its negation."""
    both = "and" if positive else "or"
    match f.op:
        case Op.TRUE | Op.FALSE:
            return tableau.TRUE if (f.op is Op.TRUE) == positive else tableau.FALSE
        case Op.ATOM:
            return ("atom", names.index(f.name), positive)
        case Op.NOT:
            return plain(f.parts[0], names, not positive)
        case Op.NEXT:
            return ("next", plain(f.parts[0], names, positive))
        case Op.ALWAYS | Op.EVENTUALLY:
            g = plain(f.parts[0], names, positive)
            return ("release", tableau.FALSE, g) if (f.op is Op.ALWAYS) == positive else ("until", tableau.TRUE, g)
        case Op.IFF:
            a, b = ((plain(f.parts[0], names, s), plain(f.parts[1], names, s == positive)) for s in (True, False))
            return ("or", ("and", *a), ("and", *b))
    if f.op is Op.IMPLIES:
        return ("or" if positive else "and", plain(f.parts[0], names, not positive), plain(f.parts[1], names, positive))
    g, h = (plain(p, names, positive) for p in f.parts)
    match f.op:
        case Op.AND | Op.OR:
            return (both if f.op is Op.AND else ("or" if positive else "and"), g, h)
        case Op.UNTIL | Op.RELEASE:
            return ("until" if (f.op is Op.UNTIL) == positive else "release", g, h)
        case Op.WEAKUNTIL:
            return ("release", h, ("or", g, h)) if positive else ("until", h, ("and", g, h))
        case Op.STRONGRELEASE:
            return ("until", h, ("and", g, h)) if positive else ("release", h, ("or", g, h))
    raise AssertionError(f.op)


class Slow:
    """What the tableau's states say after some letters."""

    def __init__(self, f: tableau.Formula) -> None:
        self.automaton = tableau.automaton(f)
        out = self.automaton.transitions
        full, good = (1 << self.automaton.marks) - 1, set[int]()
        for part in components(list(range(len(out))), lambda q: [t.target for t in out[q]]):
            union, stays = 0, False
            for t in (t for q in part for t in out[q] if t.target in part):
                union, stays = union | t.marks, True
            if stays and union == full:
                good |= set(part)
        while more := {q for q in range(len(out)) if any(t.target in good for t in out[q])} - good:
            good |= more
        self.good, self.states = good, {0} & good

    def go(self, letter: int) -> None:
        out = self.automaton.transitions
        self.states = {
            t.target
            for q in self.states
            for t in out[q]
            if letter & t.true == t.true and not letter & t.false and t.target in self.good
        }


def outlook(satisfying: Slow, violating: Slow) -> Outlook:
    if not satisfying.states:
        return Outlook.VIOLATED
    return Outlook.OPEN if violating.states else Outlook.MET


def compared(random: Random) -> tuple[list[str], Outlook]:
    """What differs, and how it ended."""
    names = NAMES[: random.randint(1, 3)]
    f = random_formula(random, random.randint(2, 9), names)
    both = translate(f)
    satisfying, violating = both.automaton(), both.automaton(negated=True)
    places = [names.index(name) for name in violating.atoms]
    assert satisfying.atoms == violating.atoms
    judge = Judge("p", places, Followed(violating), Followed(satisfying))
    try:
        slow = Slow(plain(f, names, True)), Slow(plain(f, names, False))
    except tableau.TooLarge:
        return [], Outlook.OPEN
    judge.begin()
    word: list[int] = []
    wrong = []
    for _ in range(LETTERS):
        expected = outlook(*slow)
        if judge.outlook is not expected:
            return [f"{f} after {word}: {judge.outlook}, and {expected} by the tableau"], expected
        for prefix, cycle in (random_word(random, len(names)) for _ in range(WAYS)):
            holds = satisfied(f, (word + prefix, cycle), names)
            if judge.outlook is not Outlook.OPEN and holds != (judge.outlook is Outlook.MET):
                wrong.append(f"{f} after {word}: {judge.outlook}, and {holds} with {prefix}, {cycle}")
        word.append(random.getrandbits(len(names)))
        for s in slow:
            s.go(word[-1])
        judge.step(word[-1])
    last = random.getrandbits(len(names))
    holds, ended = satisfied(f, (word, [last]), names), judge.outlook
    judge.end(last)
    if judge.outlook is not (Outlook.MET if holds else Outlook.VIOLATED):
        wrong.append(f"{f} on {word}, then {last} for ever: {judge.outlook}, and {holds} by the naive evaluator")
    return wrong, ended


def campaign(seed: int, count: int) -> tuple[list[str], Counter[str]]:
    wrong, ends = list[str](), Counter[str]()
    for number in range(count):
        found, end = compared(Random(f"{seed}/{number}"))
        wrong += found
        ends[end.value] += 1
    return wrong, ends


def main() -> None:
    options = count_and_seed(__doc__, 5000)
    wrong, ends = campaign(options.seed, options.count)
    print("\n".join(wrong) or "no difference")
    print(", ".join(f"{name}: {number}" for name, number in ends.most_common()))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
