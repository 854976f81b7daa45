"""Fair accepting cycles in random explicit graphs: the component search and the nested one against brute force."""

from __future__ import annotations

import random
from collections import deque

import pytest

from lfc.mcheck.properties.emptiness import ExplicitGraph, Found, How, Verdict, search_explicit

SEEDS = range(12)


def random_mask(r: random.Random, bits: int, density: float) -> int:
    return sum((r.random() < density) << i for i in range(bits))


def random_graph(r: random.Random, marks: int, pairs: int, size: int = 0) -> ExplicitGraph:
    n = size or r.randrange(1, 8)
    density = r.choice([0.12, 0.2, 0.3]) / (1 if n < 8 else n / 8)
    edges = []
    for _ in range(n):
        out = [t for t in range(n) for _ in range(2) if r.random() < density]
        edges.append([(t, random_mask(r, marks + pairs, 0.3)) for t in out])
    enabled = [sum((r.random() < 0.4) << i for i in range(pairs)) for _ in range(n)]
    return ExplicitGraph(edges, enabled, (1 << marks) - 1, marks, pairs)


def reachable(graph: ExplicitGraph, start: int, within: set[int]) -> set[int]:
    """By one edge or more."""
    seen: set[int] = set()
    stack = [start]
    while stack:
        for target, _ in graph.edges[stack.pop()]:
            if target in within and target not in seen:
                seen.add(target)
                stack.append(target)
    return seen


def satisfied(graph: ExplicitGraph, marks: int, enabled: int) -> bool:
    return marks & graph.all_marks == graph.all_marks and not enabled & ~(marks >> graph.taken)


def has_fair_cycle(graph: ExplicitGraph) -> bool:
    """Every set of reachable states that is strongly connected by its own edges is looked at."""
    everything = set(range(len(graph.edges)))
    near = reachable(graph, 0, everything) | {0}
    for bits in range(1, 1 << len(graph.edges)):
        states = {i for i in near if bits >> i & 1}
        if len(states) != bits.bit_count() or any(reachable(graph, s, states) != states for s in states):
            continue
        marks = enabled = 0
        for s in states:
            enabled |= graph.enabled[s]
            for target, m in graph.edges[s]:
                if target in states:
                    marks |= m
        if satisfied(graph, marks, enabled):
            return True
    return False


def assert_lasso(graph: ExplicitGraph, found: Found) -> None:
    """It can be walked, it closes, and its cycle is fair and accepted."""
    lasso = found.lasso
    assert lasso is not None and lasso.prefix < len(lasso.steps)
    at, marks, enabled = 0, 0, 0
    for number, (state, _, ordinal) in enumerate(lasso.steps):
        assert state == at
        at, m = graph.edges[state][ordinal]
        if number >= lasso.prefix:
            marks |= m
            enabled |= graph.enabled[state]
    assert at == lasso.steps[lasso.prefix][0]
    assert satisfied(graph, marks, enabled)


def shortest(graph: ExplicitGraph) -> int:
    """The length of the shortest lasso: from each state in turn, over states with what was gathered on the way."""
    best = 1 << 30
    distance = {0: 0}
    queue = deque([0])
    while queue:
        s = queue.popleft()
        for target, _ in graph.edges[s]:
            if target not in distance:
                distance[target] = distance[s] + 1
                queue.append(target)
    for start, prefix in distance.items():
        nodes = deque([(start, 0, 0, prefix)])
        seen: set[tuple[int, int, int]] = set()
        while nodes:
            at, marks, enabled, length = nodes.popleft()
            if length + 1 >= best:
                break
            for target, m in graph.edges[at]:
                node = (target, marks | m, enabled | graph.enabled[at])
                if target == start and satisfied(graph, node[1], node[2]):
                    best = min(best, length + 1)
                elif node not in seen:
                    seen.add(node)
                    nodes.append((*node, length + 1))
    return best


@pytest.mark.parametrize("how", How)
def test_lassos_are_as_short_as_can_be(how: How) -> None:
    r = random.Random(int(how))
    found = 0
    for _ in range(300):
        graph = random_graph(r, r.randrange(4), r.randrange(3) if how is How.COMPONENTS else 0, r.randrange(1, 25))
        result = search_explicit(graph, how)
        if result.lasso is not None:
            found += 1
            assert_lasso(graph, result)
            assert len(result.lasso.steps) == shortest(graph), graph
    assert found > 60


FAN, WAY = 9000, 6  # more states than are looked at near the initial one, and steps behind it to what is behind them


def behind_a_fan(graph: ExplicitGraph) -> ExplicitGraph:
    """The same graph, a way from the initial state, beside so many states that lead nowhere."""
    first = WAY + FAN
    edges: list[list[tuple[int, int]]] = [[(n + 1, 0)] for n in range(WAY - 1)] + [[(first, 0)]]
    edges[0] += [(WAY + n, 0) for n in range(FAN)]
    edges += [[(WAY + n, 0)] for n in range(FAN)]
    edges += [[(first + target, marks) for target, marks in out] for out in graph.edges]
    enabled = [0] * first + list(graph.enabled)
    return ExplicitGraph(edges, enabled, graph.all_marks, graph.taken, graph.pairs)


