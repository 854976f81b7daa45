"""Sets of values, and which symbols give which values of a term: compared with trying them all."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

from lfc.mcheck.symbolic import boxes, counting
from lfc.mcheck.symbolic.classes import atoms
from lfc.mcheck.symbolic.counting import Tied
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.values import preimages, ranges
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import bounds, image, preimage
from lfc.mcheck.symbolic.values.terms import (
    Term,
    byte_of,
    column,
    evaluate,
    joined,
    operation,
    select,
    symbol,
)
from tests.mcheck.symbolic.machine_operations import ASKS
from tests.mcheck.symbolic.machine_operations import OF_TWO as PLAIN

WIDTH = 5


def random_term(r: random.Random, depth: int) -> int | Term:
    if depth == 0:
        return symbol(0, WIDTH)
    a = random_term(r, depth - 1)
    if isinstance(a, int):
        return a
    w, k, number = a.width, r.random(), r.randrange(1 << a.width)
    pair = (a, number) if r.random() < 0.6 else (number, a)
    if k < 0.5:
        return operation(r.choice(PLAIN), w, w, *pair)
    if k < 0.6:
        return operation(r.choice(["zext", "sext"]), w + 3, w, a)
    if k < 0.7 and w > 2:
        return operation("trunc", w - 2, w, a)
    if k < 0.85:
        return operation(r.choice(ASKS), 1, w, *pair)
    b, c = random_term(r, depth - 1), random_term(r, depth - 1)
    if isinstance(c, Term) and c.width == 1 and isinstance(b, Term) and b.width == w:
        return select(c, a, b)
    if isinstance(b, Term) and b.width == w:
        return operation(r.choice(["add", "and", "or", "xor", "sub"]), w, w, a, b)
    return a


def test_a_choice_has_the_values_of_both_its_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table of all values would be too large."""
    monkeypatch.setattr(preimages, "MOST_IN_TABLE", 4)
    r = random.Random(5)
    for _ in range(500):
        t = random_choice(r, r.randint(1, 3))
        own = sets.of_values(r.sample(range(1 << WIDTH), 12))
        if isinstance(t, Term):
            assert image(t, {0: own}) == sets.of_values(column(t, list(sets.values(own))))


def random_choice(r: random.Random, depth: int) -> int | Term:
    x, number = symbol(0, WIDTH), r.randrange(1 << WIDTH)
    if depth == 0:
        return r.choice([number, x, operation("add", WIDTH, WIDTH, x, number)])
    condition = operation(r.choice(["ult", "uge", "eq", "ne", "slt"]), 1, WIDTH, x, number)
    return select(condition, random_choice(r, depth - 1), random_choice(r, depth - 1), WIDTH)


def test_terms_of_one_symbol() -> None:
    r = random.Random(1)
    compared = 0
    while compared < 8_000:
        t = random_term(r, r.randrange(1, 6))
        if isinstance(t, int):
            continue
        compared += 1
        domain = sets.of_values(r.sample(range(1 << WIDTH), r.randrange(1, 1 << WIDTH)))
        values = list(sets.values(domain))
        got = [evaluate(t, {0: x}) for x in values]
        assert column(t, values) == got
        few = 1 << min(t.width, 8)
        wanted = sets.of_values(r.sample(range(few), r.randrange(1, few)))
        found = sets.intersection(domain, preimage(t, wanted, {0: domain}))
        assert found == sets.of_values(x for x, v in zip(values, got, strict=True) if sets.contains(wanted, v)), t
        assert image(t, {0: domain}) == sets.of_values(got), t
        low, high = bounds(t, {0: domain})
        assert low <= min(got) and max(got) <= high, t


def test_wide_terms_stay_intervals() -> None:
    """Too many values for a table: what is found by intervals is right at their limits, and beside them."""
    r = random.Random(2)
    x = symbol(0, 32)
    for _ in range(2_000):
        number, other = r.choice([0, 1, 7, 100, 1 << 31, (1 << 32) - 1, r.randrange(1 << 32)]), r.randrange(1 << 32)
        t = operation(r.choice(ASKS), 1, 32, operation("add", 32, 32, x, other), number)
        if isinstance(t, int):
            continue
        found = preimage(t, sets.single(1), {0: sets.full(32)})
        edges = {e % (1 << 32) for low, high in found for e in (low - 1, low, high, high + 1)}
        for v in (*edges, *(r.randrange(1 << 32) for _ in range(5))):
            assert sets.contains(found, v) == bool(evaluate(t, {0: v})), (t, v)


def test_bytes_make_the_number_again() -> None:
    for x in (symbol(0, 32), operation("zext", 32, 16, symbol(0, 16)), operation("zext", 32, 8, symbol(0, 8))):
        assert isinstance(x, Term)
        parts = [byte_of(x, i) for i in range(4)]
        assert joined(parts) is x
        for v in (0, 0x12345678 % (1 << symbol(0, 8).width), 0xFF):
            assert [evaluate(p, {0: v}) for p in parts] == list(v.to_bytes(4, "little"))


def random_box(r: random.Random) -> Box:
    return tuple(sets.of_values(r.sample(range(5), r.randrange(1, 5))) for _ in range(3))


def points(box: Box) -> set[tuple[int, ...]]:
    return {(x, y, z) for x in sets.values(box[0]) for y in sets.values(box[1]) for z in sets.values(box[2])}


