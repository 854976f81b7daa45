"""What an action does over and over, told once with its number."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from lfc.run.repeated import groups, told_briefly, told_once


@pytest.mark.parametrize(
    ("deeds", "told"),
    [
        ("aaaab", "a; a; a; a; b"),
        ("aaaaab", "a (5 times); b"),
        ("abab", "a; b; a; b"),
        ("xabababay", "x; a; b (these 2, 3 times); a; y"),
        ("aabaabaab", "a; a; b (these 3, 3 times)"),
        ("abcdefgh" * 3, "a; b; c; d; e; f; g; h (these 8, 3 times)"),
        ("", ""),
    ],
)
def test_what_comes_in_turn(deeds: str, told: str) -> None:
    assert "; ".join(told_briefly(deeds)) == told


def test_of_what_is_long_still_the_middle_is_counted() -> None:
    """A register that is polled beside a clock that goes on."""
    deeds = list(chain.from_iterable(("Status = 0", f"clock = {n}") for n in range(40)))
    assert told_briefly(deeds) == [*deeds[:10], "... 32 more of Status = 0, 32 others ...", *deeds[-6:]]
    deeds = list(chain.from_iterable(("Status = 0", f"clock = {n // 14}") for n in range(14 * 3)))
    deeds[1::7] = ["Data = 7"] * 12
    between = "24 more of Status = 0, 12 more of clock = 1, 9 more of clock = 2, 8 more of Data = 7, 3 others"
    assert told_briefly(deeds)[10:-6] == [f"... {between} ..."]


def test_where_nothing_is_between_nothing_is_left_out() -> None:
    told = told_briefly("abcdefgh" * 3 + "ijklmnop" * 3 + "qrstuvwx" * 3)
    assert len(told) == 24 and told[7::8] == ["h (these 8, 3 times)", "p (these 8, 3 times)", "x (these 8, 3 times)"]


def test_groups_together_are_all() -> None:
    chance = random.Random(1)
    for _ in range(500):
        deeds = [chance.choice("abc"[: chance.randrange(1, 4)]) for _ in range(chance.randrange(60))]
        assert [d for group, times in groups(deeds) for _ in range(times) for d in group] == deeds


def test_programs_are_told_each_of_what_is_in_turn() -> None:
    assert told_once(["a", "b"] * 9 + ["", *["c"] * 7]) == ["a", "b"] * 9 + ["c (7 times)"]