def test_lassos_far_from_the_initial_state_are_as_short_as_can_be() -> None:
    """A large ring with an accepted cycle of two in its middle: what is found first goes round."""
    many, middle = 600, 297
    ring = [[((n + 1) % many, 0)] for n in range(many)]
    ring[middle + 1].append((middle, 1))
    graph = behind_a_fan(ExplicitGraph(ring, [0] * many, 1))
    result = search_explicit(graph, How.COMPONENTS)
    assert_lasso(graph, result)
    assert result.lasso is not None
    assert (result.lasso.prefix, len(result.lasso.steps)) == (WAY + middle, WAY + middle + 2)


def test_behind_a_fan_they_are_what_brute_force_finds() -> None:
    r = random.Random(3)
    found = 0
    for _ in range(12):
        graph = random_graph(r, r.randrange(1, 4), r.randrange(3), r.randrange(4, 25))
        alone, fanned = search_explicit(graph, How.COMPONENTS), behind_a_fan(graph)
        result = search_explicit(fanned, How.COMPONENTS)
        assert (alone.lasso is None) == (result.lasso is None)
        if result.lasso is not None and graph.pairs == 0:
            found += 1
            assert_lasso(fanned, result)
            assert len(result.lasso.steps) == WAY + shortest(graph), graph
    assert found > 2


@pytest.mark.parametrize("seed", SEEDS)
def test_component_search_finds_what_brute_force_finds(seed: int) -> None:
    r = random.Random(seed)
    answers = []
    for _ in range(150):
        graph = random_graph(r, r.randrange(4), r.randrange(4))
        found = search_explicit(graph, How.COMPONENTS)
        assert (found.verdict is Verdict.FOUND) == has_fair_cycle(graph), graph
        if found.verdict is Verdict.FOUND:
            assert_lasso(graph, found)
        answers.append(found.verdict)
    assert min(answers.count(Verdict.FOUND), answers.count(Verdict.NONE)) > 20


def test_strong_pairs_make_components_be_searched_again() -> None:
    r = random.Random(77)
    again = sum(search_explicit(random_graph(r, 1, 3), How.COMPONENTS).again for _ in range(400))
    assert again > 50


@pytest.mark.parametrize("seed", SEEDS)
def test_nested_search_agrees(seed: int) -> None:
    r = random.Random(1000 + seed)
    for _ in range(150):
        graph = random_graph(r, r.randrange(5), 0)
        found = search_explicit(graph, How.NESTED)
        assert (found.verdict is Verdict.FOUND) == has_fair_cycle(graph), graph
        if found.verdict is Verdict.FOUND:
            assert_lasso(graph, found)


@pytest.mark.parametrize("seed", range(3))
def test_both_agree_on_larger_graphs(seed: int) -> None:
    r = random.Random(2000 + seed)
    for _ in range(20):
        n = r.randrange(50, 3000)
        edges = [[(r.randrange(n), 1 << r.randrange(40)) for _ in range(r.choice([0, 1, 1, 2]))] for _ in range(n)]
        graph = ExplicitGraph(edges, [0] * n, r.choice([0, 1, 6, 1 << 30]))
        one, other = (search_explicit(graph, how) for how in How)
        assert one.verdict is other.verdict
        for found in (one, other):
            if found.verdict is Verdict.FOUND:
                assert_lasso(graph, found)


@pytest.mark.parametrize("how", How)
def test_a_cycle_is_seen_with_its_last_edge(how: How) -> None:
    """Of what lies behind it nothing is looked at: with the edge from 3 back to 1 all marks are there."""
    n = 50_000
    edges = [[(1, 0)], [(2, 1)], [(3, 0)], [(2, 0), (1, 2), (4, 0)], *([(i + 1, 3)] for i in range(4, n - 1)), [(0, 0)]]
    found = search_explicit(ExplicitGraph(edges, [0] * n, 3), how)
    assert found.verdict is Verdict.FOUND and found.lasso is not None
    assert found.states < 12 and found.edges < 30


def test_a_long_path_needs_no_recursion() -> None:
    n = 300_000
    edges = [[(i + 1, 0)] for i in range(n - 1)] + [[(n - 1, 1)]]
    graph = ExplicitGraph(edges, [0] * n, 1)
    for how in How:
        found = search_explicit(graph, how)
        assert found.verdict is Verdict.FOUND and found.lasso is not None
        extra = how is How.NESTED  # the state at the end is two: before and after its acceptance
        assert (found.lasso.prefix, len(found.lasso.steps)) == (n - 1 + extra, n + extra)
