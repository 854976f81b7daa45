"""Insensitive to steps that change nothing: of formulas with momentary atoms, and of automata without complement."""

from __future__ import annotations

from random import Random

import pytest

from lfc.mcheck.ltl.product import accepts
from lfc.mcheck.ltl.stutter import contracted, expanded, expanded_late, insensitive_alone, stutter_insensitive
from lfc.mcheck.ltl.translate import translate
from tests.mcheck.ltl.published import SETS, read
from tests.mcheck.ltl.words import NAMES, random_formula, random_word, satisfied


@pytest.mark.parametrize(
    ("text", "insensitive"),
    [
        ("[](t -> <>p)", True),
        ("t", True),  # of the first letter; silent ones come behind it
        ("<>t", True),
        ("<>[]t", False),
        ("[]<>!t", False),
        ("[](t -> p)", True),
        ("[](p \\/ t)", False),  # t may be there once, and then nothing happens
        ("[](t -> X (!t W p))", False),  # a silent letter behind t where p is there
        ("[](t -> X (!t U q))", False),
        ("<>(t /\\ X <>t)", True),  # twice
        ("<>(t /\\ X t)", False),
        ("[]<>(p /\\ t)", True),
        ("[]<>p", True),
        ("!t U p", True),
        ("t U p", False),
    ],
)
def test_momentary_atoms(text: str, insensitive: bool) -> None:
    assert translate(read(text), {"t"}).stutter_insensitive is insensitive


def stuttered(random: Random, word: list[int], momentary: int) -> list[int]:
    return [v for letter in word for v in [letter] + [letter & ~momentary] * random.randint(0, 2)]


@pytest.mark.parametrize("momentary", [0, 1, 3])
def test_as_words_show_it(momentary: int) -> None:
    """An insensitive language must not tell a word from the same with silent letters put in; for a sensitive one such
    words are mostly found. What is shown of an automaton alone is so."""
    sensitive = found = insensitive = alone = 0
    for seed in range(120):
        random = Random(seed)
        f = random_formula(random, 6, NAMES[:2])
        names = {name for i, name in enumerate(translate(f).atoms) if momentary >> i & 1}
        t = translate(f, names)
        moments = sum(1 << t.atoms.index(name) for name in names)
        told = 0
        for _ in range(150):
            prefix, cycle = random_word(random, len(t.atoms))
            longer = stuttered(random, prefix, moments), stuttered(random, cycle, moments)
            told += satisfied(f, (prefix, cycle), t.atoms) != satisfied(f, longer, t.atoms)
        if t.stutter_insensitive:
            assert told == 0, str(f)
            insensitive += 1
        else:
            sensitive += 1
            found += told > 0
        for g in (t.accepts, t.rejects):
            shown = insensitive_alone(g, moments)
            assert t.stutter_insensitive or not shown, str(f)
            alone += shown
    assert sensitive > 15 and insensitive > 20 and found > 0.7 * sensitive
    assert alone > 1.5 * insensitive  # of two automata each; nearly all are shown


def test_shorter_and_longer_words() -> None:
    """The automaton of longer words accepts what is made of a word of the language by putting silent letters in. It has
    two forms, which agree. The automaton of shorter words accepts what a word of the language was made of."""
    made = refused = 0
    for seed in range(60):
        random = Random(seed)
        f = random_formula(random, 6, NAMES[:2])
        t = translate(f)
        moments = random.randrange(1 << len(t.atoms))
        longer, late = expanded(t.accepts), expanded_late(t.accepts)
        with_moments, shorter = expanded(t.accepts, moments), contracted(t.accepts, moments)
        for _ in range(15):
            word = prefix, cycle = random_word(random, len(t.atoms))
            more = stuttered(random, prefix, moments), stuttered(random, cycle, moments)
            if satisfied(f, word, t.atoms):
                repeated = stuttered(random, prefix, 0), stuttered(random, cycle, 0)
                assert accepts(longer, repeated) and accepts(late, repeated) and accepts(with_moments, more), str(f)
                made += 1
            if satisfied(f, more, t.atoms):
                assert accepts(shorter, word), str(f)
            assert accepts(longer, word) == accepts(late, word), str(f)
            refused += not accepts(longer, word)
    assert made > 200 and refused > 100


def test_next_free_formulas_are_insensitive_on_their_automata() -> None:
    """What is known without a look at the automaton is what a look says."""
    seen = 0
    for line in [line for lines in SETS.values() for line in lines]:
        t = translate(read(line))
        if t.stutter_insensitive and t.accepts.size[1] < 60:
            assert stutter_insensitive(t.accepts, t.rejects), line
            seen += 1
    assert seen > 60
