"""Searches of graphs, against the definitions."""

from __future__ import annotations

import random

from lfc.base.breadth_first import Found
from lfc.base.scc import components


def test_components_are_those_that_reach_each_other() -> None:
    chance = random.Random(5)
    for size in range(1, 14):
        for _ in range(30):
            followers = [[chance.randrange(size) for _ in range(chance.randrange(3))] for _ in range(size)]
            found = components(range(size), followers.__getitem__)
            of = {node: number for number, part in enumerate(found) for node in part}
            reach = [set(reached(followers, n)) for n in range(size)]
            assert sorted(of) == list(range(size)) == sorted(n for part in found for n in part)
            for a in range(size):
                for b in reach[a]:
                    assert of[b] <= of[a] and (of[a] == of[b]) == (a in reach[b])


def reached(followers: list[list[int]], start: int) -> list[int]:
    found = Found(start)
    for _, node in found:
        for follower in followers[node]:
            found.number(follower)
    return found.nodes


def test_breadth_first_numbers_by_distance_and_keeps_to_its_room() -> None:
    followers = [[3, 1], [2], [4], [2], [0]]
    assert reached(followers, 0) == [0, 3, 1, 2, 4]
    found = Found("a", 2)
    assert [found.number(x) for x in ("a", "b", "c", "b")] == [0, 1, None, 1] and list(found) == [(0, "a"), (1, "b")]
