"""CTL on random graphs, against its definitions; and the syntax of queries."""

from __future__ import annotations

import random

import pytest

from lfc.mcheck.queries.ctl import Checker
from lfc.mcheck.queries.formula import DEEPEST, BadQuery, Formula, parse
from lfc.mcheck.queries.stored_graph import StoredEdge, StoredGraph, StoredState
from tests.mcheck.queries.naive import satisfying

UNARY = ("EX", "EF", "EG", "AX", "AF", "AG", "~")


def graph(rng: random.Random) -> StoredGraph:
    size = rng.randint(1, 9)
    states = [StoredState({"p": rng.random() < 0.5, "q": rng.random() < 0.5}, {}) for _ in range(size)]
    edges = [StoredEdge(s, rng.randrange(size), "e") for s in range(size) for _ in range(rng.randrange(4))]
    return StoredGraph("Random.lf", "", states, edges)


def formula(rng: random.Random, depth: int) -> str:
    roll = rng.random()
    if depth == 0 or roll < 0.15:
        return rng.choice(["p", "q", "~p", "TRUE", "p = q"])
    if roll < 0.6:
        return f"{rng.choice(UNARY)} ({formula(rng, depth - 1)})"
    left, right = formula(rng, depth - 1), formula(rng, depth - 1)
    if roll < 0.8:
        return f"{rng.choice('EA')}[{left} U {right}]"
    return f"({left}) {rng.choice(['&', 'OR', '->', '<->'])} ({right})"


def test_random_formulas_on_random_graphs() -> None:
    rng = random.Random(17)
    sometimes = 0
    for _ in range(3000):
        g = graph(rng)
        f = parse(formula(rng, 4))
        after = [{e.target for e in g.edges if e.source == s} or {s} for s in range(len(g.states))]

        def atoms(a: Formula, g: StoredGraph = g) -> frozenset[int]:
            c = a.comparison
            assert c is not None and c.left.name is not None
            right = c.right
            return frozenset(
                n
                for n, s in enumerate(g.states)
                if s.data[c.left.name] == (right.constant if right.name is None else s.data[right.name])
            )

        found = Checker(g).satisfying(f)
        assert found == satisfying(after, f, atoms), (f, g)
        sometimes += 0 < len(found) < len(g.states)
    assert sometimes > 500


def test_shortest_paths_are_those_of_all_paths() -> None:
    rng = random.Random(5)
    for _ in range(300):
        g = graph(rng)
        checker = Checker(g)
        starts, goal = checker.satisfying(parse("p")), checker.satisfying(parse("~p & q"))
        reached, length = starts, 0
        while not reached & goal and length <= len(g.states):
            reached, length = reached | frozenset(t for s in reached for t in checker.after[s]), length + 1
        path = checker.path(starts, goal)
        if path is None:
            assert not reached & goal
        else:
            assert len(path) - 1 == length and path[0] in starts and path[-1] in goal
            assert len(checker.labels(path)) == length


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("EF p & q", "(EF p) & q"),
        ("~EX p OR q", "(~(EX p)) OR q"),
        ("p & q OR p", "(p & q) OR p"),
        ("p -> q -> p", "p -> (q -> p)"),
        ("EF (a & ~b)", "EF ((a = TRUE) & ~(b = TRUE))"),
        ("A[p U E[q U p]]", "A[ (p) U (E[q U p]) ]"),
        ("~~p", "p"),
    ],
)
def test_what_binds_stronger(text: str, same: str) -> None:
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a condition is missing before the end at column 1"),
        ("p &", "a condition is missing before the end at column 4"),
        ("E[p]", "`U` is missing before `]` at column 4"),
        ("p q", "`q` at column 3 is too much"),
        ("3", "a relation is missing at column 2"),
        ("p ? q", "`?` at column 3 is no part of a query"),
        ("READY(3)", "READY needs the name of a process at column 7"),
        ("(" * 200 + "p" + ")" * 200, f"the query is nested more than {DEEPEST} deep"),
    ],
)
def test_errors(text: str, said: str) -> None:
    with pytest.raises(BadQuery) as error:
        parse(text)
    assert str(error.value) == said


def test_atoms_of_data() -> None:
    data = {"c": "green", "a": [1, 2], "r": {"n": -3, "t": [{"k": 5}]}, "P[1].x": 7, "d": "red"}
    g = StoredGraph(
        "",
        "",
        [StoredState(data, {"P[1]": {"line": 1, "ready": True}}), StoredState({}, {}, "FAULT")],
        [StoredEdge(0, 1, "e")],
    )
    c = Checker(g)
    for text in (
        "c = green",
        "c # d",
        "a[1] = 2",
        "r.n = -3",
        "r.t[0].k >= 5",
        "P[1].x < 8",
        "READY(P[1])",
        "EF FAULT",
    ):
        assert 0 in c.satisfying(parse(text)), text
    assert c.satisfying(parse("P[1].x # 3")) == {0} and c.satisfying(parse("WAITING(P[1])")) == frozenset()
    for text, said in (
        ("a[2] = 1", "`a[2]`: the array has 2 elements"),
        ("r.z = 1", "`r.z`: there is no part `z`"),
        ("c = blue", "no state has a variable or a value `blue`"),
        ("c = 1", "c and 1 cannot be compared: they are 'green' and 1"),
        ("READY(Q)", "no state has a process `Q`; there are: P[1]"),
    ):
        with pytest.raises(BadQuery) as error:
            c.satisfying(parse(text))
        assert str(error.value).startswith(said)
