"""The formulas of the literature: the right languages, and automata never larger than SPIN's in sum."""

from __future__ import annotations

import re
from random import Random

import pytest

from bench.automata import ClaimState, has_next, spin_claim, sums_of, with_negations
from lfc.mcheck.ltl.bdd import ALL as EVERYTHING
from lfc.mcheck.ltl.bdd import Diagrams
from lfc.mcheck.ltl.degeneralise import degeneralize
from lfc.mcheck.ltl.formula import negation
from lfc.mcheck.ltl.product import accepts, disjoint
from lfc.mcheck.ltl.tgba import Edge, Graph
from lfc.mcheck.ltl.translate import translate
from tests.mcheck.ltl.agreement import disagreements
from tests.mcheck.ltl.published import ALL, ETESSAMI_HOLZMANN, SETS, SOMENZI_BLOEM, SPECIFICATION_PATTERNS, read
from tests.mcheck.ltl.words import random_word


def test_the_sets_are_complete() -> None:
    assert [len(lines) for lines in SETS.values()] == [55, 12, 27]


@pytest.mark.parametrize("line", ALL)
def test_language(line: str) -> None:
    _, wrong = disagreements(read(line), Random(line), 60)
    assert wrong == []


def test_equalities_of_the_lists() -> None:
    """Somenzi and Bloem chose some formulas because they say nothing."""
    trivial = {"!(FFp <-> Fp)", "(Xp U Xq) | !X(p U q)"}
    sizes = {line: translate(read(line)).accepts.size for line in trivial}
    assert sizes == {"!(FFp <-> Fp)": (1, 0), "(Xp U Xq) | !X(p U q)": (1, 1)}


def from_claim(states: list[ClaimState], diagrams: Diagrams, atoms: list[str]) -> Graph:
    """An automaton over a0, a1, ..."""
    number = {name: i for i, state in enumerate(states) for name in state.names}

    def label_of(condition: str) -> int:
        """SPIN's own text, with Python's operators; the diagrams answer for them."""
        text = condition.replace("&&", "&").replace("||", "|").replace("!", "~").replace("(1)", "(true)")
        names = {name: _Label(diagrams, diagrams.is_true(i)) for i, name in enumerate(atoms)}
        names |= {"true": _Label(diagrams, EVERYTHING), "false": _Label(diagrams, 0)}
        assert re.fullmatch(r"[\w\s&|~()]+", text), text
        value = eval(text, {"__builtins__": {}}, names)  # the text is checked, and is SPIN's
        assert isinstance(value, _Label)
        return value.diagram

    out = [[Edge(label_of(c), int(s.accepting), number[target]) for c, target in s.transitions] for s in states]
    return Graph(diagrams, atoms, 0, out, 1)


class _Label:
    def __init__(self, diagrams: Diagrams, diagram: int) -> None:
        self.diagrams, self.diagram = diagrams, diagram

    def __and__(self, other: _Label) -> _Label:
        return _Label(self.diagrams, self.diagrams.both(self.diagram, other.diagram))

    def __or__(self, other: _Label) -> _Label:
        return _Label(self.diagrams, self.diagrams.either(self.diagram, other.diagram))

    def __invert__(self) -> _Label:
        return _Label(self.diagrams, self.diagrams.complement(self.diagram))


FOR_SPIN = [  # SPIN has no NEXT here, and takes long for what has many operators
    line for line in ALL if not has_next(read(line)) and len(line) < 50 and line.count("W") + line.count("GF") < 4
]


@pytest.mark.parametrize("line", FOR_SPIN)
def test_spin_has_the_same_language(line: str) -> None:
    f = read(line)
    t = translate(f)
    claim, opposite = spin_claim(f), spin_claim(negation(f))
    assert claim is not None and opposite is not None
    for states, ours, theirs_not in ((claim, t.accepts, t.rejects), (opposite, t.rejects, t.accepts)):
        g = from_claim(states, ours.diagrams, [f"a{i}" for i in range(len(t.atoms))])
        assert disjoint(g, theirs_not)
        for seed in range(20):
            word = random_word(Random(seed), len(t.atoms))
            assert accepts(g, word) == accepts(ours, word)


def test_never_larger_than_spin_in_sum() -> None:
    """A share that SPIN translates quickly; all of it is in `python -m bench.automata`."""
    sums = sums_of(with_negations(FOR_SPIN[::2]))
    assert sums.formulas >= 30 and sums.too_slow == 0
    for ours in (sums.buchi, sums.transition_based):
        assert ours[0] <= sums.spin[0] and ours[1] <= sums.spin[1]
    assert sums.larger == 0, "a formula for which SPIN's automaton has fewer states"


@pytest.mark.parametrize("text", [SPECIFICATION_PATTERNS, ETESSAMI_HOLZMANN, SOMENZI_BLOEM])
def test_states_of_a_whole_set(text: str) -> None:
    """Nothing may become larger unseen: the sums of formulas and negations, with accepting transitions and states."""
    transitions = states = 0
    for f in with_negations(text.strip().splitlines()):
        t = translate(f)
        transitions += len(t.accepts.out)
        states += len(degeneralize(t.accepts).out)
    assert (transitions, states) == KNOWN[text]


KNOWN = {SPECIFICATION_PATTERNS: (436, 450), ETESSAMI_HOLZMANN: (81, 94), SOMENZI_BLOEM: (147, 164)}