def test_coverage_merging_and_counting_are_exact() -> None:
    r = random.Random(3)
    for _ in range(600):
        some = [random_box(r) for _ in range(r.randrange(1, 7))]
        new = random_box(r)
        known = set().union(*map(points, some))
        rest = boxes.uncovered(new, some)
        left = set() if rest is None else points(rest)
        assert left <= points(new) and points(new) - known <= left
        assert boxes.is_covered(new, some) == (points(new) <= known)
        assert boxes.union_volume(some) == len(known)
        assert [boxes.meets(new, k) for k in some] == [not points(new).isdisjoint(points(k)) for k in some]
        pieces = boxes.without(new, some[0])
        assert set().union(set(), *map(points, pieces)) == points(new) - points(some[0])
        assert sum(map(boxes.volume, pieces)) == len(points(new) - points(some[0]))
        whole = boxes.merged(some)
        assert set().union(*map(points, whole)) == known
        for box, parts in whole.items():
            assert points(box) == set().union(*map(points, parts))


def half_covered(box: Box, known: list[Box]) -> Box | None:
    return None if any(boxes.meets(box, k) for k in known) else box


def merged_too_far(some: list[Box]) -> dict[Box, list[Box]]:
    whole = tuple(sets.normal(bounds for box in some for bounds in box[i]) for i in range(3))
    return {whole: list(some)}


@pytest.mark.parametrize(("name", "wrong"), [("uncovered", half_covered), ("merged", merged_too_far)])
def test_wrong_coverage_and_merging_are_noticed(
    name: str, wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, name, wrong)
    with pytest.raises(AssertionError):
        test_coverage_merging_and_counting_are_exact()


def test_ranges_hold_all_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of terms of two symbols; and what an answer says of each symbol leaves out none of its values."""
    monkeypatch.setattr(ranges, "_exact", lambda t, box: None)
    r = random.Random(5)
    for _ in range(2_500):
        a = random_term(r, r.randrange(1, 4))
        if isinstance(a, int):
            continue
        op = r.choice(PLAIN + ASKS)
        t = operation(op, 1 if op in ASKS else a.width, a.width, a, symbol(1, a.width))
        if isinstance(t, int):
            continue
        most = 1 << min(a.width, 6)
        box = {
            0: sets.of_values(r.sample(range(32), r.randrange(1, 32))),
            1: sets.of_values(r.sample(range(most), r.randrange(1, 1 + min(19, most)))),
        }
        found = ranges.range_of(t, box)
        pairs: dict[int, list[tuple[int, int]]] = {}
        for x in sets.values(box[0]):
            for y in sets.values(box[1]):
                v = evaluate(t, {0: x, 1: y})
                assert sets.contains(found, v), (t, box)
                pairs.setdefault(v, []).append((x, y))
        for answer in (0, 1) if t.width == 1 else ():
            left = ranges.narrowed(t, bool(answer), box)
            assert left is not None or answer not in pairs
            for values in pairs.get(answer, ()):
                assert left is not None
                assert all(sets.contains(left.get(n, box[n]), v) for n, v in enumerate(values)), (t, box)


@pytest.mark.parametrize("seed", range(20))
def test_classes_are_the_values_that_the_same_sets_have(seed: int) -> None:
    r = random.Random(seed)
    own = {sets.normal((v, v) for v in range(1 << WIDTH) if r.random() < 0.5) for _ in range(r.randrange(1, 5))}
    found = atoms(own)
    by_members: dict[frozenset[sets.ValueSet], set[int]] = {}
    for v in range(1 << WIDTH):
        by_members.setdefault(frozenset(s for s in own if any(low <= v <= high for low, high in s)), set()).add(v)
    by_members.pop(frozenset(), None)
    assert [set(sets.values(c)) for c in found] == sorted(by_members.values(), key=lambda c: min(c))
    assert all(sets.contains(c, v) == (v in set(sets.values(c))) for c in found for v in range(-1, 1 + (1 << WIDTH)))


def test_classes_of_sets_with_many_intervals() -> None:
    """Two of three numbers, as a guard with MOD leaves them: each interval is looked at once, not with all others."""
    whole, pairs = sets.full(16), sets.normal((v, v + 1) for v in range(1, 65_535, 3))
    rest = sets.difference(whole, pairs)
    assert atoms({whole, pairs}) == [rest, pairs] and len(pairs) == 21_845


def random_tied(r: random.Random) -> Tied:
    numbers: dict[int, int] = {}
    classes = tuple(numbers.setdefault(r.randrange(4), len(numbers)) for _ in range(4))
    return Tied(classes, tuple(sets.of_values(r.sample(range(4), r.randrange(1, 5))) for _ in numbers))


def blocks(t: Tied) -> set[tuple[int, ...]]:
    return {
        row for row in product(range(4), repeat=4)
        if all(sets.contains(t.values[c], v) for c, v in zip(t.classes, row, strict=True))
        and all(row[i] == row[t.classes.index(c)] for i, c in enumerate(t.classes))
    }  # fmt: skip


def test_copies_are_counted_once() -> None:
    r = random.Random(8)
    for _ in range(400):
        some = [random_tied(r) for _ in range(r.randrange(1, 7))]
        both = some[0].common(some[-1])
        assert (set() if both is None else blocks(both)) == blocks(some[0]) & blocks(some[-1])
        assert [t.volume for t in some] == [len(blocks(t)) for t in some]
        assert counting.union_volume(some) == len(set().union(*map(blocks, some)))
