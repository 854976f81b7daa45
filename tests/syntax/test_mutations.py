"""A share of all small mistakes in the examples: errors lie near, and there are few of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.syntax.mutations import Mutation, measure, misspelt, mutations_of, sampled

PROGRAMS = sorted([*(ROOT / "examples").glob("*.lf"), *(ROOT / "tests" / "corpus" / "right").rglob("*.lf")])
SHARE = 0.02


@pytest.mark.parametrize("seed", [1, 2])
def test_first_error_is_near_and_errors_are_few(seed: int) -> None:
    chance = random.Random(seed)
    mutations = [m for path in PROGRAMS for m in sampled(mutations_of(path, chance), SHARE, chance)]
    result = measure(mutations)
    assert sum(result.with_error.values()) > 100
    assert result.holds, result.table()


def test_a_program_that_is_far_off_is_noticed(tmp_path: Path) -> None:
    """The measure itself: an error three lines below the change does not count as near."""
    text = "MODULE M;\n\n\n\nBEGIN x := END M.\n"
    far = measure([Mutation("M.lf", "deletion", text, 1, 1, "")])
    near = measure([Mutation("M.lf", "deletion", text, 4, 4, "")])
    assert (far.share_near, near.share_near) == (0.0, 1.0)
    assert not far.holds and near.holds


def test_misspellings_differ_from_the_word() -> None:
    chance = random.Random(3)
    for word in ("DO", "ab", "END", "WHILE", "aa"):
        assert word not in {misspelt(word, chance) for _ in range(100)}
