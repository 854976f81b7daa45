"""Random formulas and random words, for all tests of formulas and automata."""

from __future__ import annotations

from random import Random

from lfc.mcheck.ltl.formula import FALSE, TRUE, Formula, Op, atom, node
from lfc.mcheck.ltl.product import Lasso
from tests.naive.formulas import satisfies

NAMES = ["a", "b", "c", "d"]
_UNARY = [Op.NOT, Op.NEXT, Op.EVENTUALLY, Op.ALWAYS]
_BINARY = [Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.UNTIL, Op.WEAKUNTIL, Op.RELEASE, Op.STRONGRELEASE]
_PLAIN = [Op.AND, Op.OR, Op.IMPLIES, Op.UNTIL, Op.WEAKUNTIL, Op.RELEASE]


def random_formula(random: Random, size: int, names: list[str]) -> Formula:
    """About `size` operators and atoms."""
    if size <= 1:
        return random.choice([TRUE, FALSE]) if random.random() < 0.03 else atom(random.choice(names))
    if size == 2 or random.random() < 0.45:
        return node(random.choice(_UNARY), random_formula(random, size - 1, names))
    # IFF doubles what is below it, so there is less of it.
    op = random.choice(_BINARY if random.random() < 0.5 else _PLAIN)
    left = random.randint(1, size - 2)
    return node(op, random_formula(random, left, names), random_formula(random, size - 1 - left, names))


def random_word(random: Random, atoms: int) -> Lasso:
    """Over that many atoms; often with the same valuation several times in a row."""
    length = random.randint(1, 9)
    word: list[int] = []
    for _ in range(length):
        word.append(word[-1] if word and random.random() < 0.3 else random.getrandbits(atoms) if atoms else 0)
    loop = random.randrange(length)
    return word[:loop], word[loop:]


def satisfied(f: Formula, word: Lasso, atoms: list[str]) -> bool:
    """By the naive evaluator."""
    prefix, cycle = word
    sets = [frozenset(name for i, name in enumerate(atoms) if v >> i & 1) for v in prefix + cycle]
    return satisfies(sets, len(prefix), f)
