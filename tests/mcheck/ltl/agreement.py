"""What a translation must fulfil, whatever the formula."""

from __future__ import annotations

from random import Random

from lfc.mcheck.ltl.degeneralise import degeneralize
from lfc.mcheck.ltl.formula import Formula
from lfc.mcheck.ltl.product import accepts, disjoint
from lfc.mcheck.ltl.simplify import negate
from lfc.mcheck.ltl.translate import Translation, translate
from tests.mcheck.ltl.words import random_word, satisfied


def disagreements(f: Formula, random: Random, words: int) -> tuple[Translation, list[str]]:
    """On each word exactly one of the two automata accepts, the one that the naive evaluator says; the same for their
    forms with accepting states and for the simplified formula. No word at all is accepted by both."""
    t = translate(f)
    buchi, buchi_rejects = degeneralize(t.accepts), degeneralize(t.rejects)
    negated = negate(t.formula)
    found = []
    for _ in range(words):
        word = random_word(random, len(t.atoms))
        truth = satisfied(f, word, t.atoms)
        answers = {
            "simplified": satisfied(t.formula, word, t.atoms),
            "negated": not satisfied(negated, word, t.atoms),
            "accepting": accepts(t.accepts, word),
            "rejecting": not accepts(t.rejects, word),
            "accepting, with states": accepts(buchi, word),
            "rejecting, with states": not accepts(buchi_rejects, word),
        }
        found += [f"{f}: {what} on {word}" for what, answer in answers.items() if answer != truth]
    if not disjoint(t.accepts, t.rejects) or not disjoint(buchi, buchi_rejects):
        found.append(f"{f}: not disjoint")
    return t, found
