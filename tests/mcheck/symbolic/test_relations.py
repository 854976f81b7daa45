"""Terms and conditions of several symbols: sums in their normal form, and conditions of which only some symbols matter,
compared with trying all values; and rules that are wrong are noticed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

from lfc.mcheck.symbolic import normal_form, relations
from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.normal_form import rooted_together
from lfc.mcheck.symbolic.relations import image_of, new_roots, without_others
from lfc.mcheck.symbolic.values import linear
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.linear import Canonical
from lfc.mcheck.symbolic.values.ranges import Impossible
from lfc.mcheck.symbolic.values.terms import COMPARISONS, Term, compiled, evaluate, operation, symbol
from tests.mcheck.symbolic.test_values import ASKS, PLAIN

WIDTH = 4
COUNT = 3


def widened(r: random.Random, a: int | Term, w: int) -> int | Term:
    if isinstance(a, int) or a.width == w:
        return a
    return operation(r.choice(["zext", "sext"]) if a.width < w else "trunc", w, a.width, a)


def random_sum(r: random.Random, depth: int) -> int | Term:
    if depth == 0:
        return symbol(r.randrange(COUNT), WIDTH) if r.random() < 0.8 else r.randrange(1 << WIDTH)
    a, b = random_sum(r, depth - 1), random_sum(r, depth - 1)
    w = max((x.width for x in (a, b) if isinstance(x, Term)), default=0)
    if not w:
        return a
    x, y = (v % (1 << w) if isinstance(v, int) else v for v in (widened(r, a, w), widened(r, b, w)))
    k = r.random()
    if k < 0.5:
        return operation(r.choice(["add", "sub", "mul", "shl"]), w, w, x, y)
    if k < 0.6:
        return operation(r.choice(PLAIN), w, w, x, y)
    if k < 0.85:
        return widened(r, x, r.choice([w + 2, max(2, w - 1)]))
    return operation(r.choice(ASKS), 1, w, x, y)


def random_box(r: random.Random) -> dict[int, sets.ValueSet]:
    return {i: sets.of_values(r.sample(range(1 << WIDTH), r.randrange(1, 6))) for i in range(COUNT)}


def valuations(box: dict[int, sets.ValueSet]) -> list[dict[int, int]]:
    numbers = sorted(box)
    return [dict(zip(numbers, row, strict=True)) for row in product(*(sets.values(box[n]) for n in numbers))]


def compare_sums(seed: int, count: int) -> None:
    r = random.Random(seed)
    decided = 0
    for _ in range(count):
        t = random_sum(r, r.randrange(1, 5))
        if isinstance(t, int):
            continue
        box = random_box(r)
        simple = Canonical(box)
        found, (low, high) = simple.of(t), simple.bounds(t)
        decided += isinstance(found, int)
        for v in valuations(box):
            assert evaluate(found, v) == evaluate(t, v), (t, box)
            assert low <= evaluate(t, v) <= high, (t, box)
    assert decided > count // 60


def test_sums_are_what_they_were() -> None:
    compare_sums(1, 2_000)


def test_what_is_added_and_taken_away_is_gone() -> None:
    x, y, z = (operation("zext", 32, 8, symbol(n, 8)) for n in range(3))
    box = {n: sets.full(8) for n in range(3)}
    short = operation("trunc", 16, 32, operation("add", 32, 32, operation("add", 32, 32, x, y), z))
    less = operation("sub", 32, 32, operation("zext", 32, 16, short), y)
    both = operation("add", 32, 32, x, z)
    assert Canonical(box).of(less) is Canonical(box).of(both)
    assert Canonical(box).of(operation("ult", 1, 32, less, 511)) == 1


WITHIN = linear.within


def wraps_unseen(s: linear.Sum, least: int, w: int) -> linear.Sum | None:
    return WITHIN(s, least, w) or s


def forgets_the_constant(s: linear.Sum, w: int) -> int | Term:
    return WRITTEN(linear.Sum(0, s.parts, s.low, s.high), w) if s.parts else WRITTEN(s, w)


WRITTEN = linear.written


@pytest.mark.parametrize(("name", "wrong"), [("within", wraps_unseen), ("written", forgets_the_constant)])
def test_wrong_sums_are_noticed(name: str, wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, name, wrong)
    with pytest.raises(AssertionError):
        compare_sums(1, 500)


# --- conditions ------------------------------------------------------------------------------------------------------


def random_conditions(r: random.Random) -> list[relations.Condition]:
    found: dict[Term, int] = {}
    for _ in range(r.randrange(1, 4)):
        a: int | Term = symbol(r.randrange(COUNT), WIDTH)
        b = random_sum(r, r.randrange(0, 3))
        w = max(WIDTH, b.width if isinstance(b, Term) else 0)
        a, b = widened(r, a, w), widened(r, b, w)
        t = operation(r.choice(sorted(COMPARISONS)), 1, w, *((a, b) if r.random() < 0.5 else (b, a)))
        if isinstance(t, Term):
            found[t] = r.randrange(2)
    return list(found.items())


def having(conditions: list[relations.Condition], box: dict[int, sets.ValueSet], kept: int) -> set[int]:
    """The values of a symbol with which all hold, for some values of the others."""
    return {v[kept] for v in valuations(box) if all(evaluate(t, v) == answer for t, answer in conditions)}


def compare_conditions(seed: int, count: int) -> None:
    r = random.Random(seed)
    fewer = 0
    for _ in range(count):
        box, conditions = random_box(r), random_conditions(r)
        path = Path({}, dict(box), dict.fromkeys(box, WIDTH), known=dict(conditions))
        right = having(conditions, box, 0)
        if not right:
            continue  # such a path is dropped before
        assert image_of(symbol(0, WIDTH), conditions, box, 1 << 20) == sets.of_values(right)
        try:
            left = without_others(path, relations.conditions_of(path), frozenset((0,)))
        except Impossible:
            raise AssertionError(conditions) from None
        assert having(left, path.box, 0) == right, (conditions, box)
        fewer += len(left) < len(conditions)
    assert fewer > count // 5


def test_what_conditions_say_of_a_symbol_stays() -> None:
    compare_conditions(2, 1_500)


PROJECTED = relations.projected


def drops_limits(path: Path, condition: relations.Condition, n: int) -> object:
    found = PROJECTED(path, condition, n)
    return found if found is None else []


def drops_all(path: Path, condition: relations.Condition, n: int) -> object:
    return []


@pytest.mark.parametrize("wrong", [drops_limits, drops_all])
def test_wrong_elimination_is_noticed(wrong: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "projected", wrong)
    with pytest.raises(AssertionError):
        compare_conditions(2, 600)


def compare_images(seed: int) -> None:
    """Of one term with its conditions; and parts of one symbol are independent of all else."""
    r = random.Random(seed)
    for _ in range(400):
        box, t = random_box(r), random_sum(r, r.randrange(1, 4))
        if isinstance(t, int):
            continue
        path = Path({}, dict(box), dict.fromkeys(box, WIDTH))
        right = sets.of_values(evaluate(t, v) for v in valuations(box))
        (values,) = rooted_together(path, [t], []).values()
        assert (box[t.args[0]] if values is None else values) == right  # type: ignore[index]
        for part, own in new_roots([t], box).items():
            assert own == sets.of_values(evaluate(part, v) for v in valuations(box))
        rows = compiled([t, symbol(0, WIDTH)], [0, 1, 2])(*(list(sets.values(box[n])) for n in range(COUNT)))
        assert list(rows) == [(evaluate(t, v), v[0]) for v in valuations(box)]


def test_images() -> None:
    compare_images(3)


def test_a_wrong_image_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal_form, "image_of", lambda t, conditions, box, most: sets.full(t.width))
    with pytest.raises(AssertionError):
        compare_images(3)
