"""Where processes stand, and which are folded."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lfc.view.arrange import HIGH, WIDE, arranged
from lfc.view.folding import MANY, contracted, folds


def ring(count: int) -> dict[str, set[str]]:
    return {f"p{i}": {f"p{(i + 1) % count}", f"p{(i - 1) % count}"} for i in range(count)}


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, set[str]]:
    count = draw(st.integers(0, 14))
    found: dict[str, set[str]] = {f"p{i}": set() for i in range(count)}
    if count:
        for a, b in draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=20)):
            if a != b:
                found[f"p{a}"].add(f"p{b}")
                found[f"p{b}"].add(f"p{a}")
    return found


@settings(max_examples=40, deadline=None)
@given(graphs())
def test_nobody_stands_on_another(graph: dict[str, set[str]]) -> None:
    at = arranged(graph)
    assert at.keys() == graph.keys() and at == arranged(graph)
    names = sorted(at)
    for i, a in enumerate(names):
        for b in names[:i]:
            apart = abs(at[a][0] - at[b][0]) / WIDE, abs(at[a][1] - at[b][1]) / HIGH
            assert max(apart) > 0.85, (a, b)  # the box is smaller than its room
    assert all(x >= 0 and y >= 0 for x, y in at.values())


@pytest.mark.parametrize("count", [5, 10, 24])
def test_a_ring_is_a_ring(count: int) -> None:
    """Neighbours are nearer than all others, and nobody stands in the middle."""
    at = arranged(ring(count))
    middle = sum(x for x, _ in at.values()) / count, sum(y for _, y in at.values()) / count
    away = [hypot((x - middle[0]) / 1.5, y - middle[1]) for x, y in at.values()]
    assert max(away) < 1.5 * min(away)


def test_few_are_not_folded() -> None:
    assert folds({f"p{i}": "p" for i in range(MANY)}, [], []) == {}


def test_of_many_those_of_the_circle_stay() -> None:
    kinds = {f"Fork[{i}]": "Fork" for i in range(30)} | {f"Eater[{i}]": "Eater" for i in range(30)}
    circle = [name for i in range(30) for name in (f"Eater[{i}]", f"Fork[{(i + 1) % 30}]")]
    found = folds(kinds, circle, ["Fork[7]"])
    folded = {name for names in found.values() for name in names}
    assert kinds.keys() - folded == {*circle[:4], *circle[-2:], "Fork[7]"}
    assert sorted(found) == ["26 more Fork", "27 more Eater"]


def test_a_folded_graph_has_one_node_for_each_fold() -> None:
    graph = contracted(ring(6), {"4 more p": ["p2", "p3", "p4", "p5"]})
    assert graph == {"p0": {"p1", "4 more p"}, "p1": {"p0", "4 more p"}, "4 more p": {"p0", "p1"}}
