"""Many fairness assumptions: the automata stay as small as the formulas allow, and come at once."""

from __future__ import annotations

import time

import pytest

from lfc.mcheck.ltl.degeneralise import degeneralize
from lfc.mcheck.ltl.translate import translate
from tests.mcheck.ltl.fairness import strong_family, weak_family

SECONDS = 60  # a few, on a quiet machine; an automaton that explodes takes minutes


@pytest.mark.parametrize("n", range(1, 6))
def test_weak_assumptions(n: int) -> None:
    start = time.monotonic()
    t = translate(weak_family(n))
    # One state waits; then one waits for each p_i to stay away, and one for q again and again.
    assert t.accepts.size == (n + 2, 2 * n + 4)
    assert (t.accepts.sets, t.rejects.sets) == (1, n)
    # One waits, one takes part in all p_i.
    assert t.rejects.size == (2, 2**n + 2)
    assert len(degeneralize(t.accepts).out) == n + 3
    assert len(degeneralize(t.rejects).out) == n + 2
    assert time.monotonic() - start < SECONDS


@pytest.mark.parametrize("n", range(1, 6))
def test_strong_assumptions(n: int) -> None:
    start = time.monotonic()
    t = translate(strong_family(n))
    assert t.accepts.size == (n + 2, 3 * n + 4)
    # One waits, then one for each choice of the i for which p_i stays away.
    assert t.rejects.size == (2**n + 1, 3**n + 2**n + 1)
    assert len(degeneralize(t.accepts).out) == 2 * n + 3
    assert len(degeneralize(t.rejects).out) == [4, 9, 21, 49, 113][n - 1]
    assert time.monotonic() - start < SECONDS
